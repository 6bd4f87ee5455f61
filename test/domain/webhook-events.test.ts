import assert from 'node:assert/strict';
import { EVENT_CATALOGUE, EVENT_NAMES, isSubscription, WEBHOOK_EVENTS } from '../../domain/webhooks/events.ts';
import { valueValidator } from '../../services/validation/validate.ts';

describe('the catalogue of events', () => {
  for (const event of EVENT_NAMES) {
    const { description, schema, sample } = EVENT_CATALOGUE[event];

    it(`describes ${event} and has a sample that fits it`, () => {
      assert.match(description, /^[A-Z].{10,}[^.]$/);
      assert.deepEqual(valueValidator(schema)(sample), []);
    });

    it(`holds every member of the data of ${event} against the schema`, () => {
      const faultsOf = valueValidator(schema);
      for (const member of Object.keys(sample)) {
        assert.equal(faultsOf({ ...sample, [member]: [{}] })[0]?.pointer.split('/')[1], member);
      }
      assert.equal(faultsOf({ ...sample, surplus: 1 })[0]?.code, 'unknown_field');
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

  it('takes no name that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__']) assert.ok(!isSubscription(name), name);
  });
});
