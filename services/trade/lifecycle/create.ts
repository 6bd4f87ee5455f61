/** Creates documents of all types, with their immediate effects on stock and on the progress of their bases. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { assertOpenFor } from '../../../domain/ledger/periods/areas.ts';
import { documentStep } from '../../../domain/trade/documents/progress.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { checkOrder, findOrderControl } from '../../ledger/budgets/control.ts';
import { splitCustom } from '../../records/custom-fields/rows.ts';
import { newCustomValues } from '../../records/custom-fields/write.ts';
import { documentArea, documentDay } from '../documents/day.ts';
import { documentEvent } from '../documents/events.ts';
import { periodPointer, resolveDocument } from '../documents/resolve/document.ts';
import { loadReferences } from '../documents/resolve/load-references.ts';
import { assertFreeReference, UNIQUE_REFERENCE } from '../documents/resolve/supplier-reference.ts';
import type { DocumentInput } from '../documents/schemas.ts';
import { documentRows } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { addDocument } from '../documents/write.ts';
import { addGoods } from '../stock/add-goods.ts';
import { creditWarnings } from './credit.ts';
import { deliverOn } from './deliver-on.ts';
import { expectedStock, missingByLaw } from './early-warnings.ts';
import { takeFromBases } from './fulfilment/take-from-bases.ts';
import { documentTakes } from './fulfilment/takes.ts';
import { moveGoods, movementCause } from './goods/move-goods.ts';
import { returnGoods } from './goods/return-goods.ts';
import { orderChanges, orderReleases, withPickedBatches } from './goods/stock-effects.ts';
import { updateNoteEntries } from './note-entries.ts';
import {
  assignmentWarnings,
  dateWarnings,
  headWarnings,
  loadWarningFacts,
  priceWarnings,
  rateWarnings,
  withWarnings,
} from './warnings.ts';

/**
 * Creates a document: orders and notes are open with a number, invoices are drafts without one. A note moves stock at once; a line with a
 * base takes its quantity from there, and updates the base's state.
 * @returns the document as its GET returns it, with `warnings` if there are any
 * @throws ServiceError validation_failed (pointers into the body), period_closed, credit_limit, budget_exceeded, over_delivery,
 * over_invoicing, insufficient_stock, duplicate (the supplier's number of an invoice)
 */
export async function createDocument(
  trx: Db,
  ctx: Context,
  docType: DocType,
  input: DocumentInput,
): Promise<DocumentAnswer> {
  const { kind, entityType } = DOCUMENT_TYPES[docType];
  const references = await loadReferences(trx, ctx, docType, input);
  const prepared = await resolveDocument(docType, input, references);
  const maker = {
    custom: await newCustomValues(trx, ctx, entityType, splitCustom(input).custom),
    by: ctx.userId,
    at: ctx.now.toISOString(),
    decimalPrecision: references.decimalPrecision,
    companyPlaces: references.companyPlaces,
    quantityPrecision: references.quantityPrecision,
  };
  const made = documentRows(prepared, maker);
  const { row, lines } = made;
  await assertFreeReference(trx, row);

  // Locks in the fixed order: stock, then base documents, then (last of all) the series.
  const reserved = kind === 'order' ? orderChanges(docType, lines, false) : [];
  const releases = orderReleases(prepared.lines, references.bases);
  const commitments = [...reserved, ...releases];
  const moving = kind === 'delivery_note' ? lines : [];
  const step = documentStep(kind, { returns: row.returns !== null, rectifies: row.rectifying });
  const goods =
    step === 'return'
      ? await returnGoods(trx, ctx, lines, row.date)
      : await moveGoods(trx, ctx, docType, moving, commitments, row.date);
  if (goods.movements.length > 0 && references.period !== null)
    assertOpenFor(references.period, 'stock', periodPointer(input));
  const changes = new Changes(ctx).hold(documentArea(docType), row.periodId).repeatIfTaken(UNIQUE_REFERENCE);
  const allowOver = references.allowOverDelivery;
  await takeFromBases(trx, changes, {
    step,
    takes: documentTakes(lines),
    corrects: row.rectifies,
    allowOver,
    releases,
  });
  const number = row.status === DOCUMENT_STATUS.draft ? null : changes.takeNumber({ seriesId: row.seriesId });
  const numbered = { ...row, ...number?.pending };
  const document = { ...made, row: numbered, lines: withPickedBatches(lines, goods.movements) };
  addGoods(changes, goods, movementCause(row));
  const begins = kind === 'delivery_note' && step !== 'return' && references.noteEntries;
  if (begins || step === 'return') updateNoteEntries(changes, document, documentDay(row), begins);
  const shown = addDocument(changes, document, documentEvent('document.created', document.row));
  const [, { later, terms }, short, law, budget] = await Promise.all([
    changes.write(trx),
    loadWarningFacts(trx, ctx, row, number !== null),
    expectedStock(trx, { row, lines }),
    missingByLaw(trx, row),
    docType === 'PO' ? findOrderControl(trx, ctx, row) : undefined,
  ]);
  if (docType === 'PDN') await deliverOn(trx, ctx, document, createDocument);
  return withWarnings(
    { ...documentAnswer({ ...document, takenBackBy: [], record: null, full: null }, shown), ...number?.taken },
    [
      ...headWarnings(row),
      ...rateWarnings(row, references),
      ...priceWarnings(input, lines, references),
      ...assignmentWarnings(row, lines, references),
      ...dateWarnings(row.date, later),
      ...short,
      ...law,
      ...(await creditWarnings(trx, { row, lines }, terms)),
      ...(await checkOrder(trx, ctx, budget, row)),
    ],
  );
}
