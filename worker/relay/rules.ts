/** Runs the rules that a batch's events trigger: their conditions are looked at, their runs begun, and the workflows started. */
import pMap from 'p-map';
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { groupBy } from '../../domain/group-by.ts';
import { beginRuns } from '../../services/integrations/automations/begin-runs.ts';
import type { Triggering } from '../../services/integrations/automations/interest.ts';
import { findMatches } from '../../services/integrations/automations/match.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import type { RunToStart } from '../../workflows/integrations/automations/contract.ts';
import type { Batch } from './batch.ts';

/** Companies looked at concurrently. */
const COMPANIES = 4;
/** Events of a company whose runs begin in one transaction. */
const AT_A_TIME = 20;

export interface RuleDeps {
  readonly database: Database;
  readonly now: () => Date;
  /** Starts a workflow, once. */
  readonly startRun: (run: RunToStart) => Promise<void>;
}

/** A failure for one company brings back its events alone. */
export async function runRules(deps: RuleDeps, batch: Batch, triggering: readonly Triggering[]): Promise<void> {
  const byEvent = new Map(triggering.map((one) => [one.eventId, one]));
  const concerned = batch.handedOver.filter(({ id }) => byEvent.has(id));
  const companies = groupBy(concerned, ({ tenantId }) => tenantId);
  const run = async ([tenantId, events]: [string, ClaimedEvent[]]) => {
    for (let from = 0; from < events.length; from += AT_A_TIME) {
      await batch.tryAll(events.slice(from, from + AT_A_TIME), (some) =>
        runFor(
          deps,
          tenantId,
          some.flatMap(({ id }) => byEvent.get(id) ?? []),
        ),
      );
    }
  };
  await pMap(companies, run, { concurrency: COMPANIES });
}

async function runFor({ database, now, startRun }: RuleDeps, tenantId: string, events: readonly Triggering[]) {
  const ctx: Context = { tenantId, userId: null, actor: 'automations', requestId: newId(), now: now() };
  const matches = await database.readTenant(ctx, (db) => findMatches(db, events));
  if (matches.length === 0) return;
  const runs = await database.withTenant(ctx, (trx) => beginRuns(trx, ctx, matches));
  await pMap(runs, startRun, { concurrency: 8 });
}
