/** Issued invoices by EN 16931, in both of its syntaxes. */
import type { Reader } from '../../../../db/database.ts';
import { cii } from '../../../../domain/trade/einvoice/en16931/cii.ts';
import { peppol } from '../../../../domain/trade/einvoice/en16931/peppol.ts';
import { type StandardInvoice, standardInvoice } from '../../../../domain/trade/einvoice/en16931/standard.ts';
import { ubl } from '../../../../domain/trade/einvoice/en16931/ubl.ts';
import { type Node, serialize } from '../../../../domain/xml.ts';
import type { InvoiceFile } from '../facturae/file.ts';
import { loadInvoiceData } from '../invoice-data.ts';

/**
 * Writes an invoice as UBL 2.1.
 * @param forPeppol whether it has the identifiers of Peppol BIS Billing 3
 * @throws ServiceError not_found; invalid_transition (not posted); validation_failed
 */
export function ublFile(db: Reader, documentId: string, forPeppol = false): Promise<InvoiceFile> {
  return written(db, documentId, (invoice) => ubl(invoice, forPeppol ? peppol(invoice) : null));
}

/** Writes an invoice as Cross Industry Invoice. @throws ServiceError like `ublFile` */
export function ciiFile(db: Reader, documentId: string): Promise<InvoiceFile> {
  return written(db, documentId, cii);
}

async function written(
  db: Reader,
  documentId: string,
  write: (invoice: StandardInvoice) => Node,
): Promise<InvoiceFile> {
  const invoice = await loadInvoiceData(db, documentId);
  return { name: `${invoice.number}.xml`, content: serialize(write(standardInvoice(invoice))) };
}
