/** Writes debts off that are lost: the invoice is settled by the entry, and what was provided for it is released. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BadDebt } from '../../../db/models/trade/bad-debts.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, refused } from '../../../domain/errors.ts';
import { doubtLines, limitDoubt } from '../../../domain/ledger/accounting/bad-debts.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import { decimal, sum } from '../../../domain/money.ts';
import type { AccountBook } from '../../ledger/accounting/account-book.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { accrueSettlements } from '../payments/accruals.ts';
import { addSettlements, type Settlement } from '../payments/settlements.ts';
import { addDoubt, checkSince, currentDoubt, type Doubted, findDebtor, lockDoubted } from './doubted.ts';
import type { WriteOffInput } from './schemas.ts';

/**
 * Writes off what is outstanding.
 * @throws ServiceError not_found, stale_version, validation_failed, period_closed; invalid_transition when nothing is outstanding, or the
 * invoice is in another currency
 */
export async function writeOff(
  trx: Db,
  ctx: Context,
  id: string,
  { date }: WriteOffInput,
  ifMatch: number | null,
): Promise<void> {
  const { book, doubted } = await lockDebt(trx, id, ifMatch);
  const { code, currency, companyTotal } = doubted.invoice.row;
  if (decimal(doubted.outstanding).eq(0)) throw refused(`${code} cannot be written off because nothing is outstanding`);
  if (companyTotal !== null) throw refused(`${code} cannot be written off because it is in ${currency}`);
  checkSince(doubted, date);
  const on = await openDay(trx, ctx, 'general', date, date, '/date');
  const { lines, settlements } = lossLines(book, doubted);
  book.faults.throwIfAny();
  const changes = new Changes(ctx);
  const { entryId } = addDoubt(changes, book, doubted, {
    ...{ kind: 'write_off', on, to: { provided: '0', doubtful: '0' }, lost: doubted.outstanding },
    lines: [...lines, ...(await accrueSettlements(trx, settlements))],
  });
  addSettlements(changes, { id: entryId, date: on.date }, settlements);
  await changes.write(trx);
  await numberEntries(trx, ctx);
}

/** 436 and 430 against 650; then what is left of the provision against 794. */
function lossLines(book: AccountBook, doubted: Doubted) {
  const { invoice: debt, outstanding, accounts } = doubted;
  const current = currentDoubt(doubted);
  const { partnerId, dimensions } = findDebtor(doubted);
  const { doubtful } = limitDoubt(current, outstanding);
  const parts = [
    { accountId: accounts.doubtful, settled: doubtful },
    { accountId: accounts.receivable, settled: decimal(outstanding).minus(doubtful).toFixed() },
  ].filter(({ settled }) => !decimal(settled).eq(0));
  const released = {
    provided: decimal(current.provided).neg().toFixed(),
    doubtful: sum([doubtful, decimal(current.doubtful).neg().toFixed()]).toFixed(),
  };
  const lines: EntryLine[] = [
    ...parts.map(({ accountId, settled }) => entryLine('credit', accountId, settled, { partnerId })),
    entryLine('debit', book.role('badDebts'), outstanding, dimensions),
    ...doubtLines(released, { partnerId, dimensions }, accounts),
  ];
  const settlements = parts.map(({ settled }, index): Settlement => ({ lineNumber: index + 1, debt, settled }));
  return { lines, settlements };
}

/** Locks a bad debt with its invoice. @throws ServiceError not_found, stale_version */
export async function lockDebt(
  trx: Db,
  id: string,
  ifMatch: number | null,
): Promise<{ readonly book: AccountBook; readonly doubted: Doubted & { readonly debt: BadDebt } }> {
  const known = (await findRow(trx, BadDebt, { id })) as BadDebt | undefined;
  if (known === undefined) throw notFound('This bad debt');
  const { book, doubted } = await lockDoubted(trx, [known.documentId]);
  const [found] = doubted;
  if (found?.debt == null) throw new Error(`the invoice of the bad debt ${id} has no entry`);
  assertVersion(found.debt, ifMatch);
  return { book, doubted: { ...found, debt: found.debt } };
}
