/** Rows of document lists. */
import { fragment } from '../../../db/queries/fragments.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import { documentCountSql, HEAD_COLUMNS, HEAD_FROM } from '../../../services/trade/documents/read.ts';
import type { DocumentRow } from '../../../services/trade/documents/stored.ts';
import { headerToJson } from '../../../services/trade/documents/to-json.ts';
import type { ListRows } from '../../lists/list-route.ts';

/** The heads of all documents of a type, without lines and taxes. */
export function documentHeads(docType: DocType): ListRows<DocumentRow> {
  const where = [fragment(`d.doc_type = '${docType}'`)];
  return {
    from: HEAD_FROM,
    table: 'documents d',
    where,
    columns: [HEAD_COLUMNS],
    count: documentCountSql(docType),
    toJson: headerToJson,
  };
}
