/** Changes of state: posting and cancelling. Routes and workflow updates call the same functions. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { inUse, ServiceError } from '../../domain/errors.ts';
import { decimal } from '../../domain/money.ts';
import { paidBy } from '../../domain/payments/types.ts';
import { entryOfInvoice } from '../accounting/invoice-entry.ts';
import { openDay } from '../accounting/open-day.ts';
import { moveAdvances } from '../payments/advances.ts';
import { settleNothing } from '../payments/applications.ts';
import { creditWarnings } from './credit.ts';
import { documentEvent } from './events.ts';
import { giveBack } from './give-back.ts';
import { type ActionOptions, loadFor } from './load-for.ts';
import { type MovedGoods, moveGoods } from './move-goods.ts';
import { takeFromBases } from './progress.ts';
import { readDocument } from './read.ts';
import { movingLines, orderChanges, withPickedBatches } from './stock-effects.ts';
import type { DocumentRow, LoadedDocument } from './stored.ts';
import { takeBackGoods, takesOfNotes } from './take-back-goods.ts';
import { dateWarnings, headWarnings, withWarnings } from './warnings.ts';
import { changedRow, writeState } from './write-state.ts';

/**
 * Posts a draft invoice: it takes the next number of its series and becomes O; lines without a note move their stock.
 * @param options.onWarning is told when the series' last number stands in a later period already: dates would go backwards
 * @returns the document as its GET returns it, with `warnings` where a person should look
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, insufficient_stock, credit_limit
 */
export async function postInvoice(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly onWarning?: (message: string) => void },
): Promise<Record<string, unknown>> {
  const document = await loadFor(trx, documentId, 'post', options);
  const { row, lines } = document;
  // What its orders had set aside was released when the draft was made.
  const moved = row.rectifying
    ? await takeBackAtPosting(trx, ctx, document)
    : await moveGoods(trx, ctx, row.docType, lines, [], row.date);
  const entry = await entryOfInvoice(trx, document);
  const next = {
    ...document,
    row: changedRow(ctx, row, { status: 'O', postedAt: ctx.now.toISOString() }),
    lines: withPickedBatches(lines, moved.movements),
  };
  const warnings = headWarnings(row);
  const posted = await writeState(trx, ctx, document, next, {
    set: `status = 'O', number = numbering.number, code = numbering.code, posted_at = :now::timestamptz`,
    event: documentEvent('document.locked', next.row, {
      fields: ['status', 'number', 'code', 'postedAt', ...(next.lines === lines ? [] : ['lines'])],
      previousStatus: row.status,
    }),
    numbered: true,
    moved,
    entry,
    onLater(later, code) {
      warnings.push(...dateWarnings(row.date, later));
      if (later.afterPeriod) options.onWarning?.(`${code} is dated ${row.date}, before ${later.code} of ${later.date}`);
    },
  });
  const settled = await settlePosted(trx, ctx, document);
  warnings.push(...(await creditWarnings(trx, ctx, next)));
  return withWarnings(settled ? await readDocument(trx, documentId) : posted, warnings);
}

/** What an invoice owes nothing of from the start; whether anything has changed of it by that. */
async function settlePosted(trx: Db, ctx: Context, { row, lines }: LoadedDocument): Promise<boolean> {
  if (decimal(row.total).eq(0)) {
    await settleNothing(trx, ctx, row.id);
    return true;
  }
  const based = !row.rectifying && lines.some((line) => line.baseId !== null);
  const direction = paidBy(row.docType);
  // What was paid on its orders and notes in advance is now paid of the invoice.
  return based && (await moveAdvances(trx, ctx, row.id, direction));
}

/**
 * Cancels a document: an order gives up what it set aside, a note puts its goods back and reopens its order, an invoice
 * reopens its notes.
 * @param options.date day of the movements and the entry that undo the document's own; not before its own; when left out today in the tenant's time zone, or its own where that is later
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, has_payments, in_use (rectified), insufficient_stock
 */
export async function cancelDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly date?: string },
): Promise<Record<string, unknown>> {
  const document = await loadFor(trx, documentId, 'cancel', options);
  const { row, lines } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  if (!decimal(row.paidTotal).eq(0)) await refusePaid(trx, row);
  if (kind === 'invoice') await refuseRectified(trx, row);
  const undone = hasMovedGoods(document);
  const entered = kind === 'invoice' && row.status !== 'D';
  const day = undone || entered ? await openDay(trx, ctx, options.date, row.date) : row;
  const freed = kind === 'order' ? orderChanges(row.docType, lines, true) : [];
  const moved = await giveBack(trx, ctx, document, { freed, undone, date: day.date });
  const next = { ...document, row: changedRow(ctx, row, { status: 'X', cancelledAt: ctx.now.toISOString() }) };
  return writeState(trx, ctx, document, next, {
    set: `status = 'X', cancelled_at = :now::timestamptz`,
    event: documentEvent('document.cancelled', next.row, {
      fields: ['status', 'cancelledAt'],
      previousStatus: row.status,
    }),
    moved,
    // A posted invoice is undone in an open period; its own may be closed and stays untouched.
    ...(entered ? { reversedOn: day } : {}),
  });
}

/** Whether the document has moved goods, which undoing it puts back. */
function hasMovedGoods({ row, lines }: LoadedDocument): boolean {
  if (row.status === 'D' || (row.rectifying && !row.returnStock)) return false;
  // What takes back the goods of a note is not based on the note itself.
  return row.rectifying ? lines.some((line) => line.warehouseId !== null) : movingLines(row.docType, lines).length > 0;
}

/** Goods come back when a rectifying invoice is posted, if it says so; the notes behind it then count them as returned. */
async function takeBackAtPosting(trx: Db, ctx: Context, { row, lines }: LoadedDocument): Promise<MovedGoods> {
  const moved = await takeBackGoods(trx, ctx, row.returnStock ? lines : [], row.date);
  const takes = row.returnStock ? await takesOfNotes(trx, row.id) : [];
  await takeFromBases(trx, ctx, { step: 'return', takes, allowOver: false });
  return moved;
}

/** Payments that a refusal names; where there are more, it says so. */
const NAMED_PAYMENTS = 10;

/** @throws ServiceError has_payments naming them */
async function refusePaid(trx: Db, row: DocumentRow): Promise<never> {
  const payments = await query<{ id: string; direction: string; date: string; total: number }>(
    trx,
    `select p.id, case p.payment_method when 'offset' then 'offsets' else p.direction end as direction, p.date, (count(*) over ())::int as total from payments p
     where p.id in (select payment_id from payment_applications where document_id = :id) order by p.date, p.id limit ${NAMED_PAYMENTS}`,
    { id: row.id },
  );
  const named = payments.map(({ id, direction, date }) => `/api/payments/${direction}/${id} of ${date}`).join(', ');
  const more = (payments[0]?.total ?? 0) - payments.length;
  throw new ServiceError(
    'has_payments',
    `Payments are applied to ${row.code}: ${named}${more > 0 ? ` and ${more} more` : ''}; delete them first`,
  );
}

/** @throws ServiceError in_use naming how many rectifying invoices stand */
async function refuseRectified(trx: Db, row: DocumentRow): Promise<void> {
  const [found] = await query<{ count: number }>(
    trx,
    `select count(*)::int as count from documents where rectifies = :id and status <> 'X'`,
    { id: row.id },
  );
  if (!found?.count) return;
  const uses = [{ entityType: DOCUMENT_TYPES[row.docType].entityType, count: found.count }];
  throw inUse(uses, { refused: `${row.code} is rectified`, instead: 'Cancel or delete what rectifies it first.' });
}
