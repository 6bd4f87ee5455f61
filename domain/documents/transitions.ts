/**
 * Which action is allowed in which state (decisions, section 5; docs/documents.md has the same table). Everything that is not
 * listed is refused with 409 `invalid_transition`.
 */
import { DOCUMENT_TYPES, type DocType, type DocumentKind, type DocumentStatus } from './types.ts';

export const DOCUMENT_ACTIONS = [
  'update',
  'post',
  'deliver',
  'invoice',
  'close',
  'cancel',
  'delete',
  'send',
  'duplicate',
  'rectify',
  'return',
] as const;
export type DocumentAction = (typeof DOCUMENT_ACTIONS)[number];

type Transitions = Readonly<Record<DocumentAction, readonly DocumentStatus[]>>;

const NONE = [] as const;

const BY_KIND: Readonly<Record<DocumentKind, Transitions>> = {
  order: {
    update: ['O', 'P'],
    post: NONE,
    deliver: ['O', 'P'],
    invoice: ['O', 'P'],
    close: ['O', 'P'],
    // Only while nothing is delivered or invoiced, which is what O says.
    cancel: ['O'],
    delete: NONE,
    send: ['O', 'P', 'C'],
    duplicate: ['O', 'P', 'C', 'X'],
    rectify: NONE,
    return: NONE,
  },
  delivery_note: {
    // The goods have moved and the paper has gone with them.
    update: NONE,
    post: NONE,
    deliver: NONE,
    invoice: ['O', 'P'],
    close: NONE,
    // A note that is partly or wholly invoiced stays: its invoices have to go first.
    cancel: ['O'],
    delete: NONE,
    send: ['O', 'P', 'C'],
    duplicate: ['O', 'P', 'C', 'X'],
    rectify: NONE,
    return: ['O', 'P', 'C'],
  },
  invoice: {
    // What is posted is never changed: it is rectified, or cancelled by a reversal.
    update: ['D'],
    post: ['D'],
    deliver: NONE,
    invoice: NONE,
    close: NONE,
    // One that is paid (C) is refused for its payments, which the answer names.
    cancel: ['D', 'O', 'C'],
    delete: ['D'],
    send: ['O', 'C'],
    duplicate: ['D', 'O', 'C', 'X'],
    rectify: ['O', 'C'],
    return: NONE,
  },
};

export const TRANSITIONS: Readonly<Record<DocType, Transitions>> = {
  SO: BY_KIND.order,
  SDN: BY_KIND.delivery_note,
  SINV: BY_KIND.invoice,
  PO: BY_KIND.order,
  // A receipt entered by mistake, while it is the last of its series: its number is free again.
  PDN: { ...BY_KIND.delivery_note, delete: ['O'] },
  PINV: BY_KIND.invoice,
};

/** The states that a document of a type can be in. Only invoices have drafts; they are never partly done. */
export function statesOf(docType: DocType): readonly DocumentStatus[] {
  return DOCUMENT_TYPES[docType].kind === 'invoice' ? ['D', 'O', 'C', 'X'] : ['O', 'P', 'C', 'X'];
}

/** Whether the action is allowed for a document of that type in that state. */
export function isAllowed(docType: DocType, status: DocumentStatus, action: DocumentAction): boolean {
  return TRANSITIONS[docType][action].includes(status);
}

/** States in which nothing more happens by itself: the lifecycle workflow ends there. */
export function isFinal(status: DocumentStatus): boolean {
  return status === 'C' || status === 'X';
}
