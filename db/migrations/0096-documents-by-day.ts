import { concurrently } from './concurrent-indexes.ts';

/** Lists of lines read the documents of several types by day: one index for sales, one for purchases (decision 0174). */
export const up = concurrently(byDay('sales', ['SO', 'SDN', 'SINV']), byDay('purchases', ['PO', 'PDN', 'PINV']));

function byDay(side: string, docTypes: readonly string[]) {
  const of = `(tenant_id, date) where doc_type in (${docTypes.map((docType) => `'${docType}'`).join(', ')})`;
  return { name: `documents_${side}_day`, table: 'documents', of };
}
