/** How the service's refusals look to workflows, and in whose name activities act. */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '../db/context.ts';
import { newId } from '../db/ids.ts';
import { ServiceError } from '../domain/errors.ts';

/**
 * Turns a refusal into a non-retryable failure with the code as type, since only a person can change the outcome; outages and everything
 * unexpected are retried.
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

/** The context of work done by a workflow: no user, the workflow as the actor in the audit log. */
export function workflowContext(tenantId: string, now: Date): Context {
  const { workflowExecution } = activityInfo();
  return { tenantId, userId: null, actor: `workflow:${workflowExecution?.workflowId}`, requestId: newId(), now };
}

/** 1 for the first try. */
export function currentAttempt(): number {
  return activityInfo().attempt;
}
