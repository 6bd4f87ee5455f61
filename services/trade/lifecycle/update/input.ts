/** Interprets a PATCH of a document: the members that differ, and the whole document as it would be created with them. */
import { isDeepStrictEqual } from 'node:util';
import { type FieldError, ServiceError } from '../../../../domain/errors.ts';
import { Faults } from '../../../../domain/faults.ts';
import { optionalNumber, parseDecimal } from '../../../../domain/money.ts';
import { isAllowed, stateInWords } from '../../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { equals } from '../../../platform/validation/sent-back.ts';
import { storedCustomsDocument } from '../../documents/resolve/customs-document.ts';
import type {
  CustomsDocumentInput,
  DocumentInput,
  DocumentLineInput,
  DocumentPatch,
  LinePatch,
} from '../../documents/schemas.ts';
import type { DocumentRow, LineRow, LoadedDocument } from '../../documents/stored.ts';
import { customsToJson, lineToJson } from '../../documents/to-json.ts';
import { ANNOTATIONS } from '../annotate.ts';
import { toFullLineInput, toHeadInput } from '../document-input.ts';

/** Members that can be changed in every state: they are neither printed nor booked. */
const ALWAYS_WRITABLE: ReadonlySet<string> = new Set(ANNOTATIONS.filter((member) => member !== 'dunningPaused'));
/** For posted sales invoices: customers are reminded of these. */
const WRITABLE_IN_SALES: ReadonlySet<string> = new Set(ANNOTATIONS);
/** For posted purchase invoices: the customs document often comes later than the invoice. */
const WRITABLE_IN_PURCHASES: ReadonlySet<string> = new Set([...ALWAYS_WRITABLE, 'customsDocument']);
/** For open orders, besides lines: nothing that was agreed with the partner. */
const WRITABLE_IN_ORDERS = new Set([
  ...ALWAYS_WRITABLE,
  'lines',
  'reference',
  'supplierReference',
  'notes',
  'dueDate',
  'deliveryDate',
  'paymentTermsId',
]);

/**
 * Returns the members that differ; lines always count as different.
 * @throws ServiceError invalid_transition with a pointer to each member that cannot be changed in the document's state
 */
export function changedMembers({ row }: LoadedDocument, patch: DocumentPatch): DocumentPatch {
  const customsDocument = customsToJson(row.customsDocument);
  const before: Readonly<Record<string, unknown>> = { ...row, partnerId: row.partner.id, customsDocument };
  const changes = Object.entries(patch).filter(
    ([member, value]) =>
      value !== undefined &&
      (member === 'lines' || !same(before[member], member === 'customsDocument' ? completed(value) : value)),
  );
  const writable = writableMembers(row);
  const refused = changes.filter(([member]) => writable !== null && !writable.has(member));
  if (writable !== null && refused.length > 0) {
    const changing = [...writable, 'custom fields'].join(', ');
    const state = stateInWords(row.docType, row.status);
    const message = `cannot be changed because ${row.code ?? 'the draft'} is ${state}; only ${changing} can`;
    const errors = refused.map(
      ([member]): FieldError => ({ pointer: `/${member}`, code: 'invalid_transition', message }),
    );
    throw new ServiceError('invalid_transition', `${refused.map(([member]) => member).join(', ')} ${message}`, {
      errors,
    });
  }
  return Object.fromEntries(changes);
}

/** The members that can be changed; null for all. */
function writableMembers(row: DocumentRow): ReadonlySet<string> | null {
  if (!isAllowed(row.docType, row.status, 'update')) {
    if (row.docType === 'SINV') return WRITABLE_IN_SALES;
    return row.docType === 'PINV' && row.status !== DOCUMENT_STATUS.cancelled ? WRITABLE_IN_PURCHASES : ALWAYS_WRITABLE;
  }
  return DOCUMENT_TYPES[row.docType].kind === 'order' ? WRITABLE_IN_ORDERS : null;
}

/** A customs document as sent, with its default. */
function completed(value: unknown): unknown {
  return value === null ? null : customsToJson(storedCustomsDocument(value as CustomsDocumentInput));
}

function same(before: unknown, after: unknown): boolean {
  if (typeof after === 'number') return before !== null && parseDecimal(String(before)).eq(after);
  return isDeepStrictEqual(before ?? null, after);
}

function rectifyingMembers(row: DocumentRow) {
  const { rectifies, reason, returnStock, rectificationType, rectificationMethod } = row;
  return { rectifies, reason, returnStock, rectificationType, rectificationMethod };
}

