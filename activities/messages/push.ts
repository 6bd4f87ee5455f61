/** Pushes notifications to browsers. A retry skips the browsers that have already been reached. */
import { Context as ActivityContext, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { Shares } from '../../db/shares.ts';
import { loadPush, type PushDeps, type PushOutcome, sendPush } from '../../services/messages/push/send.ts';
import type { PushInput, PushResult } from '../../workflows/messages/push/contract.ts';
import { workflowContext } from '../failures.ts';

export interface PushActivities {
  pushNotification(input: PushInput): Promise<PushResult>;
}

/** Retries stop after this time: by then the notification is old news, and still in the user's list. */
const GIVE_UP_MS = 30 * 60_000;
/** Maximum concurrent pushes, in total and per company: slow push services must not take capacity from webhooks. */
const MAX_CONCURRENT = 60;
const MAX_PER_COMPANY = 15;
const TURN_DELAY = '2 seconds';

export function createPushActivities(deps: PushDeps & { readonly now: () => Date }): PushActivities {
  const places = new Shares(MAX_CONCURRENT, MAX_PER_COMPANY);
  return {
    async pushNotification({ tenantId, notificationId }) {
      const { info } = ActivityContext.current();
      const ctx = workflowContext(tenantId, deps.now());
      const outcomes = new Map<string, PushOutcome>(info.heartbeatDetails as [string, PushOutcome][] | undefined);
      const release = places.take(tenantId);
      if (release === null)
        throw retryLater('Waiting for a turn: the company has too many pushes under way', TURN_DELAY);
      try {
        const push = await loadPush(deps, ctx, notificationId);
        if (push !== null) {
          await sendPush(deps, ctx, push, {
            isWanted: (id) => needsPush(outcomes.get(id)),
            onOutcome(id, outcome) {
              outcomes.set(id, outcome);
              heartbeat([...outcomes]);
            },
          });
        }
      } finally {
        release();
      }
      const count = (outcome: PushOutcome) => [...outcomes.values()].filter((each) => each === outcome).length;
      const age = deps.now().getTime() - info.scheduledTimestampMs;
      if (count('retry') > 0 && age < GIVE_UP_MS) throw retryLater('A push service did not accept the message');
      return { sent: count('sent'), gone: count('gone'), failed: count('retry') + count('refused') };
    },
  };
}

function needsPush(outcome: PushOutcome | undefined): boolean {
  return outcome === undefined || outcome === 'retry';
}

/** A failure that makes Temporal retry the push later. */
function retryLater(message: string, nextRetryDelay?: typeof TURN_DELAY): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({
    message,
    type: 'push_waits',
    category,
    ...(nextRetryDelay && { nextRetryDelay }),
  });
}
