/** Which action is allowed in which state (decisions, section 5). Everything that is not listed is refused. */
import type { DocumentKind, DocumentStatus } from './types.ts';

export type DocumentAction = 'deliver' | 'invoice' | 'post' | 'cancel' | 'delete';

export const TRANSITIONS: Readonly<Record<DocumentKind, Readonly<Record<DocumentAction, readonly DocumentStatus[]>>>> =
  {
    // An order can be cancelled only while nothing is delivered or invoiced, which is what O says.
    order: { deliver: ['O', 'P'], invoice: ['O', 'P'], post: [], cancel: ['O'], delete: [] },
    // A note that is partly or wholly invoiced stays: its invoices have to go first.
    delivery_note: { deliver: [], invoice: ['O', 'P'], post: [], cancel: ['O'], delete: [] },
    invoice: { deliver: [], invoice: [], post: ['D'], cancel: ['D', 'O'], delete: ['D'] },
  };

/** Whether the action is allowed for a document of that kind in that state. */
export function isAllowed(kind: DocumentKind, status: DocumentStatus, action: DocumentAction): boolean {
  return TRANSITIONS[kind][action].includes(status);
}

/** States in which nothing more happens by itself: the lifecycle workflow ends there. */
export function isFinal(status: DocumentStatus): boolean {
  return status === 'C' || status === 'X';
}
