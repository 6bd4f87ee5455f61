/** Changes documents: recomputes everything that follows from the members of drafts and open orders. */

import { isDeepStrictEqual } from 'node:util';
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { assertVersion } from '../../../../db/write.ts';
import { Faults } from '../../../../domain/faults.ts';
import { decimal } from '../../../../domain/money.ts';
import { statusByProgress, takenQuantity } from '../../../../domain/trade/documents/progress.ts';
import { isAllowed } from '../../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { Warning } from '../../../../domain/trade/documents/warnings.ts';
import type { Commitment } from '../../../../domain/trade/stock/levels.ts';
import { checkOrder, findOrderControl, readOrdered } from '../../../ledger/budgets/control.ts';
import { splitCustom } from '../../../records/custom-fields/rows.ts';
import { changedCustomValues } from '../../../records/custom-fields/write.ts';
import { documentArea } from '../../documents/day.ts';
import { documentEvent } from '../../documents/events.ts';
import { inCompanyCurrency } from '../../documents/in-company-currency.ts';
import { type ActionOptions, assertUnlocked, loadDocument } from '../../documents/read.ts';
import { resolveCustomsDocument } from '../../documents/resolve/customs-document.ts';
import { withNewHead } from '../../documents/resolve/dimensions.ts';
import { resolveDocument } from '../../documents/resolve/document.ts';
import { loadReferences } from '../../documents/resolve/load-references.ts';
import type { References } from '../../documents/resolve/references.ts';
import { assertFreeReference, UNIQUE_REFERENCE } from '../../documents/resolve/supplier-reference.ts';
import type { DocumentInput, DocumentPatch } from '../../documents/schemas.ts';
import {
  type DocumentRow,
  documentRows,
  type LineRow,
  type LoadedDocument,
  type StoredDocument,
} from '../../documents/stored.ts';
import { type DocumentAnswer, documentAnswer, documentToJson } from '../../documents/to-json.ts';
import { changeDocument, changedRow } from '../../documents/write.ts';
import { addGoods } from '../../stock/add-goods.ts';
import { ANNOTATIONS, writeAnnotations } from '../annotate.ts';
import { creditWarnings } from '../credit.ts';
import { writeCustomsDocument } from '../customs-document.ts';
import { expectedStock, missingByLaw } from '../early-warnings.ts';
import { takeFromBases } from '../fulfilment/take-from-bases.ts';
import { documentTakes, type Taken } from '../fulfilment/takes.ts';
import { moveGoods, movementCause } from '../goods/move-goods.ts';
import { orderBases } from '../goods/reverse-document.ts';
import { orderChanges, orderReleases } from '../goods/stock-effects.ts';
import {
  assignmentWarnings,
  headWarnings,
  loadWarningFacts,
  priceWarnings,
  rateWarnings,
  withWarnings,
} from '../warnings.ts';
import { changedMembers, inputWith } from './input.ts';
import { loadAgain, ownStep } from './references.ts';
import { assertNotNamed, assertTakenKept } from './taken-lines.ts';

/** Members that affect no others. */
const PLAIN = [...ANNOTATIONS, 'reference', 'supplierReference', 'notes', 'billingAddress', 'shippingAddress'] as const;
/** Members recomputed with the lines. */
const RESOLVED = [
  'seriesId',
  'seriesPrefix',
  'periodId',
  'partnerId',
  'partner',
  'date',
  'customsDocument',
  'documentDate',
  'operationDate',
  'dueDate',
  'validUntil',
  'deliveryDate',
  'paymentTermsId',
  'promptDiscountPercent',
  'promptDiscountUntil',
  'warehouseId',
  'vatRegime',
  'withholdingRate',
  'proRata',
  'deductionRegime',
  'cashBasis',
  'projectId',
  'costCenterId',
  'salespersonId',
  'discountPercent',
  'discountAmount',
  'chargeAmount',
  'chargeText',
  'subtotal',
  'discountTotal',
  'taxTotal',
  'withholdingAmount',
  'total',
  'currency',
  'decimalPrecision',
  'exchangeRate',
  'companySubtotal',
  'companyTaxTotal',
  'companyWithholdingAmount',
  'companyTotal',
  'companyPaidTotal',
] as const;

