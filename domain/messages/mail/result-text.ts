/** Texts that report the outcome of a mail to the person who requested it. */
import type { Language } from '../../locale/formats.ts';
import { shortened } from '../../shorten.ts';
import type { MailStatus } from './kinds.ts';

interface Settled {
  readonly status: MailStatus;
  readonly subject: string;
  readonly addressees: string;
  /** For a mail that was sent: the recipients who did not receive it. */
  readonly error: string | null;
}

const MAX_LENGTH = 300;

/** Returns title, message and link label. */
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
  return text.length > MAX_LENGTH ? `${shortened(text, MAX_LENGTH)}…` : text;
}

const TEXTS = {
  en: {
    sent: 'E-mail sent',
    partly: 'E-mail sent to some recipients only',
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
