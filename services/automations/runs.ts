/** Runs of rules: begun once for each cause, and kept from flooding the company. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import type { Automation } from '../../db/models/automations.ts';
import { query } from '../../db/sql.ts';
import { MOST_DEPTH } from '../../domain/automations/triggers.ts';
import type { RunToStart } from '../../workflows/automations/contract.ts';
import { pauseAutomations, TOO_MANY, TOO_MANY_OF_ALL } from './pause.ts';
import { insertRuns } from './run-rows.ts';

/** Runs of one rule within a minute; those by the clock have bounds of their own. */
const MOST_OF_RULE = 60;
/** Of all rules of a company. */
const MOST_OF_ALL = 600;

/** What a rule runs for. */
export interface Cause {
  /** The same for each repetition: the event's id, or the time by the clock. */
  readonly key: string;
  readonly eventId: string | null;
  readonly documentId: string | null;
  readonly paymentId: string | null;
  readonly partnerId?: string | null;
  readonly itemId?: string | null;
  /** What templates see as `event`. */
  readonly event: Readonly<Record<string, unknown>>;
  /** How many rules had to run for it to happen. */
  readonly depth: number;
}

/** A rule that is to run. */
export interface Match {
  readonly automation: Automation;
  readonly cause: Cause;
  /** Why its conditions could not be looked at; absent when they hold. */
  readonly fault?: string;
}

/**
 * Begins runs: each rule once for each cause, however often this is repeated. Those too deep are only logged. A rule that runs too often is
 * paused, and its other runs end.
 * @returns those that are to be started, also those begun before
 */
export async function beginRuns(trx: Db, ctx: Context, matches: readonly Match[]): Promise<RunToStart[]> {
  if (matches.length === 0) return [];
  const begun = new Set(await alreadyBegun(trx, matches));
  const counts = await lately(trx, ctx);
  const rows: Record<string, unknown>[] = [];
  const stopped = new Set<string>();
  for (const match of matches) {
    const { automation, cause } = match;
    if (begun.has(nameOf(automation.id, cause.key)) || stopped.has(automation.id)) continue;
    const row = rowOf(match);
    if (row.status === 'running' && cause.eventId !== null) {
      const count = counts.of(automation.id);
      if (count >= MOST_OF_RULE || counts.all >= MOST_OF_ALL) {
        stopped.add(automation.id);
        continue;
      }
      counts.add(automation.id);
    }
    rows.push(row);
  }
  await insertRuns(trx, ctx, rows);
  const isItself = (id: string) => counts.of(id) >= MOST_OF_RULE;
  const ids = [...stopped];
  await pauseAutomations(trx, ctx, ids.filter(isItself), TOO_MANY);
  await pauseAutomations(
    trx,
    ctx,
    ids.filter((id) => !isItself(id)),
    TOO_MANY_OF_ALL,
  );
  return await runsToStart(trx, `${CAUSES} where r.status = 'running'`, { causes: causesOf(matches) });
}

function rowOf({ automation, cause, fault }: Match) {
  const isLoop = cause.depth >= MOST_DEPTH;
  const status = fault !== undefined ? 'failed' : isLoop ? 'skipped' : 'running';
  return {
    id: newId(),
    automation_id: automation.id,
    automation_version: automation.version,
    trigger: automation.trigger.type,
    cause: cause.key,
    event_id: cause.eventId,
    document_id: cause.documentId,
    payment_id: cause.paymentId,
    partner_id: cause.partnerId ?? null,
    item_id: cause.itemId ?? null,
    event: cause.event,
    actions: automation.actions,
    stop_on_error: automation.stopOnError,
    depth: cause.depth,
    status,
    reason: fault ?? (isLoop ? 'loop' : null),
    duration_ms: status === 'running' ? null : 0,
  };
}

const CAUSES = `json_to_recordset(:causes::json) as c (automation_id uuid, cause text)
  join automation_runs r on r.automation_id = c.automation_id and r.cause = c.cause`;

async function alreadyBegun(trx: Db, matches: readonly Match[]): Promise<string[]> {
  const sql = `select r.automation_id as id, r.cause from ${CAUSES}`;
  const rows = await query<{ id: string; cause: string }>(trx, sql, { causes: causesOf(matches) });
  return rows.map(({ id, cause }) => nameOf(id, cause));
}

/**
 * Running runs, as their workflows are started.
 * @param from SQL in which they are `r`, with conditions and order after `where true`
 */
export async function runsToStart(
  trx: Db,
  from: string,
  values: Readonly<Record<string, string>>,
): Promise<RunToStart[]> {
  const runs = await query<RunToStart>(
    trx,
    `select r.tenant_id as "tenantId", r.automation_id as "automationId", r.id as "runId", r.cause, r.stop_on_error as "stopOnError",
       (select json_agg(a ->> 'type' order by nth) from jsonb_array_elements(r.actions) with ordinality as x (a, nth)) as actions,
       jsonb_array_length(r.results) as "from", r.turn
     from ${from}`,
    values,
  );
  // The input of a run is the same however often it is started; a repetition begins where it was asked for.
  return runs.map((run) => (run.turn === 1 ? { ...run, from: 0 } : run));
}

async function lately(trx: Db, { now }: Context) {
  const since = new Date(now.getTime() - 60_000).toISOString();
  const [found] = await query<{ all: number; rules: Record<string, number> | null }>(
    trx,
    `select coalesce(sum(n), 0)::int as all, json_object_agg(automation_id, n) as rules
     from (select automation_id, count(*) as n from automation_runs
       where automation_id in (select id from automations) and executed_at > :since::timestamptz and event_id is not null
         and status <> 'skipped'
       group by automation_id) one`,
    { since },
  );
  let all = found?.all ?? 0;
  const rules = new Map(Object.entries(found?.rules ?? {}));
  return {
    get all() {
      return all;
    },
    of: (id: string) => rules.get(id) ?? 0,
    add: (id: string) => {
      all += 1;
      rules.set(id, (rules.get(id) ?? 0) + 1);
    },
  };
}

function causesOf(matches: readonly Match[]): string {
  return JSON.stringify(matches.map(({ automation, cause }) => ({ automation_id: automation.id, cause: cause.key })));
}

function nameOf(automationId: string, cause: string): string {
  return `${automationId}/${cause}`;
}
