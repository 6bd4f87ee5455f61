/** Reminds customers of overdue invoices: one record and one mail for each, and the level of each invoice. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Dunning } from '../../../db/models/trade/dunning.ts';
import { nextNumber } from '../../../db/queries/counters.ts';
import { query } from '../../../db/sql.ts';
import { insertRow } from '../../../db/write.ts';
import { type MailLimits, queueMail } from '../../messages/mail/queue.ts';
import { reminderMail } from './mail.ts';
import { type Due, dueReminders } from './overdue.ts';

export interface DunningOptions {
  /** Only these; all customers if absent. */
  readonly partnerIds?: readonly string[] | undefined;
  /** Whose limit the mails are counted by; none unless given. */
  readonly limits?: MailLimits;
  /** Kind of the mails: those of schedules wait for their turn. */
  readonly kind?: 'document' | 'recurring';
}

/**
 * Makes the reminders that are due. Done again on the same day, it makes none: each invoice keeps its level.
 * @returns the reminders
 * @throws ServiceError validation_failed for a template that cannot be used; too_many_requests
 */
export async function remindCustomers(
  trx: Db,
  ctx: Context,
  { partnerIds, limits = { recipientsPerHour: 0 }, kind = 'document' }: DunningOptions,
): Promise<readonly Dunning[]> {
  await lockName(trx, `dunning:${ctx.tenantId}`);
  const { today, levels, due } = await dueReminders(trx, ctx, partnerIds);
  const made: Dunning[] = [];
  for (const one of due) {
    const level = levels.find((each) => each.level === one.reminder.level);
    if (level === undefined) continue;
    const emailId = await mailReminder(trx, ctx, one, level, { limits, kind });
    made.push(await record(trx, ctx, one, today, emailId));
  }
  const reached = due.flatMap(({ reminder }) => reminder.invoices.map(({ documentId: id, level }) => ({ id, level })));
  await query(
    trx,
    `update documents d set dunning_level = r.level from json_to_recordset(:reached::json) as r(id uuid, level integer)
     where d.id = r.id and d.dunning_level <> r.level`,
    { reached: JSON.stringify(reached) },
  );
  return made;
}

async function mailReminder(
  trx: Db,
  ctx: Context,
  due: Due,
  level: Parameters<typeof reminderMail>[3],
  { limits, kind }: { readonly limits: MailLimits; readonly kind: 'document' | 'recurring' },
): Promise<string | null> {
  const { email } = due.debtor;
  if (email === null || email === '') return null;
  const { subject, text, html } = await reminderMail(trx, ctx, due, level);
  return (await queueMail(trx, ctx, limits, { kind, to: email, subject, text, html })).id;
}

async function record(trx: Db, ctx: Context, due: Due, date: string, emailId: string | null): Promise<Dunning> {
  const { debtor, reminder } = due;
  const number = await nextNumber(trx, ctx.tenantId, 'dunnings');
  return await insertRow(trx, ctx, Dunning, {
    code: `REC-${String(number).padStart(5, '0')}`,
    date,
    partnerId: debtor.partnerId,
    level: reminder.level,
    lines: reminder.invoices,
    outstanding: reminder.outstanding,
    interest: reminder.interest,
    fee: reminder.fee,
    total: reminder.total,
    currency: debtor.currency,
    emailId,
    createdBy: ctx.userId,
  });
}
