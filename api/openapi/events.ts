/** The requests that receivers of webhooks get, for the description of the interface: one for each event of the catalogue. */
import { Type } from 'typebox';
import { EVENT_CATALOGUE, EVENT_NAMES, type EventName, PAYMENT_REGISTERED } from '../../domain/webhooks/events.ts';
import { instant, uuid } from '../../services/validation/schemas.ts';

type Json = Record<string, unknown>;

const ID = '0192f0c1-7a10-7c3e-8d52-1f6a5b2c9e00';
const TIMESTAMP = instant({ description: 'When it happened' });

/** @param place puts a schema where the description keeps it */
export function describeWebhooks(place: (schema: unknown) => unknown): Json {
  return Object.fromEntries(EVENT_NAMES.map((event) => [event, { post: request(event, place) }]));
}

function request(event: EventName, place: (schema: unknown) => unknown): Json {
  const { description, schema: data, sample } = EVENT_CATALOGUE[event];
  const short = event === PAYMENT_REGISTERED;
  const head = { event: Type.Literal(event), timestamp: TIMESTAMP };
  const schema = short
    ? Type.Object({ ...head, data })
    : Type.Object({ id: uuid({ description: 'Of the event' }), ...head, tenant_id: uuid(), data });
  const sent = { event, timestamp: '2026-03-02T09:30:00.000Z' };
  const example = short ? { ...sent, data: sample } : { id: ID, ...sent, tenant_id: ID, data: sample };
  return {
    operationId: `on ${event}`,
    summary: description,
    tags: ['Webhooks'],
    security: [],
    parameters: ['X-Service-Event', 'X-Service-Timestamp', 'X-Service-Signature'].map((name) => ({
      name,
      in: 'header',
      required: name !== 'X-Service-Signature',
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: place(schema), example } },
    },
    responses: { '2XX': { description: 'Taken. Every other answer is tried again by the retry policy' } },
  };
}
