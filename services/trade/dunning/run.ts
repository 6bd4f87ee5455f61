/** Reminds customers of overdue invoices: one record and one mail for each, and the level of each invoice. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Dunning } from '../../../db/models/trade/dunning.ts';
import { nextNumber } from '../../../db/queries/counters.ts';
import { insertRow } from '../../../db/write.ts';
import { queuePacedMail } from '../../messages/mail/queue.ts';
import { markDocuments } from '../documents/marks.ts';
import { reminderMail } from './mail.ts';
import { type Due, dueReminders } from './overdue.ts';

export interface DunningOptions {
  /** Only these; all customers if absent. */
  readonly partnerIds?: readonly string[] | undefined;
}

/**
 * Makes the reminders that are due. Done again on the same day, it makes none: a level is followed by the next one days later.
 * @returns the reminders
 * @throws ServiceError validation_failed for a template that cannot be used
 */
export async function remindCustomers(
  trx: Db,
  ctx: Context,
  { partnerIds }: DunningOptions = {},
): Promise<readonly Dunning[]> {
  await lockName(trx, `dunning:${ctx.tenantId}`);
  const { today, levels, due } = await dueReminders(trx, ctx, partnerIds);
  const made: Dunning[] = [];
  for (const one of due) {
    const level = levels.find((each) => each.level === one.reminder.level);
    if (level === undefined) continue;
    const emailId = await mailReminder(trx, ctx, one, level);
    made.push(await record(trx, ctx, one, today, emailId));
  }
  const reached = due.flatMap(({ reminder }) =>
    reminder.raised.map(({ documentId: id, level }) => ({ id, dunningLevel: level, dunnedOn: today })),
  );
  await markDocuments(trx, reached);
  return made;
}

/** Hundreds may be due on a day, so their mails wait for their turn instead of being refused. */
async function mailReminder(
  trx: Db,
  ctx: Context,
  due: Due,
  level: Parameters<typeof reminderMail>[3],
): Promise<string | null> {
  const { email } = due.debtor;
  if (email === null || email === '') return null;
  const { subject, text, html } = await reminderMail(trx, ctx, due, level);
  return (await queuePacedMail(trx, ctx, { kind: 'recurring', to: email, subject, text, html })).id;
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
