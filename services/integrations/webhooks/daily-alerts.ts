/** Alerts a company, once a day, to events that a webhook did not get for a reason that only a person can fix. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { query } from '../../../db/sql.ts';
import { filtersFail, secretLost, type WebhookNotice } from '../../../domain/integrations/webhooks/notices.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import type { AttemptRecord } from './attempts.ts';

/** Interval between notifications about one webhook; the log has every case. */
const QUIET_HOURS = 24;

/** Alerts companies to filters that fail. @param attempts just logged; only failed ones count */
export async function alertFilterErrors(
  database: Database,
  attempts: readonly AttemptRecord[],
  now: Date,
): Promise<void> {
  const first = new Map<string, AttemptRecord>();
  for (const attempt of attempts) {
    if (attempt.status === 'failed' && !first.has(attempt.webhookId)) first.set(attempt.webhookId, attempt);
  }
  for (const attempt of first.values()) {
    const { tenantId } = attempt;
    const ctx: Context = { tenantId, userId: null, actor: 'relay', requestId: attempt.eventId, now };
    await database.withTenant(ctx, (trx) => alertFilterError(trx, ctx, attempt));
  }
}

async function alertFilterError(trx: Db, ctx: Context, { webhookId, event, error }: AttemptRecord): Promise<void> {
  await alertOnceADay(trx, ctx, webhookId, 'filter_error_of', (name) =>
    filtersFail(name, webhookId, event, String(error)),
  );
}

/** Alerts to a signing secret that cannot be decrypted, in the transaction that logs the attempt. */
export async function alertUnsignable(trx: Db, ctx: Context, { webhookId, event }: AttemptRecord): Promise<void> {
  await alertOnceADay(trx, ctx, webhookId, 'secret_error_of', (name) => secretLost(name, webhookId, event));
}

async function alertOnceADay(
  trx: Db,
  ctx: Context,
  webhookId: string,
  what: 'filter_error_of' | 'secret_error_of',
  notice: (name: string) => WebhookNotice,
): Promise<void> {
  // The first to notify locks the webhook's row until it is done.
  const webhook = (await Webhook.query(trx).findById(webhookId).forNoKeyUpdate()) as Webhook | undefined;
  if (webhook === undefined) return;
  const [told] = await query<{ told: boolean }>(
    trx,
    `select exists (select from notifications where type = 'system_alert' and metadata ->> :what::text = :webhookId
       and created_at > :now::timestamptz - make_interval(hours => :hours)) as told`,
    { what, webhookId, now: ctx.now.toISOString(), hours: QUIET_HOURS },
  );
  if (told?.told) return;
  await alertAdmins(trx, ctx, {
    ...notice(webhook.name),
    metadata: { webhook_id: webhookId, [what]: webhookId },
    actionUrl: `/api/webhooks/${webhookId}/logs?status=failed`,
  });
}
