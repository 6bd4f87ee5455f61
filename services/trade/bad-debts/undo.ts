/** Undoes what was done last with a bad debt: a provision, its release, or a loss, which opens the invoice again. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { Row } from '../../../db/models/table.ts';
import { BadDebt, BadDebtMovement } from '../../../db/models/trade/bad-debts.ts';
import { prepared } from '../../../db/sql.ts';
import { refused } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { takeBack } from '../../ledger/accounting/take-back.ts';
import { loadVatPeriods } from '../../ledger/tax-returns/filed.ts';
import { addSettlements } from '../payments/settlements.ts';
import { lockDebt } from './write-off.ts';

const AMOUNTS = ['provided', 'doubtful', 'writtenOff'] as const;

const SETTLED_SQL = `select line_number as "lineNumber", settled::text from payment_applications
  where entry_id = :entryId::uuid order by seq`;

/**
 * @param date of the reversal; defaults to the day of the entry
 * @throws ServiceError not_found, stale_version, period_closed, validation_failed; invalid_transition when there is nothing to undo
 */
export async function undoBadDebt(
  trx: Db,
  ctx: Context,
  id: string,
  { date }: { readonly date?: string | undefined },
  ifMatch: number | null,
): Promise<void> {
  const { doubted } = await lockDebt(trx, id, ifMatch);
  const { debt, invoice } = doubted;
  const last = (await BadDebtMovement.query(trx)
    .where({ bad_debt_id: id, standing: true })
    .orderBy('id', 'desc')
    .first()) as Row<typeof BadDebtMovement> | undefined;
  if (last === undefined) throw refused(`Nothing can be undone of ${debt.code} because nothing stands`);
  const changes = new Changes(ctx);
  const periods = await loadVatPeriods(trx);
  const { reversal, back } = await takeBack(trx, changes, BadDebtMovement, [last], AMOUNTS, { date, periods });
  const after = (member: (typeof AMOUNTS)[number]) => sum([debt[member], ...back.map((row) => row[member])]).toFixed();
  changes.change(BadDebt, debt, {
    ...{ provided: after('provided'), doubtful: after('doubtful'), writtenOff: after('writtenOff') },
  });
  const settled = await prepared<{ lineNumber: number; settled: Decimal }>(trx, SETTLED_SQL, { entryId: last.entryId });
  if (reversal !== null)
    addSettlements(
      changes,
      { id: reversal.entryId, date: reversal.date },
      settled.map((one) => ({ ...one, debt: invoice, settled: decimal(one.settled).neg().toFixed() })),
    );
  await changes.write(trx);
  await numberEntries(trx, ctx);
}
