/** Pure decisions of a document's lifecycle: what a change means, which actions are allowed, when it ends. */
import { isDay } from '../../../domain/days.ts';
import { isAllowed, isFinished as isDocumentOver } from '../../../domain/trade/documents/transitions.ts';
import {
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
  documentTitle,
} from '../../../domain/trade/documents/types.ts';
import { detailsText } from '../../details.ts';
import type { DocumentChange, LifecycleInput, LifecycleState } from './contract.ts';

/** Maximum number of remembered events. A relay that crashed after a signal repeats it soon, so few are enough. */
const REMEMBERED_EVENTS = 50;

export const STATUS_WORDS: Readonly<Record<DocumentStatus, string>> = {
  D: 'draft',
  O: 'open',
  P: 'partly done',
  C: 'closed',
  X: 'cancelled',
  A: 'accepted',
  R: 'rejected',
  E: 'expired',
};

/** State of a run before its first signal. */
export function stateAtStart({ carried, first }: LifecycleInput): LifecycleState {
  if (carried !== undefined) return carried;
  const { eventId, event, status, sequence, code, lockDueAt, expiresAt = null } = first;
  return {
    status: status as DocumentStatus,
    deleted: event === 'document.deleted',
    code,
    lockDueAt,
    expiresAt,
    sequence,
    seen: [eventId],
  };
}

/** The state after a change; the same object if the change is a repeat. */
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
    code: change.code ?? state.code,
    lockDueAt: change.lockDueAt,
    expiresAt: change.expiresAt ?? null,
  };
}

/** Whether the document has reached its end. A closed document that reopens gets a new run of the workflow. */
export function isFinished(state: LifecycleState): boolean {
  const { deleted, status, lockDueAt } = state;
  return deleted || isDocumentOver(status, { lockDueAt });
}

/** Explains why an operator cannot do this now; null if they can. The first line says what to do. */
export function refusal(docType: DocType, state: LifecycleState, action: 'post' | 'cancel'): string | null {
  const { kind, name } = DOCUMENT_TYPES[docType];
  const what = name.replaceAll('_', ' ');
  if (state.deleted) return `Nothing to do: this ${what} was deleted`;
  if (isAllowed(docType, state.status, action)) return null;
  if (action === 'post') {
    return kind === 'invoice'
      ? `Nothing to post: only a draft can be posted, and this ${what} is ${STATUS_WORDS[state.status]} (${state.status})`
      : `Nothing to post: only invoices are posted, and this is a ${what}`;
  }
  return kind === 'invoice'
    ? `This ${what} cannot be cancelled because it is ${STATUS_WORDS[state.status]} (${state.status})`
    : `Cancel its follow-ups first: this ${what} is ${STATUS_WORDS[state.status]} (${state.status})`;
}

/**
 * Describes the faults of an update's argument; null if there are none. Operators write it by hand, so it may be
 * anything.
 */
export function badOptions(action: 'post' | 'cancel', options: unknown): string | null {
  if (options === undefined || options === null) return null;
  if (typeof options !== 'object' || Array.isArray(options)) {
    return action === 'post' ? 'Give no argument' : 'Give no argument, or an object such as {"date": "2026-01-31"}';
  }
  const unknown = Object.keys(options).filter((name) => action === 'post' || name !== 'date');
  if (unknown.length > 0) return `${unknown.join(', ')}: is not an option of this update`;
  const { date } = options as { date?: unknown };
  if (date === undefined || (typeof date === 'string' && isDay(date))) return null;
  return 'date: must be an existing date, as YYYY-MM-DD';
}

/** Updates that would be accepted now. */
export function possibleUpdates(docType: DocType, state: LifecycleState): string[] {
  return (['post', 'cancel'] as const).filter((action) => refusal(docType, state, action) === null);
}

/** Details of the document for the Temporal UI. @param cancelled whether the workflow has been cancelled */
export function details(input: LifecycleInput, state: LifecycleState, cancelled = false): string {
  const { docType, documentId } = input;
  const { name, path } = DOCUMENT_TYPES[docType];
  const what = name.replaceAll('_', ' ');
  const status = state.deleted ? 'deleted' : STATUS_WORDS[state.status];
  return detailsText(
    `**${documentTitle(docType, state.code)}** is **${status}**`,
    cancelled
      ? `Its workflow was cancelled, the ${what} was not: a new workflow starts with the next change, or within the hour`
      : operatorsChoice(docType, state),
    [
      `API: \`${path}/${documentId}\``,
      ...(state.lockDueAt === null || state.deleted ? [] : [`It will be locked at ${state.lockDueAt}`]),
      ...((state.expiresAt ?? null) === null || state.deleted ? [] : [`It expires at ${state.expiresAt}`]),
      'PDF: rendered on request',
      `“Request Cancellation” and “Terminate” end this workflow, not the ${what}; it restarts with the next change, or within the hour`,
    ],
  );
}

function operatorsChoice(docType: DocType, state: LifecycleState): string {
  const updates = possibleUpdates(docType, state);
  if (isFinished(state)) return 'Nothing to do: finished';
  if (updates.length === 0)
    return `Nothing to do here: ${refusal(docType, state, 'cancel') ?? 'it is waiting for its first change'}`;
  const choice = updates.map((update) => `\`${update}\``).join(' or ');
  return `To change it, choose More Actions › Send an Update (${choice}), not Request Cancellation`;
}

function isStatus(text: string): text is DocumentStatus {
  return Object.hasOwn(STATUS_WORDS, text);
}
