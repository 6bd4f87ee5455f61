/**
 * Creates follow-ups: the note of an order, the invoice of notes, a return, a rectifying invoice. Each is created as a client would, with
 * the same checks, locks and events.
 */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { assertVersion } from '../../../db/write.ts';
import { invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { decimal, toNumber } from '../../../domain/money.ts';
import { openQuantityFor, type Step, takesBack } from '../../../domain/trade/documents/progress.ts';
import { DOC_TYPES, DOCUMENT_STATUS, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { type ActionOptions, assertAllowed, loadDocument, loadDocuments } from '../documents/read.ts';
import type { DocumentInput, DocumentLineInput } from '../documents/schemas.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import { createDocument } from './create.ts';
import { carriedHead, toLineInput, withoutUndefined, withTakenShares } from './document-input.ts';
import type { Following, FollowingLine, FromNotesInput } from './follow-up-schemas.ts';

/** The type of document that a step creates from the given type. */
export function followUpType(docType: DocType, step: Step): DocType {
  if (takesBack(step)) return docType;
  const { side } = DOCUMENT_TYPES[docType];
  const kind = step === 'order' ? 'order' : step === 'deliver' ? 'delivery_note' : 'invoice';
  const found = DOC_TYPES.find((code) => DOCUMENT_TYPES[code].side === side && DOCUMENT_TYPES[code].kind === kind);
  if (!found) throw new Error(`no document of ${side} is a ${kind}`);
  return found;
}

/**
 * Creates the follow-up of a document: orders what a quotation offers, delivers an order, invoices a note, returns a note's goods, or
 * rectifies an invoice.
 * @returns the new document as its GET returns it
 * @throws ServiceError not_found, stale_version, invalid_transition, nothing_open, over_delivery, over_invoicing, and everything that
 * creating a document is refused for, with pointers into `following`
 */
export async function createFollowUp(
  trx: Db,
  ctx: Context,
  id: string,
  step: Step,
  following: Following,
  options: ActionOptions & { readonly docType: DocType },
): Promise<DocumentAnswer> {
  const base = await loadDocument(trx, id, options.docType);
  assertVersion(base.row, options.ifMatch);
  assertFollows(base, step);
  const lines = following.lines?.map((line) => ({ ...line, baseId: id })) ?? openLines(base, step);
  if (lines.length === 0) throw nothingOpen(base, step);
  const restated = following.rectificationMethod === 'substitution' ? restatedLines(base, following) : [];
  const input = {
    ...carriedHead(base),
    ...followUpHead(base, step, following),
    ...(restated.length === 0 ? {} : restatedShares(base)),
    lines: [...signed(lines, step), ...restated],
  };
  const docType = followUpType(base.row.docType, step);
  return await createDocument(trx, ctx, docType, withWarehouse(input, following)).catch(againIfCancelled);
}

/** A base that was cancelled meanwhile is not the body's fault: the retry reads it again and refuses by its state. */
function againIfCancelled(error: unknown): never {
  const cancelled = error instanceof ServiceError && error.errors.some(({ code }) => code === 'cancelled');
  throw cancelled ? new ConcurrentChange() : error;
}

/**
 * Creates one invoice of everything open on several notes of one partner, in the order of the ids.
 * @throws ServiceError validation_failed (pointers into `ids`), nothing_open naming the notes, and as `createDocument`
 */
export async function invoiceNotes(
  trx: Db,
  ctx: Context,
  docType: DocType,
  { ids, ...head }: FromNotesInput,
): Promise<DocumentAnswer> {
  const found = new Map((await loadDocuments(trx, ids)).map((note) => [note.row.id, note]));
  checkNotes(docType, ids, found);
  const notes = ids.map((id) => found.get(id) as LoadedDocument);
  const lines = notes.map((note) => openLines(note, 'invoice'));
  const closed = notes.flatMap((note, index) => (lines[index]?.length === 0 ? [{ note, index }] : []));
  if (closed.length > 0) {
    const errors = closed.map(({ note, index }) => ({
      pointer: `/ids/${index}`,
      code: 'nothing_open',
      message: `nothing of ${note.row.code} is left to invoice`,
    }));
    throw new ServiceError('nothing_open', errors.map(({ message }) => message).join('; '), { errors });
  }
  const all = lines.flat();
  if (all.length > MAX_LINES) {
    throw invalidMember('/ids', 'too_many', `have ${all.length} lines together, but an invoice can have ${MAX_LINES}`);
  }
  const [first] = notes as [LoadedDocument, ...LoadedDocument[]];
  return await createDocument(trx, ctx, docType, {
    ...carriedHead(first, notes),
    ...withoutUndefined(head),
    lines: all,
  });
}

const MAX_LINES = 1000;

function checkNotes(docType: DocType, ids: readonly string[], found: ReadonlyMap<string, LoadedDocument>): void {
  const { bases } = DOCUMENT_TYPES[docType];
  const [firstId] = ids;
  const partnerId = found.get(firstId ?? '')?.row.partner.id;
  const errors = ids.flatMap((id, index) => {
    const row = found.get(id)?.row;
    const fault = (code: string, message: string) => [{ pointer: `/ids/${index}`, code, message }];
    if (!row) return fault('invalid_reference', 'refers to a delivery note that does not exist');
    if (DOCUMENT_TYPES[row.docType].kind !== 'delivery_note' || !bases.includes(row.docType)) {
      return fault('wrong_type', `refers to a ${row.docType}; a ${docType} is made of ${bases[0]}`);
    }
    if (row.returns !== null) return fault('wrong_type', `${row.code} is a return and cannot be invoiced`);
    if (row.status === DOCUMENT_STATUS.cancelled)
      return fault('cancelled', `refers to ${row.code}, which is cancelled`);
    if (row.partner.id !== partnerId)
      return fault('wrong_partner', 'refers to a note of another partner than the first');
    if (ids.indexOf(id) !== index) return fault('duplicate', `names ${row.code} again`);
    return [];
  });
  if (errors.length > 0) throw validationFailed(errors);
}

/** @throws ServiceError invalid_transition; nothing_open if everything is taken */
function assertFollows(base: LoadedDocument, step: Step): void {
  const { row } = base;
  const takesBackOnly = row.returns !== null || (row.rectifying && row.rectificationMethod === null);
  if (takesBackOnly && row.status !== DOCUMENT_STATUS.cancelled) {
    throw new ServiceError('invalid_transition', `${row.code ?? 'The draft'} takes back itself; nothing can follow it`);
  }
  if (row.status === DOCUMENT_STATUS.closed && !takesBack(step)) throw nothingOpen(base, step);
  assertAllowed(row, step);
}

function nothingOpen({ row }: LoadedDocument, step: Step): ServiceError {
  return new ServiceError('nothing_open', `Nothing of ${row.code} is left to ${step}`);
}

/** Everything that a step can still take from a document, as lines of the follow-up. */
function openLines({ row, lines }: LoadedDocument, step: Step): (FollowingLine & { readonly baseId: string })[] {
  const { kind } = DOCUMENT_TYPES[row.docType];
  return lines.flatMap((line) => {
    const open = openQuantityFor(step, kind, line);
    return decimal(open).gt(0) ? [{ baseId: row.id, baseLineId: line.id, quantity: toNumber(open) }] : [];
  });
}

/** The lines of an invoice once more, for a draft that takes its place: to be changed before it is posted. */
function restatedLines({ row, lines }: LoadedDocument, following: Following): DocumentLineInput[] {
  if (following.lines !== undefined) {
    const message =
      'is not allowed because a rectification by substitution takes back all lines; change the lines of the draft';
    throw invalidMember('/lines', 'not_allowed', message);
  }
  const charged = lines.filter(({ quantity }) => decimal(quantity).gt(0));
  if (charged.length * 2 > MAX_LINES) {
    const message = `must be differences because ${row.code} has more than ${MAX_LINES / 2} lines: each would occur twice`;
    throw invalidMember('/rectificationMethod', 'too_many', message);
  }
  return charged.map((line) => {
    const { batchDetails: _batches, zoneId: _zone, ...stated } = toLineInput(row, line);
    return stated;
  });
}

/** The discount and the charge of the invoice, for the lines that state it once more. */
function restatedShares(base: LoadedDocument): object {
  const { discountPercent, discountAmount, chargeAmount, chargeText } = withTakenShares(base);
  return withoutUndefined({ discountPercent, discountAmount, chargeAmount, chargeText });
}

function signed<L extends FollowingLine>(lines: readonly L[], step: Step): L[] {
  return takesBack(step) ? lines.map((line) => ({ ...line, quantity: -line.quantity })) : [...lines];
}

function followUpHead(base: LoadedDocument, step: Step, following: Following): object {
  const { lines: _lines, warehouseId: _warehouseId, ...head } = following;
  const { id } = base.row;
  return {
    ...withoutUndefined(head),
    ...(step === 'return' ? { returns: id } : step === 'rectify' ? { rectifies: id } : {}),
  };
}

/** A named warehouse overrides those of the base's lines. */
function withWarehouse(input: DocumentInput, { warehouseId }: Following): DocumentInput {
  if (warehouseId === undefined) return input;
  const lines = input.lines.map((line): DocumentLineInput => ({ ...line, warehouseId }));
  return { ...input, warehouseId, lines };
}
