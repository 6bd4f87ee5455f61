/** Sends the statement of a customer by e-mail, as a PDF that a task makes. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';
import { parseRecipients } from '../../../domain/messages/mail/addresses.ts';
import { startGeneration } from './generate.ts';

export interface StatementOrder {
  /** One or several addresses; defaults to the partner's. */
  readonly to?: string | undefined;
  /** First and last day; by default as of the report. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Starts the task that makes the statement and mails it.
 * @throws ServiceError not_found; validation_failed (no or invalid address, days in the wrong order)
 */
export async function sendStatement(
  trx: Db,
  ctx: Context,
  partnerId: string,
  { to, from, until }: StatementOrder,
): Promise<Task> {
  const partner = await findRow(trx, Partner, { id: partnerId });
  if (partner === undefined) throw notFound('This partner');
  const addresses = to ?? partner.email ?? '';
  if (addresses === '') throw invalidMember('/to', 'required', 'is required: the partner has no e-mail address');
  const recipients = parseRecipients(addresses);
  if ('code' in recipients) throw invalidMember('/to', recipients.code, recipients.message);
  if (from !== undefined && until !== undefined && until < from)
    throw invalidMember('/until', 'out_of_range', 'must not be before from');
  const params = {
    partner_id: partnerId,
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { to: until }),
  };
  const order = { report: 'customer-statement', params, format: 'pdf', names: false, notify: false, recipients };
  return await startGeneration(trx, ctx, order, false);
}
