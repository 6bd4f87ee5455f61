/** Registering webhooks: what may be called, with what, about what. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Webhook } from '../../db/models/webhooks.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { type FieldError, notFound, validationFailed } from '../../domain/errors.ts';
import { isSubscription } from '../../domain/webhooks/events.ts';
import { headerFaults } from '../../domain/webhooks/headers.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '../../domain/webhooks/retry.ts';
import { DEFAULT_SHARE } from '../../domain/webhooks/share.ts';
import { targetFault } from '../../domain/webhooks/targets.ts';
import { forgetFailures } from './health.ts';
import { onlySecret, rotated } from './secrets.ts';

export interface WebhookPolicy {
  readonly allowPrivateTargets: boolean;
  readonly encryptionKey: string | undefined;
}

/** As the REST interface takes it; null for the secret takes it away. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  readonly method?: 'POST' | 'GET' | undefined;
  readonly events: readonly string[];
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly secret?: string | null | undefined;
  readonly retry_policy?: Partial<RetryPolicy> | undefined;
  readonly max_in_flight?: number | undefined;
  readonly rate_per_second?: number | undefined;
  readonly status?: 'active' | 'inactive' | undefined;
}

/**
 * Registers a webhook.
 * @throws ServiceError validation_failed for unknown events, reserved headers, targets that must not be called
 */
export async function createWebhook(
  trx: Db,
  ctx: Context,
  policy: WebhookPolicy,
  input: WebhookInput,
): Promise<Webhook> {
  check(input, policy);
  const id = newId();
  return insertRow(trx, ctx, Webhook, {
    id,
    name: input.name,
    url: input.url,
    method: input.method ?? 'POST',
    events: [...new Set(input.events)],
    headers: { ...input.headers },
    ...onlySecret(policy.encryptionKey, { tenantId: ctx.tenantId, id }, input.secret ?? null),
    maxInFlight: input.max_in_flight ?? DEFAULT_SHARE.max_in_flight,
    ratePerSecond: input.rate_per_second ?? DEFAULT_SHARE.rate_per_second,
    status: input.status ?? 'active',
    retryPolicy: { ...DEFAULT_RETRY_POLICY, ...input.retry_policy },
    createdBy: ctx.userId,
  });
}

/**
 * Changes the given members; `retry_policy` member by member. One that is switched on, or calls another address, has not failed yet.
 * @throws ServiceError as at creation; not_found, stale_version
 */
export async function changeWebhook(
  trx: Db,
  ctx: Context,
  policy: WebhookPolicy,
  id: string,
  input: Partial<WebhookInput>,
  ifMatch: number | null,
): Promise<Webhook> {
  check(input, policy);
  const current = await lockWebhook(trx, id, ifMatch);
  const { secret, retry_policy, events, headers, name, url, method, status } = input;
  const changes = {
    name,
    url,
    method,
    status,
    events: events && [...new Set(events)],
    headers: headers && { ...headers },
    retryPolicy: retry_policy && { ...current.retryPolicy, ...retry_policy },
    ...(secret === undefined ? {} : onlySecret(policy.encryptionKey, current, secret)),
    maxInFlight: input.max_in_flight,
    ratePerSecond: input.rate_per_second,
  };
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed = await patchRow(trx, ctx, Webhook, current, given as Partial<Webhook> & Record<string, unknown>);
  const anew = changed.url !== current.url || (changed.status === 'active' && current.status === 'inactive');
  if (anew) await forgetFailures(trx, id);
  return changed;
}

/**
 * Replaces the secret, or gives the first one. The one before it signs beside it for 24 hours.
 * @param given null: one is generated
 * @returns the secret, which is not shown again, and until when the one before it signs too; null when there was none
 * @throws ServiceError not_found, stale_version
 */
export async function rotateSecret(
  trx: Db,
  ctx: Context,
  policy: WebhookPolicy,
  id: string,
  given: string | null,
  ifMatch: number | null,
): Promise<{ readonly secret: string; readonly previousUntil: string | null }> {
  const current = await lockWebhook(trx, id, ifMatch);
  const { secret, previousUntil, stored } = rotated(policy.encryptionKey, current, given, ctx.now);
  await patchRow(trx, ctx, Webhook, current, { ...stored, secretRotatedAt: ctx.now.toISOString() });
  return { secret, previousUntil };
}

/** Removes a webhook with its log; deliveries on their way end without a further attempt. @throws ServiceError not_found, stale_version */
export async function removeWebhook(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await removeRow(trx, ctx, Webhook, await lockWebhook(trx, id, ifMatch));
}

/** @throws ServiceError not_found */
export async function readWebhook(db: Db, id: string): Promise<Webhook> {
  const webhook = await Webhook.query(db).findById(id);
  if (webhook === undefined) throw notFound('The webhook');
  return webhook;
}

/** As the REST interface shows it. The secret is answered only where it was given: at creation. */
export function presentWebhook(webhook: Webhook): Record<string, unknown> {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    method: webhook.method,
    events: webhook.events,
    headers: webhook.headers,
    secret_set: webhook.secretEncrypted !== null,
    secret_rotated_at: webhook.secretRotatedAt ?? null,
    max_in_flight: webhook.maxInFlight,
    rate_per_second: webhook.ratePerSecond,
    status: webhook.status,
    retry_policy: webhook.retryPolicy,
    created_by: webhook.createdBy,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
    version: webhook.version,
  };
}

async function lockWebhook(trx: Db, id: string, ifMatch: number | null): Promise<Webhook> {
  const webhook = await Webhook.query(trx).findById(id).forUpdate();
  if (webhook === undefined) throw notFound('The webhook');
  assertVersion(webhook, ifMatch);
  return webhook;
}

function check(input: Partial<WebhookInput>, policy: WebhookPolicy): void {
  const faults: FieldError[] = [];
  if (input.url !== undefined) {
    const fault = targetFault(input.url, policy.allowPrivateTargets);
    if (fault !== null) faults.push({ pointer: '/url', ...fault });
  }
  input.events?.forEach((event, index) => {
    if (isSubscription(event)) return;
    const message = 'is no event: give one of the catalogue, a group such as document.*, or *';
    faults.push({ pointer: `/events/${index}`, code: 'unknown_event', message });
  });
  for (const { name, code, message } of headerFaults(input.headers ?? {})) {
    const member = name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    faults.push({ pointer: `/headers${member}`, code, message });
  }
  if (faults.length > 0) throw validationFailed(faults);
}
