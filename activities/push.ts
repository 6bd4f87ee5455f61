/** The activity that pushes notifications. A repetition tells only the browsers that have not been told. */
import { Context as ActivityContext, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Shares } from '../db/shares.ts';
import { type PushDeps, type PushOutcome, pushOf, sendPush } from '../services/push/send.ts';
import type { PushInput, PushResult } from '../workflows/push/contract.ts';
import { workflowContext } from './failures.ts';

export interface PushActivities {
  pushNotification(input: PushInput): Promise<PushResult>;
}

/** Later it is no news: the notification is in the list. */
const GIVE_UP_MS = 30 * 60_000;
/** Pushes at the same time: of all companies, and of one. Hanging push services keep no places from webhooks. */
const PLACES = 60;
const PLACES_OF_ONE = 15;
const WAIT = '2 seconds';

export function createPushActivities(deps: PushDeps & { readonly now: () => Date }): PushActivities {
  const places = new Shares(PLACES, PLACES_OF_ONE);
  return {
    async pushNotification({ tenantId, notificationId }) {
      const { info } = ActivityContext.current();
      const ctx = workflowContext(tenantId, deps.now());
      const outcomes = new Map<string, PushOutcome>(info.heartbeatDetails as [string, PushOutcome][] | undefined);
      const giveBack = places.take(tenantId);
      if (giveBack === null) throw notNow('Waits for its turn: others of the company are under way', WAIT);
      try {
        const push = await pushOf(deps, ctx, notificationId);
        if (push !== null) {
          await sendPush(deps, ctx, push, {
            isWanted: (id) => mayBeTold(outcomes.get(id)),
            told(id, outcome) {
              outcomes.set(id, outcome);
              heartbeat([...outcomes]);
            },
          });
        }
      } finally {
        giveBack();
      }
      const count = (outcome: PushOutcome) => [...outcomes.values()].filter((each) => each === outcome).length;
      const age = deps.now().getTime() - info.scheduledTimestampMs;
      if (count('retry') > 0 && age < GIVE_UP_MS) throw notNow('A push service did not take it');
      return { sent: count('sent'), gone: count('gone'), failed: count('retry') + count('refused') };
    },
  };
}

function mayBeTold(outcome: PushOutcome | undefined): boolean {
  return outcome === undefined || outcome === 'retry';
}

/** Tried again later. */
function notNow(message: string, nextRetryDelay?: typeof WAIT): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({
    message,
    type: 'push_waits',
    category,
    ...(nextRetryDelay && { nextRetryDelay }),
  });
}
