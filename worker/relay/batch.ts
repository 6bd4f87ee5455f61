/** A batch of claimed events with their outcomes. An event's failure does not affect the others. */
import { groupBy } from '../../domain/group-by.ts';
import { isWork } from '../../domain/platform/internal-events.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { isOwnFailure } from './failures.ts';

export interface Outcome {
  readonly handedOver: readonly ClaimedEvent[];
  readonly failed: readonly { readonly event: ClaimedEvent; readonly error: unknown }[];
  readonly untried: readonly ClaimedEvent[];
}

export class Batch {
  readonly events: readonly ClaimedEvent[];
  readonly #handedOver = new Set<ClaimedEvent>();
  readonly #failed = new Map<ClaimedEvent, unknown>();
  #outage = false;

  constructor(events: readonly ClaimedEvent[]) {
    this.events = events;
  }

  /** Handed over to everybody who wanted it. */
  succeed(event: ClaimedEvent): void {
    this.#handedOver.add(event);
  }

  /** Marks it to be tried again, even if parts of it are done. */
  fail(event: ClaimedEvent, error: unknown): void {
    this.#handedOver.delete(event);
    this.#failed.set(event, error);
  }

  /** It could not be handed over: reasons about Temporal or the database concern the others too. */
  refuse(event: ClaimedEvent, error: unknown): void {
    this.fail(event, error);
    this.#outage ||= !isOwnFailure(error);
  }

  /** Does the work for all events at once; if it fails for a reason of theirs, for each alone. */
  async prepareAll(work: (events: readonly ClaimedEvent[]) => Promise<void>): Promise<void> {
    try {
      return await work(this.events);
    } catch (error) {
      if (!isOwnFailure(error)) {
        for (const event of this.events) this.refuse(event, error);
        return;
      }
    }
    for (const event of this.events) {
      try {
        await work([event]);
      } catch (error) {
        this.refuse(event, error);
      }
    }
  }

  /** Does further work for events that were handed over: those it fails for are tried again, without holding back others. */
  async tryAll<T extends { readonly event: ClaimedEvent }>(
    all: readonly T[],
    work: (some: readonly T[]) => Promise<void>,
  ): Promise<void> {
    try {
      await work(all);
    } catch (error) {
      const parts = isOwnFailure(error) && all.length > 1 ? all : [];
      for (const one of parts) await this.tryAll([one], work);
      if (parts.length === 0) for (const { event } of all) this.fail(event, error);
    }
  }

  /** Whether something is down that all of them need. */
  get outage(): boolean {
    return this.#outage;
  }

  /** The outcome of the events of a company so far; of all by default. */
  outcome(tenantId: string | null = null): Outcome {
    const events = tenantId === null ? this.events : this.events.filter((event) => event.tenantId === tenantId);
    return {
      handedOver: events.filter((event) => this.#handedOver.has(event)),
      failed: events.flatMap((event) => (this.#failed.has(event) ? [{ event, error: this.#failed.get(event) }] : [])),
      untried: events.filter((event) => !this.#handedOver.has(event) && !this.#failed.has(event)),
    };
  }

  /**
   * Events that may be handed over now, by company and in order per entity: later events of an entity wait for a failed one. Companies
   * and entities with work that somebody may be waiting for come first, then companies with few events.
   */
  dueByCompany(): [tenantId: string, entities: ClaimedEvent[][]][] {
    const companies = groupBy(this.events, ({ tenantId }) => tenantId);
    const all = [...companies].map(([tenantId, events]): [string, ClaimedEvent[][]] => [tenantId, this.#due(events)]);
    const few = all.sort(([, one], [, other]) => one.length - other.length);
    return workFirst(few, ([, entities]) => entities.flat());
  }

  #due(all: readonly ClaimedEvent[]): ClaimedEvent[][] {
    const groups = new Map<string, ClaimedEvent[]>();
    const held = new Set<string>();
    for (const event of all) {
      const { entityId } = event;
      if (this.#failed.has(event)) held.add(entityId);
      else if (!held.has(entityId)) groups.set(entityId, [...(groups.get(entityId) ?? []), event]);
    }
    return workFirst([...groups.values()], (events) => events);
  }
}

/** Sorts by whether somebody may be waiting for the work. */
function workFirst<T>(all: readonly T[], events: (one: T) => readonly ClaimedEvent[]): T[] {
  const waitedFor = (one: T) => events(one).some(({ event }) => isWork(event));
  return [...all.filter(waitedFor), ...all.filter((one) => !waitedFor(one))];
}
