/** Cancels documents: reverses their movements and entries and reopens their bases. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { inUse, ServiceError } from '../../../domain/errors.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { addReversal, type EntryDay, loadPosted, loadStanding } from '../../ledger/accounting/write-entry.ts';
import { endDeferrals } from '../../ledger/deferrals/end.ts';
import { ACCRUAL_SOURCE } from '../../ledger/tax-returns/accruals.ts';
import { loadVatPeriods } from '../../ledger/tax-returns/filed.ts';
import { documentArea, documentDay } from '../documents/day.ts';
import { documentEvent } from '../documents/events.ts';
import { type ActionOptions, loadForAction, withRecord } from '../documents/read.ts';
import type { DocumentRow, LoadedDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument, changedRow } from '../documents/write.ts';
import { addGoods } from '../stock/add-goods.ts';
import { changeCosts } from '../stock/revalue.ts';
import { reverseCustomsEntry } from './customs-document.ts';
import { hasSpreadLines } from './deferrals.ts';
import { assertNotDropped } from './deliver-on.ts';
import { assertNoAssets } from './fixed-assets.ts';
import { lockRectifications, takeReleasedNotes } from './fulfilment/released-notes.ts';
import { lockForCosts, reversedCosts } from './goods/invoiced-costs.ts';
import { movementCause } from './goods/move-goods.ts';
import { reverseDocument } from './goods/reverse-document.ts';
import { movingLines, orderChanges } from './goods/stock-effects.ts';
import { updateNoteEntries } from './note-entries.ts';
import { assertNotSpread } from './spread-costs.ts';
import { addAnnulment } from './verifactu.ts';

/**
 * Cancels a document: an order releases what it reserved, a note returns its goods and reopens its order, an invoice reopens its notes.
 * @param options.date of the reversing movements and entry; not before the document's own; defaults to today in the company's time zone, or
 * the document's own if that is later
 * @returns the document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition, document_locked, period_closed, has_payments, in_use (rectified),
 * insufficient_stock, over_invoicing (a rectification whose invoice's notes have been invoiced again)
 */
export async function cancelDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  options: ActionOptions & { readonly date?: string },
): Promise<DocumentAnswer> {
  const document = await loadForAction(trx, ctx, documentId, 'cancel', options);
  const { row, lines } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  assertNotExchanged(document);
  await assertUnpaid(trx, row);
  if (kind === 'invoice') {
    await assertNotRectified(trx, row);
    await assertNoAssets(trx, ctx, row);
  }
  if (row.docType === 'PINV') await assertNotSpread(trx, row);
  if (row.docType === 'SO') await assertNotDropped(trx, row);
  const undone = hasMovedGoods(document);
  const entered = kind === 'invoice' && row.status !== DOCUMENT_STATUS.draft;
  const day =
    undone || entered
      ? await openDay(trx, ctx, documentArea(row.docType), options.date, row.date, '/date')
      : documentDay(row);
  const freed = kind === 'order' ? orderChanges(row.docType, lines, true) : [];
  if (entered && row.rectifies !== null) await lockRectifications(trx, row.rectifies);
  // A posted invoice is reversed in an open period; its own may be closed and stays untouched.
  // A quotation is in no books.
  const held = kind === 'quotation' ? [] : [entered ? day.periodId : row.periodId];
  const changes = new Changes(ctx).hold(day.area, ...held);
  const reversed = entered ? await reversedCosts(trx, row, day.date) : [];
  const costs = await lockForCosts(
    trx,
    ctx,
    reversed,
    undone ? movingLines(row.docType, lines).map(({ line }) => line) : [],
  );
  const goods = await reverseDocument(trx, changes, document, { freed, undone, date: day.date });
  const retaken = entered ? await takeReleasedNotes(trx, changes, document) : null;
  addGoods(changes, goods, movementCause({ ...row, periodId: day.periodId }));
  if (costs.costs.length > 0) changes.follow(changeCosts, costs);
  if (entered) {
    const source = { source_id: row.id, source_type: DOCUMENT_TYPES[row.docType].name };
    addReversal(changes, await loadPosted(trx, source), day, await loadVatPeriods(trx));
    if (row.cashBasis) await reverseAccruals(trx, changes, row.id, day);
    if (row.customsDocument !== null) await reverseCustomsEntry(trx, changes, row.id, day);
    if (hasSpreadLines(document)) await endDeferrals(trx, changes, row.id, day);
    await addAnnulment(trx, changes, document);
  }
  if (entered || kind === 'delivery_note') updateNoteEntries(changes, retaken ?? document, day);
  const cancelledAt = ctx.now.toISOString();
  const cancelled = {
    ...document,
    row: changedRow(ctx, row, { status: DOCUMENT_STATUS.cancelled, cancelledAt, lockDueAt: null }),
  };
  const fields = ['status', 'cancelledAt', ...(row.lockDueAt === null ? [] : ['lockDueAt'])];
  const event = documentEvent('document.cancelled', cancelled.row, { fields, previousStatus: row.status });
  const shown = changeDocument(changes, document, cancelled, event);
  await changes.write(trx);
  return documentAnswer(document.record === null ? cancelled : await withRecord(trx, cancelled), shown);
}

