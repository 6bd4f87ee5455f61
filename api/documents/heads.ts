/** The rows of lists of documents. */
import { fragment } from '../../db/queries/fragments.ts';
import type { DocType } from '../../domain/documents/types.ts';
import { countOf, HEAD_COLUMNS, HEAD_FROM } from '../../services/documents/read.ts';
import type { DocumentRow } from '../../services/documents/stored.ts';
import { headerToJson } from '../../services/documents/to-json.ts';
import type { ListRows } from '../list-route.ts';

/** The heads of a type's documents; lines and taxes are in the single document. */
export function documentHeads(docType: DocType): ListRows<DocumentRow> {
  const where = [fragment(`d.doc_type = '${docType}'`)];
  return {
    from: HEAD_FROM,
    table: 'documents d',
    where,
    columns: [HEAD_COLUMNS],
    count: countOf(docType),
    toJson: headerToJson,
  };
}
