/** Mails the file of a scheduled report to those whom the schedule names. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ServiceError } from '../../domain/errors.ts';
import { formatsFor, type Language } from '../../domain/locale/formats.ts';
import { MOST_RECIPIENTS } from '../../domain/mail/addresses.ts';
import { type MailLimits, queueEmail } from '../mail/queue.ts';
import { asHtml } from '../mail/render.ts';
import { alertAdmins } from '../notifications/notify.ts';
import { loadSettings } from '../settings/settings.ts';

export interface ReportMail {
  /** Addresses. */
  readonly to: readonly string[];
  /** What the schedule is called. */
  readonly title: string;
  /** Of the schedule. */
  readonly address: string;
  readonly file: { readonly id: string; readonly name: string; readonly bytes: number };
  /** Where the file can be got without a token; null where links cannot be signed. */
  readonly link: string | null;
}

/** Mail servers take little more than 10 MB; beyond, the mail says where the file is. */
const MOST_ATTACHED = 7 * 2 ** 20;

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
 * Queues the mails, in the transaction that ends the task, so that each run is mailed once; each has no more recipients than a mail may
 * have. Beyond the company's hourly limit nothing is mailed, and its owners and administrators are told: the file is there all the same.
 */
export async function mailReport(trx: Db, ctx: Context, limits: MailLimits, mail: ReportMail): Promise<void> {
  const [format, { name: company }] = await Promise.all([loadSettings(trx, 'format'), loadSettings(trx, 'company')]);
  const { language } = formatsFor(format, null);
  const isAttached = mail.file.bytes <= MOST_ATTACHED;
  const text = `${bodyOf(mail, language, isAttached)}\n\n${company}`;
  try {
    for (let from = 0; from < mail.to.length; from += MOST_RECIPIENTS) {
      await queueEmail(trx, ctx, limits, {
        kind: 'report',
        to: mail.to.slice(from, from + MOST_RECIPIENTS),
        subject: `${mail.title} – ${company}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' '),
        text,
        html: asHtml(text),
        attachments: isAttached ? [{ fileId: mail.file.id }] : [],
      });
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_many_requests') throw error;
    await alertAdmins(trx, ctx, notMailed(mail, error.message));
  }
}

function bodyOf({ file, link }: ReportMail, language: Language, isAttached: boolean): string {
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
