/** Rules that events trigger: their conditions are checked, their runs begun, and the workflows started. */
import pMap from 'p-map';
import type { Context } from '../../db/context.ts';
import { newId } from '../../db/ids.ts';
import { beginRuns } from '../../services/integrations/automations/begin-runs.ts';
import { findTriggeredRules, type Triggering } from '../../services/integrations/automations/interest.ts';
import { findMatches } from '../../services/integrations/automations/match.ts';
import { startOnce } from '../../services/platform/temporal/start.ts';
import { automationRunStart, type RunToStart } from '../../workflows/integrations/automations/contract.ts';
import { continueTrace } from '../relay/hand-over.ts';
import { type Follower, inTime } from './follower.ts';

/** Runs started concurrently. */
const STARTS = 8;
const UUID_LENGTH = 36;

export const rules: Follower<Triggering> = {
  async look(trx, events) {
    return new Map((await findTriggeredRules(trx, events)).map((one) => [one.eventId, one]));
  },

  // The runs of these events begin in one transaction.
  atATime: 20,

  async forCompany({ database, client, now }, tenantId, followed) {
    const ctx: Context = { tenantId, userId: null, actor: 'automations', requestId: newId(), now: now() };
    const triggering = followed.map(({ found }) => found);
    const matches = await database.readTenant(ctx, (db) => findMatches(db, triggering, ctx.now));
    if (matches.length === 0) return;
    const runs = await database.withTenant(ctx, (trx) => beginRuns(trx, ctx, matches));
    const events = new Map(followed.map(({ event }) => [event.id, event]));
    const start = (run: RunToStart) => inTime(client, () => startOnce(client, automationRunStart(run)));
    // Its cause begins with the id of its event.
    const within = (run: RunToStart) => {
      const event = events.get(run.cause.slice(0, UUID_LENGTH));
      return event === undefined ? start(run) : continueTrace(event, () => start(run), 'run rule on');
    };
    await pMap(runs, within, { concurrency: STARTS });
  },
};
