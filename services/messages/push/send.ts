/** Sends a notification to the browsers of its user (Web Push, RFC 8030). */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import { PushSubscription } from '../../../db/models/messages/push.ts';
import { findRow, findRows } from '../../../db/queries/find.ts';
import { removeRow } from '../../../db/write.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { loadPushKeys, type PushKeys } from './keys.ts';

export interface PushDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly encryptionKeys: EncryptionKeys;
  /** The service's public address, by which push services can reach its operators. */
  readonly appUrl: string;
  /** Sender address of the service's mails. */
  readonly mailFrom: string;
}

/** Outcome of a push to one browser. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'retry';

const TIMEOUT_MS = 10_000;
/** Time for which a push service keeps a message for a browser that is offline. */
const TTL_SECONDS = 24 * 3600;
/** Maximum bytes of JSON for each part: push services accept 4096 in total, of which encryption needs about 100. */
const MAX_TITLE_BYTES = 600;
const MAX_BODY_BYTES = 2400;
const MAX_ADDRESS_BYTES = 600;

/** A message and the browsers to send it to. */
export interface Push {
  readonly notificationId: string;
  readonly message: string;
  readonly subscriptions: readonly PushSubscription[];
}

/** Loads a notification for the browsers of its user; null if it was deleted or read, or there are no browsers. */
export async function loadPush({ database }: PushDeps, ctx: Context, notificationId: string): Promise<Push | null> {
  return await database.readTenant(ctx, async (db) => {
    const notification = await findRow(db, Notification, { id: notificationId });
    if (notification === undefined || notification.read) return null;
    const subscriptions = await findRows(db, PushSubscription, { userId: notification.userId });
    return subscriptions.length === 0 ? null : { notificationId, message: buildMessage(notification), subscriptions };
  });
}

/**
 * Sends a push to each wanted browser, concurrently, and unsubscribes browsers that their push service no longer knows.
 * @param onOutcome called with each outcome and subscription id; `retry`: the push service did not accept the message for now
 */
export async function sendPush(
  deps: PushDeps,
  ctx: Context,
  { subscriptions, ...push }: Push,
  {
    isWanted,
    onOutcome,
  }: { isWanted(subscriptionId: string): boolean; onOutcome(subscriptionId: string, as: PushOutcome): void },
): Promise<void> {
  const wanted = subscriptions.filter(({ id }) => isWanted(id));
  if (wanted.length === 0) return;
  const keys = await loadPushKeys(deps.database, deps.encryptionKeys);
  await Promise.all(
    wanted.map(async (subscription) =>
      onOutcome(subscription.id, await sendTo(deps, ctx, { ...push, keys }, subscription)),
    ),
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
    vapidDetails: { subject: contactAddress(appUrl, mailFrom), ...keys },
    TTL: TTL_SECONDS,
    // A repeated message replaces an earlier one that still waits at the push service.
    topic: notificationId.replaceAll('-', '').slice(0, 32),
  });
  const status = await postMessage(outbound, endpoint, request.headers, request.body);
  if (status === 404 || status === 410) {
    await database.withTenant(ctx, (trx) => removeSubscription(trx, ctx, id));
    return 'gone';
  }
  if (status >= 200 && status < 300) return 'sent';
  return status === 0 || status === 429 || status >= 500 ? 'retry' : 'refused';
}

/** Posts a message. @returns the HTTP status; 0 if there was no answer */
async function postMessage(outbound: Outbound, url: string, headers: object, body: Buffer | null): Promise<number> {
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

function buildMessage({ id, type, title, body, actionUrl, tenantId }: Notification): string {
  const address = actionUrl !== null && jsonBytes(actionUrl) <= MAX_ADDRESS_BYTES ? actionUrl : null;
  return JSON.stringify({
    notification_id: id,
    tenant_id: tenantId,
    type,
    title: truncateToBytes(title, MAX_TITLE_BYTES),
    body: truncateToBytes(body, MAX_BODY_BYTES),
    action_url: address,
  });
}

/** Shortens a text to a number of bytes, in whole characters. */
export function truncateToBytes(text: string, mostBytes: number): string {
  let left = mostBytes;
  let end = 0;
  for (const character of text) {
    left -= jsonBytes(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Bytes of a text in JSON, without the quotes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Contact address of the operators for push services; it must not be local to this machine. */
function contactAddress(appUrl: string, mailFrom: string): string {
  return appUrl.startsWith('https://') ? appUrl : `mailto:${mailFrom}`;
}

async function removeSubscription(trx: Db, ctx: Context, id: string): Promise<void> {
  const subscription = await findRow(trx, PushSubscription, { id });
  if (subscription !== undefined) await removeRow(trx, ctx, PushSubscription, subscription);
}
