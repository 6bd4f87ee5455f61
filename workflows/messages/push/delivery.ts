/** Pushes one notification to the browsers of its user. */
import { proxyActivities } from '@temporalio/workflow';
import type { PushActivities } from '../../../activities/messages/push.ts';
import { shown } from '../../details.ts';
import type { PushInput, PushResult } from './contract.ts';

const pushes = proxyActivities<PushActivities>({
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 3, maximumInterval: '10 minutes' },
});

const TEXTS = {
  what: 'Push of a notification to the browsers of its user',
  begun: 'Nothing to do: a push service that does not answer is retried for half an hour',
  done: ({ sent, gone, failed }: PushResult) =>
    `Browsers: ${sent} reached, ${gone} unsubscribed, ${failed} not reached`,
  failed: 'The notification is still in its user’s list',
  cancelled: 'Not pushed; the notification is still in its user’s list',
  more: [],
};

export async function pushDelivery(input: PushInput): Promise<PushResult> {
  return shown(TEXTS, () => pushes.pushNotification.executeWithOptions({ summary: 'Push to each browser' }, [input]));
}
