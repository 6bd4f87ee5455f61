/**
 * The lifecycle of a document, from its creation until it is closed, cancelled or deleted. The relay signals every change; operators can
 * post and cancel from the Temporal UI; a lock that is due is its timer.
 */
import { ApplicationFailure } from '@temporalio/common';
import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { DocumentActivities } from '../../../activities/trade/documents.ts';
import { taskPriority } from '../../platform/priorities/contract.ts';
import { DOCUMENT_CODE, DOCUMENT_STATUS } from '../../platform/search-attributes/contract.ts';
import {
  type ActionOptions,
  type ActionResult,
  cancelDocument,
  documentChanged,
  type LifecycleInput,
  type LifecycleState,
  type LifecycleView,
  lifecycleState,
  postDocument,
} from './contract.ts';
import { afterChange, badOptions, details, isFinished, possibleUpdates, refusal, stateAtStart } from './state.ts';

/** Event count that triggers a new run: well before the server's limit, so that another worker has little to replay. */
const LONG_HISTORY = 1000;

const actions = proxyActivities<DocumentActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

export async function documentLifecycle(input: LifecycleInput): Promise<LifecycleView> {
  const { tenantId, documentId, docType } = input;
  let state = stateAtStart(input);
  let shownStatus = state.status;

  function become(next: LifecycleState): void {
    state = next;
    setCurrentDetails(details(input, state));
    if (state.status !== shownStatus) {
      shownStatus = state.status;
      const { code } = state;
      // Numbers are assigned together with a change of status, so one event is enough for both.
      upsertSearchAttributes([
        { key: DOCUMENT_STATUS, value: state.status },
        ...(code === null ? [] : [{ key: DOCUMENT_CODE, value: code }]),
      ]);
    }
  }

  function view(): LifecycleView {
    return {
      documentType: docType,
      documentId,
      status: state.status,
      lockDueAt: state.lockDueAt,
      updates: possibleUpdates(docType, state),
    };
  }

  function validate(action: 'post' | 'cancel', options: ActionOptions | null | undefined): void {
    const reason = refusal(docType, state, action);
    if (reason !== null) throw ApplicationFailure.nonRetryable(reason, 'invalid_transition');
    const fault = badOptions(action, options);
    if (fault !== null) throw ApplicationFailure.nonRetryable(fault, 'validation_failed');
  }

  async function act(action: 'post' | 'cancel', options: ActionOptions | null | undefined): Promise<ActionResult> {
    const activity = action === 'post' ? actions.postDocument : actions.cancelDocument;
    try {
      const summary = action === 'post' ? 'Post the invoice' : 'Cancel the document';
      const priority = taskPriority('operatorAction', tenantId);
      const result = await activity.executeWithOptions({ summary, priority }, [{ ...options, tenantId, documentId }]);
      // The event of this change arrives later, but the next update must already see the new status.
      become({ ...state, status: result.status, code: result.code ?? state.code });
      return result;
    } catch (error) {
      // Operators must see the service's own refusal, not "activity failed".
      throw error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
    }
  }

  setHandler(documentChanged, (change) => become(afterChange(state, change)), {
    description: 'A change of the document, sent by the relay; repeated events (same eventId) are ignored',
  });
  setHandler(postDocument, (options) => act('post', options), {
    validator: (options) => validate('post', options),
    description: 'Posts a draft invoice: it gets its legal number and its journal entry. No argument needed',
  });
  setHandler(cancelDocument, (options) => act('cancel', options), {
    validator: (options) => validate('cancel', options),
    description:
      'Cancels the document; a posted invoice gets a reversing entry. Optional: {"date": "YYYY-MM-DD"}, today by default',
  });
  setHandler(lifecycleState, view, { description: 'State of the document as known to the workflow' });

  become(state);
  try {
    return await live();
  } catch (error) {
    if (isCancellation(error)) setCurrentDetails(details(input, state, true));
    throw error;
  }

  /** Waits until there is something to do. @returns what is due by the clock; null for nothing */
  async function dueWork(): Promise<'lock' | 'expiry' | null> {
    const { lockDueAt, expiresAt = null } = state;
    const isDone = () =>
      state.lockDueAt !== lockDueAt || (state.expiresAt ?? null) !== expiresAt || isFinished(state) || isLong();
    const next = lockDueAt !== null && (expiresAt === null || lockDueAt <= expiresAt) ? 'lock' : 'expiry';
    const at = next === 'lock' ? lockDueAt : expiresAt;
    if (at !== null) {
      const wait = Date.parse(at) - Date.now();
      return wait <= 0 || !(await condition(isDone, wait)) ? next : null;
    }
    await condition(isDone);
    return null;
  }

  async function lock(): Promise<void> {
    const options = { summary: 'Lock the document' };
    const lockDueAt = await actions.lockDocument.executeWithOptions(options, [{ tenantId, documentId }]);
    become({ ...state, lockDueAt });
    // The clock of the activity's machine is behind.
    if (lockDueAt !== null && Date.parse(lockDueAt) <= Date.now()) await sleep('10 seconds');
  }

  async function expire(): Promise<void> {
    const options = { summary: 'Mark the quotation as expired' };
    const expiresAt = await actions.expireDocument.executeWithOptions(options, [{ tenantId, documentId }]);
    become({ ...state, expiresAt });
    if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) await sleep('10 seconds');
  }

  async function live(): Promise<LifecycleView> {
    for (;;) {
      const due = await dueWork();
      if (due !== null) {
        await (due === 'lock' ? lock() : expire());
        continue;
      }
      // Accepted updates must finish before this run ends.
      await condition(allHandlersFinished);
      if (isFinished(state)) return view();
      if (isLong()) await continueAsNew<typeof documentLifecycle>({ ...input, carried: state });
    }
  }
}

function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > LONG_HISTORY;
}
