/** The requests that webhooks receive, for the OpenAPI document: one per event of the catalogue. */
import { Type } from 'typebox';
import {
  EVENT_CATALOGUE,
  EVENT_NAMES,
  type EventName,
  PAYMENT_REGISTERED,
} from '../../domain/integrations/webhooks/events.ts';
import { pascalCase } from '../../domain/words.ts';
import { instant, uuid } from '../../services/platform/validation/schemas.ts';
import type { Components, Json } from './components.ts';
import { ID } from './vocabulary/common.ts';

export const EVENTS_TAG = 'Events';

const TIMESTAMP = '2026-03-02T09:30:00.000Z';
const HEADERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  'X-Service-Event': ['The event, as in the body', 'document.created'],
  'X-Service-Timestamp': ['When the request was sent; part of the signature', '1772443800'],
  'X-Service-Signature': [
    'sha256= and the HMAC of timestamp, a dot and the body; absent if the webhook has no secret',
    'sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  ],
};

export function describeEvents(components: Components): Record<string, Record<string, Json>> {
  return Object.fromEntries(EVENT_NAMES.map((event) => [event, { post: request(event, components) }]));
}

function request(event: EventName, components: Components): Json {
  const { description, schema: data, sample } = EVENT_CATALOGUE[event];
  const short = event === PAYMENT_REGISTERED;
  const name = pascalCase(event);
  const head = { event: Type.Literal(event), timestamp: instant({ description: 'When it happened' }) };
  const title = `${name}Event`;
  const described = { ...data, description: 'Data of the event' };
  const schema = short
    ? Type.Object({ ...head, data: described }, { title })
    : Type.Object(
        { id: uuid({ description: 'Id of the event' }), ...head, tenant_id: uuid(), data: described },
        { title },
      );
  const sent = { event, timestamp: TIMESTAMP };
  const example = short ? { ...sent, data: sample } : { id: ID, ...sent, tenant_id: ID, data: sample };
  return {
    operationId: `on${name}`,
    summary: description,
    description: `Sent to webhooks subscribed to \`${event}\`. Answer 2xx within the time limit; do the work afterwards.`,
    tags: [EVENTS_TAG],
    security: [],
    parameters: Object.entries(HEADERS).map(([header, [words, example]]) => ({
      name: header,
      in: 'header',
      required: header !== 'X-Service-Signature',
      description: words,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.place(schema, 'answer'), example } },
    },
    responses: {
      '200': { description: 'Accepted, like any other 2xx. All other responses are retried by the retry policy' },
    },
  };
}
