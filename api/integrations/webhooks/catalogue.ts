/** The catalogue of events as a list, with the meaning, schema and a sample of each. */
import { Type } from 'typebox';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { EVENT_CATALOGUE, EVENT_NAMES, PAYMENT_REGISTERED } from '../../../domain/integrations/webhooks/events.ts';
import { choice, text } from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import type { Route } from '../../route.ts';

const FORMS = ['events', 'event'] as const;

const rows = EVENT_NAMES.map((event, position) => ({
  position,
  id: event,
  event,
  forms: event === PAYMENT_REGISTERED ? ['event'] : FORMS,
  ...EVENT_CATALOGUE[event],
}));
type CatalogueRow = (typeof rows)[number];

const eventList: ListDefinition = {
  fields: {
    event: { type: 'choice', choices: EVENT_NAMES },
    description: { type: 'text', searchable: true },
    position: { type: 'integer', filterable: false },
  },
  defaultSort: 'position',
};

/** Events are constants without a table; as rows, they can be listed like everything else. */
const ROWS =
  'json_to_recordset(?::json) as events (position integer, id text, event text, description text, forms json, schema json, sample json)';
const DATA = JSON.stringify(rows);

export const catalogueRoute: Route = listRoute({
  path: '/api/webhooks/events',
  id: 'listWebhookEvents',
  summary: 'The events that webhooks can subscribe to',
  description: 'schema is the JSON Schema of `data` in the payload, sample is data that fits it.',
  tag: 'Webhooks',
  access: 'webhooks:read',
  list: eventList,
  hidden: ['schema', 'sample'],
  row: Type.Object(
    {
      event: choice(EVENT_NAMES),
      description: text(),
      forms: Type.Array(choice(FORMS), { description: 'The members of a registration that may name it' }),
      schema: Type.Record(Type.String(), Type.Unknown()),
      sample: Type.Record(Type.String(), Type.Unknown()),
    },
    { title: 'WebhookEvent' },
  ),
  rows: () => ({
    from: fragment(ROWS, DATA),
    toJson: ({ position: _position, id: _id, ...shown }: CatalogueRow) => shown,
  }),
});