/** Merges the changes into the whole input; each line keeps its id. */
export function inputWith(
  { row, lines }: LoadedDocument,
  changes: DocumentPatch,
): { readonly input: DocumentInput; readonly ids: readonly (string | null)[] } {
  const merged = mergedLines(row, lines, changes.lines);
  const otherPartner = 'partnerId' in changes;
  const otherTime = otherPartner || ['date', 'periodId', 'documentDate'].some((member) => member in changes);
  const { discountPercent, discountAmount, chargeText, ...kept } = toHeadInput(row);
  const { vatRegime, withholdingRate, billingAddress, shippingAddress, currency, ...rest } = kept;
  const { paymentTermsId: _, ...head } = rest;
  const otherRate = otherTime || ['currency', 'exchangeRate', 'operationDate'].some((member) => member in changes);
  // An amount replaces a percentage, and the other way round.
  const otherDiscount = 'discountPercent' in changes || 'discountAmount' in changes;
  const members = {
    ...head,
    ...(otherDiscount ? {} : { discountPercent, discountAmount }),
    ...(changes.chargeAmount === null ? {} : { chargeText }),
    ...(row.rectifying ? rectifyingMembers(row) : {}),
    seriesId: row.seriesId,
    // A new period brings its own date.
    ...(changes.periodId ? {} : { date: row.date }),
    ...('date' in changes ? {} : { periodId: row.periodId }),
    // The supplier's date follows the date of entry until somebody sets it.
    ...(row.documentDate === row.date ? {} : { documentDate: row.documentDate }),
    ...(row.docType === 'PINV' && !otherRate ? { cashBasis: row.cashBasis } : {}),
    operationDate: row.operationDate,
    validUntil: row.validUntil,
    deliveryDate: row.deliveryDate,
    customsDocument: customsToJson(row.customsDocument),
    ...dueMembers(row, changes, { otherPartner, otherTime }),
    // A new partner brings its own values.
    ...(otherPartner ? {} : { vatRegime, withholdingRate, billingAddress, shippingAddress, currency }),
    // The rate follows the day, unless it is given.
    ...(otherRate ? {} : { exchangeRate: optionalNumber(row.exchangeRate) }),
    ...changes,
    lines: merged.map(({ line }) => line),
  };
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return { input: Object.fromEntries(given) as unknown as DocumentInput, ids: merged.map(({ id }) => id) };
}

/** Keeps the due date or terms, unless the partner changes or the patch names either. A due date replaces terms, and terms a due date. */
function dueMembers(
  { dueDate, paymentTermsId }: DocumentRow,
  changes: DocumentPatch,
  { otherPartner, otherTime }: { readonly otherPartner: boolean; readonly otherTime: boolean },
) {
  const withoutTerms = 'paymentTermsId' in changes && changes.paymentTermsId === null;
  if (withoutTerms) return { dueDate };
  if (otherPartner || 'paymentTermsId' in changes || 'dueDate' in changes) return {};
  if (paymentTermsId !== null) return { paymentTermsId };
  return otherTime || dueDate === null ? {} : { dueDate };
}

/** @throws ServiceError validation_failed: an unknown or repeated line id; a new line without quantity */
function mergedLines(row: DocumentRow, lines: readonly LineRow[], patched: readonly LinePatch[] | undefined) {
  if (patched === undefined) return lines.map((line) => ({ id: line.id, line: toFullLineInput(row, line) }));
  const faults = new Faults();
  const known = new Map(lines.map((line) => [line.id, line]));
  const merged = patched.map(({ id, ...given }, index) => {
    const pointer = `/lines/${index}`;
    const old = id === undefined ? undefined : known.get(id);
    if (id !== undefined) {
      if (old === undefined)
        faults.add(`${pointer}/id`, 'invalid_reference', 'must be the id of a line of this document, and named once');
      known.delete(id);
    } else if (given.quantity === undefined) faults.add(`${pointer}/quantity`, 'required', 'is required');
    const line = old === undefined ? given : changedLine(row, old, given);
    const said = Object.entries(line).filter(([, value]) => value !== null);
    return { id: id ?? null, line: Object.fromEntries(said) as unknown as DocumentLineInput };
  });
  faults.throwIfAny();
  return merged;
}

/**
 * Merges a line that was sent back: members equal to the current ones are not changes. With a new item or base, all sent members count,
 * except the unit.
 */
function changedLine(row: DocumentRow, old: LineRow, sent: LinePatch): LinePatch {
  const before = toFullLineInput(row, old);
  const shown: Readonly<Record<string, unknown>> = lineToJson(row, old);
  const others = ['itemId', 'baseId', 'baseLineId'] as const;
  const moved = others.some((member) => differs(before, sent, member));
  const repeated = (member: string, value: unknown) =>
    (!moved || member === 'uomId' || member === 'uomFactor') && member in shown && equals(value, shown[member]);
  const given: LinePatch = Object.fromEntries(Object.entries(sent).filter(([name, value]) => !repeated(name, value)));
  if (moved) return { quantity: before.quantity, ...given };
  const { uomFactor, ...rest } = before;
  // Another unit has its own factor.
  const { batchDetails: _batches, ...unbatched } =
    differs(before, given, 'uomId') || uomFactor === undefined ? rest : before;
  const { batchDetails } = before;
  // Serial numbers are given instead of the batches.
  const renumbered = given.serialNumbers !== undefined || given.serialRange !== undefined;
  const kept = renumbered || batchDetails === undefined ? unbatched : { ...unbatched, batchDetails };
  // A price without tax replaces one with tax, and the other way round.
  const { price: _price, priceWithTax: _withTax, ...unpriced } = kept;
  const repriced = given.price !== undefined || given.priceWithTax !== undefined;
  return { ...(repriced ? unpriced : kept), ...given };
}

function differs(before: DocumentLineInput, sent: LinePatch, member: keyof DocumentLineInput): boolean {
  return sent[member] !== undefined && (sent[member] ?? null) !== (before[member] ?? null);
}
