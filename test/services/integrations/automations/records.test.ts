import assert from 'node:assert/strict';
import { findTriggeredRules } from '../../../../services/integrations/automations/interest.ts';
import { findMatches } from '../../../../services/integrations/automations/match.ts';
import { endTask } from '../../../../services/platform/tasks/report.ts';
import { startTask } from '../../../../services/platform/tasks/tasks.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';

describe('rules about master data and tasks', () => {
  const app = useApp();
  const till = use(() => openTill(app));

  const make = async (trigger: object, ...conditions: object[]) => {
    const actions = [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }];
    const rule = { name: 'Rule', trigger, conditions, actions };
    const { status, body } = await app.client.post('/api/automations', rule);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data.id as string;
  };
  const outbox = (events: readonly string[]) =>
    app.database.readTenant(app, async (db) =>
      (await db('outbox').whereIn('event', events).select(['id', 'tenant_id', 'event', 'payload']).orderBy('seq')).map(
        ({ tenant_id: tenantId, ...event }) => ({ ...event, tenantId }),
      ),
    );
  /** The causes for which a rule would run. */
  const causes = async (rule: string, ...names: string[]) => {
    const events = await outbox(names);
    const triggering = await app.database.withSystem((trx) => findTriggeredRules(trx, events));
    const matches = await app.database.readTenant(app, (db) => findMatches(db as never, triggering, NOW));
    return matches.filter(({ automation }) => automation.id === rule).map(({ cause }) => cause);
  };

  const newPartner = async (name: string) => {
    const groups = await app.client.get('/api/partnerGroups?code=CLI');
    const { status, body } = await app.client.post('/api/partners', { name, groupId: groups.body.data[0].id });
    assert.equal(status, 201);
    return body.data.id as string;
  };

  it('hear of new and changed partners, as each event left them', async () => {
    const city = { field: 'partner.email', operator: 'equals', value: 'first@example.com' };
    const created = await make({ type: 'partner.created' });
    const updated = await make({ type: 'partner.updated', changed_fields: ['email'] }, city);
    const id = await newPartner('Ferretería Nueva');
    for (const change of [{ email: 'first@example.com' }, { name: 'Nueva SL' }, { email: 'second@example.com' }])
      assert.equal((await app.client.patch(`/api/partners/${id}`, change)).status, 200);
    assert.deepEqual(
      (await causes(created, 'partner.created')).map(({ partnerId, documentId }) => [partnerId, documentId]),
      [[id, null]],
    );
    assert.deepEqual(
      (await causes(updated, 'partner.updated')).map(({ partnerId, event }) => [partnerId, event.changed_fields]),
      [[id, ['email']]],
    );
  });

  it('hear of items, and of prices with their items', async () => {
    const item = await make({ type: 'item.updated' }, { field: 'item.name', operator: 'equals', value: 'Tuerca' });
    const price = await make(
      { type: 'price.created' },
      { field: 'price.price', operator: 'less_than', value: 3 },
      { field: 'item.id', operator: 'equals', value: till.itemId },
    );
    await app.client.patch(`/api/items/${till.itemId}`, { name: 'Tuerca' });
    const { body: list } = await app.client.post('/api/pricelists', { code: 'W', name: 'Wholesale' });
    for (const [amount, minQuantity] of [
      [2.5, 1],
      [4, 10],
    ]) {
      const line = { itemId: till.itemId, price: amount, minQuantity };
      const { status } = await app.client.post(`/api/pricelists/${list.data.id}/prices`, line);
      assert.equal(status, 201);
    }
    assert.deepEqual(
      (await causes(item, 'item.updated')).map(({ itemId, event }) => [itemId, event.name]),
      [[till.itemId, 'item.updated']],
    );
    const [first, ...others] = await causes(price, 'price.created');
    assert.deepEqual([first?.itemId, others.length], [till.itemId, 0]);
  });

  it('hear of nothing that comes from a file', async () => {
    await make({ type: 'item.created' });
    const file = await fetch(`${app.address}/api/import/items`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv' },
      body: 'code;name;uomId\nFILE-1;From a file;UD\n',
    });
    const answer = (await file.json()) as { data?: { created: number } };
    assert.equal(answer.data?.created, 1, JSON.stringify(answer));
    assert.deepEqual(await outbox(['item.created']), []);
  });

  it('are the only reason for such events', async () => {
    const before = await outbox(['price.updated', 'price.created']);
    const rules = await app.client.get('/api/automations');
    for (const { id } of rules.body.data) await app.client.post(`/api/automations/${id}/pause`);
    await newPartner('Unheard');
    assert.equal((await outbox(['partner.created'])).length, 1);
    assert.equal((await outbox(['price.updated', 'price.created'])).length, before.length);
  });

  it('hear of ended tasks, and count the rules in the chain that led to them', async () => {
    const rule = await make({ type: 'task.ended', outcome: 'failed' });
    const ctx = { tenantId: app.tenantId, userId: app.userId, actor: null, requestId: app.tenantId, now: NOW };
    const ended = (depth: number, error?: string) =>
      app.database.withTenant(ctx, async (trx) => {
        const task = { kind: 'report', permission: null, input: {}, message: 'Waits', title: 'A report' } as const;
        const { id } = await startTask(trx, { ...ctx, depth }, task);
        await endTask(trx, ctx, id, { message: 'Ended', ...(error === undefined ? {} : { error }) });
        return id;
      });
    await ended(0);
    const failed = await ended(3, 'The disk is full');
    const found = await causes(rule, 'internal.task_ended');
    assert.deepEqual(
      found.map(({ event, depth }) => [event.name, event.task_id, event.task_kind, event.outcome, depth]),
      [['task.ended', failed, 'report', 'failed', 3]],
    );
  });

  it('refuse members that no such record has', async () => {
    const { status, body } = await app.client.post('/api/automations', {
      name: 'Rule',
      trigger: { type: 'item.updated', changed_fields: ['salePrices'] },
      actions: [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }],
    });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/trigger/changed_fields/0']);
  });
});
