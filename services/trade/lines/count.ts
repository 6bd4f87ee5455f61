/** Counts all lines of a side, as its list does without filters. */
import { DOC_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { documentCountSql } from '../documents/read.ts';

/**
 * SQL that counts the lines of all documents of these types. A line does not store its document's type, and joining a
 * million takes long. If most documents are of these types, it counts all lines by an index and subtracts the few lines
 * of other types.
 */
export function countLines(docTypes: readonly DocType[]): string {
  const others = DOC_TYPES.filter((docType) => !docTypes.includes(docType));
  return `select case when ${documents(docTypes)} <= ${documents(others)} then ${lines(docTypes)}
    else (select count(*) from document_lines) - ${lines(others)} end as count`;
}

/** Number of documents, by their series. */
function documents(docTypes: readonly DocType[]): string {
  return ['0', ...docTypes.map((docType) => `(${documentCountSql(docType)})`)].join(' + ');
}

function lines(docTypes: readonly DocType[]): string {
  const types = docTypes.map((docType) => `'${docType}'`).join(', ');
  return `(select count(*) from document_lines l join documents d on d.id = l.document_id where d.doc_type in (${types}))`;
}
