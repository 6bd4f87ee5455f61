/** Manages the subscribed browsers of a user, each in one company (decision 0187). */
import { createECDH } from 'node:crypto';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { PushSubscription } from '../../../db/models/messages/push.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { type FieldError, notFound, validationFailed } from '../../../domain/errors.ts';
import { type TargetPolicy, targetFault } from '../../../domain/integrations/webhooks/targets.ts';

/** Maximum browsers of a user in a company; another one replaces the oldest. */
const MAX_BROWSERS = 10;
/** Bytes of a point on the curve P-256, and of a browser's secret (RFC 8291). */
const POINT_BYTES = 65;
const SECRET_BYTES = 16;

/** A subscription as returned by the browser's `PushSubscription.toJSON()`. */
export interface NewSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/**
 * Subscribes a browser until the session ends, or renews its keys. Ends subscriptions of other users of the company on the same browser:
 * it would show their notifications to its current user.
 * @throws ServiceError validation_failed for keys or addresses that cannot be pushed to
 */
export async function subscribe(
  trx: Db,
  ctx: Context,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  { endpoint, keys: { p256dh, auth } }: NewSubscription,
  { targets }: { readonly targets: TargetPolicy },
): Promise<PushSubscription> {
  const faults = [...addressFaults(endpoint, targets), ...keyFaults(p256dh, auth)];
  if (faults.length > 0) throw validationFailed(faults);
  const own = (await PushSubscription.query(trx)
    .where({ user_id: userId })
    .orderBy('updated_at')
    .forUpdate()) as PushSubscription[];
  const others = (await PushSubscription.query(trx)
    .where({ endpoint })
    .whereNot({ user_id: userId })) as PushSubscription[];
  for (const other of others) await removeRow(trx, ctx, PushSubscription, other);
  const known = own.find((subscription) => subscription.endpoint === endpoint);
  if (known !== undefined) return await patchRow(trx, ctx, PushSubscription, known, { p256dh, auth, sessionId });
  const [oldest] = own;
  if (own.length >= MAX_BROWSERS && oldest !== undefined) await removeRow(trx, ctx, PushSubscription, oldest);
  return await insertRow(trx, ctx, PushSubscription, { userId, endpoint, p256dh, auth, sessionId });
}

/** Ends the subscription of a browser, given its id or address. @throws ServiceError not_found, stale_version */
export async function unsubscribe(
  trx: Db,
  ctx: Context,
  userId: string,
  which: { readonly id: string } | { readonly endpoint: string },
  ifMatch: number | null = null,
): Promise<void> {
  const subscription = await findRow(trx, PushSubscription, { userId, ...which });
  if (subscription === undefined) throw notFound('This subscription');
  assertVersion(subscription, ifMatch);
  await removeRow(trx, ctx, PushSubscription, subscription);
}

/** Ends the subscriptions that a user made in one session, or in all but one, in all companies. Needs the system role. */
export async function endSubscriptions(
  trx: Db,
  userId: string,
  which: { readonly session: string | undefined; readonly exceptSession: string | undefined },
): Promise<void> {
  const query = PushSubscription.query(trx).where({ user_id: userId }).delete();
  if (which.session !== undefined) query.where({ session_id: which.session });
  if (which.exceptSession !== undefined) query.whereRaw('session_id is distinct from ?', [which.exceptSession]);
  await query;
}

function addressFaults(endpoint: string, targets: TargetPolicy): FieldError[] {
  const fault = targetFault(endpoint, targets);
  if (fault !== null) return [{ pointer: '/endpoint', ...fault }];
  const isPrivateOpen = targets.allowPrivate || targets.allowed.length > 0;
  const isSecure = new URL(endpoint).protocol === 'https:' || isPrivateOpen;
  return isSecure ? [] : [{ pointer: '/endpoint', code: 'invalid_url', message: 'must begin with https://' }];
}

function keyFaults(p256dh: string, auth: string): FieldError[] {
  const wrong = (name: string, message: string): FieldError => ({
    pointer: `/keys/${name}`,
    code: 'invalid_format',
    message,
  });
  return [
    ...(isPoint(Buffer.from(p256dh, 'base64url'))
      ? []
      : [wrong('p256dh', 'must be a point on the curve P-256, in base64url')]),
    ...(Buffer.from(auth, 'base64url').length === SECRET_BYTES
      ? []
      : [wrong('auth', `must have ${SECRET_BYTES} bytes, in base64url`)]),
  ];
}

/** Whether messages can be encrypted for this public key. */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES) return false;
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(bytes);
    return true;
  } catch {
    // Not on the curve.
    return false;
  }
}
