/** Enters uninvoiced amounts at the end of a day (600/4009, 4309/700) and reverses them on the next (decision 0156). */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, round, sum } from '../../../../domain/money.ts';
import { AccountBook } from '../account-book.ts';
import { lineAccount } from '../line-account.ts';
import { type EntryDay, writeEntry } from '../write-entry.ts';
import { PENDING_ROLES, type PendingPart, pendingParts } from './parts.ts';

/** Source of entries that are reversed on the next day. */
export const PENDING_SOURCE = 'pending_invoice';

export interface PendingEntries {
  readonly pendingEntryId: string;
  readonly pendingReversalId: string;
}

/** A balance of the entry; debit − credit. */
interface Balance {
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly amount: Decimal;
}

/**
 * Enters the amounts pending at the end of a day, less those already entered for it, and the opposite on the next day.
 * @param next the next day, opened only when there is something to enter
 * @returns undefined if there is nothing to enter
 * @throws ServiceError validation_failed (an account that cannot be used), and any error of `next`
 */
export async function enterPending(
  trx: Db,
  ctx: Context,
  on: EntryDay,
  next: () => Promise<EntryDay>,
): Promise<PendingEntries | undefined> {
  const parts = await pendingParts(trx, on.date);
  const due = (
    await Promise.all((['sales', 'purchase'] as const).map((side) => computeBalances(trx, side, parts)))
  ).flat();
  const lines = buildLines([...due, ...(await readEntered(trx, on.date))]);
  if (lines.length === 0) return undefined;
  const text = `Facturas pendientes de recibir o de formalizar a ${on.date}`;
  const taking = { description: text, sourceType: PENDING_SOURCE, sourceId: null };
  const pendingEntryId = await writeEntry(trx, ctx, { ...on, ...taking, lines });
  const back = lines.map(({ debit, credit, ...line }) => ({ ...line, debit: credit, credit: debit }));
  const undoing = { description: `Anulación: ${text}`, sourceType: PENDING_SOURCE, sourceId: pendingEntryId };
  const pendingReversalId = await writeEntry(trx, ctx, { ...(await next()), ...undoing, lines: back });
  return { pendingEntryId, pendingReversalId };
}

/** Computes the balances of one side's parts: income or expense accounts, and the partners with missing invoices. */
async function computeBalances(trx: Db, side: PendingPart['side'], parts: readonly PendingPart[]): Promise<Balance[]> {
  const mine = parts.filter((part) => part.side === side);
  if (mine.length === 0) return [];
  const book = await AccountBook.loadLocked(trx, {
    roles: PENDING_ROLES[side],
    side,
    items: mine.flatMap(({ itemId }) => itemId ?? []),
    accounts: mine.flatMap(({ accountId }) => accountId ?? []),
  });
  const pendingAccount = book.role(side === 'sales' ? 'salesPending' : 'purchasesPending');
  const balances = mine.flatMap(({ partnerId, projectId, costCenterId, returned, value, ...line }): Balance[] => {
    const amount = round(side === 'sales' ? decimal(value).neg() : value, book.places);
    const accountId = lineAccount(book, line, { side, rectifying: returned, pointer: '' });
    const [assigned] = book.dimensions.assign([entryLine('debit', accountId, amount, { projectId, costCenterId })]);
    return [
      { accountId, partnerId: null, ...firstDimensions(assigned), amount },
      {
        accountId: pendingAccount,
        partnerId,
        projectId: null,
        costCenterId: null,
        amount: decimal(amount).neg().toFixed(),
      },
    ];
  });
  book.faults.throwIfAny();
  return balances;
}

/** Reads the opposite of the amounts already entered for the day. */
async function readEntered(trx: Db, date: string): Promise<Balance[]> {
  return await query<Balance>(
    trx,
    `select l.account_id as "accountId", l.partner_id as "partnerId", l.project_id as "projectId", l.cost_center_id as "costCenterId",
       sum(l.credit - l.debit)::text as amount
     from journal_entries e join journal_lines l on l.entry_id = e.id
     where e.date = :date::date and e.status = 'posted' and e.source_type = '${PENDING_SOURCE}' and e.source_id is null
     group by 1, 2, 3, 4`,
    { date },
  );
}

/** Builds a line for each account, partner, project and cost center with a balance. */
function buildLines(balances: readonly Balance[]): EntryLine[] {
  const groups = new Map<string, Balance[]>();
  for (const balance of balances) {
    const key = [balance.accountId, balance.partnerId, balance.projectId, balance.costCenterId].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), balance]);
  }
  return [...groups.values()].flatMap((group) => {
    const { accountId, partnerId, projectId, costCenterId } = group[0] as Balance;
    const amount = sum(group.map((one) => one.amount));
    return amount.eq(0)
      ? []
      : [entryLine('debit', accountId, amount.toFixed(), { partnerId, projectId, costCenterId })];
  });
}
