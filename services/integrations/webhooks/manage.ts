/** Registers, changes, removes and shows webhooks, and rotates their secrets. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { notFound } from '../../../domain/errors.ts';
import { type Headers, masked } from '../../../domain/integrations/webhooks/headers.ts';
import { DEFAULT_RETRY_POLICY } from '../../../domain/integrations/webhooks/retry.ts';
import { DEFAULT_SHARE } from '../../../domain/integrations/webhooks/share.ts';
import type { TargetPolicy } from '../../../domain/integrations/webhooks/targets.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { sealHeaders } from './header-values.ts';
import { forgetFailures } from './health.ts';
import { buildSubscription, checkRegistration, requestedStatus, type WebhookInput } from './registration.ts';
import { onlySecret, rotateSecrets } from './secrets.ts';

export type { WebhookInput } from './registration.ts';

export interface WebhookPolicy {
  readonly targets: TargetPolicy;
  readonly encryptionKeys: EncryptionKeys;
}

/**
 * Registers a webhook.
 * @throws ServiceError validation_failed for unknown events, mixed forms, filters that can mean nothing, reserved headers, targets that
 * must not be called
 */
export async function createWebhook(
  trx: Db,
  ctx: Context,
  policy: WebhookPolicy,
  input: WebhookInput,
): Promise<Webhook> {
  checkRegistration(input, null, policy);
  const id = newId();
  return insertRow(trx, ctx, Webhook, {
    id,
    name: input.name ?? input.event ?? '',
    url: input.url,
    method: input.method ?? 'POST',
    ...buildSubscription(input, null),
    ...headerColumns(policy.encryptionKeys, { tenantId: ctx.tenantId, id }, input.headers ?? {}),
    ...onlySecret(policy.encryptionKeys, { tenantId: ctx.tenantId, id }, input.secret ?? null),
    maxInFlight: input.max_in_flight ?? DEFAULT_SHARE.max_in_flight,
    ratePerSecond: input.rate_per_second ?? DEFAULT_SHARE.rate_per_second,
    status: requestedStatus(input) ?? 'active',
    retryPolicy: { ...DEFAULT_RETRY_POLICY, ...input.retry_policy },
    createdBy: ctx.userId,
  });
}

/**
 * Changes the given members; `retry_policy` member by member. Enabling it, or changing its address, resets its failures.
 * With another host, the headers must be given again: their values would go to it.
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
  const current = await lockWebhook(trx, id, ifMatch);
  checkRegistration(input, current, policy);
  const { secret, retry_policy, headers, name, url, method } = input;
  const changes = {
    name,
    url,
    method,
    status: requestedStatus(input),
    ...buildSubscription(input, current),
    ...(headers === undefined ? {} : headerColumns(policy.encryptionKeys, current, headers)),
    retryPolicy: retry_policy && { ...current.retryPolicy, ...retry_policy },
    ...(secret === undefined ? {} : onlySecret(policy.encryptionKeys, current, secret)),
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
 * Replaces the secret, or sets the first one. The previous one also signs for 24 hours.
 * @param given null to generate one
 * @returns the secret, which is not shown again, and the time until which the previous one also signs; null if there was none
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
  const { secret, previousUntil, stored } = rotateSecrets(policy.encryptionKeys, current, given, ctx.now);
  await patchRow(trx, ctx, Webhook, current, { ...stored, secretRotatedAt: ctx.now.toISOString() });
  return { secret, previousUntil };
}

/** Deletes a webhook with its log; deliveries under way end without a further attempt. @throws ServiceError not_found, stale_version */
export async function removeWebhook(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await removeRow(trx, ctx, Webhook, await lockWebhook(trx, id, ifMatch));
}

/** @throws ServiceError not_found */
export async function readWebhook(reader: Reader, id: string): Promise<Webhook> {
  const webhook = await findRow(reader, Webhook, { id });
  if (webhook === undefined) throw notFound('The webhook');
  return webhook;
}

/** Converts a webhook to the form that clients see. Only the answer to its creation contains the secret. */
export function webhookToJson(webhook: Webhook) {
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    method: webhook.method,
    events: webhook.events,
    ...(webhook.form === 'event' ? secondForm(webhook) : {}),
    filters: webhook.filters ?? [],
    headers: masked(webhook.headers),
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

function headerColumns(keys: EncryptionKeys, owner: Pick<Webhook, 'tenantId' | 'id'>, headers: Headers) {
  return { headers: masked(headers), headersEncrypted: sealHeaders(keys, owner, [headers]) };
}

/** Members of the second form. */
function secondForm({ events: [event], status, filterTypes }: Webhook): Record<string, unknown> {
  return { event, active: status === 'active', filter_types: filterTypes };
}

async function lockWebhook(trx: Db, id: string, ifMatch: number | null): Promise<Webhook> {
  // Attempts being logged share-lock the row by their foreign key: this lock neither waits for them nor blocks them.
  const webhook = (await Webhook.query(trx).findById(id).forNoKeyUpdate()) as Webhook | undefined;
  if (webhook === undefined) throw notFound('The webhook');
  assertVersion(webhook, ifMatch);
  return webhook;
}
