/** The dates of an invoice besides that on which it is entered (decision 0160). */
import type { DocumentTypeInfo } from '../../../domain/documents/types.ts';
import type { Faults } from '../../../domain/faults.ts';

export interface InvoiceDates {
  /** Of a supplier's invoice: its own date; null for all others. */
  readonly documentDate: string | null;
  /** When the goods or services were supplied, if somebody said. */
  readonly operationDate: string | null;
}

interface Given {
  readonly documentDate?: string | undefined;
  readonly operationDate?: string | undefined;
}

/** @param date on which the document is entered; faults are added with pointers */
export function invoiceDates(
  { side, kind }: DocumentTypeInfo,
  { documentDate: given, operationDate: supplied }: Given,
  date: string,
  faults: Faults,
): InvoiceDates {
  const ofSupplier = side === 'purchase' && kind === 'invoice';
  const operationDate = supplied ?? null;
  const documentDate = ofSupplier ? (given ?? date) : null;
  if (documentDate !== null && documentDate > date) {
    faults.add('/documentDate', 'out_of_range', `must not be after the date on which it is entered, ${date}`);
  } else if (operationDate !== null && operationDate > issuedOn({ documentDate }, date)) {
    faults.add(
      '/operationDate',
      'out_of_range',
      `must not be after the date of the invoice, ${issuedOn({ documentDate }, date)}`,
    );
  }
  return { documentDate, operationDate };
}

/** The day on which a document was issued, from which its due dates count. */
export function issuedOn({ documentDate }: Pick<InvoiceDates, 'documentDate'>, date: string): string {
  return documentDate ?? date;
}

/** The day whose rates tax a document: that of the supply, as far as it is known. */
export function taxedOn(dates: InvoiceDates, date: string): string {
  return dates.operationDate ?? issuedOn(dates, date);
}
