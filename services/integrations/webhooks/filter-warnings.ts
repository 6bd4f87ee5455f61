/** Warns of filter fields that no event of the webhook has: a likely mistake, with which nothing would ever be sent. */
import type { Webhook } from '../../../db/models/integrations/webhooks.ts';
import {
  EVENT_CATALOGUE,
  EVENT_NAMES,
  type EventName,
  PAYMENT_REGISTERED,
  subscriptionsTo,
} from '../../../domain/integrations/webhooks/events.ts';
import { leadsSomewhere, type Shape } from '../../../domain/platform/conditions/shapes.ts';

export interface Warning {
  readonly pointer: string;
  readonly message: string;
}

/** Warns of each field that no event of the webhook has. */
export function filterWarnings({ filters, events }: Pick<Webhook, 'filters' | 'events'>): Warning[] {
  const heard = (name: EventName) =>
    events[0] === PAYMENT_REGISTERED
      ? name === PAYMENT_REGISTERED
      : subscriptionsTo(name).some((subscription) => events.includes(subscription));
  const shapes = EVENT_NAMES.filter(heard).map(eventShape);
  return (filters ?? []).flatMap((filter, index) =>
    (['field', 'value_field'] as const).flatMap((member) => {
      const path = filter[member];
      if (path === undefined || shapes.some((shape) => leadsSomewhere(shape, path))) return [];
      const message = `${path} is in none of the events of this webhook: see their schemas at GET /api/webhooks/events`;
      return [{ pointer: `/filters/${index}/${member}`, message }];
    }),
  );
}

/** The shape of the data that `filterSubject` returns for an event. */
function eventShape(event: EventName): Shape {
  const data = EVENT_CATALOGUE[event].schema as Shape;
  const group = event.slice(0, event.indexOf('.'));
  return { properties: { [group]: data, data, id: {}, event: {}, timestamp: {}, tenant_id: {}, ...data.properties } };
}
