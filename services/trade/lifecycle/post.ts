/** Posts invoices: takes the number, moves goods without a note, and enters it in the ledger. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { decimal } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { addEntry, type EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { findControl } from '../../ledger/budgets/compare.ts';
import { checkBudget } from '../../ledger/budgets/control.ts';
import { pauses } from '../../platform/threads/pauses.ts';
import { documentArea, documentDay } from '../documents/day.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadForAction, withRecord } from '../documents/read.ts';
import type { DocumentRow, LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { addAdvances } from '../payments/advances.ts';
import { addSettled } from '../payments/write.ts';
import { freezePaper } from '../pdf/freeze-paper.ts';
import { addGoods, type MovedGoods } from '../stock/add-goods.ts';
import { changeCosts } from '../stock/revalue.ts';
import { createDocument } from './create.ts';
import { creditWarnings } from './credit.ts';
import { addCustomsEntry, hasImports } from './customs-document.ts';
import { planDeferrals } from './deferrals.ts';
import { deliverOn } from './deliver-on.ts';
import { missingByLaw } from './early-warnings.ts';
import { assertAssetsLeft } from './fixed-assets.ts';
import { releaseNotes, releasesNotes } from './fulfilment/released-notes.ts';
import { takeFromBases } from './fulfilment/take-from-bases.ts';
import { invoicedCosts, lockForCosts, mayChangeCosts, releasedCosts } from './goods/invoiced-costs.ts';
import { moveGoods, movementCause } from './goods/move-goods.ts';
import { noteReturns, returnGoods } from './goods/return-goods.ts';
import { movingLines, withPickedBatches } from './goods/stock-effects.ts';
import { buildInvoiceEntry, loadInvoiceBook } from './invoice-entry.ts';
import { updateNoteEntries } from './note-entries.ts';
import { assertSpreadLeft } from './spread-costs.ts';
import { addRegistration, loadIssueFacts } from './verifactu.ts';
import { dateWarnings, headWarnings, loadWarningFacts, NO_CUSTOMS_DOCUMENT, withWarnings } from './warnings.ts';

/**
 * Posts a draft invoice: it takes the next number of its series and becomes open; lines without a note move their stock.
 * @param options.onWarning called when the previous number of the series has a date in a later period
 * @returns the document as its GET returns it, with `warnings` if there are any
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, insufficient_stock, credit_limit,
 * budget_exceeded, validation_failed (what an invoice with a record for the tax agency lacks)
 */
