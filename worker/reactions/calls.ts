/** Which reactions the events of an entity call for, where several are handed over together. */
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { REACTIONS } from './index.ts';
import type { Reaction } from './reaction.ts';

export interface Call {
  readonly reaction: Reaction;
  /** Earlier events that this call stands for too. */
  readonly merged: readonly ClaimedEvent[];
}

/** @param events of one entity, in order; all of them are in the answer */
export function callsFor(events: readonly ClaimedEvent[]): ReadonlyMap<ClaimedEvent, readonly Call[]> {
  const calls = new Map(events.map((event) => [event, [] as Call[]]));
  for (const reaction of REACTIONS) {
    const followed = events.filter(reaction.follows);
    if (reaction.newestOnly === true) {
      const newest = followed.pop();
      if (newest !== undefined) calls.get(newest)?.push({ reaction, merged: followed });
    } else {
      for (const event of followed) calls.get(event)?.push({ reaction, merged: [] });
    }
  }
  return calls;
}
