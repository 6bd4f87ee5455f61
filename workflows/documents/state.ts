/** The decisions of a document's lifecycle as pure functions: what a change means, what may be done, when it is over. */
import { isDay } from '../../domain/days.ts';
import { isAllowed, isFinal } from '../../domain/documents/transitions.ts';
import { DOCUMENT_TYPES, type DocType, type DocumentStatus } from '../../domain/documents/types.ts';
import { CANCEL_DOCUMENT, type DocumentChange, type LifecycleState, POST_DOCUMENT } from './contract.ts';

/** Repeats come from a relay that died between signal and mark: soon after the first, so that a short memory is enough. */
const REMEMBERED_EVENTS = 50;

export const STATUS_WORDS: Readonly<Record<DocumentStatus, string>> = {
  D: 'draft',
  O: 'open',
  P: 'partly done',
  C: 'closed',
  X: 'cancelled',
};

export function initialState(): LifecycleState {
  return { status: null, deleted: false, sequence: 0, seen: [], pdf: 'none' };
}

/** The state after a change; the same object when the change is a repeat. */
export function afterChange(state: LifecycleState, change: DocumentChange): LifecycleState {
  if (state.seen.includes(change.eventId)) return state;
  const seen = [...state.seen, change.eventId].slice(-REMEMBERED_EVENTS);
  if (change.sequence <= state.sequence) return { ...state, seen };
  return {
    ...state,
    seen,
    sequence: change.sequence,
    status: isStatus(change.status) ? change.status : state.status,
    deleted: change.event === 'document.deleted',
  };
}

/** Nothing more happens to the document by itself. A closed one that opens again gets a new run of the workflow. */
export function isOver(state: LifecycleState): boolean {
  return state.deleted || (state.status !== null && isFinal(state.status));
}

/** Why an operator cannot do this now; null when he can. The first line says what to do. */
export function refusal(docType: DocType, state: LifecycleState, action: 'post' | 'cancel'): string | null {
  const { kind, name } = DOCUMENT_TYPES[docType];
  const what = name.replaceAll('_', ' ');
  if (state.deleted) return `Nothing to do: this ${what} was deleted`;
  if (state.status === null || isAllowed(docType, state.status, action)) return null;
  if (action === 'post') {
    return kind === 'invoice'
      ? `Nothing to post: only a draft can be posted, and this ${what} is ${STATUS_WORDS[state.status]} (${state.status})`
      : `Nothing to post: only invoices are posted, and this is a ${what}`;
  }
  return kind === 'invoice'
    ? `It cannot be cancelled: this ${what} is ${STATUS_WORDS[state.status]} (${state.status})`
    : `Cancel what was made from it first: this ${what} is ${STATUS_WORDS[state.status]} (${state.status})`;
}

/** What is wrong with the argument of an update; null when nothing is. Operators write it by hand, so it may be anything. */
export function badOptions(action: 'post' | 'cancel', options: unknown): string | null {
  if (options === undefined || options === null) return null;
  if (typeof options !== 'object' || Array.isArray(options)) {
    return action === 'post' ? 'Give no argument' : 'Give no argument, or an object such as {"date": "2026-01-31"}';
  }
  const unknown = Object.keys(options).filter((name) => action === 'post' || name !== 'date');
  if (unknown.length > 0) return `${unknown.join(', ')}: is no option of this update`;
  const { date } = options as { date?: unknown };
  if (date === undefined || (typeof date === 'string' && isDay(date))) return null;
  return 'date: must be a day that exists, as YYYY-MM-DD';
}

/** The updates that would be accepted now. */
export function possibleUpdates(docType: DocType, state: LifecycleState): string[] {
  return ([POST_DOCUMENT, CANCEL_DOCUMENT] as const).filter(
    (action) => state.status !== null && refusal(docType, state, action) === null,
  );
}

/** Whether the PDF of a posted invoice of one's own has still to be kept. */
export function needsPdf(docType: DocType, state: LifecycleState): boolean {
  return docType === 'SINV' && state.pdf === 'none' && !state.deleted && (state.status === 'O' || state.status === 'C');
}

/** What the Temporal UI shows about the document, in Markdown. Ids only: nothing here is encrypted. */
export function details(docType: DocType, documentId: string, state: LifecycleState): string {
  const { name, path } = DOCUMENT_TYPES[docType];
  const status = state.deleted ? 'deleted' : state.status === null ? 'not known yet' : STATUS_WORDS[state.status];
  const updates = possibleUpdates(docType, state);
  return [
    `**${sentence(name)}** is **${status}**`,
    '',
    `- Document: \`${path}/${documentId}\``,
    `- PDF: ${docType === 'SINV' ? state.pdf : 'on request'}`,
    updates.length > 0
      ? `- You can send the update ${updates.map((update) => `\`${update}\``).join(' or ')}: it does the same as the API`
      : '- Nothing to do for an operator',
  ].join('\n');
}

/** `sales_invoice` → `Sales invoice` */
export function sentence(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isStatus(text: string): text is DocumentStatus {
  return Object.hasOwn(STATUS_WORDS, text);
}
