/** The kinds of recurring documents: documents of each type, journal entries, and reminders. */
import { DUNNING, documentTypeNamed, type RecurringType } from '../../../domain/contracts/recurring/types.ts';
import { documentKind } from './document-kind.ts';
import { DUNNING_KIND } from './dunning-kind.ts';
import { ENTRY_KIND } from './entry-kind.ts';
import type { RecurringKind } from './kind.ts';

/** The kind of a type. */
export function recurringKind(type: RecurringType): RecurringKind {
  if (type === DUNNING) return DUNNING_KIND;
  const docType = documentTypeNamed(type);
  return docType === null ? ENTRY_KIND : documentKind(docType);
}
