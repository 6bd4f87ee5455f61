/** Compares the work expected by the database with Temporal's workflows, page by page, and restarts missing work. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { WORK_SOURCES } from '../../services/operation/missing-work/sources.ts';
import {
  type EventSpan,
  type ExpectedWork,
  WORK_KINDS,
  type WorkKind,
} from '../../services/operation/missing-work/work.ts';
import type { ServiceClient } from '../../services/platform/temporal/client.ts';
import { endClosedLifecycles } from '../lifecycles.ts';
import { expectedWorkflowId, isMissing, knownTo, startAgain } from './temporal.ts';

/** Numbers of expected, missing and restarted pieces of work. */
export interface Compared {
  readonly due: number;
  readonly missing: number;
  readonly started: number;
}
export type Comparison = Readonly<Record<WorkKind, Compared>>;

/** Position of a comparison: the source, and the cursor within it. */
export interface Place {
  readonly source: number;
  readonly cursor: string | null;
}

export interface CompareDeps {
  readonly database: Database;
  readonly client: ServiceClient;
}

export interface CompareOptions {
  readonly time: EventSpan;
  /** Kinds whose missing work is restarted; for the others it is only counted. */
  readonly starts: (kind: WorkKind) => boolean;
  /** Maximum starts per company and page before others get their turn. */
  readonly share: number;
}

/** Concurrent starts, and the minimum time per batch, which avoids bursts however much was lost. */
const PARALLEL = 10;
const PACE_MS = 100;

export const NOTHING_COMPARED: Comparison = Object.fromEntries(
  WORK_KINDS.map((kind) => [kind, { due: 0, missing: 0, started: 0 }]),
) as Record<WorkKind, Compared>;

/**
 * Compares one page. @returns the next position, null after the last; and whether a company has more missing work on it than its share
 */
export async function comparePage(
  { database, client }: CompareDeps,
  { time, starts, share }: CompareOptions,
  { source, cursor }: Place,
): Promise<{ readonly next: Place | null; readonly found: Comparison; readonly left: boolean }> {
  const page = await (WORK_SOURCES[source] as (typeof WORK_SOURCES)[number])(database, cursor, time);
  const ids = page.items.map(expectedWorkflowId);
  const known = await knownTo(client, ids);
  const missing = page.items.filter((due, nth) => isMissing(due, known.get(ids[nth] ?? '')));
  const wanted = missing.filter(({ kind }) => starts(kind));
  const turn = byTurns(wanted, share);
  for (let from = 0; from < turn.length; from += PARALLEL) {
    const pace = delay(PACE_MS);
    await Promise.all(turn.slice(from, from + PARALLEL).map((due) => startAgain(database, client, due)));
    await pace;
  }
  await endClosedLifecycles(database, client, turn);
  const following = source + 1 < WORK_SOURCES.length ? { source: source + 1, cursor: null } : null;
  return {
    next: page.next === null ? following : { source, cursor: page.next },
    found: mapKinds((kind) => ({
      due: count(page.items, kind),
      missing: count(missing, kind),
      started: count(turn, kind),
    })),
    left: turn.length < wanted.length,
  };
}

/** Compares all pages; repeats those on which a company has more missing work than its share, until nothing is missing. */
export async function compareAll(
  deps: CompareDeps,
  options: CompareOptions,
  progress: (so: Comparison) => void = () => undefined,
): Promise<Comparison> {
  let sum = NOTHING_COMPARED;
  let unfinished: Place[] = [];
  for (let place: Place | null = { source: 0, cursor: null }; place !== null; ) {
    const { next, found, left }: Awaited<ReturnType<typeof comparePage>> = await comparePage(deps, options, place);
    sum = add(sum, found);
    if (left) unfinished.push(place);
    progress(sum);
    place = next;
  }
  for (let round = 0; round < MAX_ROUNDS && unfinished.length > 0; round++) {
    const again: Place[] = [];
    for (const place of unfinished) {
      const { found, left } = await comparePage(deps, options, place);
      sum = add(
        sum,
        mapKinds((kind) => ({ due: 0, missing: 0, started: found[kind].started })),
      );
      if (left) again.push(place);
      progress(sum);
    }
    unfinished = again;
  }
  return sum;
}

/** More rounds than a page can need, at any share. */
const MAX_ROUNDS = 500;

export function add(one: Comparison, other: Comparison): Comparison {
  return mapKinds((kind) => ({
    due: one[kind].due + other[kind].due,
    missing: one[kind].missing + other[kind].missing,
    started: one[kind].started + other[kind].started,
  }));
}

/** Orders work by turns: the first piece of each company, then the second of each, up to the share. */
function byTurns(items: readonly ExpectedWork[], share: number): ExpectedWork[] {
  const turns: ExpectedWork[][] = [];
  const had = new Map<string, number>();
  for (const due of items) {
    const turn = had.get(due.tenantId) ?? 0;
    if (turn >= share) continue;
    had.set(due.tenantId, turn + 1);
    turns[turn] ??= [];
    turns[turn]?.push(due);
  }
  return turns.flat();
}

function count(items: readonly ExpectedWork[], kind: WorkKind): number {
  return items.filter((due) => due.kind === kind).length;
}

function mapKinds(of: (kind: WorkKind) => Compared): Comparison {
  return Object.fromEntries(WORK_KINDS.map((kind) => [kind, of(kind)])) as Record<WorkKind, Compared>;
}
