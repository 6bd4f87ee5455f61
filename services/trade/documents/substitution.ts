/** The invoice that a rectification by substitution states, and the amounts that it replaces. */
import { decimal } from '../../../domain/money.ts';
import { substitutionParts } from '../../../domain/trade/documents/substitution.ts';
import { type DocumentTotals, documentTotals } from '../../../domain/trade/documents/totals.ts';
import type { StoredDocument } from './stored.ts';

export type SubstitutedSums = Pick<DocumentTotals, 'subtotal' | 'taxTotal' | 'withholdingAmount' | 'total'>;

export interface Substitution<D extends StoredDocument> {
  /** The document as if it had the lines alone that state the invoice anew. */
  readonly stated: D;
  /** Totals of what it takes back, with the sign of the other invoice. */
  readonly replaced: DocumentTotals;
  /** Totals of the document itself, by which the other is rectified. */
  readonly difference: SubstitutedSums;
}

/** Divides a document that rectifies by substitution; null for all others. */
export function substitution<D extends StoredDocument>(document: D): Substitution<D> | null {
  const { row, lines, taxes } = document;
  if (row.rectificationMethod === null) return null;
  const codes = new Map(taxes.map(({ taxGroupId, code }) => [taxGroupId, code]));
  const { takenBack, stated } = substitutionParts(lines);
  const totals = (part: typeof lines, sign: 1 | -1) =>
    documentTotals(
      part.map((line) => ({
        ...line,
        quantity: decimal(line.quantity).times(sign).toFixed(),
        taxCode: codes.get(line.taxGroupId) ?? '',
      })),
      row.withholdingRate,
      row.decimalPrecision,
    );
  const { amounts: _, taxes: statedTaxes, ...sums } = totals(stated, 1);
  const { subtotal, taxTotal, withholdingAmount, total } = row;
  return {
    stated: {
      ...document,
      row: { ...row, ...sums },
      lines: stated,
      taxes: statedTaxes.map((tax) => ({ ...tax, id: row.id, documentId: row.id })),
    },
    replaced: totals(takenBack, -1),
    difference: { subtotal, taxTotal, withholdingAmount, total },
  };
}
