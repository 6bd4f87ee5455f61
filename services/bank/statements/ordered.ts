/** Explains a line by all payments of an order that the bank booked as one sum. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { SepaOrder, SepaOrderItem } from '../../../db/models/bank/sepa.ts';
import type { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { translatePointers } from '../../platform/validation/refusals.ts';
import { registerCollected } from '../../trade/payments/collect.ts';
import type { LineCurrency } from './line-currency.ts';
import { lockNamedPayments } from './line-payments.ts';

/**
 * Finds the payments of an order, or of one of its batches. Transfers already have theirs; those of direct debits are
 * registered now, since the bank confirms their receipt.
 * @param batch found by the line's amount if missing
 * @returns their ids
 * @throws ServiceError validation_failed, duplicate, period_closed with pointers into the line
 */
export async function lockOrderPayments(
  trx: Db,
  ctx: Context,
  line: BankStatementLine,
  { order_id, batch }: { readonly order_id: string; readonly batch?: number },
  money: LineCurrency,
): Promise<string[]> {
  const order = await SepaOrder.query(trx).findById(order_id).forUpdate();
  if (order === undefined) throw refuse('invalid_reference', 'refers to an order that does not exist');
  const direction = order.kind === 'direct_debits' ? 'in' : 'out';
  if (direction !== (line.amount.startsWith('-') ? 'out' : 'in')) {
    throw refuse(
      'wrong_type',
      direction === 'in'
        ? 'is a direct debit order, but the money went out'
        : 'is a transfer order, but the money came in',
    );
  }
  if (order.bankAccountId !== line.bankAccountId) throw refuse('other_account', 'is of another bank account');
  const items = selectItems(
    line,
    await SepaOrderItem.query(trx).where({ order_id: order.id }).orderBy('position'),
    batch,
  );
  if (items.some(({ paymentId, documentId }) => paymentId === null && documentId === null)) {
    throw refuse('invalid_reference', 'has payments that were deleted; name the others as parts');
  }
  const named = items.flatMap(({ paymentId }) => (paymentId === null ? [] : [{ payment_id: paymentId, at: '' }]));
  await lockNamedPayments(trx, line, named, money).catch(atOrder);
  const collected = items.filter(({ paymentId }) => paymentId === null);
  const payments = await registerCollected(
    trx,
    ctx,
    { date: line.date, bankAccountId: line.bankAccountId, reference: null, notes: line.text },
    collected.map(({ documentId, instalment, amount }) => ({ documentId: documentId ?? '', instalment, amount })),
  ).catch(atLine);
  const ids = new Map(payments.map(({ id }, index) => [collected[index]?.id, id]));
  const changes = new Changes(ctx);
  for (const item of collected) changes.change(SepaOrderItem, item, { paymentId: ids.get(item.id) ?? null });
  await changes.write(trx);
  return items.map(({ id, paymentId }) => paymentId ?? ids.get(id) ?? '');
}

/** Selects the items that add up to the line's amount: all, or those of a batch. */
function selectItems(
  line: BankStatementLine,
  items: readonly SepaOrderItem[],
  batch: number | undefined,
): readonly SepaOrderItem[] {
  const target = decimal(line.amount).abs();
  const makes = (some: readonly SepaOrderItem[]) => sum(some.map(({ amount }) => amount)).eq(target);
  const of = (number: number) => items.filter((item) => item.batch === number);
  if (batch !== undefined) {
    if (of(batch).length === 0) throw invalidMember('/batch', 'invalid_reference', 'is not a batch of the order');
    if (!makes(of(batch)))
      throw invalidMember('/batch', 'other_amount', `does not have the line's amount of ${target.toFixed()}`);
    return of(batch);
  }
  if (makes(items)) return items;
  const numbers = [...new Set(items.map((item) => item.batch))].filter((number) => makes(of(number)));
  const [only] = numbers;
  if (only === undefined)
    throw refuse('other_amount', `has neither as a whole nor in a batch the line's amount of ${target.toFixed()}`);
  if (numbers.length > 1)
    throw invalidMember(
      '/batch',
      'ambiguous',
      `the batches ${numbers.join(', ')} have this amount; say which one it is`,
    );
  return of(only);
}

const refuse = (code: string, message: string) => invalidMember('/order_id', code, message);

function atOrder(error: unknown): never {
  throw error instanceof ServiceError ? translatePointers(error, () => '/order_id') : error;
}

function atLine(error: unknown): never {
  throw error instanceof ServiceError ? translatePointers(error, () => '/line_id') : error;
}
