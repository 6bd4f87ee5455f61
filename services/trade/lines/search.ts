/** Finds lines by text: by codes and references of their documents, partners and items, and by description. */
import type { Search } from '../../../db/queries/list.ts';
import { query } from '../../../db/sql.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';

/**
 * Finds the first lines that match a text in documents of these types. All members have an index except descriptions,
 * which are compared line by line without joining other tables.
 */
export function searchLines(docTypes: readonly DocType[]): Search {
  const sql = searchSql(docTypes);
  return async (reader, text) => (await query<{ id: string }>(reader, sql, { ...text })).map(({ id }) => id);
}

const searchSql = (docTypes: readonly DocType[]) => {
  const documents = docTypes.map(
    (docType) => `select documents_containing('${docType}', :pattern, :part, :most) as id`,
  );
  if (docTypes.includes('SINV')) documents.push('select full_invoices_containing(:pattern, :most)');
  const types = docTypes.map((docType) => `'${docType}'`).join(', ');
  const named = (table: 'partners' | 'items') =>
    `any(array(select id from ${table} where code ilike :pattern or name ilike :pattern))`;
  const lines = (condition: string) => `
    (select l.id from document_lines l join documents d on d.id = l.document_id
     where d.doc_type in (${types}) and ${condition} limit :most::bigint)`;
  return `
    with found as materialized (${documents.join(' union all ')})
    select l.id from document_lines l where l.document_id in (select id from found)
    union ${lines(`d.partner_id = ${named('partners')}`)}
    union ${lines(`l.item_id = ${named('items')}`)}
    union ${lines('l.description ilike :pattern')}`;
};