/** Takes back what accrued of an unpaid invoice at the end of a year. */
async function reverseAccruals(trx: Db, changes: Changes, documentId: string, on: EntryDay): Promise<void> {
  const periods = await loadVatPeriods(trx);
  for (const entry of await loadStanding(trx, documentId)) {
    if (entry.sourceType === ACCRUAL_SOURCE) addReversal(changes, entry, on, periods);
  }
}

/** @throws ServiceError invalid_transition */
function assertNotExchanged({ row, full }: LoadedDocument): void {
  if (full === null) return;
  const why = `the customer has the full invoice ${full.code} for it`;
  throw new ServiceError('invalid_transition', `${row.code} cannot be cancelled because ${why}; rectify it instead`);
}

/** Whether the document has moved goods that must be put back. */
function hasMovedGoods({ row, lines }: LoadedDocument): boolean {
  if (row.status === DOCUMENT_STATUS.draft || (row.rectifying && !row.returnStock)) return false;
  // Documents that return a note's goods are not based on the note itself.
  return row.rectifying ? lines.some((line) => line.warehouseId !== null) : movingLines(row.docType, lines).length > 0;
}

/** The most payments that a refusal names. */
const NAMED_PAYMENTS = 10;

/**
 * Refuses to cancel a document that payments or entries are applied to, even if they add up to zero.
 * @throws ServiceError has_payments naming them
 */
async function assertUnpaid(trx: Db, row: DocumentRow): Promise<void> {
  const payments = await query<{ path: string; date: string; total: number }>(
    trx,
    `select path, date, (count(*) over ())::int as total
     from (
       select '/api/payments/' || case p.payment_method when 'offset' then 'offsets' else p.direction end || '/' || p.id as path, p.date
       from payments p where p.id in (select payment_id from payment_applications where document_id = :id) and p.returns is null
         and not exists (select from payments b where b.returns = p.id)
       union all select '/api/journal-entries/' || e.id, e.date
       from journal_entries e where e.reversal_of is null and e.id in (select entry_id from payment_applications where document_id = :id)
         and not exists (select from journal_entries r where r.reversal_of = e.id)
     ) named
     order by date, path
     limit ${NAMED_PAYMENTS}`,
    { id: row.id },
  );
  if (payments.length === 0) return;
  const named = payments.map(({ path, date }) => `${path} of ${date}`).join(', ');
  const more = (payments[0]?.total ?? 0) - payments.length;
  throw new ServiceError(
    'has_payments',
    `Payments are applied to ${row.code}: ${named}${more > 0 ? ` and ${more} more` : ''}; delete them first, and reverse entries`,
  );
}

/** @throws ServiceError in_use with the number of rectifying invoices */
async function assertNotRectified(trx: Db, row: DocumentRow): Promise<void> {
  const [found] = await query<{ count: number }>(
    trx,
    `select count(*)::int as count from documents where rectifies = :id and status <> ${STATE.cancelled}`,
    { id: row.id },
  );
  if (!found?.count) return;
  const uses = [{ entityType: DOCUMENT_TYPES[row.docType].entityType, count: found.count }];
  throw inUse(uses, {
    refused: `${row.code} is rectified`,
    instead: 'Cancel or delete the rectifying invoices first.',
  });
}
