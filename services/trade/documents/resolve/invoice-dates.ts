/** Dates of an invoice in addition to its entry date (decision 0160). */

import type { Faults } from '../../../../domain/faults.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';

export interface InvoiceDates {
  /** For a supplier's invoice: its own date; otherwise null. */
  readonly documentDate: string | null;
  /** Date of supply of the goods or services, if given. */
  readonly operationDate: string | null;
}

interface Given {
  readonly documentDate?: string | undefined;
  readonly operationDate?: string | undefined;
}

/** Checks the dates and adds faults with pointers. @param date on which the document is entered */
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
  } else if (operationDate !== null && operationDate > issueDate({ documentDate }, date)) {
    faults.add(
      '/operationDate',
      'out_of_range',
      `must not be after the date of the invoice, ${issueDate({ documentDate }, date)}`,
    );
  }
  return { documentDate, operationDate };
}

/** The day on which a document was issued, from which its due dates count. */
export function issueDate({ documentDate }: Pick<InvoiceDates, 'documentDate'>, date: string): string {
  return documentDate ?? date;
}

/** The day whose tax rates apply: the date of supply, if known. */
export function taxDate(dates: InvoiceDates, date: string): string {
  return dates.operationDate ?? issueDate(dates, date);
}
