/**
 * Queues mails. The relay starts their delivery after the commit, so requests never wait for a mail server and an accepted mail is never
 * lost.
 */
import type { MailConfig } from '../../../config/mail.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Email } from '../../../db/models/messages/mail.ts';
import { prepared } from '../../../db/sql.ts';
import { insertRow } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import {
  breaksHeader,
  MAX_RECIPIENTS,
  parseRecipients as parseAddressList,
} from '../../../domain/messages/mail/addresses.ts';
import type { MailKind } from '../../../domain/messages/mail/kinds.ts';
import type { CopyKind } from '../../../domain/messages/mail/recipients.ts';
import { giveUpTime } from '../../../domain/messages/mail/retries.ts';
import { kindsIn, mailRule, type PacedKind } from '../../../domain/messages/mail/rules.ts';
import { EMAIL_DUE } from '../../../domain/platform/internal-events.ts';

export type MailLimits = Pick<MailConfig, 'recipientsPerHour'>;

export interface NewMail<Kind extends MailKind = MailKind> {
  /** Generated if absent. */
  readonly id?: string;
  readonly kind: Kind;
  /** One or several addresses, separated by commas or semicolons. */
  readonly to: string | readonly string[];
  /** Who get a copy that the others see. */
  readonly cc?: string | readonly string[];
  /** Who get a copy that nobody sees. */
  readonly bcc?: string | readonly string[];
  readonly subject: string;
  /** Absent if the kind's handler supplies it when the mail is sent. */
  readonly text?: string;
  readonly html?: string;
  /** Rows of `files`, read when the mail is sent. */
  readonly attachments?: readonly { readonly fileId: string }[];
  readonly documentId?: string;
  /** Whether the document's PDF is attached. */
  readonly attachDocument?: boolean;
  readonly entityId?: string;
  /** The time after which it is not sent any more; some days ahead by default. */
  readonly giveUpAt?: Date;
}

const HOUR_MS = 3_600_000;

/**
 * Queues a mail, within the transaction that causes it.
 * @throws ServiceError validation_failed (`/to`, `/subject`), too_many_requests
 */
export async function queueMail(trx: Db, ctx: Context, limits: MailLimits, mail: NewMail): Promise<Email> {
  const { budget, beyond } = mailRule(mail.kind);
  if (beyond === 'refused') await assertBelowLimit(trx, ctx, limits, kindsIn(budget), parseRecipients(mail).length);
  return await insertMail(trx, ctx, mail);
}

/**
 * Queues a mail of a kind that waits for its turn (`pacing.ts`), within the transaction that causes it.
 * @throws ServiceError validation_failed (`/to`, `/subject`)
 */
export async function queuePacedMail(trx: Db, ctx: Context, mail: NewMail<PacedKind>): Promise<Email> {
  return await insertMail(trx, ctx, mail);
}

async function insertMail(trx: Db, ctx: Context, mail: NewMail): Promise<Email> {
  const { kind, subject, text = null, html = null, documentId = null, entityId = null } = mail;
  const recipients = parseRecipients(mail);
  if (breaksHeader(subject)) {
    throw invalidMember('/subject', 'format', 'cannot contain line breaks or control characters');
  }
  const id = mail.id ?? newId();
  const values = {
    id,
    kind,
    addressees: addressees(recipients),
    subject,
    status: 'queued' as const,
    recipients: recipients.map((one) => ({ ...one, status: 'queued' as const, error: null })),
    text,
    html,
    attachments: (mail.attachments ?? []).map(({ fileId }) => fileId),
    documentId,
    attachDocument: mail.attachDocument ?? false,
    entityId,
    tries: 0,
    giveUpAt: (mail.giveUpAt ?? giveUpTime(ctx.now)).toISOString(),
    createdBy: ctx.userId,
    actor: ctx.actor,
  };
  const payload = mail.attachDocument === true ? { document_id: documentId } : {};
  return await insertRow(trx, ctx, Email, values, [{ name: EMAIL_DUE, payload }]);
}

interface Named {
  readonly address: string;
  readonly as?: CopyKind;
}

/** All recipients, each once: whom the mail is addressed to, then those of copies. @throws ServiceError validation_failed */
function parseRecipients({ to, cc, bcc }: Pick<NewMail, 'to' | 'cc' | 'bcc'>): readonly Named[] {
  const named: readonly Named[] = [
    ...parseAddresses('/to', to).map((address) => ({ address })),
    ...parseAddresses('/cc', cc).map((address) => ({ address, as: 'cc' as const })),
    ...parseAddresses('/bcc', bcc).map((address) => ({ address, as: 'bcc' as const })),
  ];
  const seen = new Set<string>();
  const once = named.filter(({ address }) => {
    const key = address.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
  if (once.length <= MAX_RECIPIENTS) return once;
  throw invalidMember(
    cc === undefined ? '/bcc' : '/cc',
    'too_many',
    `must name at most ${MAX_RECIPIENTS} addresses in all`,
  );
}

function parseAddresses(pointer: string, given: string | readonly string[] | undefined): readonly string[] {
  if (given === undefined) return [];
  const addresses = parseAddressList(typeof given === 'string' ? given : given.join(','));
  if ('code' in addresses) throw invalidMember(pointer, addresses.code, addresses.message);
  return addresses;
}

/** Whom it is addressed to, and who get copies that all see, as the log shows them. */
function addressees(recipients: readonly Named[]): string {
  return recipients.flatMap(({ address, as }) => (as === 'bcc' ? [] : [address])).join(', ');
}

/** Keeps companies from flooding others with mails. @throws ServiceError too_many_requests */
async function assertBelowLimit(
  trx: Db,
  { now }: Context,
  limits: MailLimits,
  kinds: readonly MailKind[],
  more: number,
): Promise<void> {
  const { recipientsPerHour: most } = limits;
  if (most === 0) return;
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const [sent] = await prepared<{ n: number; first: string | null }>(trx, SENT, { since, kinds });
  if ((sent?.n ?? 0) + more <= most) return;
  const free = sent?.first == null ? HOUR_MS : Date.parse(sent.first) + HOUR_MS - now.getTime();
  throw new ServiceError(
    'too_many_requests',
    `The company cannot send mails to more than ${most} recipients within an hour; wait before sending more`,
    { retryAfter: Math.max(1, Math.ceil(free / 1000)) },
  );
}

const SENT = `
  select coalesce(sum(jsonb_array_length(recipients)), 0)::int as n, min(created_at) as first
  from emails where created_at > :since::timestamptz and kind = any(:kinds::text[])`;
