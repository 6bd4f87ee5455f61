/** Texts of mails that ask for an approval. */
import type { Language } from '../../locale/formats.ts';

export interface AskedApproval {
  readonly companyName: string;
  readonly title: string;
  readonly body: string;
  /** The page with the buttons. */
  readonly link: string;
  /** When it ends, as the reader writes it. */
  readonly until: string;
  readonly language: Language;
}

/** The subject, before it is put on one line. */
export function approvalSubject({ title, language }: Pick<AskedApproval, 'title' | 'language'>): string {
  return language === 'es' ? `Por aprobar: ${title}` : `For approval: ${title}`;
}

/** Writes the text, in the reader's language. */
export function approvalText({ companyName, title, body, link, until, language }: AskedApproval): string {
  const about = [title, ...(body === '' ? [] : [body])];
  const rest =
    language === 'es'
      ? [
          `Para aprobarlo o rechazarlo, abra esta página antes del ${until}:`,
          link,
          `Le escribe «${companyName}». No reenvíe este mensaje: la dirección es solo para usted.`,
        ]
      : [
          `To approve or refuse it, open this page before ${until}:`,
          link,
          `“${companyName}” asks you. Do not forward this mail: the address is for you alone.`,
        ];
  return [...about, ...rest].join('\n\n');
}
