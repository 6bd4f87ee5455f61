/** Sends a notification to the browsers of its user (Web Push, RFC 8030). */
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { Notification } from '../../db/models/notifications.ts';
import { PushSubscription } from '../../db/models/push.ts';
import { findRow, findRows } from '../../db/queries/find.ts';
import { removeRow } from '../../db/write.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { pushKeys } from './keys.ts';

export interface PushDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly encryptionKeys: EncryptionKeys;
  /** The service's public address, by which push services can reach its operators. */
  readonly appUrl: string;
}

/** What became of a notification at one browser. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'retry';

const TIMEOUT_MS = 10_000;
/** How long a push service keeps it for a browser that is off. */
const TTL_SECONDS = 24 * 3600;
/** What the message has room for in characters: push services take 4096 bytes. */
const MOST_TITLE = 200;
const MOST_BODY = 600;
const MOST_ADDRESS = 500;

/** The subscriptions of the user whom a notification is for; none when it is gone or read. */
export async function browsersOf({ database }: PushDeps, ctx: Context, notificationId: string): Promise<string[]> {
  return await database.readTenant(ctx, async (db) => {
    const notification = await findRow(db, Notification, { id: notificationId });
    if (notification === undefined || notification.read) return [];
    const subscriptions = await findRows(db, PushSubscription, { userId: notification.userId });
    return subscriptions.map(({ id }) => id);
  });
}

/**
 * Sends a notification to one browser. A browser that its push service no longer knows is unsubscribed.
 * @returns `retry` when the push service did not take it now
 */
export async function pushTo(
  deps: PushDeps,
  ctx: Context,
  { notificationId, subscriptionId }: { readonly notificationId: string; readonly subscriptionId: string },
): Promise<PushOutcome> {
  const { database, outbound, encryptionKeys, appUrl } = deps;
  const { notification, subscription } = await database.readTenant(ctx, async (db) => ({
    notification: await findRow(db, Notification, { id: notificationId }),
    subscription: await findRow(db, PushSubscription, { id: subscriptionId }),
  }));
  if (notification === undefined || subscription === undefined) return 'gone';
  const { default: webPush } = await import('web-push');
  const { endpoint, p256dh, auth } = subscription;
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, messageOf(notification), {
    vapidDetails: { subject: subjectOf(appUrl), ...(await pushKeys(database, encryptionKeys)) },
    TTL: TTL_SECONDS,
    // A repeated message replaces the one before that still waits at the push service.
    topic: notificationId.replaceAll('-', '').slice(0, 32),
  });
  const status = await statusOf(outbound, endpoint, request.headers, request.body);
  if (status === 404 || status === 410) {
    await database.withTenant(ctx, (trx) => removeIfThere(trx, ctx, subscription.id));
    return 'gone';
  }
  if (status >= 200 && status < 300) return 'sent';
  return status === 0 || status === 429 || status >= 500 ? 'retry' : 'refused';
}

/** 0 when there was no answer. */
async function statusOf(outbound: Outbound, url: string, headers: object, body: Buffer | null): Promise<number> {
  const named = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
  try {
    const { status } = await outbound.send({
      url,
      method: 'POST',
      headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
      body,
      timeoutMs: TIMEOUT_MS,
      maxAnswerBytes: 1024,
    });
    return status;
  } catch {
    return 0;
  }
}

function messageOf({ id, type, title, body, actionUrl, tenantId }: Notification): string {
  const address = actionUrl !== null && actionUrl.length <= MOST_ADDRESS ? actionUrl : null;
  return JSON.stringify({
    notification_id: id,
    tenant_id: tenantId,
    type,
    title: title.slice(0, MOST_TITLE),
    body: body.slice(0, MOST_BODY),
    action_url: address,
  });
}

/** Push services want an address of the operators, and none that only this machine knows. */
function subjectOf(appUrl: string): string {
  return appUrl.startsWith('https://') ? appUrl : 'mailto:operator@example.invalid';
}

async function removeIfThere(trx: Db, ctx: Context, id: string): Promise<void> {
  const subscription = await findRow(trx, PushSubscription, { id });
  if (subscription !== undefined) await removeRow(trx, ctx, PushSubscription, subscription);
}
