/** Performs single actions of automation runs. */
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  cancelRun,
  type PerformDeps,
  performAction,
  TryAgain,
} from '../../services/integrations/automations/perform.ts';
import type { ActionInput, ActionOutcome } from '../../workflows/integrations/automations/contract.ts';
import { workflowContext } from '../failures.ts';

export interface AutomationActivities {
  /** Performs an action that writes to this service. */
  performAction(input: ActionInput): Promise<ActionOutcome>;
  /** Performs an action that calls another server. */
  callAction(input: ActionInput): Promise<ActionOutcome>;
  /** Records that a run was cancelled. */
  endRun(input: Omit<ActionInput, 'index'>): Promise<void>;
}

export function createAutomationActivities(deps: PerformDeps): AutomationActivities {
  const { database, now } = deps;
  const perform = async (input: ActionInput): Promise<ActionOutcome> => {
    try {
      return await performAction(deps, workflowContext(input.tenantId, now()), input, cancellationSignal());
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
  return {
    performAction: perform,
    callAction: perform,
    endRun: (input) => cancelRun(database, workflowContext(input.tenantId, now()), input),
  };
}
