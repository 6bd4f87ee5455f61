/** Counts all lines of a side, as its list does without filters. */
import { DOC_TYPES, type DocType } from '../../../domain/documents/types.ts';
import { countOf } from '../../documents/read.ts';

/**
 * SQL that counts the lines of all documents of these types. A line does not know its document's type, and joining a million takes long:
 * where most documents are of these types, all lines are counted in an index, and those of the other types, which are few, are deducted.
 */
export function countLines(docTypes: readonly DocType[]): string {
  const others = DOC_TYPES.filter((docType) => !docTypes.includes(docType));
  return `select case when ${documents(docTypes)} <= ${documents(others)} then ${lines(docTypes)}
    else (select count(*) from document_lines) - ${lines(others)} end as count`;
}

/** How many documents there are, by their series. */
function documents(docTypes: readonly DocType[]): string {
  return ['0', ...docTypes.map((docType) => `(${countOf(docType)})`)].join(' + ');
}

function lines(docTypes: readonly DocType[]): string {
  const types = docTypes.map((docType) => `'${docType}'`).join(', ');
  return `(select count(*) from document_lines l join documents d on d.id = l.document_id where d.doc_type in (${types}))`;
}
