/** Performs single actions of automation runs. */
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Context } from '../../db/context.ts';
import {
  askPeople,
  cancelRun,
  type PerformDeps,
  performAction,
  TryAgain,
} from '../../services/integrations/automations/perform.ts';
import type { ActionInput, ActionOutcome, Waiting } from '../../workflows/integrations/automations/contract.ts';
import { workflowContext } from '../failures.ts';

export interface AutomationActivities {
  /** Performs an action that writes to this service. */
  performAction(input: ActionInput): Promise<ActionOutcome>;
  /** Performs an action that calls another server. */
  callAction(input: ActionInput): Promise<ActionOutcome>;
  /** Performs an action that asks people; again, when they have answered or the time is over. */
  askPeople(input: ActionInput): Promise<ActionOutcome | Waiting>;
  /** Records that a run was cancelled. */
  endRun(input: Omit<ActionInput, 'index'>): Promise<void>;
}

export function createAutomationActivities(deps: PerformDeps): AutomationActivities {
  const { database, now } = deps;
  const performing = async <Outcome>(
    input: ActionInput,
    perform: (ctx: Context) => Promise<Outcome>,
  ): Promise<Outcome> => {
    try {
      return await perform(workflowContext(input.tenantId, now()));
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
      throw ApplicationFailure.create({
        message: error.message,
        type: 'action_tried_again',
        nextRetryDelay: Math.max(1, Math.round(error.seconds * 1000)),
        category: ApplicationFailureCategory.BENIGN,
      });
    }
  };
  const perform = (input: ActionInput) =>
    performing(input, (ctx) => performAction(deps, ctx, input, cancellationSignal()));
  return {
    performAction: perform,
    callAction: perform,
    askPeople: (input) => performing(input, (ctx) => askPeople(deps, ctx, input)),
    endRun: (input) => cancelRun(database, workflowContext(input.tenantId, now()), input),
  };
}
