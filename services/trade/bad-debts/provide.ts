/** Provides for invoices that customers may not pay, one by one or by their age, and releases it. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember, refused } from '../../../domain/errors.ts';
import { limitDoubt } from '../../../domain/ledger/accounting/bad-debts.ts';
import { type Decimal, decimal, decimalPlaces, round } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { PROPOSED_SQL } from './ages.ts';
import { addAdjustment, checkSince, currentDoubt, type Doubted, lockDoubted } from './doubted.ts';
import type { GenerateInput, ProvisionInput } from './schemas.ts';

/** Invoices of one call. */
export const MAX_GENERATED = 500;

/**
 * Provides for an invoice: so much in all, whatever was provided before. Less than before is released.
 * @returns the id of the bad debt
 * @throws ServiceError validation_failed, period_closed; invalid_transition when nothing changes
 */
export async function provide(trx: Db, ctx: Context, input: ProvisionInput): Promise<string> {
  const { documentId, date, percentage, amount, doubtful } = input;
  if ((percentage === undefined) === (amount === undefined))
    throw invalidMember('/percentage', 'exclusive', 'must be given, or else amount, and not both');
  const { book, doubted } = await lockDoubted(trx, [documentId]);
  const [invoice] = doubted;
  if (invoice === undefined)
    throw invalidMember('/documentId', 'invalid_reference', 'must be the id of a posted sales invoice');
  checkSince(invoice, date);
  const { outstanding } = invoice;
  if (amount !== undefined && decimalPlaces(amount) > book.places)
    throw invalidMember('/amount', 'too_many_decimals', `must have at most ${book.places} decimals`);
  const share = decimal(outstanding)
    .times(percentage ?? 0)
    .div(100);
  const provided = amount === undefined ? round(share, book.places) : decimal(amount).toFixed();
  if (decimal(provided).gt(outstanding))
    throw invalidMember('/amount', 'out_of_range', `must be at most ${outstanding}, what is outstanding`);
  const on = await openDay(trx, ctx, 'general', date, date, '/date');
  const changes = new Changes(ctx);
  const id = addAdjustment(changes, book, invoice, on, { provided, doubtful: doubtfulPart(invoice, doubtful) });
  if (id === null) throw refused(`Nothing changes of what is provided for ${invoice.invoice.row.code}`);
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return id;
}

/** @throws ServiceError validation_failed in another currency than the company's, in which payments would not find it */
function doubtfulPart(invoice: Doubted, doubtful: boolean | undefined): Decimal {
  if (doubtful === undefined) return currentDoubt(invoice).doubtful;
  if (!doubtful) return '0';
  const { row } = invoice.invoice;
  if (row.companyTotal === null) return invoice.outstanding;
  throw invalidMember('/doubtful', 'other_currency', `cannot be true because ${row.code} is in ${row.currency}`);
}

/**
 * Provides for all overdue invoices by their age, the oldest first; for none less than before.
 * @returns the ids of the bad debts, and whether there may be more
 * @throws ServiceError validation_failed, period_closed
 */
export async function generateProvisions(
  trx: Db,
  ctx: Context,
  input: GenerateInput,
): Promise<{ readonly ids: string[]; readonly more: boolean }> {
  const { date, partnerId = null, percentage = null, doubtful } = input;
  if (percentage !== null && partnerId === null)
    throw invalidMember('/percentage', 'not_allowed', 'must be left out without partnerId');
  const on = await openDay(trx, ctx, 'general', date, date, '/date');
  const given = { date, partner: partnerId, percentage, limit: MAX_GENERATED };
  const found = await prepared<{ id: string; proposed: Decimal }>(trx, PROPOSED_SQL, given);
  const proposed = new Map(found.map((one) => [one.id, one.proposed]));
  const { book, doubted } = await lockDoubted(trx, [...proposed.keys()]);
  const changes = new Changes(ctx);
  const ids = doubted
    .filter(({ since, invoice }) => since <= date && invoice.row.status !== DOCUMENT_STATUS.cancelled)
    .flatMap((invoice) => {
      const inCompany = invoice.invoice.row.companyTotal === null;
      const provided = proposed.get(invoice.invoice.row.id) ?? '0';
      const to = { provided, doubtful: doubtfulPart(invoice, inCompany ? doubtful : undefined) };
      const target = limitDoubt(to, invoice.outstanding);
      const before = currentDoubt(invoice).provided;
      const more = decimal(target.provided).lt(before) ? { ...target, provided: before } : target;
      return addAdjustment(changes, book, invoice, on, more) ?? [];
    });
  await changes.write(trx);
  await numberEntries(trx, ctx);
  // Those that are left out stay proposed: a page of nothing else is the last.
  return { ids, more: found.length === MAX_GENERATED && ids.length > 0 };
}
