import assert from 'node:assert/strict';
import {
  EVENT_CATALOGUE,
  EVENT_NAMES,
  isSubscription,
  neededToHear,
  subscriptionsTo,
  WEBHOOK_EVENTS,
} from '../../../../domain/integrations/webhooks/events.ts';
import { type FilteredListener, wants } from '../../../../domain/integrations/webhooks/filters.ts';
import { eventFor } from '../../../../domain/integrations/webhooks/forms.ts';
import { READ_PERMISSIONS } from '../../../../domain/permissions.ts';
import { valueValidator } from '../../../../services/platform/validation/validate.ts';

describe('the catalogue of events', () => {
  for (const event of EVENT_NAMES) {
    const { description, schema, sample } = EVENT_CATALOGUE[event];

    it(`describes ${event} and has a sample that fits it`, () => {
      assert.match(description, /^[A-Z].{10,}[^.]$/);
      assert.deepEqual(valueValidator(schema)(sample), []);
    });

    it(`holds every member of the data of ${event} against the schema`, () => {
      const findFaults = valueValidator(schema);
      for (const member of Object.keys(sample)) {
        assert.equal(findFaults({ ...sample, [member]: [{}] })[0]?.pointer.split('/')[1], member);
      }
      assert.equal(findFaults({ ...sample, surplus: 1 })[0]?.code, 'unknown_field');
    });
  }

  it('has an event for the second form only', () => {
    assert.deepEqual(
      EVENT_NAMES.filter((event) => !(WEBHOOK_EVENTS as string[]).includes(event)),
      ['payment.registered'],
    );
    assert.ok(!isSubscription('payment.registered'));
    assert.ok(isSubscription('payment.*'));
  });

  it('accepts no name that every object inherits', () => {
    for (const name of ['constructor', 'toString', '__proto__']) assert.ok(!isSubscription(name), name);
  });
});

describe('the subscriptions that receive an event', () => {
  const list = (...events: string[]): FilteredListener => ({
    form: 'events',
    events,
    filterTypes: null,
    filters: null,
  });
  const paid = {
    id: 'e1',
    tenantId: 't1',
    event: 'payment.made',
    createdAt: '2026-03-16T10:00:00.000Z',
    data: EVENT_CATALOGUE['payment.made'].sample,
  };

  it('name it, its group or all, or payment.registered for payments', () => {
    assert.deepEqual(subscriptionsTo('stock.low'), ['*', 'stock.low', 'stock.*']);
    assert.deepEqual(subscriptionsTo('payment.made'), ['*', 'payment.made', 'payment.*', 'payment.registered']);
    for (const event of WEBHOOK_EVENTS)
      for (const name of subscriptionsTo(event)) assert.ok(isSubscription(name) || name === 'payment.registered', name);
  });

  it('receive payment.registered in the form of its schema, for both directions', () => {
    const registered: FilteredListener = { ...list('payment.registered'), form: 'event' };
    for (const [event, type] of [
      ['payment.made', 'out'],
      ['payment.received', 'in'],
    ] as const) {
      const told = eventFor(registered, { event, data: EVENT_CATALOGUE[event].sample });
      assert.equal(told.event, 'payment.registered');
      assert.deepEqual(valueValidator(EVENT_CATALOGUE['payment.registered'].schema)(told.data), []);
      assert.equal((told.data as { type: string }).type, type);
    }
    const sample = { event: 'payment.registered', data: EVENT_CATALOGUE['payment.registered'].sample };
    assert.deepEqual(eventFor(registered, sample), sample);
    assert.deepEqual(eventFor(list('*'), paid), { event: 'payment.made', data: paid.data });
  });

  it('find envelope and data by the paths of their filters', () => {
    const wantsIf = (field: string, value: unknown, listener = list('*')) =>
      wants({ ...listener, filters: [{ field, operator: 'equals', value }] }, paid);
    for (const field of ['amount', 'data.amount', 'payment.amount']) assert.ok(wantsIf(field, 121), field);
    assert.ok(wantsIf('event', 'payment.made'));
    assert.ok(wantsIf('tenant_id', 't1'));
    assert.ok(wantsIf('timestamp', paid.createdAt));
    assert.ok(!wantsIf('type', 'out'));
    const registered: FilteredListener = { ...list('payment.registered'), form: 'event' };
    assert.ok(wantsIf('type', 'out', registered));
    assert.ok(wantsIf('event', 'payment.registered', registered));
    // stock.low has a member of the name of its group.
    const low = { ...paid, event: 'stock.low', data: EVENT_CATALOGUE['stock.low'].sample };
    assert.ok(wants({ ...list('*'), filters: [{ field: 'stock', operator: 'less_than', value: 200 }] }, low));
  });

  it('need the permissions to read what they tell', () => {
    assert.deepEqual(neededToHear(['stock.low']), ['stock:read']);
    assert.deepEqual(neededToHear(['payment.registered']), ['payments_in:read', 'payments_out:read']);
    assert.ok(neededToHear(['document.*']).includes('purchase_orders:read'));
    assert.deepEqual(new Set(neededToHear(['*'])), new Set(READ_PERMISSIONS));
    assert.deepEqual(neededToHear(['notification.created']), [...READ_PERMISSIONS]);
    for (const event of EVENT_NAMES) assert.ok(neededToHear([event]).length > 0, event);
  });
});
