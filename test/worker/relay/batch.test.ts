import assert from 'node:assert/strict';
import { TASK_STARTED } from '../../../domain/platform/internal-events.ts';
import type { ClaimedEvent } from '../../../services/platform/outbox/claim.ts';
import { Batch } from '../../../worker/relay/batch.ts';

describe('a batch of events', () => {
  const event = (id: string, entityId = id, event = 'partner.updated', tenantId = 'company') =>
    ({ id, entityId, event, tenantId }) as ClaimedEvent;
  const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
  const due = (batch: Batch) => batch.dueByCompany().flatMap(([, entities]) => entities.map(ids));
  const away = Object.assign(new Error('Temporal is away'), { code: 14 });

  it('is handled at once, or event by event if one of them fails', async () => {
    const batch = new Batch([event('a'), event('b'), event('c')]);
    const asked: string[][] = [];
    await batch.prepareAll(async (events) => {
      asked.push(ids(events));
      if (events.some(({ id }) => id === 'b')) throw new TypeError('b makes no sense');
    });
    assert.deepEqual(asked, [['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    assert.deepEqual(ids(batch.outcome().untried), ['a', 'c']);
    assert.deepEqual(
      batch.outcome().failed.map((one) => one.event.id),
      ['b'],
    );
    assert.equal(batch.outage, false);
  });

  it('is not retried event by event when a service is down for all', async () => {
    const batch = new Batch([event('a'), event('b')]);
    let calls = 0;
    await batch.prepareAll(async () => {
      calls += 1;
      throw away;
    });
    assert.equal(calls, 1);
    assert.equal(batch.outcome().failed.length, 2);
    assert.equal(batch.outage, true);
  });

  it('is retried when an event fails after its handover, which is no outage', () => {
    const [first, second] = [event('a'), event('b')];
    const batch = new Batch([first, second]);
    batch.succeed(first);
    batch.succeed(second);
    batch.fail(second, away);
    assert.deepEqual(ids(batch.outcome().handedOver), ['a']);
    assert.deepEqual(
      batch.outcome().failed.map((one) => one.event.id),
      ['b'],
    );
    assert.equal(batch.outage, false);
  });

  it('is handed over starting with the events that somebody may be waiting for', () => {
    const batch = new Batch([event('1', 'x'), event('2', 'y'), event('3', 'task', TASK_STARTED), event('4', 'x')]);
    assert.deepEqual(due(batch), [['3'], ['1', '4'], ['2']]);
  });

  it('is handed over company by company: those with work that somebody may be waiting for, then those with few events', () => {
    const events = ['1', '2', '3'].map((id) => event(id, id, 'partner.updated', 'many'));
    const few = event('4', '4', 'partner.updated', 'few');
    const both = [event('5', '5', 'partner.updated', 'waiting'), event('6', '6', TASK_STARTED, 'waiting')];
    const batch = new Batch([...events, few, ...both]);
    assert.deepEqual(
      batch.dueByCompany().map(([company]) => company),
      ['waiting', 'few', 'many'],
    );
    batch.succeed(few);
    assert.deepEqual(ids(batch.outcome('few').handedOver), ['4']);
    assert.deepEqual(ids(batch.outcome('many').untried), ['1', '2', '3']);
  });

  it('is handed over in order for each entity, with none after one that has failed', () => {
    const events = [event('1', 'x'), event('2', 'y'), event('3', 'x'), event('4', 'y'), event('5', 'y')];
    const batch = new Batch(events);
    assert.deepEqual(due(batch), [
      ['1', '3'],
      ['2', '4', '5'],
    ]);
    batch.fail(events[3] as ClaimedEvent, 'no sense');
    assert.deepEqual(due(batch), [['1', '3'], ['2']]);
    assert.deepEqual(ids(batch.outcome().untried), ['1', '2', '3', '5']);
  });
});
