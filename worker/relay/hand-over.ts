/** Hands one event over to everybody who follows it. */

import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { traced } from '../../services/platform/tracing/tracing.ts';
import { registerSearchAttributes } from '../connect.ts';
import type { FollowerDeps } from '../followers/follower.ts';
import { inTime } from '../followers/follower.ts';
import { isUnprepared } from './failures.ts';
import type { Call } from './following.ts';

/**
 * Calls the followers concurrently, and waits for all of them: none is left running when the event is released.
 * @throws Error the first of those with which they fail; calls that succeeded are no-ops when repeated
 */
export async function handOver(deps: FollowerDeps, calls: readonly Call[]): Promise<void> {
  const { client } = deps;
  const outcomes = await Promise.allSettled(
    calls.map(({ follower, followed, merged }) =>
      inTime(client, async () => follower.handOver?.(deps, followed, merged)),
    ),
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return;
  // Temporal was lost and starts over: the next try finds it prepared.
  if (isUnprepared(failure.reason)) await registerSearchAttributes(client.connection, client.options.namespace);
  throw failure.reason;
}

/** Works for an event within the trace of what caused it, if it has one. @param does verb of the span's name */
export function continueTrace<T>(
  { event, id, tenantId, trace }: Pick<ClaimedEvent, 'event' | 'id' | 'tenantId' | 'trace'>,
  work: () => Promise<T>,
  does = 'hand over',
): Promise<T> {
  if (trace === null) return work();
  const attributes = { 'event.id': id, 'company.id': tenantId };
  return traced(`${does} ${event}`, { kind: 'producer', attributes, parent: trace }, work);
}
