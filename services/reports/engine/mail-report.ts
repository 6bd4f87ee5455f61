/** Mails the file of a report to the recipients that its schedule or rule names. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { MAX_RECIPIENTS } from '../../../domain/messages/mail/addresses.ts';
import { plainName } from '../../../domain/messages/mail/names.ts';
import { type MailLimits, queueMail } from '../../messages/mail/queue.ts';
import { textToHtml } from '../../messages/mail/render.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

export interface ReportMail {
  /** Addresses. */
  readonly to: readonly string[];
  /** Title of the schedule. */
  readonly title: string;
  /** Address of the schedule. */
  readonly address: string;
  readonly file: { readonly id: string; readonly name: string; readonly bytes: number };
  /** Link to the file that needs no token; null if links cannot be signed. */
  readonly link: string | null;
  readonly language: Language;
}

/** Mail servers accept little more than 10 MB; for larger files the mail contains only the link. */
const MAX_ATTACHED_BYTES = 7 * 2 ** 20;

const TEXTS: Readonly<Record<Language, { attached: string; linked: string; elsewhere: string }>> = {
  es: {
    attached: 'Le enviamos adjunto el informe',
    linked: 'Puede descargar el informe, durante unos días, en',
    elsewhere: 'El informe es demasiado grande para un mensaje; pídaselo a quien lo ha programado:',
  },
  en: {
    attached: 'Please find attached the report',
    linked: 'For some days the report can be downloaded from',
    elsewhere: 'The report is too large for a mail; ask whoever has scheduled it:',
  },
};

/**
 * Queues the mails, in the transaction that ends the task, so that each run is mailed once. Splits the recipients among several mails if
 * there are too many for one. If the company has reached its hourly limit, nothing is mailed and its owners and administrators are
 * notified: the file exists all the same.
 */
export async function mailReport(trx: Db, ctx: Context, limits: MailLimits, mail: ReportMail): Promise<void> {
  const { name } = await loadSettings(trx, 'company');
  const company = plainName(name);
  const isAttached = mail.file.bytes <= MAX_ATTACHED_BYTES;
  const text = `${mailBody(mail, isAttached)}\n\n${company}`;
  try {
    for (let from = 0; from < mail.to.length; from += MAX_RECIPIENTS) {
      await queueMail(trx, ctx, limits, {
        kind: 'report',
        to: mail.to.slice(from, from + MAX_RECIPIENTS),
        subject: `${plainName(mail.title)} – ${company}`,
        text,
        html: textToHtml(text),
        attachments: isAttached ? [{ fileId: mail.file.id }] : [],
      });
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_many_requests') throw error;
    await alertAdmins(trx, ctx, notMailed(mail, error.message));
  }
}

function mailBody({ file, link, language }: ReportMail, isAttached: boolean): string {
  const { attached, linked, elsewhere } = TEXTS[language];
  if (isAttached) return `${attached} ${file.name}.`;
  return link === null ? `${elsewhere} ${file.name}` : `${linked}\n${link}`;
}

function notMailed({ title, address }: ReportMail, reason: string) {
  return {
    title: `The report ${title} was not mailed to all`,
    body: reason,
    actionUrl: address,
    actionLabel: 'Show',
    es: {
      title: `El informe ${title} no se ha enviado a todos`,
      body: 'La empresa ha alcanzado su límite de destinatarios por hora.',
      actionLabel: 'Ver',
    },
  };
}
