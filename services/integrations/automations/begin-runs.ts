/** Begins runs of rules, once for each cause, and keeps them from flooding the company. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Automation } from '../../../db/models/integrations/automations.ts';
import { query } from '../../../db/sql.ts';
import { MAX_DEPTH } from '../../../domain/integrations/automations/triggers.ts';
import type { RunToStart } from '../../../workflows/integrations/automations/contract.ts';
import { refuseRuns, runsLeftToday } from './daily-limit.ts';
import { pauseAutomations, TOO_MANY, TOO_MANY_OF_ALL } from './pause.ts';
import { insertRuns } from './run-store.ts';

/** Maximum events of one rule per minute; scheduled runs have limits of their own. */
const MAX_PER_RULE = 60;
/** Maximum runs of all rules of a company per minute. */
const MAX_PER_COMPANY = 600;

/** The cause of a run. */
export interface Cause {
  /** The same for each retry: the event's id, or the scheduled time. */
  readonly key: string;
  readonly eventId: string | null;
  readonly documentId: string | null;
  readonly paymentId: string | null;
  readonly partnerId?: string | null;
  readonly itemId?: string | null;
  readonly priceId?: string | null;
  /** The line that a rule for each line runs for. */
  readonly lineId?: string | null;
  /** Data that templates see as `event`. */
  readonly event: Readonly<Record<string, unknown>>;
  /** Number of rule runs in the chain that led to it. */
  readonly depth: number;
}

/** A rule to run. */
export interface Match {
  readonly automation: Automation;
  readonly cause: Cause;
  /** Reason why its conditions could not be evaluated; absent if they hold. */
  readonly fault?: string;
}

/**
 * Begins runs: each rule once for each cause, even if retried. Runs that are too deep are only logged. A rule that runs too often is
 * paused, and its other runs end.
 * @returns the runs to start, including those begun before
 */
export async function beginRuns(trx: Db, ctx: Context, matches: readonly Match[]): Promise<RunToStart[]> {
  if (matches.length === 0) return [];
  const begun = new Set(await listBegun(trx, matches));
  const counts = await countRecentRuns(trx, ctx);
  const today = await runsLeftToday(trx, ctx);
  const rows: Record<string, unknown>[] = [];
  const stopped = new Set<string>();
  const refused = new Map<string, Automation>();
  let admitted = 0;
  for (const match of matches) {
    const { automation, cause } = match;
    if (begun.has(runKey(automation.id, cause.key)) || stopped.has(automation.id)) continue;
    if (admitted >= today.left) {
      refused.set(automation.id, automation);
      continue;
    }
    const row = buildRow(match);
    if (row.status === 'running' && cause.eventId !== null) {
      if (!counts.admit(automation.id, cause.eventId)) {
        stopped.add(automation.id);
        continue;
      }
    }
    admitted += 1;
    rows.push(row);
  }
  await insertRuns(trx, ctx, rows);
  await refuseRuns(trx, ctx, [...refused.values()], today);
  const isItself = (id: string) => counts.of(id) >= MAX_PER_RULE;
  const ids = [...stopped];
  await pauseAutomations(trx, ctx, ids.filter(isItself), TOO_MANY);
  await pauseAutomations(
    trx,
    ctx,
    ids.filter((id) => !isItself(id)),
    TOO_MANY_OF_ALL,
  );
  return await listRunsToStart(trx, `${CAUSES} where r.status = 'running'`, { causes: causesJson(matches) });
}

/**
 * Enters runs as cancelled, each rule once for each cause, so that they do not begin later. A person may repeat them.
 * @returns the number of runs that were not there before
 */
export async function enterCancelled(
  trx: Db,
  ctx: Context,
  matches: readonly Match[],
  reason: string,
): Promise<number> {
  if (matches.length === 0) return 0;
  const begun = new Set(await listBegun(trx, matches));
  const fresh = matches.filter(({ automation, cause }) => !begun.has(runKey(automation.id, cause.key)));
  const rows = fresh.map((match) => ({ ...buildRow(match), status: 'cancelled', reason, duration_ms: 0 }));
  await insertRuns(trx, ctx, rows);
  return rows.length;
}

function buildRow({ automation, cause, fault }: Match) {
  const isLoop = cause.depth >= MAX_DEPTH;
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
    price_id: cause.priceId ?? null,
    line_id: cause.lineId ?? null,
    event: cause.event,
    actions: automation.actions,
    headers_encrypted:
      automation.headersEncrypted === null ? null : `\\x${automation.headersEncrypted.toString('hex')}`,
    stop_on_error: automation.stopOnError,
    depth: cause.depth,
    status,
    reason: fault ?? (isLoop ? 'loop' : null),
    duration_ms: status === 'running' ? null : 0,
  };
}

const CAUSES = `json_to_recordset(:causes::json) as c (automation_id uuid, cause text)
  join automation_runs r on r.automation_id = c.automation_id and r.cause = c.cause`;

async function listBegun(trx: Db, matches: readonly Match[]): Promise<string[]> {
  const sql = `select r.automation_id as id, r.cause from ${CAUSES}`;
  const rows = await query<{ id: string; cause: string }>(trx, sql, { causes: causesJson(matches) });
  return rows.map(({ id, cause }) => runKey(id, cause));
}

/**
 * Lists running runs, with the input of their workflows.
 * @param from SQL in which they are `r`, with conditions and order after `where true`
 */
export async function listRunsToStart(
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
  // The input of a run is the same each time it is started; a rerun begins at the requested action.
  return runs.map((run) => (run.turn === 1 ? { ...run, from: 0 } : run));
}

async function countRecentRuns(trx: Db, { now }: Context) {
  const since = new Date(now.getTime() - 60_000).toISOString();
  const [found] = await query<{ all: number; rules: Record<string, number> | null }>(
    trx,
    `select coalesce(sum(n), 0)::int as all, json_object_agg(automation_id, events) as rules
     from (select automation_id, count(*) as n, count(distinct event_id) as events from automation_runs
       where automation_id in (select id from automations) and executed_at > :since::timestamptz and event_id is not null
         and status <> 'skipped'
       group by automation_id) one`,
    { since },
  );
  let all = found?.all ?? 0;
  const rules = new Map(Object.entries(found?.rules ?? {}));
  const admitted = new Set<string>();
  return {
    of: (id: string) => rules.get(id) ?? 0,
    /** Counts one more run, unless there are too many. The lines of a document are one event of the rule. */
    admit: (id: string, eventId: string) => {
      const isNew = !admitted.has(runKey(id, eventId));
      if (all >= MAX_PER_COMPANY || (isNew && (rules.get(id) ?? 0) >= MAX_PER_RULE)) return false;
      all += 1;
      if (isNew) rules.set(id, (rules.get(id) ?? 0) + 1);
      admitted.add(runKey(id, eventId));
      return true;
    },
  };
}

function causesJson(matches: readonly Match[]): string {
  return JSON.stringify(matches.map(({ automation, cause }) => ({ automation_id: automation.id, cause: cause.key })));
}

function runKey(automationId: string, cause: string): string {
  return `${automationId}/${cause}`;
}
