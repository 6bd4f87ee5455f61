/** Keeps suppliers' invoice numbers unique: an invoice entered twice would be paid twice. */
import type { Db } from '../../../../db/database.ts';
import { STATE } from '../../../../db/queries/document-states.ts';
import { query } from '../../../../db/sql.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import type { DocumentRow } from '../stored.ts';

/** The unique index that prevents concurrent duplicates: the retry finds the other one and can name it. */
export const UNIQUE_REFERENCE = 'documents_supplier_reference_key';

/**
 * Checks that no other invoice of the supplier has the same number, ignoring case and surrounding blanks. Drafts and
 * rectifying invoices count; cancelled ones do not, since they are entered again.
 * @throws ServiceError duplicate, naming the other invoice
 */
export async function assertFreeReference(trx: Db, row: DocumentRow): Promise<void> {
  const { id, docType, partner, supplierReference } = row;
  if (docType !== 'PINV' || supplierReference === null) return;
  const [other] = await query<{ code: string | null; date: string }>(
    trx,
    `select code, date from documents
     where partner_id = :partnerId and supplier_key = lower(btrim(:supplierReference)) and doc_type = 'PINV'
       and status <> ${STATE.cancelled} and id <> :id`,
    { partnerId: partner.id, supplierReference, id },
  );
  if (other === undefined) return;
  const named = other.code ?? `the draft of ${other.date}`;
  throw new ServiceError('duplicate', `${named} is the invoice ${supplierReference} of ${partner.name}`, {
    errors: [{ pointer: '/supplierReference', code: 'duplicate', message: `already belongs to ${named}` }],
  });
}
