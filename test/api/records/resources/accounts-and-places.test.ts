import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('accounts, projects, cost centers and zones', () => {
  const app = useApp();

  const make = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Record<string, never> & { id: string };
  };
  const pointers = (body: { errors: { pointer: string; code: string }[] }) =>
    body.errors.map(({ pointer, code }) => [pointer, code]);

  it('keeps the chart of accounts a tree of headings', async () => {
    const account = { name: 'Prueba', type: 'expense' };
    const top = await make('/api/accounts', { ...account, code: '9990', isHeading: true });
    const middle = await make('/api/accounts', { ...account, code: '9991', isHeading: true, parentId: top.id });
    const leaf = await make('/api/accounts', { ...account, code: '9992', parentId: middle.id });

    const below = await app.client.post('/api/accounts', { ...account, code: '9993', parentId: leaf.id });
    assertProblem(below, 422, 'validation_failed');
    assert.deepEqual(pointers(below.body), [['/parentId', 'invalid_reference']]);
    for (const parentId of [top.id, middle.id]) {
      const cycle = await app.client.patch(`/api/accounts/${top.id}`, { parentId });
      assertProblem(cycle, 422, 'validation_failed');
      assert.deepEqual(pointers(cycle.body), [['/parentId', 'cycle']]);
    }
    assertProblem(await app.client.patch(`/api/accounts/${middle.id}`, { isHeading: false }), 409, 'in_use');
    assertProblem(await app.client.del(`/api/accounts/${middle.id}`), 409, 'in_use');
    assert.equal((await app.client.patch(`/api/accounts/${leaf.id}`, { parentId: null })).body.data.parentId, null);
    assert.equal((await app.client.del(`/api/accounts/${middle.id}`)).status, 204);
    const again = await app.client.post('/api/accounts', { ...account, code: '9992' });
    assertProblem(again, 409, 'duplicate');
  });

  it('makes no cycle out of two moves at the same time', async () => {
    const heading = { name: 'Prueba', type: 'asset', isHeading: true };
    const [first, second] = [
      await make('/api/accounts', { ...heading, code: '9981' }),
      await make('/api/accounts', { ...heading, code: '9982' }),
    ];
    const moves = await Promise.all([
      app.client.patch(`/api/accounts/${first.id}`, { parentId: second.id }),
      app.client.patch(`/api/accounts/${second.id}`, { parentId: first.id }),
    ]);
    assert.deepEqual(moves.map(({ status }) => status).sort(), [200, 422]);
  });

  it('keeps projects with their partner and budget, and cost centers', async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const partner = await make('/api/partners', { name: 'Ana', groupId });
    const project = await make('/api/projects', { code: 'P1', name: 'Reforma', partnerId: partner.id, budget: 1500.5 });
    assert.deepEqual({ ...project }, { ...project, partnerId: partner.id, budget: 1500.5, active: true, version: 1 });
    assertProblem(await app.client.del(`/api/partners/${partner.id}`), 409, 'in_use');
    const negative = await app.client.patch(`/api/projects/${project.id}`, { budget: -1 });
    assert.deepEqual([negative.status, negative.body.errors[0].pointer], [422, '/budget']);
    const found = await app.client.get('/api/projects?budget[gte]=1500.5&q=refor');
    assert.deepEqual(
      found.body.data.map(({ id }: { id: string }) => id),
      [project.id],
    );
    const center = await make('/api/cost-centers', { code: 'ADM', name: 'Administración' });
    const stale = await app.client.patch(`/api/cost-centers/${center.id}`, { active: false }, { 'If-Match': '"7"' });
    assertProblem(stale, 412, 'stale_version');
    assertProblem(await app.client.post('/api/cost-centers', { code: 'ADM', name: 'B' }), 409, 'duplicate');
    const { body } = await app.client.get(`/api/audit-logs?entityId=${center.id}`);
    assert.deepEqual([body.data[0].entityType, body.data[0].action], ['CostCenter', 'CREATE']);
  });

  it('has zones whose codes are unique in their warehouse', async () => {
    const [one, two] = [await make('/api/warehouses', { name: 'Uno' }), await make('/api/warehouses', { name: 'Dos' })];
    const zone = await make('/api/zones', { warehouseId: one.id, code: 'A-01', type: 'shelf' });
    await make('/api/zones', { warehouseId: two.id, code: 'A-01' });
    assertProblem(await app.client.post('/api/zones', { warehouseId: one.id, code: 'A-01' }), 409, 'duplicate');
    const nowhere = await app.client.post('/api/zones', { warehouseId: zone.id, code: 'B' });
    assert.deepEqual(pointers(nowhere.body), [['/warehouseId', 'invalid_reference']]);
    assertProblem(await app.client.del(`/api/warehouses/${one.id}`), 409, 'in_use');
    const moved = await app.client.patch(`/api/zones/${zone.id}`, { warehouseId: two.id });
    assert.equal(moved.status, 422);
    assert.equal((await app.client.get(`/api/zones?warehouseId=${one.id}`)).body.pagination.total, 1);
  });
});
