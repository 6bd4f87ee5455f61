/** Pushes to this browser, which come also while the page is closed. */

const WORKER = '/docs/notifications-worker.js';
const SCOPE = '/docs/notifications';
const SUBSCRIPTIONS = '/api/notifications/push-subscriptions';

export const isPushPossible = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Whether this browser gets pushes. */
export async function isPushOn() {
  return isPushPossible() && (await subscription()) !== null;
}

/** Asks the person, subscribes the browser at its push service, and tells the service. @throws Error with what prevents it */
export async function turnPushOn(session) {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('This browser does not let the page show notifications. Allow it in the settings of the site.');
  }
  const { public_key: applicationServerKey } = await session.call('GET', '/api/notifications/push-key');
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const { pushManager } = await navigator.serviceWorker.ready;
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch((error) => {
    throw new Error(`The push service of this browser did not subscribe it: ${error.message}`);
  });
  try {
    await session.call('POST', SUBSCRIPTIONS, made.toJSON());
  } catch (error) {
    await made.unsubscribe();
    throw error;
  }
}

/** Ends it in the browser, and at the service, which otherwise learns of it from the push service. */
export async function turnPushOff(session) {
  const made = await subscription();
  if (made === null) return;
  await made.unsubscribe();
  await session.call('DELETE', `${SUBSCRIPTIONS}?endpoint=${encodeURIComponent(made.endpoint)}`).catch((error) => {
    // Another person's of this browser, or ended already.
    if (error.status !== 404) throw error;
  });
}

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}
