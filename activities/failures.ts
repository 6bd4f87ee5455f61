/** Converts the service's refusals to failures of activities, and provides the context in which activities act. */
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
  if (!(error instanceof ServiceError) || error.isFailure) return error;
  return ApplicationFailure.create({
    message: error.message,
    type: error.code,
    nonRetryable: true,
    ...(error.errors.length > 0 ? { details: [{ errors: error.errors }] } : {}),
  });
}

/** The reason of a failure for the log. Knex prefixes PostgreSQL's message with the statement, which has no business there. */
export function loggedReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split(' - ').at(-1) ?? '';
}

/** Context of work done by a workflow: no user, and the workflow as the actor in the audit log. */
export function workflowContext(tenantId: string, now: Date): Context {
  const { workflowExecution } = activityInfo();
  return { tenantId, userId: null, actor: `workflow:${workflowExecution?.workflowId}`, requestId: newId(), now };
}

/** Number of the current attempt, from 1. */
export function currentAttempt(): number {
  return activityInfo().attempt;
}
