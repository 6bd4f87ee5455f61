/** The contract of automations between relay and workers: each run of a rule is a workflow. */
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Task queue of rules: what they write here. What they call elsewhere goes through the queue of outgoing HTTP. */
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
  /** The first action to be done; 0 unless the run is repeated. */
  readonly from: number;
  readonly turn: number;
}

/** One action of a run. */
export interface ActionInput extends Pick<AutomationRunInput, 'tenantId' | 'automationId' | 'runId' | 'turn'> {
  readonly index: number;
}

/** `failed`: after all tries; `ended`: nothing is left to do, since the run was cancelled or its rule is gone. */
export type ActionOutcome = 'done' | 'failed' | 'ended';

/** What a run is started with. */
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
    priority: priorityOf('automation', tenantId),
    staticSummary: `Automation: ${actions.join(', ')}`,
    staticDetails: `Its log: \`GET /api/automations/${automationId}/logs\``,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
  };
}