export async function postInvoice(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly onWarning?: (message: string) => void },
): Promise<DocumentAnswer> {
  const draft = await loadForAction(trx, ctx, documentId, 'post', options);
  const { row, lines } = draft;
  const changes = new Changes(ctx).hold(documentArea(row.docType), row.periodId);
  const number = changes.takeNumber({ seriesId: row.seriesId });
  // Accounts before stocks, which others may wait for. Its orders' reservations were released when the draft was created.
  const releases = await releasesNotes(trx, row);
  const defer = await planDeferrals(trx, ctx, draft);
  const costs = mayChangeCosts(draft) ? await planCostChanges(trx, ctx, draft, releases) : null;
  const [book, goods, issue] = await Promise.all([
    costs?.book ?? loadInvoiceBook(trx, draft),
    row.rectifying ? returnRectifiedGoods(trx, changes, draft) : moveGoods(trx, ctx, row.docType, lines, [], row.date),
    loadIssueFacts(trx, ctx, row),
  ]);
  const released = releases ? await releaseNotes(trx, changes, row) : null;
  const postedAt = ctx.now.toISOString();
  const open: LoadedDocument = {
    ...draft,
    row: changedRow(ctx, row, { status: DOCUMENT_STATUS.open, postedAt, ...number.pending }),
    lines: withPickedBatches(lines, goods.movements),
  };
  const pause = pauses();
  const entry = buildInvoiceEntry(book, open);
  await pause();
  addGoods(changes, goods, movementCause(row));
  if (costs !== null) changes.follow(changeCosts, costs.changes);
  addEntry(changes, entry);
  defer?.(changes, book, open, entry);
  await addCustomsEntry(trx, changes, book, open);
  if (book.hasNoteEntries) updateNoteEntries(changes, released ?? draft, documentDay(row));
  const fields = ['status', 'number', 'code', 'postedAt', ...(open.lines === lines ? [] : ['lines'])];
  const event = documentEvent('document.locked', open.row, { fields, previousStatus: row.status });
  const shown = changeDocument(changes, draft, open, event);
  await pause();
  const settled = await settleAtOnce(trx, changes, open, entry);
  changes.follow(freezePaper, { documentId: row.id, docType: row.docType });
  if (issue !== null)
    addRegistration(changes, issue, open, (part) => (part === open ? entry : buildInvoiceEntry(book, part)));
  const [, facts, law, budget] = await Promise.all([
    changes.write(trx),
    loadWarningFacts(trx, ctx, row, true),
    missingByLaw(trx, row),
    row.docType === 'PINV' ? findControl(trx, ctx, row.date) : undefined,
  ]);
  const exceeded = await checkBudget(trx, ctx, budget, entry);
  await assertAssetsLeft(trx, ctx, row);
  if (row.docType === 'PINV') {
    await assertSpreadLeft(trx, ctx, row);
    await deliverOn(trx, ctx, open, createDocument);
  }
  if (facts.later?.afterPeriod) {
    const { later } = facts;
    options.onWarning?.(`${number.taken.code} is dated ${row.date}, before ${later.code} of ${later.date}`);
  }
  const written = { ...open, row: { ...settled, ...number.taken } };
  const posted = issue === null ? written : await withRecord(trx, written);
  const credit = await creditWarnings(trx, posted, facts.terms);
  const answer = settled === open.row ? documentAnswer(posted, { ...shown, ...number.taken }) : documentAnswer(posted);
  const imported = row.customsDocument === null && hasImports(book, open);
  return withWarnings(answer, [
    ...headWarnings(row),
    ...(imported ? [NO_CUSTOMS_DOCUMENT] : []),
    ...dateWarnings(row.date, facts.later),
    ...law,
    ...credit,
    ...exceeded,
  ]);
}

/** Plans how the invoice changes the cost of goods already received. Locks all stocks together, in lock order. */
async function planCostChanges(trx: Db, ctx: Context, draft: LoadedDocument, releases: boolean) {
  const planned = releases ? releasedCosts(trx, draft.row) : invoicedCosts(trx, draft);
  const [book, costs] = await Promise.all([loadInvoiceBook(trx, draft), planned]);
  const moving = movingLines(draft.row.docType, draft.lines).map(({ line }) => line);
  return { book, changes: await lockForCosts(trx, ctx, costs, moving) };
}

/** Takes back the goods of a rectifying invoice with `returnStock`; the notes behind it count them as returned. */
async function returnRectifiedGoods(trx: Db, changes: Changes, { row, lines }: LoadedDocument): Promise<MovedGoods> {
  const goods = await returnGoods(trx, changes.ctx, row.returnStock ? lines : [], row.date);
  const takes = row.returnStock ? await noteReturns(trx, row.id) : [];
  await takeFromBases(trx, changes, { step: 'return', takes, allowOver: false });
  return goods;
}

/** Settles an invoice of nothing, and applies advances paid on orders and notes. @returns the resulting head */
async function settleAtOnce(
  trx: Db,
  changes: Changes,
  invoice: LoadedDocument,
  entry: EntryToWrite,
): Promise<DocumentRow> {
  const { row, lines } = invoice;
  if (decimal(row.total).eq(0)) return addSettled(changes, invoice, '0');
  const based = !row.rectifying && lines.some((line) => line.baseId !== null);
  return based ? await addAdvances(trx, changes, invoice, entry) : row;
}
