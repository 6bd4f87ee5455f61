/** Posts invoices: takes the number, moves goods without a note, and enters it in the ledger. */
import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { DOCUMENT_STATUS } from '../../domain/documents/types.ts';
import { decimal } from '../../domain/money.ts';
import { paidBy } from '../../domain/payments/types.ts';
import { addEntry } from '../accounting/write-entry.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadFor, readDocument } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { answerOf, type DocumentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { moveAdvances } from '../payments/advances.ts';
import { closeZeroTotalInvoice } from '../payments/applications.ts';
import { addGoods, type MovedGoods } from '../stock/add-goods.ts';
import { creditWarnings } from './credit.ts';
import { takeFromBases } from './fulfilment/take-from-bases.ts';
import { causeOf, moveGoods } from './goods/move-goods.ts';
import { withPickedBatches } from './goods/stock-effects.ts';
import { takeBackGoods, takesOfNotes } from './goods/take-back-goods.ts';
import { entryOfInvoice } from './invoice-entry.ts';
import { dateWarnings, headWarnings, loadWarningFacts, withWarnings } from './warnings.ts';

/**
 * Posts a draft invoice: it takes the next number of its series and becomes open; lines without a note move their stock.
 * @param options.onWarning called when the previous number of the series has a date in a later period
 * @returns the document as its GET returns it, with `warnings` if there are any
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, insufficient_stock, credit_limit
 */
export async function postInvoice(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly onWarning?: (message: string) => void },
): Promise<DocumentAnswer> {
  const draft = await loadFor(trx, documentId, 'post', options);
  const { row, lines } = draft;
  const changes = new Changes(ctx).hold(row.periodId);
  const number = changes.takeNumber({ seriesId: row.seriesId });
  // Its orders' reservations were released when the draft was created.
  const goods = row.rectifying
    ? await takeBack(trx, changes, draft)
    : await moveGoods(trx, ctx, row.docType, lines, [], row.date);
  const postedAt = ctx.now.toISOString();
  const posted: LoadedDocument = {
    ...draft,
    row: changedRow(ctx, row, { status: DOCUMENT_STATUS.open, postedAt, ...number.pending }),
    lines: withPickedBatches(lines, goods.movements),
  };
  addGoods(changes, goods, causeOf(row));
  addEntry(changes, await entryOfInvoice(trx, posted));
  const fields = ['status', 'number', 'code', 'postedAt', ...(posted.lines === lines ? [] : ['lines'])];
  const event = documentEvent('document.locked', posted.row, { fields, previousStatus: row.status });
  const shown = changeDocument(changes, draft, posted, event);
  await changes.write(trx);

  const settled = await settle(trx, ctx, draft);
  const facts = await loadWarningFacts(trx, ctx, row, number.taken);
  if (facts.later?.afterPeriod) {
    const { later } = facts;
    options.onWarning?.(`${number.taken.code} is dated ${row.date}, before ${later.code} of ${later.date}`);
  }
  const credit = await creditWarnings(trx, posted, facts.terms);
  const answer = settled ? await readDocument(trx, documentId) : answerOf(posted, { ...shown, ...number.taken });
  return withWarnings(answer, [...headWarnings(row), ...dateWarnings(row.date, facts.later), ...credit]);
}

/** Takes back the goods of a rectifying invoice that says so; the notes behind it then count them as returned. */
async function takeBack(trx: Db, changes: Changes, { row, lines }: LoadedDocument): Promise<MovedGoods> {
  const goods = await takeBackGoods(trx, changes.ctx, row.returnStock ? lines : [], row.date);
  const takes = row.returnStock ? await takesOfNotes(trx, row.id) : [];
  await takeFromBases(trx, changes, { step: 'return', takes, allowOver: false });
  return goods;
}

/** Settles what is paid from the start. @returns whether the invoice has changed */
async function settle(trx: Db, ctx: Context, { row, lines }: LoadedDocument): Promise<boolean> {
  if (decimal(row.total).eq(0)) {
    await closeZeroTotalInvoice(trx, ctx, row.id);
    return true;
  }
  const based = !row.rectifying && lines.some((line) => line.baseId !== null);
  const direction = paidBy(row.docType);
  // Advances on its orders and notes become payments of the invoice.
  return based && (await moveAdvances(trx, ctx, row.id, direction));
}
