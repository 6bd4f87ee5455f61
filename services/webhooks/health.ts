/** Health of webhooks: warnings while one fails, and disabling it when it fails for too long. Counters are not audited. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Webhook } from '../../db/models/webhooks.ts';
import { query } from '../../db/sql.ts';
import { patchRow } from '../../db/write.ts';
import { DISABLED_AFTER_FAILURES, disablesAt, judgeFailing } from '../../domain/webhooks/failing.ts';
import { alertAdmins } from '../notifications/notify.ts';
import type { FailureCount } from './attempts.ts';

interface Failed {
  readonly webhookId: string;
  /** Why the last attempt failed. */
  readonly error: string;
  readonly counted: FailureCount;
}

/** Warns of a webhook that has been failing for long, or disables it; in the transaction that counted the failure. */
export async function followFailure(trx: Db, ctx: Context, { webhookId, error, counted }: Failed): Promise<void> {
  const verdict = judgeFailing(counted, ctx.now);
  if (verdict.kind === 'go_on') return;
  const since = `${counted.failures} attempts have failed since ${inWords(counted.failingSince)}, the last with: ${error}.`;
  if (verdict.kind === 'disable') {
    await disableWebhook(trx, ctx, webhookId, `No delivery has succeeded for five days. ${since}`);
    return;
  }
  await query(trx, 'update webhook_health set warned_percent = :percent where webhook_id = :webhookId::uuid', {
    percent: verdict.percent,
    webhookId,
  });
  const webhook = await Webhook.query(trx).findById(webhookId);
  if (webhook === undefined) return;
  const end = inWords(disablesAt(counted.failingSince).toISOString());
  await alertAdmins(trx, ctx, {
    title: `The webhook ${webhook.name} keeps failing`,
    body: `${since} Without a success until ${end}, and after at least ${DISABLED_AFTER_FAILURES} failures, it is switched off.`,
    ...about(webhookId),
  });
}

/** Disables a webhook on the service's own initiative, and notifies the administrators. A disabled one stays as it is. */
export async function disableWebhook(trx: Db, ctx: Context, webhookId: string, reason: string): Promise<void> {
  // Attempts being logged share-lock the row by their foreign key: this lock does not wait for them.
  const webhook = (await Webhook.query(trx).findById(webhookId).forNoKeyUpdate()) as Webhook | undefined;
  if (webhook === undefined || webhook.status === 'inactive') return;
  await patchRow(trx, ctx, Webhook, webhook, { status: 'inactive' });
  await query(
    trx,
    'update webhook_health set disabled_at = :now::timestamptz, disabled_reason = :reason where webhook_id = :webhookId::uuid',
    { now: ctx.now.toISOString(), reason, webhookId },
  );
  await alertAdmins(trx, ctx, {
    title: `The webhook ${webhook.name} was switched off`,
    body:
      `${reason} What it misses from now on is kept: when its receiver works again, activate it and have the events delivered by ` +
      `POST /api/webhooks/${webhookId}/recover.`,
    ...about(webhookId),
  });
}

/** Resets a webhook that somebody has enabled or pointed elsewhere. */
export async function forgetFailures(trx: Db, webhookId: string): Promise<void> {
  await query(trx, 'delete from webhook_health where webhook_id = :webhookId::uuid', { webhookId });
}

function about(webhookId: string) {
  return {
    metadata: { webhook_id: webhookId },
    actionUrl: `/api/webhooks/${webhookId}/logs?status=failed`,
    actionLabel: 'Failed attempts',
  };
}

/** 2026-06-15 10:00 UTC */
function inWords(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
