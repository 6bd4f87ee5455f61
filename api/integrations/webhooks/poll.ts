/** Events to poll, for receivers that webhooks do not reach. */
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import {
  type EventName,
  isSubscription,
  neededToHear,
  subscriptionsTo,
  WEBHOOK_EVENTS,
} from '../../../domain/integrations/webhooks/events.ts';
import { pollEvents } from '../../../services/integrations/webhooks/poll.ts';
import { choice, flag, instant, integer, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { assertPageFits } from '../../lists/page-size.ts';
import { assertPermission } from '../../permission.ts';
import { type Caller, defineRoute, type Route } from '../../route.ts';

const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 100;
const CATALOGUE = '/api/webhooks/events';

const polledEvent = Type.Object(
  {
    id: uuid(),
    event: choice(WEBHOOK_EVENTS),
    timestamp: instant(),
    tenant_id: uuid(),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'As in the payload of webhooks' }),
  },
  { title: 'PolledEvent' },
);

export const pollRoute: Route = defineRoute({
  method: 'GET',
  path: '/api/events',
  id: 'listEvents',
  summary: 'What has happened, to poll',
  description: [
    'What webhooks tell, in order, for 30 days by default (KEEP_EVENTS_DAYS): first without `after`, then with the `cursor` of the last',
    'answer. An event is listed once all changes begun before it have ended, so that none appears behind a cursor.',
    'Without `events`, those that the caller may read. Events from before an upgrade to 1.1 are left out.',
  ].join(' '),
  tag: 'Webhooks',
  access: 'webhooks:read',
  query: Type.Object({
    after: Type.Optional(
      text({ max: 60, description: 'The cursor of the last answer, or `now` for a cursor without events' }),
    ),
    events: Type.Optional(
      text({
        max: 1000,
        description: 'Events, comma-separated: names, groups such as document.*, or *. As for webhooks',
      }),
    ),
    limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  }),
  responses: {
    200: Type.Object({
      data: Type.Array(polledEvent),
      cursor: text({ description: 'Where to go on, as `after`; also without events' }),
      has_more: flag({ description: 'Whether to ask again at once' }),
    }),
  },
  transaction: 'none',
  async handler({ reader, ctx, caller, query: { after, events, limit } }) {
    const names = events === undefined ? hearable(caller) : named(caller, events);
    const wanted = { after: after ?? null, names, limit: limit ?? DEFAULT_LIMIT };
    const { events: found, cursor, hasMore } = await pollEvents(reader, ctx.tenantId, wanted);
    const data = found.map((envelope) => JSON.parse(envelope) as Record<string, unknown>);
    assertPageFits(data);
    return { status: 200, body: { data, cursor, has_more: hasMore } };
  },
});

/** The events that a caller may read. */
function hearable({ permissions }: Caller): EventName[] {
  return WEBHOOK_EVENTS.filter((event) => neededToHear([event]).every((permission) => permissions.has(permission)));
}

/** @throws ServiceError invalid_parameter, forbidden */
function named(caller: Caller, events: string): EventName[] {
  const subscriptions = events.split(',').map((one) => one.trim());
  for (const one of subscriptions) {
    if (!isSubscription(one))
      throw new ServiceError('invalid_parameter', `events cannot contain ${one}: see ${CATALOGUE}`);
  }
  for (const permission of neededToHear(subscriptions)) assertPermission(caller, permission);
  return WEBHOOK_EVENTS.filter((event) => subscriptionsTo(event).some((one) => subscriptions.includes(one)));
}
