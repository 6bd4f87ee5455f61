/** Sends reports about a partner to the partner by e-mail, as PDFs that tasks make. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import { parseRecipients } from '../../../domain/messages/mail/addresses.ts';
import type { Values } from '../engine/declaration.ts';
import { startGeneration } from './generate.ts';

/** Where a report is sent. */
export interface Recipient {
  readonly partnerId: string;
  /** One or several addresses; defaults to the partner's. */
  readonly to?: string | undefined;
}

export interface StatementOrder extends Recipient {
  /** First and last day; by default as of the report. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

export interface LetterOrder extends Recipient {
  /** By default the last one that is over. */
  readonly year?: number | undefined;
  /** The last day to answer; by default as of the report. */
  readonly replyBy?: string | undefined;
}

/**
 * Starts the task that makes the statement of a customer and mails it.
 * @throws ServiceError not_found; validation_failed (no or invalid address, days in the wrong order)
 */
export async function sendStatement(
  trx: Db,
  ctx: Context,
  { from, until, ...recipient }: StatementOrder,
): Promise<Task> {
  if (from !== undefined && until !== undefined && until < from)
    throw invalidMember('/until', 'out_of_range', 'must not be before from');
  return await sendReport(trx, ctx, recipient, 'customer-statement', { from, to: until });
}

/**
 * Starts the task that makes the letter on a year's operations and mails it.
 * @throws ServiceError not_found; validation_failed (no or invalid address)
 */
export async function sendOperationsLetter(
  trx: Db,
  ctx: Context,
  { year, replyBy, ...recipient }: LetterOrder,
): Promise<Task> {
  return await sendReport(trx, ctx, recipient, 'operations-letter', { year, reply_by: replyBy });
}

/** @param params of the report besides the partner; undefined ones are left out */
async function sendReport(
  trx: Db,
  ctx: Context,
  { partnerId, to }: Recipient,
  report: string,
  params: Values,
): Promise<Task> {
  const partner = await findRow(trx, Partner, { id: partnerId });
  if (partner === undefined) throw notFound('This partner');
  const addresses = to ?? partner.email ?? '';
  if (addresses === '') throw invalidMember('/to', 'required', 'is required: the partner has no e-mail address');
  const recipients = parseRecipients(addresses);
  if ('code' in recipients) throw invalidMember('/to', recipients.code, recipients.message);
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  const order = {
    report,
    params: { partner_id: partnerId, ...Object.fromEntries(given) },
    ...{ format: 'pdf', names: false, notify: false, recipients },
  };
  return await startGeneration(trx, ctx, order, false);
}
