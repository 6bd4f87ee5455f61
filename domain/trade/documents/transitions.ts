/**
 * Allowed actions by status (docs/documents.md has the same table). All others are refused with 409
 * `invalid_transition`.
 */

import { joinWords } from '../../words.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES, type DocType, type DocumentKind, type DocumentStatus } from './types.ts';

const { draft, open, partial, closed, cancelled, accepted, rejected, expired } = DOCUMENT_STATUS;

export const DOCUMENT_ACTIONS = [
  'update',
  'post',
  'issue',
  'accept',
  'reject',
  'revise',
  'order',
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

/** Answers to quotations, which other documents do not have. */
const NO_ANSWERS = { issue: NONE, accept: NONE, reject: NONE, revise: NONE, order: NONE } as const;

const BY_KIND: Readonly<Record<DocumentKind, Transitions>> = {
  quotation: {
    // What was sent stays as it is: `revise` makes a new version of it.
    update: [draft],
    post: NONE,
    issue: [draft],
    accept: [open],
    reject: [open],
    revise: [open, rejected, expired],
    // Whoever orders has accepted.
    order: [open, accepted, partial],
    deliver: NONE,
    invoice: [open, accepted, partial],
    close: NONE,
    cancel: [draft, open, accepted],
    delete: [draft],
    send: [draft, open, accepted, partial, closed],
    duplicate: [draft, open, partial, closed, cancelled, accepted, rejected, expired],
    rectify: NONE,
    return: NONE,
  },
  order: {
    ...NO_ANSWERS,
    update: [open, partial],
    post: NONE,
    deliver: [open, partial],
    invoice: [open, partial],
    close: [open, partial],
    // Only while nothing is delivered or invoiced, i.e. while open.
    cancel: [open],
    delete: NONE,
    send: [open, partial, closed],
    duplicate: [open, partial, closed, cancelled],
    rectify: NONE,
    return: NONE,
  },
  delivery_note: {
    ...NO_ANSWERS,
    // The goods have moved, and the printed note went with them.
    update: NONE,
    post: NONE,
    deliver: NONE,
    invoice: [open, partial],
    close: NONE,
    // A partly or fully invoiced note cannot be cancelled before its invoices.
    cancel: [open],
    delete: NONE,
    send: [open, partial, closed],
    duplicate: [open, partial, closed, cancelled],
    rectify: NONE,
    return: [open, partial, closed],
  },
  invoice: {
    ...NO_ANSWERS,
    // A posted invoice is never changed: it is rectified, or cancelled by a reversal.
    update: [draft],
    post: [draft],
    deliver: NONE,
    invoice: NONE,
    close: NONE,
    // A paid invoice is refused because of its payments, which the error names.
    cancel: [draft, open, closed],
    delete: [draft],
    send: [open, closed],
    duplicate: [draft, open, closed, cancelled],
    rectify: [open, closed],
    return: NONE,
  },
};

export const TRANSITIONS: Readonly<Record<DocType, Transitions>> = {
  SQ: BY_KIND.quotation,
  SO: BY_KIND.order,
  SDN: BY_KIND.delivery_note,
  SINV: BY_KIND.invoice,
  PR: BY_KIND.quotation,
  PO: BY_KIND.order,
  // A receipt entered by mistake can be deleted while it is the last of its series: its number becomes free again.
  PDN: { ...BY_KIND.delivery_note, delete: [open] },
  PINV: BY_KIND.invoice,
};

const STATUSES: Readonly<Record<DocumentKind, readonly DocumentStatus[]>> = {
  quotation: [draft, open, accepted, rejected, expired, partial, closed, cancelled],
  order: [open, partial, closed, cancelled],
  delivery_note: [open, partial, closed, cancelled],
  // Never partially done.
  invoice: [draft, open, closed, cancelled],
};

/** The possible statuses of a document type. */
export function possibleStatuses(docType: DocType): readonly DocumentStatus[] {
  return STATUSES[DOCUMENT_TYPES[docType].kind];
}

/** The statuses that the interface names for a type: for all but quotations the same five. */
export function namedStatuses(docType: DocType): readonly DocumentStatus[] {
  return DOCUMENT_TYPES[docType].kind === 'quotation'
    ? [draft, open, partial, closed, cancelled, accepted, rejected, expired]
    : [draft, open, partial, closed, cancelled];
}

/** Whether the action is allowed for a document of that type and status. */
export function isAllowed(docType: DocType, status: DocumentStatus, action: DocumentAction): boolean {
  return TRANSITIONS[docType][action].includes(status);
}

/** Actions that a lock refuses because they change or undo the document. Follow-ups stay possible. */
const REFUSED_BY_LOCK: readonly DocumentAction[] = ['update', 'close', 'cancel', 'delete'];

/** The instants at which a document was or will be locked; null if it is neither. */
export interface LockTimes {
  readonly lockedAt: string | null;
  readonly lockDueAt: string | null;
}

/** Whether a document is locked. A lock takes effect at its due time, even before it is recorded. */
export function isLocked({ lockedAt, lockDueAt }: LockTimes, now: Date): boolean {
  return lockedAt !== null || (lockDueAt !== null && Date.parse(lockDueAt) <= now.getTime());
}

/** Explains why a lock refuses the action, e.g. "F-7 is locked and cannot be changed"; null if it does not. */
export function lockRefusal(action: DocumentAction, name: string): string | null {
  return REFUSED_BY_LOCK.includes(action) ? `${name} is locked and cannot be ${PARTICIPLES[action]}` : null;
}

/**
 * Whether no further change happens on its own, so that its lifecycle workflow ends. A closed document may still wait
 * to be locked.
 */
export function isFinished(status: DocumentStatus, { lockDueAt }: Pick<LockTimes, 'lockDueAt'>): boolean {
  if (status === cancelled || status === rejected || status === expired) return true;
  return status === closed && lockDueAt === null;
}

/** Statuses in words, to follow "is". */
const STATE_WORDS: Readonly<Record<DocumentKind, Readonly<Record<DocumentStatus, string>>>> = {
  quotation: words({ open: 'sent', partial: 'partly ordered', closed: 'ordered' }),
  order: words({ open: 'open', partial: 'partly delivered', closed: 'closed' }),
  delivery_note: words({ open: 'open', partial: 'partly invoiced', closed: 'invoiced' }),
  invoice: words({ open: 'posted', partial: 'partly paid', closed: 'paid' }),
};

function words(of: { open: string; partial: string; closed: string }): Readonly<Record<DocumentStatus, string>> {
  return {
    [draft]: 'a draft',
    [open]: of.open,
    [partial]: of.partial,
    [closed]: of.closed,
    [cancelled]: 'cancelled',
    [accepted]: 'accepted',
    [rejected]: 'rejected',
    [expired]: 'expired',
  };
}

const PARTICIPLES: Readonly<Record<DocumentAction, string>> = {
  update: 'changed',
  post: 'posted',
  issue: 'marked as sent',
  accept: 'accepted',
  reject: 'rejected',
  revise: 'revised',
  order: 'ordered',
  deliver: 'delivered',
  invoice: 'invoiced',
  close: 'closed',
  cancel: 'cancelled',
  delete: 'deleted',
  send: 'sent',
  duplicate: 'duplicated',
  rectify: 'rectified',
  return: 'returned',
};

/** A document's status in words, to follow "is". */
export function stateInWords(docType: DocType, status: DocumentStatus): string {
  return STATE_WORDS[DOCUMENT_TYPES[docType].kind][status];
}

/** Explains why an action is refused: "F-7 is posted; only an invoice that is a draft can be posted". */
export function refusal(docType: DocType, status: DocumentStatus, action: DocumentAction, name: string): string {
  const { kind } = DOCUMENT_TYPES[docType];
  const noun = `${kind === 'delivery_note' || kind === 'quotation' ? 'a' : 'an'} ${kind.replace('_', ' ')}`;
  const states = TRANSITIONS[docType][action].map((state) => STATE_WORDS[kind][state]);
  const only =
    states.length === 0
      ? `${noun} cannot be ${PARTICIPLES[action]}`
      : `only ${noun} that is ${joinWords(states, 'or')} can be ${PARTICIPLES[action]}`;
  return `${name} is ${stateInWords(docType, status)}; ${only}`;
}
