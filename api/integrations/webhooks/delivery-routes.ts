/** Deliveries of a webhook: statistics, tests and redelivery. */
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import { readWebhook } from '../../../services/integrations/webhooks/manage.ts';
import { MISSED, startRecovery } from '../../../services/integrations/webhooks/recover.ts';
import { createTestEvent, redeliver, testEntry } from '../../../services/integrations/webhooks/redeliver.ts';
import { STATS_DAYS, webhookStats } from '../../../services/integrations/webhooks/stats.ts';
import {
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { assertRange } from '../../lists/list.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { attemptSchema } from './schemas.ts';

const TAG = 'Webhooks';
const ONE = '/api/webhooks/:id';
const Id = Type.Object({ id: uuid() });
const count = () => integer({ minimum: 0 });

const queued = Type.Object({ status: choice(['queued'] as const), message: Type.String() });

const statsSchema = Type.Object(
  {
    from: day(),
    to: day(),
    attempts: integer({ minimum: 0, description: 'Requests sent' }),
    success_rate: nullable(Type.Number({ description: 'Percentage of successful attempts; null without any' })),
    by_status: Type.Object({ success: count(), failed: count(), skipped: count() }),
    by_http_status: Type.Array(
      Type.Object({
        http_status: nullable(integer({ description: 'null without a complete answer' })),
        count: count(),
      }),
      { description: 'Most frequent first' },
    ),
    response_time_ms: Type.Object({ p50: nullable(integer()), p95: nullable(integer()) }),
    last_success_at: nullable(instant()),
    last_error: nullable(
      Type.Object({
        id: uuid({ description: 'Id of the log entry' }),
        event: text(),
        http_status: nullable(integer()),
        error: nullable(text()),
        sent_at: instant(),
      }),
    ),
    failing: nullable(
      Type.Object(
        {
          since: instant(),
          failures: integer({ description: 'Consecutive failed attempts' }),
          switched_off_at: instant({ description: 'At the earliest, unless a delivery succeeds before' }),
        },
        { description: 'The current failure; null if the last attempt succeeded, or the webhook is disabled' },
      ),
    ),
    disabled: nullable(
      Type.Object(
        { at: instant(), reason: text() },
        { description: 'Reason why the service disabled it; null if it did not' },
      ),
    ),
  },
  { title: 'WebhookStatistics' },
);

export const deliveryRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${ONE}/stats`,
    id: 'getWebhookStats',
    summary: 'Statistics of a webhook',
    description: `Over days in the company's time zone, inclusive: by default the last ${STATS_DAYS}. Tests do not count.`,
    tag: TAG,
    access: 'webhooks:read',
    params: Id,
    query: Type.Object({ from: Type.Optional(day()), to: Type.Optional(day()) }),
    responses: { 200: dataBody(statsSchema) },
    async handler({ reader, ctx, params, query }) {
      assertRange(query);
      const { id } = await readWebhook(reader, params.id);
      return ok(await webhookStats(reader, ctx, id, query));
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/test`,
    id: 'testWebhook',
    summary: 'Send a sample to a webhook',
    problems: ['invalid_transition'],
    description:
      'Sends the sample of its first event like a real one, once, with "test": true in the envelope, and waits for the answer (up to ' +
      '18 s). Answers the log entry with 200, even if the receiver failed. Works for inactive webhooks, and has no effect on them.',
    tag: TAG,
    access: 'webhooks:update',
    params: Id,
    responses: { 200: dataBody(attemptSchema) },
    // It must not hold a connection while it waits.
    transaction: 'none',
    async handler({ deps: { database, workflows }, ctx, params: { id: webhookId }, ifMatch }) {
      const { tenantId } = ctx;
      const { eventId, title } = await database.withTenant(ctx, (trx) => createTestEvent(trx, ctx, webhookId, ifMatch));
      await workflows.deliverTest({ tenantId, webhookId, eventId }, title);
      const entry = await database.readTenant(ctx, async (db) => {
        await readWebhook(db, webhookId); // If the webhook was deleted meanwhile, its log is gone too.
        return testEntry(db, eventId);
      });
      if (entry === undefined) throw new ServiceError('unavailable', 'The test was not sent; try again in a moment');
      return ok(entry);
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/logs/:logId/redeliver`,
    id: 'redeliverWebhookEvent',
    versionOf: 'id',
    summary: 'Redeliver an event',
    problems: ['invalid_transition'],
    description:
      'Sends the event of a log entry again, with the same id and bytes, a new timestamp and signature, and all attempts of the retry ' +
      'policy, even if it has arrived before. An event waiting for its next attempt is sent at once.',
    tag: TAG,
    access: 'webhooks:update',
    params: Type.Object({ id: uuid(), logId: uuid({ description: 'The entry of the log' }) }),
    responses: { 202: Type.Object({ event_id: uuid(), ...queued.properties }, { title: 'WebhookRedelivery' }) },
    async handler({ db, ctx, params, ifMatch }) {
      const { eventId, event } = await redeliver(db, ctx, params.id, params.logId, ifMatch);
      return {
        status: 202,
        body: { event_id: eventId, status: 'queued', message: `${event} is being redelivered` },
        headers: { Location: `/api/webhooks/${params.id}/logs?event_id=${eventId}` },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/recover`,
    id: 'recoverWebhook',
    summary: 'Redeliver missed events',
    problems: ['invalid_transition'],
    description:
      'Starts a background task that redelivers all events of this period with an attempt, or skipped, that have not arrived since. ' +
      'What is under way or has arrived is not sent twice, however often this is called. Deleting the task stops it.',
    tag: TAG,
    access: 'webhooks:update',
    params: Id,
    body: Type.Object(
      {
        since: instant(),
        until: Type.Optional(instant({ description: 'Defaults to now' })),
        status: Type.Optional(
          choice(MISSED, {
            default: 'all',
            description: 'The last outcome of the event: a failed attempt, or skipped',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 202: Type.Object({ task_id: uuid(), ...queued.properties }) },
    async handler({ db, ctx, params, body, ifMatch }) {
      const task = await startRecovery(db, ctx, params.id, body, ifMatch);
      return {
        status: 202,
        body: { task_id: task.id, status: 'queued', message: task.message },
        headers: { Location: `/api/tasks/${task.id}` },
      };
    },
  }),
];
