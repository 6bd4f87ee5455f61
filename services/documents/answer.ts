/**
 * A whole document as its GET and its actions answer: what is stored of it, and what follows from that. The audit log keeps only
 * what is stored.
 */
import { openQuantity } from '../../domain/documents/progress.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../domain/documents/types.ts';
import type { Warning } from '../../domain/documents/warnings.ts';
import { type Decimal, decimal, toNumber } from '../../domain/money.ts';
import { partOf } from './resolve/unit.ts';
import type { DocumentRow, LineRow, LoadedDocument, StoredDocument, TakingBack } from './stored.ts';
import { documentToJson, type LineJson, progressOf } from './to-json.ts';

type Stored = ReturnType<typeof documentToJson>;
/** A document as clients get it. */
export type DocumentAnswer = ReturnType<typeof answerOf> & { readonly warnings?: readonly Warning[] };

/** @param stored what `documentToJson` makes of it, where that is known already */
export function answerOf(document: LoadedDocument, stored: Stored = storedToJson(document)) {
  const { row, lines, takenBackBy } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  return {
    ...stored,
    ...takenBackToJson(row, takenBackBy),
    lines: stored.lines.map((line, index) => ({ ...line, baseUnit: inBaseUnit(kind, line, lines[index] as LineRow) })),
  };
}

function storedToJson({ row, lines, taxes }: StoredDocument): Stored {
  return documentToJson(row, lines, taxes);
}

/** Members of invoices and notes only. */
function takenBackToJson({ docType }: DocumentRow, takenBackBy: readonly TakingBack[]) {
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order') return {};
  return kind === 'invoice' ? { rectifiedBy: takenBackBy } : { returnedBy: takenBackBy };
}

/** The quantities of a line in the item's own unit, under the names that they have in the line's. */
function inBaseUnit(kind: DocumentKind, shown: LineJson, line: LineRow) {
  const { quantity, openQuantity: open, deliveredQuantity, invoicedQuantity, returnedQuantity } = shown;
  if (decimal(line.quantity).eq(line.baseQuantity)) {
    return { quantity, openQuantity: open, deliveredQuantity, invoicedQuantity, returnedQuantity };
  }
  const part = (value: Decimal) => toNumber(partOf(line, value));
  const progress = progressOf(line);
  return {
    quantity: toNumber(line.baseQuantity),
    openQuantity: part(openQuantity(kind, line)),
    deliveredQuantity: part(line.deliveredQuantity),
    invoicedQuantity: part(progress.invoiced),
    returnedQuantity: part(progress.returned),
  };
}
