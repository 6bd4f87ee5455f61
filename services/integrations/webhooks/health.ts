/** Health of webhooks: warnings while one fails, and disabling it when it fails for too long. Counters are not audited. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { query } from '../../../db/sql.ts';
import { patchRow } from '../../../db/write.ts';
import { disablesAt, judgeFailing } from '../../../domain/integrations/webhooks/failing.ts';
import { failedForDays, keepsFailing, switchedOff } from '../../../domain/integrations/webhooks/notices.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import type { FailureCount } from './attempts.ts';

interface Failed {
  readonly webhookId: string;
  /** Error of the last attempt. */
  readonly error: string;
  readonly counted: FailureCount;
}

/** Warns of a webhook that has been failing for long, or disables it; in the transaction that counted the failure. */
export async function followFailure(trx: Db, ctx: Context, { webhookId, error, counted }: Failed): Promise<void> {
  const verdict = judgeFailing(counted, ctx.now);
  if (verdict.kind === 'go_on') return;
  const failing = { ...counted, error };
  if (verdict.kind === 'disable') {
    await disableWebhook(trx, ctx, webhookId, failedForDays(failing));
    return;
  }
  await query(trx, 'update webhook_health set warned_percent = :percent where webhook_id = :webhookId::uuid', {
    percent: verdict.percent,
    webhookId,
  });
  const webhook = await Webhook.query(trx).findById(webhookId);
  if (webhook === undefined) return;
  const end = disablesAt(counted.failingSince).toISOString();
  await alertAdmins(trx, ctx, { ...keepsFailing(webhook.name, failing, end), ...about(webhookId) });
}

/** Disables a webhook on the service's own initiative, and notifies the administrators. A disabled one stays as it is. */
export async function disableWebhook(
  trx: Db,
  ctx: Context,
  webhookId: string,
  reason: Record<Language, string>,
): Promise<void> {
  // Attempts being logged share-lock the row by their foreign key: this lock does not wait for them.
  const webhook = (await Webhook.query(trx).findById(webhookId).forNoKeyUpdate()) as Webhook | undefined;
  if (webhook === undefined || webhook.status === 'inactive') return;
  await patchRow(trx, ctx, Webhook, webhook, { status: 'inactive' });
  await query(
    trx,
    'update webhook_health set disabled_at = :now::timestamptz, disabled_reason = :reason where webhook_id = :webhookId::uuid',
    { now: ctx.now.toISOString(), reason: reason.en, webhookId },
  );
  await alertAdmins(trx, ctx, { ...switchedOff(webhook.name, webhookId, reason), ...about(webhookId) });
}

/** Resets a webhook that somebody has enabled or pointed elsewhere. */
export async function forgetFailures(trx: Db, webhookId: string): Promise<void> {
  await query(trx, 'delete from webhook_health where webhook_id = :webhookId::uuid', { webhookId });
}

function about(webhookId: string) {
  return {
    metadata: { webhook_id: webhookId },
    actionUrl: `/api/webhooks/${webhookId}/logs?status=failed`,
  };
}