/** The changed document, and its effects on others. */
interface Changed {
  readonly next: LoadedDocument;
  /** Recorded on the bases, signed. */
  readonly takes: readonly Taken[];
  readonly releases: readonly Commitment[];
  /** Changes in what the document itself, an order, reserves or announces. */
  readonly commitments: readonly Commitment[];
  readonly allowOver: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Changes a draft (everything) or an open order (lines not yet delivered, reference, notes, due date); custom fields, internal notes and
 * tags in every state. Lines are given as a whole list. Writes nothing if nothing differs.
 * @returns the document as its GET returns it, with `warnings` if there are any
 * @throws ServiceError not_found, stale_version, invalid_transition, validation_failed, period_closed, over_invoicing, credit_limit,
 * budget_exceeded, in_use, document_locked, duplicate (the supplier's number of an invoice)
 */
export async function updateDocument(
  trx: Db,
  ctx: Context,
  documentId: string,
  patch: DocumentPatch,
  options: ActionOptions,
): Promise<DocumentAnswer> {
  const document = await loadDocument(trx, documentId, options.docType);
  assertVersion(document.row, options.ifMatch);
  const { row } = document;
  const { custom: given, rest } = splitCustom(patch);
  const changes = changedMembers(document, rest);
  const custom = await changedCustomValues(trx, ctx, DOCUMENT_TYPES[row.docType].entityType, given, row.custom);
  const plain = Object.keys(changes).every((member) => (PLAIN as readonly string[]).includes(member));
  const changed =
    row.postedAt !== null && 'customsDocument' in changes
      ? await customsAgain(trx, ctx, document, changes)
      : plain
        ? unmoved(document)
        : await resolveAgain(trx, ctx, document, changes);
  const head = changedRow(ctx, changed.next.row, { ...pick(changes, PLAIN), custom });
  const next = { ...changed.next, row: head };
  const fields = differing(document, next).sort();
  if (fields.length === 0) return documentAnswer(document);
  assertUnlocked(row, 'update', ctx.now);
  if (Object.keys(changes).every((member) => (ANNOTATIONS as readonly string[]).includes(member))) {
    const printed = isAllowed(row.docType, row.status, 'update') && !isDeepStrictEqual(row.custom, custom);
    return await writeAnnotations(trx, ctx, document, next, { fields, keepsPaper: !printed });
  }
  if (row.postedAt !== null) return await writeCustomsDocument(trx, ctx, document, next, fields);
  if (fields.includes('supplierReference') || fields.includes('partnerId')) await assertFreeReference(trx, head);

  const budget = row.docType === 'PO' && !plain ? await findOrderControl(trx, ctx, head) : undefined;
  const ordered = await readOrdered(trx, budget, head);
  // Locks in the fixed order: stock, then base documents, then the document itself.
  const { takes, allowOver, releases, commitments } = changed;
  const area = documentArea(row.docType);
  // A draft may leave a period that is locked, though not one that is closed: it is in no books yet.
  const left = row.status === DOCUMENT_STATUS.draft ? 'closing' : area;
  const written = new Changes(ctx).hold(left, row.periodId).hold(area, head.periodId).repeatIfTaken(UNIQUE_REFERENCE);
  const goods = await moveGoods(trx, ctx, row.docType, [], [...commitments, ...releases], row.date);
  addGoods(written, goods, movementCause(row));
  await takeFromBases(trx, written, { step: ownStep(row), takes, corrects: row.rectifies, allowOver, releases });
  const event = documentEvent('document.updated', head, { fields, previousStatus: row.status });
  const shown = changeDocument(written, document, next, event);
  const [, { terms }, short, law] = await Promise.all([
    written.write(trx),
    plain ? { terms: null } : loadWarningFacts(trx, ctx, head, false),
    expectedStock(trx, next),
    missingByLaw(trx, head),
  ]);
  return withWarnings(documentAnswer(next, shown), [
    ...headWarnings(head),
    ...changed.warnings,
    ...short,
    ...law,
    ...(await creditWarnings(trx, next, terms, row)),
    ...(await checkOrder(trx, ctx, budget, head, ordered)),
  ]);
}

function unmoved(next: LoadedDocument): Changed {
  return { next, takes: [], releases: [], commitments: [], allowOver: false, warnings: [] };
}

async function resolveAgain(trx: Db, ctx: Context, document: LoadedDocument, changes: DocumentPatch): Promise<Changed> {
  const { row, lines } = document;
  const { input: given, ids } = inputWith(document, changes);
  const old = new Map(lines.map((line) => [line.id, line]));
  const { input: loaded, references } = await loadAgain(trx, ctx, document, given, 'seriesId' in changes);
  const stored = ids.map((id) => old.get(id ?? ''));
  const input = withNewHead(loaded, row, stored, references);
  const prepared = await resolveDocument(row.docType, input, references, keptShares(document, input, ids));
  const { custom, createdBy: by, createdAt: at } = row;
  const { decimalPrecision, companyPlaces, quantityPrecision } = references;
  const maker = { custom, by, at, decimalPrecision, companyPlaces, quantityPrecision };
  const made = documentRows({ ...prepared, id: row.id }, maker);
  const nextLines = made.lines.map((line, index) => withProgress({ ...line, id: ids[index] ?? newId() }, old));
  const order = DOCUMENT_TYPES[row.docType].kind === 'order';
  if (order) {
    assertTakenKept(lines, nextLines);
    await assertNotNamed(trx, lines, nextLines);
  }
  const addresses = 'partnerId' in changes ? pick(made.row, ['billingAddress', 'shippingAddress']) : {};
  const next: DocumentRow = {
    ...row,
    ...pick(made.row, RESOLVED),
    ...addresses,
    status: order ? statusByProgress('order', nextLines) : row.status,
  };
  const commitments = order
    ? [...orderChanges(row.docType, lines, true), ...orderChanges(row.docType, nextLines, false)]
    : [];
  return {
    next: { ...document, row: next, lines: nextLines, taxes: made.taxes, instalments: keptIfSame(document, made) },
    ...(await takesAgain(trx, lines, nextLines, references)),
    commitments,
    allowOver: references.allowOverDelivery,
    warnings: [
      ...rateWarnings(next, references),
      ...priceWarnings(input, nextLines, references),
      ...assignmentWarnings(next, nextLines, references),
    ],
  };
}

/** The shares of an order's lines in its discount and charge, where goods have taken them along and the line stays as it is. */
function keptShares({ row, lines }: LoadedDocument, input: DocumentInput, ids: readonly (string | null)[]) {
  if (DOCUMENT_TYPES[row.docType].kind !== 'order') return new Map();
  const old = new Map(lines.map((line) => [line.id, line]));
  return new Map(
    input.lines.flatMap(({ quantity }, index) => {
      const line = old.get(ids[index] ?? '');
      const stays = line !== undefined && decimal(line.quantity).eq(quantity);
      return stays && decimal(takenQuantity('order', line)).gt(0) ? [[index, line] as const] : [];
    }),
  );
}

/** A posted invoice whose customs document changes: everything else stays as it was posted. */
async function customsAgain(trx: Db, ctx: Context, document: LoadedDocument, changes: DocumentPatch): Promise<Changed> {
  const { input } = inputWith(document, {});
  const { items, taxes } = await loadReferences(trx, ctx, document.row.docType, input);
  const { row, lines } = document;
  const faults = new Faults();
  const invoice = { ...row, lines, amounts: inCompanyCurrency(document).lines.map(({ amount }) => amount) };
  const given = changes.customsDocument ?? undefined;
  const found = { items, taxes, companyPlaces: row.companyPlaces };
  const customsDocument = resolveCustomsDocument(given, invoice, found, faults);
  faults.throwIfAny();
  return unmoved({ ...document, row: { ...row, customsDocument } });
}

/** The instalments; the same objects as before if nothing differs. */
function keptIfSame({ instalments: before }: LoadedDocument, { instalments: after }: StoredDocument) {
  const told = (rows: StoredDocument['instalments']) =>
    rows.map(({ partnerId, dueDate, amount }) => [partnerId, dueDate, decimal(amount).toFixed()]);
  return isDeepStrictEqual(told(before), told(after)) ? before : after;
}

/** Keeps what was taken from the line; another quantity restores what closing had given up. */
function withProgress(line: LineRow, old: ReadonlyMap<string, LineRow>): LineRow {
  const before = old.get(line.id);
  if (before === undefined) return line;
  const { deliveredQuantity, invoicedQuantity, returnedQuantity, invoicedThroughNotes, returnedThroughNotes } = before;
  const taken = { deliveredQuantity, invoicedQuantity, returnedQuantity, invoicedThroughNotes, returnedThroughNotes };
  const closedQuantity = decimal(before.quantity).eq(line.quantity) ? before.closedQuantity : '0';
  return { ...line, ...taken, closedQuantity };
}

/** The changes in the quantities that the lines take from their bases. */
async function takesAgain(
  trx: Db,
  before: readonly LineRow[],
  after: readonly LineRow[],
  references: References,
): Promise<Pick<Changed, 'takes' | 'releases'>> {
  const given = documentTakes(before, true);
  const taken = documentTakes(after);
  const net = new Map<string, Taken>();
  for (const take of [...taken, ...given]) {
    const sum = decimal(net.get(take.baseLineId)?.quantity ?? 0).plus(take.quantity);
    net.set(take.baseLineId, { ...take, ...net.get(take.baseLineId), quantity: sum.toFixed() });
  }
  return {
    takes: [...net.values()].filter(({ quantity }) => !decimal(quantity).eq(0)),
    releases: [...orderReleases(given, await orderBases(trx, before)), ...orderReleases(taken, references.bases)],
  };
}

/** The members that differ, by their names in events. */
function differing(before: LoadedDocument, after: LoadedDocument): string[] {
  const shown = (document: LoadedDocument): Record<string, unknown> => {
    const { lines, ...head } = documentToJson(document);
    // Shown nowhere, but it decides which goods leave.
    return { ...head, lines: [lines, document.lines.map(({ allowExpired }) => allowExpired)] };
  };
  const [old, now] = [shown(before), shown(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (member) => member !== 'version' && member !== 'updatedAt' && !isDeepStrictEqual(old[member], now[member]),
  );
}

function pick<T extends object, M extends keyof T & string>(values: T, members: readonly M[]): Partial<Pick<T, M>> {
  const named: readonly string[] = members;
  return Object.fromEntries(Object.entries(values).filter(([member]) => named.includes(member))) as Partial<Pick<T, M>>;
}
