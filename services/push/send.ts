/** Sends a notification to the browsers of its user (Web Push, RFC 8030). */
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { Notification } from '../../db/models/notifications.ts';
import { PushSubscription } from '../../db/models/push.ts';
import { findRow, findRows } from '../../db/queries/find.ts';
import { removeRow } from '../../db/write.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type PushKeys, pushKeys } from './keys.ts';

export interface PushDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly encryptionKeys: EncryptionKeys;
  /** The service's public address, by which push services can reach its operators. */
  readonly appUrl: string;
  /** Where mails of the service come from. */
  readonly mailFrom: string;
}

/** What became of a notification at one browser. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'retry';

const TIMEOUT_MS = 10_000;
/** How long a push service keeps it for a browser that is off. */
const TTL_SECONDS = 24 * 3600;
/** What the message has room for in bytes of JSON: push services take 4096, of which encryption needs some 100. */
const MOST_TITLE = 600;
const MOST_BODY = 2400;
const MOST_ADDRESS = 600;

/** What is to be sent, and to which browsers. */
export interface Push {
  readonly notificationId: string;
  readonly message: string;
  readonly subscriptions: readonly PushSubscription[];
}

/** A notification for the browsers of its user; null when it is gone or read, or there are none. */
export async function pushOf({ database }: PushDeps, ctx: Context, notificationId: string): Promise<Push | null> {
  return await database.readTenant(ctx, async (db) => {
    const notification = await findRow(db, Notification, { id: notificationId });
    if (notification === undefined || notification.read) return null;
    const subscriptions = await findRows(db, PushSubscription, { userId: notification.userId });
    return subscriptions.length === 0 ? null : { notificationId, message: messageOf(notification), subscriptions };
  });
}

/**
 * Sends a push to each of its browsers that is wanted, all at once. A browser that its push service no longer knows is unsubscribed.
 * @param told hears of each, by the id of its subscription; `retry` when the push service did not take it now
 */
export async function sendPush(
  deps: PushDeps,
  ctx: Context,
  { subscriptions, ...push }: Push,
  {
    isWanted,
    told,
  }: { isWanted(subscriptionId: string): boolean; told(subscriptionId: string, as: PushOutcome): void },
): Promise<void> {
  const wanted = subscriptions.filter(({ id }) => isWanted(id));
  if (wanted.length === 0) return;
  const keys = await pushKeys(deps.database, deps.encryptionKeys);
  await Promise.all(
    wanted.map(async (subscription) => told(subscription.id, await sendTo(deps, ctx, { ...push, keys }, subscription))),
  );
}

async function sendTo(
  { database, outbound, appUrl, mailFrom }: PushDeps,
  ctx: Context,
  { notificationId, message, keys }: Omit<Push, 'subscriptions'> & { readonly keys: PushKeys },
  { id, endpoint, p256dh, auth }: PushSubscription,
): Promise<PushOutcome> {
  const { default: webPush } = await import('web-push');
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, message, {
    vapidDetails: { subject: contactOf(appUrl, mailFrom), ...keys },
    TTL: TTL_SECONDS,
    // A repeated message replaces the one before that still waits at the push service.
    topic: notificationId.replaceAll('-', '').slice(0, 32),
  });
  const status = await statusOf(outbound, endpoint, request.headers, request.body);
  if (status === 404 || status === 410) {
    await database.withTenant(ctx, (trx) => removeIfThere(trx, ctx, id));
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
  const address = actionUrl !== null && bytesOf(actionUrl) <= MOST_ADDRESS ? actionUrl : null;
  return JSON.stringify({
    notification_id: id,
    tenant_id: tenantId,
    type,
    title: cut(title, MOST_TITLE),
    body: cut(body, MOST_BODY),
    action_url: address,
  });
}

/** As much of a text as there is room for, in whole characters. */
export function cut(text: string, mostBytes: number): string {
  let left = mostBytes;
  let end = 0;
  for (const character of text) {
    left -= bytesOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Bytes of a text in JSON, without its quotes. */
function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Push services want an address of the operators, and none that only this machine knows. */
function contactOf(appUrl: string, mailFrom: string): string {
  return appUrl.startsWith('https://') ? appUrl : `mailto:${mailFrom}`;
}

async function removeIfThere(trx: Db, ctx: Context, id: string): Promise<void> {
  const subscription = await findRow(trx, PushSubscription, { id });
  if (subscription !== undefined) await removeRow(trx, ctx, PushSubscription, subscription);
}
