import assert from 'node:assert/strict';
import {
  pauseAutomation,
  pauseAutomations,
  TOO_MANY_OF_ALL,
} from '../../../../services/integrations/automations/pause.ts';
import { NOW } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const RULE = {
  trigger: { type: 'document.created' },
  actions: [{ type: 'notification.create', role: 'owner', title: 'New', body: 'New' }],
};

describe('rules that the service pauses', () => {
  const app = useApp();
  const make = async (name: string) =>
    (await app.client.post('/api/automations', { ...RULE, name })).body.data.id as string;
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'relay', requestId: app.userId, now: NOW });
  const paused = async () => (await app.client.get('/api/automations?status=paused&sort=name')).body.data;
  const alerts = async () => (await app.client.get('/api/notifications?type=system_alert')).body.data;

  it('are reported once, if they were active', async () => {
    const ids = [await make('One'), await make('Three'), await make('Two')];
    const before = (await alerts()).length;
    await app.client.post(`/api/automations/${ids[1]}/pause`);
    await app.database.withTenant(ctx(), (trx) => pauseAutomations(trx, ctx(), ids, TOO_MANY_OF_ALL));
    const reasons = (await paused()).map(({ name, pause_reason: reason }: Record<string, unknown>) => [name, reason]);
    assert.deepEqual(reasons, [
      ['One', TOO_MANY_OF_ALL.en],
      ['Three', null],
      ['Two', TOO_MANY_OF_ALL.en],
    ]);
    const [{ title, body }, ...others] = await alerts();
    assert.equal(others.length, before);
    assert.equal(title, '2 automatizaciones están en pausa');
    assert.ok(body.startsWith(`${TOO_MANY_OF_ALL.es}: One, Two. `), body);
    // Nobody is notified again.
    await app.database.withTenant(ctx(), (trx) => pauseAutomations(trx, ctx(), ids, TOO_MANY_OF_ALL));
    assert.equal((await alerts()).length, before + 1);
  });

  it('are named if there is only one', async () => {
    const id = await make('Alone');
    await app.database.withTenant(ctx(), (trx) => pauseAutomation(trx, ctx(), id, TOO_MANY_OF_ALL));
    const [{ title, action_url: url }] = await alerts();
    assert.deepEqual([title, url], ['La automatización Alone está en pausa', `/api/automations/${id}`]);
  });

  it('are reported to each of their owners, even one who may no longer manage rules', async () => {
    const [email, password] = ['former@example.test', 'a password of the members'];
    const { body } = await app.client.post('/api/users', { email, name: 'Former', password, role: 'admin' });
    const former = app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
    const ids = [await make('Of the owner')];
    ids.push((await former.post('/api/automations', { ...RULE, name: 'Of another' })).body.data.id);
    const membership = `/api/memberships/${body.data.membershipId}`;
    assert.equal((await app.client.patch(membership, { role: 'viewer' })).status, 200);
    await app.database.withTenant(ctx(), (trx) => pauseAutomations(trx, ctx(), ids, TOO_MANY_OF_ALL));
    const told = (await former.get('/api/notifications?type=system_alert')).body.data;
    assert.deepEqual(
      told.map(({ title }: { title: string }) => title),
      ['2 automatizaciones están en pausa'],
    );
  });
});
