/** Types of documents that can recur, and how far each is taken. */
import { DOC_TYPE_NAMES, DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../trade/documents/types.ts';

export const JOURNAL_ENTRY = 'journal_entry';
/** Reminders of overdue invoices, which are no documents either. */
export const DUNNING = 'dunning';
/** Names of the types: sales_invoice …, journal_entry and dunning. */
export const RECURRING_TYPES: readonly string[] = [
  ...DOC_TYPES.filter((docType) => DOCUMENT_TYPES[docType].kind !== 'quotation').map(
    (docType) => DOCUMENT_TYPES[docType].name,
  ),
  JOURNAL_ENTRY,
  DUNNING,
];
export type RecurringType = string;

/** The type of document that a name stands for; null for journal entries and reminders. */
export function documentTypeNamed(name: RecurringType): DocType | null {
  return DOC_TYPE_NAMES[name] ?? null;
}

/** draft; post: open or posted; send: posted and sent by e-mail. */
export const RECURRING_MODES = ['draft', 'post', 'send'] as const;
export type RecurringMode = (typeof RECURRING_MODES)[number];

/** The modes of a type: orders and notes are open at once, entries are not sent, reminders always are. */
export function possibleModes(name: RecurringType): readonly RecurringMode[] {
  if (name === DUNNING) return ['send'];
  const docType = documentTypeNamed(name);
  if (docType === null) return ['draft', 'post'];
  return DOCUMENT_TYPES[docType].kind === 'invoice' ? RECURRING_MODES : ['post', 'send'];
}

export const RUN_OUTCOMES = ['made', 'skipped', 'failed'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];
