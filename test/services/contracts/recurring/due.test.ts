/** The night on which recurring documents are due, with a clock of the test's own. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Context } from '../../../../db/context.ts';
import { companiesWithDue, startRuns } from '../../../../services/contracts/recurring/due.ts';
import { makeNextDue, recordFailure } from '../../../../services/contracts/recurring/run.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openSubscriptions, type Subscriptions } from '../../../helpers/subscriptions.ts';

interface Run {
  readonly due_on: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly document_id: string | null;
}

async function listRuns(client: TestClient, id: string): Promise<Run[]> {
  return (await client.get(`/api/recurring/${id}/runs?sort=due_on`)).body.data as Run[];
}

describe('recurring documents that are due', () => {
  const app = useApp({ clock: { now: new Date('2026-03-15T10:00:00Z') } });
  const trade: Subscriptions = use(() => openSubscriptions(app));
  const at = (time: string): Context => ({
    ...{ tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now: new Date(time) },
  });
  const make = (id: string, time: string) => app.database.withTenant(at(time), (trx) => makeNextDue(trx, at(time), id));
  const invoice = async (id: string | null) => (await app.client.get(`/api/sales/invoices/${id}`)).body.data;

  it('are found from midnight on, by the clock of their company', async () => {
    await trade.subscribe({ starts_on: '2026-04-01' });
    const found = async (time: string) => (await companiesWithDue(app.database, new Date(time), null)).companies;
    // Madrid is two hours ahead of Greenwich.
    assert.deepEqual(await found('2026-03-31T21:59:59Z'), []);
    assert.deepEqual(await found('2026-03-31T22:00:00Z'), [app.tenantId]);
  });

  it('are made once, also if two look at the same time', async () => {
    const { id } = await trade.subscribe({ mode: 'post', starts_on: '2026-04-01' });
    assert.equal(await make(id, '2026-03-31T21:59:59Z'), null);
    const both = await Promise.all([make(id, '2026-03-31T22:00:00Z'), make(id, '2026-03-31T22:00:00Z')]);
    assert.deepEqual(both.map((run) => run?.outcome).sort(), ['made', undefined]);
    const [run, ...more] = await listRuns(app.client, id);
    assert.deepEqual([run?.due_on, run?.outcome, more.length], ['2026-04-01', 'made', 0]);
    const { date, status, lines, createdBy } = await invoice(run?.document_id ?? null);
    assert.deepEqual([date, status, lines[0].price, createdBy], ['2026-04-01', 'O', 40, null]);
  });

  it('that were missed are made later, or only the last of them, or none', async () => {
    const outcomes: [string, string[]][] = [];
    for (const missed of ['all', 'last', 'none']) {
      const { id } = await trade.subscribe({ missed, starts_on: '2026-03-20', interval: { unit: 'week' } });
      while ((await make(id, '2026-04-04T10:00:00Z')) !== null);
      outcomes.push([missed, (await listRuns(app.client, id)).map(({ due_on, outcome }) => `${due_on} ${outcome}`)]);
    }
    assert.deepEqual(outcomes, [
      ['all', ['2026-03-20 made', '2026-03-27 made', '2026-04-03 made']],
      ['last', ['2026-03-20 skipped', '2026-03-27 skipped', '2026-04-03 made']],
      ['none', ['2026-03-20 skipped', '2026-03-27 skipped', '2026-04-03 skipped']],
    ]);
  });

  it('that were skipped are made on request', async () => {
    const { id } = await trade.subscribe({ missed: 'none', starts_on: '2026-03-20', interval: { unit: 'week' } });
    await make(id, '2026-03-21T10:00:00Z');
    const { body } = await app.client.get(`/api/recurring/${id}/runs`);
    const { status, body: made } = await app.client.post(`/api/recurring/${id}/runs/${body.data[0].id}/retry`);
    assert.deepEqual([status, made.data.outcome, made.data.number], [200, 'made', 1]);
    assert.equal((await app.client.get(`/api/recurring/${id}`)).body.data.made, 1);
  });

  it('end with their last day, or after so many', async () => {
    const counted = await trade.subscribe({ count: 2, starts_on: '2026-03-16', interval: { unit: 'day' } });
    const ended = await trade.subscribe({ ends_on: '2026-03-18', starts_on: '2026-03-16', interval: { unit: 'day' } });
    for (const [{ id }, times] of [
      [counted, 2],
      [ended, 3],
    ] as const) {
      let made = 0;
      while ((await make(id, '2026-03-25T10:00:00Z')) !== null) made++;
      assert.equal(made, times);
      assert.equal((await app.client.get(`/api/recurring/${id}`)).body.data.next_on, null);
    }
    const later = await app.client.patch(`/api/recurring/${ended.id}`, { ends_on: '2026-03-20' });
    assert.equal(later.body.data.next_on, '2026-03-19');
  });

  it('cost what was agreed, with the index, by the days, or what the day asks', async () => {
    const each = { starts_on: '2026-03-20', interval: { unit: 'month', day: 1 } };
    const indexed = await trade.subscribe({ ...each, index_percent: 10, index_months: 1 });
    const prorated = await trade.subscribe({ ...each, prorate: true });
    const current = await trade.subscribe({ ...each, price: 'current' });
    const raised = await app.client.patch(`/api/items/${trade.serviceId}`, { salePrice: 50 });
    assert.equal(raised.status, 200);
    const prices: unknown[] = [];
    for (const { id } of [indexed, prorated, current]) {
      while ((await make(id, '2026-05-01T10:00:00Z')) !== null);
      for (const { document_id: document } of await listRuns(app.client, id)) {
        prices.push((await invoice(document)).lines[0].price);
      }
    }
    await app.client.patch(`/api/items/${trade.serviceId}`, { salePrice: 40 });
    // Twelve of the 31 days of March; no full month from 20 March to 1 April.
    assert.deepEqual(prices, [40, 44, 15.483871, 40, 40, 50, 50]);
  });

  it('that cannot be made say why, concern no other, and are made later', async () => {
    const { id } = await trade.subscribe({ mode: 'post', starts_on: '2026-03-16' });
    await app.client.patch(`/api/items/${trade.serviceId}`, { active: false });
    const time = '2026-03-16T10:00:00Z';
    await assert.rejects(make(id, time), /inactive item/);
    assert.deepEqual(await listRuns(app.client, id), []);
    await app.database.withTenant(at(time), (trx) => recordFailure(trx, at(time), id, 'It refers to an inactive item'));
    const [run] = await listRuns(app.client, id);
    assert.deepEqual([run?.outcome, run?.reason], ['failed', 'It refers to an inactive item']);
    const { data } = (await app.client.get(`/api/recurring/${id}`)).body;
    assert.deepEqual([data.made, data.next_on], [0, '2026-04-16']);
    await app.client.patch(`/api/items/${trade.serviceId}`, { active: true });
    const { body: runs } = await app.client.get(`/api/recurring/${id}/runs`);
    const again = await app.client.post(`/api/recurring/${id}/runs/${runs.data[0].id}/retry`);
    assert.deepEqual([again.status, again.body.data.outcome, again.body.data.reason], [200, 'made', null]);
  });

  it('are mailed with their document, or say why not', async () => {
    const { id } = await trade.subscribe({ mode: 'send', starts_on: '2026-03-16', interval: { unit: 'day' } });
    await make(id, '2026-03-16T10:00:00Z');
    await app.client.patch(`/api/partners/${trade.customerId}`, { email: null });
    await make(id, '2026-03-17T10:00:00Z');
    const runs = await listRuns(app.client, id);
    const { body: mails } = await app.client.get('/api/emails?kind=recurring');
    assert.deepEqual(
      mails.data.map(({ to, document }: { to: string; document: { id: string } }) => [to, document.id]),
      [['accounts@customer.example', runs[0]?.document_id]],
    );
    assert.deepEqual(
      runs.map(({ outcome }) => outcome),
      ['made', 'made'],
    );
    assert.match(String(runs[1]?.reason), /no e-mail address/);
    assert.equal((await invoice(runs[1]?.document_id ?? null)).status, 'O');
  });

  it('have one task of a company at a time', async () => {
    const start = () =>
      app.database.withTenant(at('2026-04-01T10:00:00Z'), (trx) => startRuns(trx, at('2026-04-01T10:00:00Z')));
    assert.deepEqual([await start(), await start()], [true, false]);
    const { body } = await app.client.get('/api/tasks?kind=recurring');
    assert.equal(body.data.length, 1);
  });
});
