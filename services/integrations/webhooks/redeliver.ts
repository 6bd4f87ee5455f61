/** Requests redeliveries and tests, which the delivery workflow then performs. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { EVENT_CATALOGUE, firstEvent } from '../../../domain/integrations/webhooks/events.ts';
import { redeliveryTitle, shortName } from '../../../domain/integrations/webhooks/texts.ts';
import { REDELIVERY_DUE } from '../../../domain/platform/internal-events.ts';
import { ATTEMPT_COLUMNS } from './attempts.ts';
import { readWebhook } from './manage.ts';

/**
 * Reads a webhook, which must be active.
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function activeWebhook(db: Db, id: string, ifMatch: number | null): Promise<Webhook> {
  const webhook = await readWebhook(db, id);
  assertVersion(webhook, ifMatch);
  if (webhook.status === 'inactive') {
    throw new ServiceError(
      'invalid_transition',
      'The webhook is inactive: activate it before events are delivered to it',
    );
  }
  return webhook;
}

/**
 * Requests the redelivery of a log entry's event, whether it has arrived or not; it starts soon after the commit.
 * @returns the event
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function redeliver(
  trx: Db,
  ctx: Context,
  webhookId: string,
  logId: string,
  ifMatch: number | null,
): Promise<{ readonly eventId: string; readonly event: string }> {
  const { name } = await activeWebhook(trx, webhookId, ifMatch);
  const [entry] = await query<{ eventId: string; event: string; documentId: string | null; code: string | null }>(
    trx,
    `select a.event_id as "eventId", a.event, a.document_id as "documentId", d.code
     from webhook_attempts a left join documents d on d.id = a.document_id
     where a.webhook_id = :webhookId::uuid and a.id = :logId::uuid`,
    { webhookId, logId },
  );
  if (entry === undefined) throw notFound('The log entry');
  const { eventId, event, documentId, code } = entry;
  const title = redeliveryTitle(event, code, name);
  const due = { name: REDELIVERY_DUE, payload: { webhook_id: webhookId, document_id: documentId, title } };
  await new Changes(ctx).emit({ type: 'WebhookDelivery', id: eventId }, due).write(trx);
  return { eventId, event };
}

/**
 * Writes a sample of the first event that the webhook subscribes to, as an event that never happened. The relay ignores it: the requester
 * starts its delivery.
 * @returns its id, and the title of its delivery
 * @throws ServiceError not_found, stale_version
 */
export async function createTestEvent(
  trx: Db,
  ctx: Context,
  webhookId: string,
  ifMatch: number | null,
): Promise<{ readonly eventId: string; readonly title: string }> {
  const webhook = await readWebhook(trx, webhookId);
  assertVersion(webhook, ifMatch);
  const event = firstEvent(webhook.events);
  const id = newId();
  const sample = { id, name: event, payload: EVENT_CATALOGUE[event].sample, only: 'sample' as const };
  await new Changes(ctx).emit({ type: 'Webhook', id: webhookId }, sample).write(trx);
  return { eventId: id, title: `Test of webhook ${shortName(webhook.name)}` };
}

/** The log entry of a test. @returns undefined while there is none */
export async function testEntry(db: Db, eventId: string): Promise<object | undefined> {
  return (await db('webhook_attempts').select(ATTEMPT_COLUMNS).where({ event_id: eventId, test: true }).first()) as
    | object
    | undefined;
}
