/** What the person who asked for a mail is told of it. */
import type { Language } from '../locale/formats.ts';
import { shortened } from '../shorten.ts';
import type { EmailStatus } from './kinds.ts';

interface Settled {
  readonly status: EmailStatus;
  readonly subject: string;
  readonly addressees: string;
  /** Of a mail that was sent: who has not got it. */
  readonly error: string | null;
}

const MOST = 300;

/** Title, message and the link's label. */
export function resultText({ status, subject, addressees, error }: Settled, language: Language) {
  const texts = TEXTS[language];
  const to = cut(addressees);
  const why = error === null ? '' : cut(error);
  const [title, body] =
    status === 'failed'
      ? [texts.failed, texts.failedTo(subject, to, why)]
      : error === null
        ? [texts.sent, texts.sentTo(subject, to)]
        : [texts.partly, texts.partlyTo(subject, why)];
  return { title, body, actionLabel: texts.show };
}

function cut(text: string): string {
  return text.length > MOST ? `${shortened(text, MOST)}…` : text;
}

const TEXTS = {
  en: {
    sent: 'E-mail sent',
    partly: 'E-mail sent, but not to everybody',
    failed: 'E-mail not sent',
    sentTo: (subject: string, to: string) => `“${subject}” was sent to ${to}.`,
    partlyTo: (subject: string, why: string) => `“${subject}” was not accepted for ${why}`,
    failedTo: (subject: string, to: string, why: string) => `“${subject}” could not be sent to ${to}: ${why}`,
    show: 'Show the e-mail',
  },
  es: {
    sent: 'Correo enviado',
    partly: 'Correo enviado, pero no a todos',
    failed: 'Correo no enviado',
    sentTo: (subject: string, to: string) => `«${subject}» se ha enviado a ${to}.`,
    partlyTo: (subject: string, why: string) => `«${subject}» no se ha aceptado para ${why}`,
    failedTo: (subject: string, to: string, why: string) => `«${subject}» no se ha podido enviar a ${to}: ${why}`,
    show: 'Ver el correo',
  },
} as const;
