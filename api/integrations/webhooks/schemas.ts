/** Bodies and answers of webhooks. */
import { Type } from 'typebox';
import { ALL_EVENTS, WEBHOOK_EVENTS } from '../../../domain/integrations/webhooks/events.ts';
import { DEFAULT_RETRY_POLICY } from '../../../domain/integrations/webhooks/retry.ts';
import { DEFAULT_SHARE, MAX_SHARE } from '../../../domain/integrations/webhooks/share.ts';
import { NOTIFICATION_TYPES } from '../../../domain/messages/notifications/types.ts';
import { Condition } from '../../../services/platform/validation/condition.ts';
import {
  choice,
  flag,
  instant,
  integer,
  label,
  nullable,
  resettable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;
const METHODS = ['POST', 'GET'] as const;
const STATUSES = ['active', 'inactive'] as const;

const retryPolicy = Type.Object(
  {
    max_attempts: Type.Optional(
      integer({
        minimum: 1,
        maximum: 20,
        description: `Including the first; defaults to ${DEFAULT_RETRY_POLICY.max_attempts}`,
      }),
    ),
    retry_delay_seconds: Type.Optional(
      Type.Array(integer({ minimum: 0, maximum: 86_400 }), {
        maxItems: 20,
        description: 'Seconds between attempts; a shorter list repeats its last',
      }),
    ),
  },
  CLOSED,
);

const secretText = text({
  min: 8,
  max: 200,
  description: 'Signs each request; it is not shown again. After whsec_, base64 that Standard Webhooks uses as the key',
});

const members = {
  name: label(),
  url: text({ max: 2000, description: 'http or https; not in a private network' }),
  method: choice(METHODS, { description: 'GET sends the envelope in the query parameter payload' }),
  events: Type.Array(text({ max: 100 }), {
    minItems: 1,
    maxItems: 50,
    description: `${ALL_EVENTS}, a group such as document.*, or any of: ${WEBHOOK_EVENTS.join(', ')}`,
  }),
  event: text({
    max: 100,
    description:
      'Instead of events: one event, with the shorter envelope. payment.registered is available only in this form',
  }),
  filter_types: nullable(
    Type.Array(choice(NOTIFICATION_TYPES), {
      maxItems: 50,
      description: 'With event: notification.created, the wanted types; null: all',
    }),
  ),
  filters: Type.Array(Condition, { maxItems: 50, description: 'Conditions on the payload; all must hold' }),
  active: Type.Boolean({ description: 'An alternative to status' }),
  headers: Type.Record(Type.String(), Type.String({ maxLength: 2000 }), {
    description:
      'Additional headers of each request. Answers show ••• in place of the values; a new host needs them again',
  }),
  secret: nullable(secretText),
  retry_policy: retryPolicy,
  status: choice(STATUSES),
  max_in_flight: integer({
    minimum: 1,
    maximum: MAX_SHARE.max_in_flight,
    description: `Concurrent requests; defaults to ${DEFAULT_SHARE.max_in_flight}. Others wait, without spending an attempt`,
  }),
  rate_per_second: integer({
    minimum: 1,
    maximum: MAX_SHARE.rate_per_second,
    description: `Requests started per second; defaults to ${DEFAULT_SHARE.rate_per_second}`,
  }),
};

export const webhookInput = Type.Object(
  {
    name: Type.Optional(members.name),
    url: members.url,
    events: Type.Optional(members.events),
    event: Type.Optional(members.event),
    filter_types: Type.Optional(members.filter_types),
    filters: Type.Optional(nullable(members.filters)),
    method: Type.Optional(members.method),
    headers: Type.Optional(members.headers),
    secret: Type.Optional(members.secret),
    retry_policy: Type.Optional(members.retry_policy),
    status: Type.Optional(members.status),
    max_in_flight: Type.Optional(members.max_in_flight),
    rate_per_second: Type.Optional(members.rate_per_second),
    active: Type.Optional(members.active),
  },
  CLOSED,
);
export const webhookChanges = Type.Object(
  {
    ...Type.Partial(webhookInput).properties,
    filters: Type.Optional(resettable(members.filters, [])),
    method: Type.Optional(resettable(members.method, 'POST')),
    headers: Type.Optional(resettable(members.headers, {})),
    retry_policy: Type.Optional(resettable(retryPolicy, DEFAULT_RETRY_POLICY)),
    status: Type.Optional(resettable(members.status, 'active')),
    max_in_flight: Type.Optional(resettable(members.max_in_flight, DEFAULT_SHARE.max_in_flight)),
    rate_per_second: Type.Optional(resettable(members.rate_per_second, DEFAULT_SHARE.rate_per_second)),
    active: Type.Optional(resettable(members.active, true)),
  },
  CLOSED,
);

export const rotationInput = Type.Object({ secret: Type.Optional(secretText) }, CLOSED);
export const rotationSchema = Type.Object(
  {
    secret: text({ description: 'Not shown again' }),
    previous_valid_until: nullable(instant()),
  },
  { title: 'WebhookSecret' },
);

export const webhookSchema = Type.Object(
  {
    id: uuid(),
    name: members.name,
    url: members.url,
    method: members.method,
    events: members.events,
    event: Type.Optional(members.event),
    active: Type.Optional(members.active),
    filter_types: Type.Optional(members.filter_types),
    filters: members.filters,
    warnings: Type.Optional(
      Type.Array(Type.Object({ pointer: text(), message: text() }), {
        description: 'Only when just saved: fields of filters that none of its events has',
      }),
    ),
    headers: members.headers,
    secret: Type.Optional(text({ description: 'Only in the answer to its creation' })),
    secret_set: Type.Boolean(),
    secret_rotated_at: nullable(instant()),
    status: members.status,
    retry_policy: Type.Required(retryPolicy),
    max_in_flight: members.max_in_flight,
    rate_per_second: members.rate_per_second,
    created_by: nullable(uuid()),
    created_at: instant(),
    updated_at: instant(),
    version: integer(),
  },
  { title: 'Webhook' },
);

export const attemptSchema = Type.Object(
  {
    id: uuid(),
    event: text(),
    event_id: uuid(),
    document_id: nullable(uuid()),
    attempt: integer({ description: '1, 2, … over all redeliveries; 0 for a skipped event' }),
    status: choice(['success', 'failed', 'skipped'] as const),
    http_status: nullable(integer()),
    response_body: nullable(Type.String({ description: 'At most the first 64 KiB; emptied after some days' })),
    response_time_ms: nullable(integer()),
    error: nullable(Type.String()),
    sent_at: instant(),
    redelivery_id: nullable(uuid({ description: 'The redelivery, or the task of a recovery, that it belongs to' })),
    test: flag({ description: 'A test' }),
  },
  { title: 'WebhookAttempt' },
);
