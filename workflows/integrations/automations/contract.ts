/** Contract for automations between relay and workers: each run of a rule is a workflow. */
import { defineSignal } from '@temporalio/workflow';
import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

/** Task queue of actions that write to this service; actions that call others use the queue of outgoing HTTP. */
export const AUTOMATIONS_QUEUE = 'automations';
export const AUTOMATION_RUN = 'automationRun';

/** Ids and types only: histories hold no data. */
export interface AutomationRunInput {
  readonly tenantId: string;
  readonly automationId: string;
  /** The row of the log. */
  readonly runId: string;
  /** Types of the actions, in order. */
  readonly actions: readonly string[];
  readonly stopOnError: boolean;
  /** Index of the first action; 0 except for reruns. */
  readonly from: number;
  readonly turn: number;
}

/** One action of a run. */
export interface ActionInput extends Pick<AutomationRunInput, 'tenantId' | 'automationId' | 'runId' | 'turn'> {
  readonly index: number;
}

/**
 * `failed`: after all tries; `ended`: nothing is left to do, since the run was cancelled or its rule is gone; `refused`: whoever was asked
 * has refused, so that the run ends.
 */
export type ActionOutcome = 'done' | 'failed' | 'ended' | 'refused';

/** An action that waits for people, at most so many milliseconds; then it is performed again. */
export interface Waiting {
  readonly waitMs: number;
}

/** Types of the actions that wait for people. */
export const ASKING_ACTIONS: ReadonlySet<string> = new Set(['approval.request']);

/** Somebody has answered what the run waits for. */
export const answered = defineSignal('answered');

/** A run with the cause for its workflow id. */
export interface RunToStart extends AutomationRunInput {
  readonly cause: string;
}

/** `<tenant>/automation/<rule>/<cause>`; a repeated run has the number of its turn after it. */
export function automationRunId({
  tenantId,
  automationId,
  cause,
  turn,
}: Pick<RunToStart, 'tenantId' | 'automationId' | 'cause' | 'turn'>): string {
  return `${tenantId}/automation/${automationId}/${cause}${turn === 1 ? '' : `/${turn}`}`;
}

/** Start options of a run, which happens once. */
export function automationRunStart({ cause, ...input }: RunToStart) {
  const { tenantId, automationId, actions } = input;
  return {
    workflow: AUTOMATION_RUN,
    workflowId: automationRunId({ ...input, cause }),
    taskQueue: AUTOMATIONS_QUEUE,
    args: [input] as [AutomationRunInput],
    typedSearchAttributes: searchAttributes({
      tenantId,
      entityType: 'Automation',
      entityId: automationId,
      ruleId: automationId,
    }),
    priority: taskPriority('automation', tenantId),
    staticSummary: `Automation: ${actions.join(', ')}`,
    staticDetails: `Its log: \`GET /api/automations/${automationId}/logs\``,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  };
}
