/** How the service's refusals look to workflows, and on whose behalf activities act. */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '../db/context.ts';
import { newId } from '../db/ids.ts';
import { ServiceError } from '../domain/errors.ts';

/**
 * A refusal becomes a failure of the code's type that is not retried, since only a person can change the outcome; that a part
 * of the service is down, and everything unexpected, is retried.
 */
export function asActivityFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.status >= 500) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: true,
    ...(error.errors.length > 0 ? { details: [{ errors: error.errors }] } : {}),
  });
}

/** The context of work that a workflow does: no user, the workflow as the actor in the audit log. */
export function workflowContext(tenantId: string, now: Date): Context {
  const { workflowExecution } = activityInfo();
  return { tenantId, userId: null, actor: `workflow:${workflowExecution?.workflowId}`, requestId: newId(), now };
}

/** 1 for the first try. */
export function currentAttempt(): number {
  return activityInfo().attempt;
}
