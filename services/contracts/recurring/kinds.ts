/** The kinds of recurring documents: documents of each type, and journal entries. */
import { documentTypeNamed, type RecurringType } from '../../../domain/contracts/recurring/types.ts';
import { documentKind } from './document-kind.ts';
import { ENTRY_KIND } from './entry-kind.ts';
import type { RecurringKind } from './kind.ts';

/** The kind of a type. */
export function recurringKind(type: RecurringType): RecurringKind {
  const docType = documentTypeNamed(type);
  return docType === null ? ENTRY_KIND : documentKind(docType);
}
