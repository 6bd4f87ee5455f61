/** Determines who follows the events of a batch, and who is called for which. */
import type { Db } from '../../db/database.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import type { Followed, Follower } from '../followers/follower.ts';

export interface Call {
  readonly follower: Follower;
  readonly followed: Followed<unknown>;
  /** Earlier events that this call stands for too. */
  readonly merged: readonly ClaimedEvent[];
}

export class Following {
  readonly #followers: readonly Follower[];
  /** By follower and event id; absent for followers that do not look. */
  readonly #found = new Map<Follower, Map<string, unknown>>();

  constructor(followers: readonly Follower[]) {
    this.#followers = followers;
  }

  /** Lets the followers look at events, once or again. @param trx a system transaction */
  async look(trx: Db, events: readonly ClaimedEvent[]): Promise<void> {
    const looks = this.#followers.map(async (follower) => {
      const found = await follower.look?.(trx, mayFollow(follower, events));
      if (found === undefined) return;
      this.#found.set(follower, new Map([...(this.#found.get(follower) ?? []), ...found]));
    });
    await Promise.all(looks);
  }

  /** The events that a follower follows, in order. */
  followed(follower: Follower, events: readonly ClaimedEvent[]): Followed<unknown>[] {
    const candidates = mayFollow(follower, events);
    if (follower.look === undefined) return candidates.map((event) => ({ event, found: undefined }));
    const found = this.#found.get(follower);
    return candidates.filter(({ id }) => found?.has(id)).map((event) => ({ event, found: found?.get(event.id) }));
  }

  /** The number of workflows that all followers together start for an event. */
  starts(event: ClaimedEvent): number {
    const one = (follower: Follower, followed: Followed<unknown>) =>
      follower.starts?.(followed) ?? (follower.handOver === undefined ? 0 : 1);
    return this.#followers.reduce(
      (sum, follower) => sum + this.followed(follower, [event]).reduce((all, each) => all + one(follower, each), 0),
      0,
    );
  }

  /** @param events of one entity, in order; all of them are in the answer */
  callsFor(events: readonly ClaimedEvent[]): ReadonlyMap<ClaimedEvent, readonly Call[]> {
    const calls = new Map(events.map((event) => [event, [] as Call[]]));
    for (const follower of this.#followers.filter((one) => one.handOver !== undefined)) {
      const all = this.followed(follower, events);
      const rest = follower.newestOnly === true ? all.splice(0, all.length - 1) : [];
      const merged = rest.map(({ event }) => event);
      for (const followed of all) calls.get(followed.event)?.push({ follower, followed, merged });
    }
    return calls;
  }
}

function mayFollow(follower: Follower, events: readonly ClaimedEvent[]): ClaimedEvent[] {
  return events.filter((event) => follower.follows?.(event) !== false);
}
