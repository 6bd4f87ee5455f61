/** Control by the current budget, if that warns or refuses: of entries (decision 0335), and of purchase orders (decision 0412). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { type Position, Positions, positionKey } from '../../../domain/ledger/budgets/positions.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { type CommittedSum, readCommitments } from './commitments.ts';
import { type BudgetWarning, type ControllingBudget, comparePositions, findControl, spanOfControl } from './compare.ts';
import { readBudgetSums } from './read.ts';

const SPENT_SQL = `select id, code from accounts where id = any(:ids::uuid[]) and type in ('expense', 'asset')`;

/**
 * Compares the positions from which a written entry spends more than it gives back with their budget, from the beginning of the year to
 * the end of the month and of each month after it: what is posted in these already counts (decision 0350).
 * @param budget undefined if none controls the day
 * @returns warnings of positions that are exceeded
 * @throws ServiceError budget_exceeded if the budget refuses that
 */
export async function checkBudget(
  trx: Db,
  ctx: Context,
  budget: ControllingBudget | undefined,
  { date, lines }: { readonly date: string; readonly lines: readonly EntryLine[] },
): Promise<BudgetWarning[]> {
  if (budget === undefined) return [];
  const ids = lines.map(({ accountId }) => accountId);
  const accounts = await prepared<{ id: string; code: string }>(trx, SPENT_SQL, { ids });
  const codes = new Map(accounts.map(({ id, code }) => [id, code]));
  const sums = await readBudgetSums(trx, budget.id);
  const book = new Positions<Position>(sums);
  const touched = new Map<string, { readonly position: Position; readonly spent: Decimal }>();
  for (const { accountId, projectId = null, costCenterId = null, debit, credit } of lines) {
    const account = codes.get(accountId);
    const position = account === undefined ? undefined : book.find({ account, projectId, costCenterId });
    if (position === undefined) continue;
    const key = positionKey(position);
    const spent = sum([touched.get(key)?.spent ?? '0', debit])
      .minus(credit)
      .toFixed();
    touched.set(key, { position, spent });
  }
  const positions = [...touched.values()].filter(({ spent }) => decimal(spent).gt(0)).map(({ position }) => position);
  return await comparePositions(trx, ctx, budget, { date, sums, positions });
}

/** A purchase order, as far as a budget is concerned. */
interface Order {
  readonly id: string;
  readonly date: string;
  readonly deliveryDate: string | null;
}

/** The day in whose month an order counts. */
const spendingDay = ({ date, deliveryDate }: Order): string => deliveryDate ?? date;

/** Finds the current budget of the fiscal year of an order's delivery, if it controls orders. */
export async function findOrderControl(trx: Db, ctx: Context, order: Order): Promise<ControllingBudget | undefined> {
  const budget = await findControl(trx, ctx, spendingDay(order));
  return budget?.countCommitments ? budget : undefined;
}

/** Amounts that one order commits, by the keys of positions. */
type Ordered = ReadonlyMap<string, Decimal>;

/** Reads what an order commits before it changes; nothing if no budget controls it. */
export async function readOrdered(trx: Db, budget: ControllingBudget | undefined, order: Order): Promise<Ordered> {
  if (budget === undefined) return new Map();
  const positions = await readBudgetSums(trx, budget.id);
  const span = await spanOfControl(trx, spendingDay(order));
  const { amounts } = committedBy(await readCommitments(trx, { positions, span, documentId: order.id }));
  return amounts;
}

/**
 * Compares the positions from which a written purchase order takes more than before with their budget, from the beginning of the year to
 * the end of the month of its delivery and of each month after it.
 * @param budget undefined if none controls orders
 * @param before as `readOrdered` returned it; absent for a new order
 * @returns warnings of positions that are exceeded
 * @throws ServiceError budget_exceeded if the budget refuses that
 */
export async function checkOrder(
  trx: Db,
  ctx: Context,
  budget: ControllingBudget | undefined,
  order: Order,
  before: Ordered = new Map(),
): Promise<BudgetWarning[]> {
  if (budget === undefined) return [];
  const date = spendingDay(order);
  const sums = await readBudgetSums(trx, budget.id);
  const span = await spanOfControl(trx, date);
  const commitments = await readCommitments(trx, { positions: sums, span, documentId: order.id });
  const { amounts, positions } = committedBy(commitments);
  const touched = [...positions].filter(([key]) => decimal(amounts.get(key) ?? '0').gt(before.get(key) ?? '0'));
  const compared = touched.map(([, position]) => position);
  return await comparePositions(trx, ctx, budget, { date, sums, positions: compared, commitments });
}

/** The order's own part of the commitments, by the keys of positions. */
function committedBy(commitments: readonly CommittedSum[]) {
  const amounts = new Map<string, Decimal>();
  const positions = new Map<string, Position>();
  for (const { position, own } of commitments) {
    const key = positionKey(position);
    amounts.set(
      key,
      decimal(amounts.get(key) ?? '0')
        .plus(own)
        .toFixed(),
    );
    positions.set(key, position);
  }
  return { amounts, positions };
}
