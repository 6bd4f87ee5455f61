import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('api: bins of a warehouse', () => {
  let path: string;
  let zones: string;
  let warehouseId: string;
  const app = useApp();
  beforeEach(async () => {
    warehouseId = (await app.client.post('/api/warehouses', { name: 'Nave' })).body.data.id;
    path = `/api/warehouses/${warehouseId}/generate-bins`;
    zones = `/api/zones?warehouseId=${warehouseId}`;
  });

  it('makes them once, and only what is missing when there are more', async () => {
    const two = { aisles: 2, racks: 2, levels: 2, positions: 2 };
    const first = await app.client.post(path, two);
    assert.deepEqual([first.status, first.body], [201, { created: 16, existing: 0 }]);
    assert.deepEqual((await app.client.post(path, two)).body, { created: 0, existing: 16 });
    assert.deepEqual((await app.client.post(path, { ...two, racks: 3 })).body, { created: 8, existing: 16 });
    const { data } = (await app.client.get(`${zones}&limit=1`)).body;
    assert.deepEqual(
      { code: data[0].code, type: data[0].type, active: data[0].active, version: data[0].version },
      { code: 'A-01-01-01', type: 'bin', active: true, version: 1 },
    );
    const { body } = await app.client.get(`/api/audit-logs?entityId=${data[0].id}`);
    assert.deepEqual(
      body.data.map(({ action, entityType, userId, newValue }: Record<string, never>) => [
        ...[action, entityType, userId, newValue],
      ]),
      [['CREATE', 'Zone', app.userId, data[0]]],
    );
  });

  it('makes each bin once for calls at the same time, with a pattern of its own', async () => {
    const body = { aisles: 5, racks: 4, levels: 1, positions: 1, pattern: 'N1.{aisle}{rack}' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.client.post(path, body)));
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.body.created]).sort((one, other) => one[1] - other[1]),
      [...Array.from({ length: 5 }, () => [201, 0]), [201, 20]],
    );
    const { body: all } = await app.client.get(`${zones}&sort=-code`);
    assert.deepEqual([all.pagination.total, all.data[0].code], [20, 'N1.E04']);
  });

  it('makes ten thousand with their audit records', async () => {
    const answer = await app.client.post(path, { aisles: 10, racks: 10, levels: 10, positions: 10 });
    assert.deepEqual(answer.body, { created: 10_000, existing: 0 });
    assert.equal((await app.client.get(`${zones}&limit=1`)).body.pagination.total, 10_000);
    const audited = await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx('audit_logs')
        .where({ request_id: answer.headers.get('x-request-id') })
        .count<{ count: number }[]>('* as count'),
    );
    assert.equal(Number(audited[0]?.count), 10_000);
  });

  it('refuses what gives no bins or codes that are not their own, and makes nothing', async () => {
    const one = { aisles: 1, racks: 1, levels: 1, positions: 1 };
    const bad: [object, string, string][] = [
      [{ ...one, aisles: 0 }, '/aisles', 'out_of_range'],
      [{ ...one, racks: 1.5 }, '/racks', 'invalid_type'],
      [{ aisles: 1, racks: 1, levels: 1 }, '/positions', 'required'],
      [{ ...one, aisles: 101, racks: 100 }, '', 'out_of_range'],
      [{ aisles: 10_000, racks: 10_000, levels: 10_000, positions: 10_000 }, '', 'out_of_range'],
      [{ ...one, aisles: 2, pattern: 'A-{rack}' }, '/pattern', 'invalid_format'],
      [{ ...one, positions: 2, racks: 2, pattern: '{rack}-{level}' }, '/pattern', 'invalid_format'],
      [{ ...one, pattern: '{shelf}' }, '/pattern', 'invalid_format'],
      [{ ...one, pattern: '' }, '/pattern', 'too_short'],
      [{ ...one, pattern: 'X'.repeat(51) }, '/pattern', 'too_long'],
      [{ ...one, prefix: 'X' }, '/prefix', 'unknown_field'],
    ];
    for (const [body, pointer, code] of bad) {
      const answer = await app.client.post(path, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
    }
    assert.equal((await app.client.get(zones)).body.pagination.total, 0);
  });

  it('needs an active warehouse of the company and a role that may make zones', async () => {
    const body = { aisles: 1, racks: 1, levels: 1, positions: 1 };
    await app.client.patch(`/api/warehouses/${warehouseId}`, { active: false });
    assertProblem(await app.client.post(path, body), 409, 'invalid_transition');
    const unknown = '/api/warehouses/01900000-0000-7000-8000-000000000000/generate-bins';
    assertProblem(await app.client.post(unknown, body), 404, 'not_found');
    const key = await app.client.post('/api/api-keys', { name: 'sales', role: 'sales' });
    assertProblem(await app.as(key.body.data.key).post(path, body), 403, 'forbidden');
  });
});
