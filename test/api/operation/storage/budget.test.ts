import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { eventually } from '../../../helpers/worker.ts';

const MIB = 1024 ** 2;

interface Usage {
  readonly budget: number;
  readonly used: number;
  readonly full: boolean;
  readonly kinds: readonly { readonly kind: string; readonly bytes: number; readonly items: number }[];
}

describe('the storage of a company', () => {
  const app = useApp({ env: { STORAGE_MIB_PER_COMPANY: '6' } });

  /** Another company with its owner, a group of partners and a partner. */
  async function company(): Promise<{ client: TestClient; tenantId: string; partnerId: string; groupId: string }> {
    const { body } = await app.client.post('/api/tenants', { name: 'Other SL', taxId: 'B12345674', country: 'ES' });
    const tenantId = body.data.id as string;
    const client = app.as(app.token, tenantId);
    const groupId = (await client.get('/api/partnerGroups?code=CLI')).body.data[0].id as string;
    const partnerId = (await client.post('/api/partners', { name: 'Ana', groupId })).body.data.id as string;
    return { client, tenantId, partnerId, groupId };
  }
  const usage = async (client: TestClient): Promise<Usage> => (await client.get('/api/company/usage')).body.data;
  const storedBytes = async (client: TestClient, kind: string) =>
    (await usage(client)).kinds.find((one) => one.kind === kind)?.bytes ?? 0;
  const attach = (client: TestClient, partnerId: string, bytes: number) =>
    client.post(
      `/api/files?entityType=BusinessPartner&entityId=${partnerId}&name=${randomUUID()}.txt`,
      'x'.repeat(bytes),
      { 'Content-Type': 'text/plain' },
    );
  /** Attaches files until none fits. @returns their ids */
  async function fill(client: TestClient, partnerId: string): Promise<string[]> {
    const ids: string[] = [];
    for (const bytes of [MIB, MIB / 16, MIB / 256, 1000]) {
      for (;;) {
        const answer = await attach(client, partnerId, bytes);
        if (answer.status !== 201) {
          assertProblem(answer, 507, 'storage_full');
          break;
        }
        ids.push(answer.body.data.id);
      }
    }
    return ids;
  }

  it('is shown with its budget and by kind, to every member', async () => {
    const { client, partnerId } = await company();
    const before = await usage(client);
    assert.equal((await attach(client, partnerId, 100_000)).status, 201);
    const after = await usage(client);
    assert.equal(after.budget, 6 * MIB);
    assert.equal(after.full, false);
    assert.ok(after.used >= before.used + 100_000);
    assert.equal(await storedBytes(client, 'attachments').then((bytes) => Math.floor(bytes / 1000)), 100);
    const byKind = after.kinds.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.equal(byKind, after.used);
    assert.ok(after.kinds.some(({ kind, items }) => kind === 'audit_log' && items > 0));
  });

  it('is not exceeded by many uploads at once, and deleting makes room', async () => {
    const { client, partnerId } = await company();
    const answers = await Promise.all(Array.from({ length: 12 }, () => attach(client, partnerId, MIB)));
    const [kept, refused] = [201, 507].map((status) => answers.filter((answer) => answer.status === status));
    assert.equal((kept?.length ?? 0) + (refused?.length ?? 0), 12);
    assert.ok((refused?.length ?? 0) > 0);
    assert.ok((await usage(client)).used <= 6 * MIB);
    const id = kept?.[0]?.body.data.id;
    assert.equal((await client.del(`/api/files/${id}`)).status, 204);
    assert.equal((await attach(client, partnerId, MIB / 2)).status, 201);
  });

  it('refuses a file that could never fit as too large', async () => {
    const { client, partnerId } = await company();
    assertProblem(await attach(client, partnerId, 6 * MIB + 1), 413, 'body_too_large');
  });

  it('leaves a full company reading, deleting, settings and cancellations, and others alone', async () => {
    const { client, partnerId, groupId } = await company();
    const ids = await fill(client, partnerId);
    const budget = 6 * MIB;
    // What is left is less than the smallest file; requests use it up, and are refused within seconds.
    await eventually(async () => {
      assertProblem(await client.post('/api/partners', { name: 'Eva', groupId }), 507, 'storage_full');
    });
    assertProblem(await client.patch(`/api/partners/${partnerId}`, { name: 'Eva' }), 507, 'storage_full');
    assert.equal((await client.get(`/api/partners/${partnerId}`)).status, 200);
    assert.equal((await client.get('/api/company/usage')).body.data.full, true);
    assert.equal((await client.put('/api/config/branding', {})).status, 200);
    assert.equal((await client.post('/api/partners?preview=true', { name: 'Eva', groupId })).status, 200);
    const alerts = (await client.get('/api/notifications')).body.data as { title: string }[];
    assert.equal(alerts.filter(({ title }) => title === 'El almacenamiento de la empresa está lleno').length, 1);
    const other = await app.client.post('/api/partnerGroups', { code: 'NEW', name: 'Others', type: 'C' });
    assert.notEqual(other.status, 507);
    for (const id of ids.slice(0, 2)) assert.equal((await client.del(`/api/files/${id}`)).status, 204);
    assert.equal((await client.post('/api/partners', { name: 'Eva', groupId })).status, 201);
    assert.ok((await usage(client)).used < budget);
  });

  it('holds imports that wait, until their tasks are deleted', async () => {
    const { client } = await company();
    const rows = Array.from({ length: 3000 }, (_, row) => `Partner ${row} ${'x'.repeat(150)};CLI;${'y'.repeat(150)}`);
    const send = () =>
      client.post('/api/import/partners', `name;groupId;foreignName\n${rows.join('\n')}`, {
        'Content-Type': 'text/csv',
      });
    const tasks: string[] = [];
    for (;;) {
      const answer = await send();
      if (answer.status !== 202) {
        assertProblem(answer, 507, 'storage_full');
        break;
      }
      tasks.push(answer.body.task_id);
      assert.ok(tasks.length < 10);
    }
    assert.ok((await storedBytes(client, 'imports')) > 900_000 * tasks.length);
    assert.equal((await client.del(`/api/tasks/${tasks[0]}`)).status, 204);
    assert.equal((await send()).status, 202);
  });

  it('holds answers that are kept for their Idempotency-Key', async () => {
    const { client, groupId, partnerId } = await company();
    // Little is left, so that few answers fill it.
    for (let file = 0; file < 5; file++) assert.equal((await attach(client, partnerId, MIB)).status, 201);
    const { used } = await usage(client);
    let sent = 0;
    for (; sent < 2000; sent++) {
      const body = { name: 'Ana', groupId, ...manyUnknown() };
      const answer = await client.post('/api/partners', body, { 'Idempotency-Key': randomUUID() });
      if (answer.status === 507) break;
      assert.equal(answer.status, 422);
    }
    assert.ok(sent < 2000);
    const after = await usage(client);
    assert.ok((await storedBytes(client, 'answers')) > 0);
    assert.ok(after.used > used);
    assertProblem(await client.post('/api/partners', { name: 'Eva', groupId }), 507, 'storage_full');
  });

  it('counts what is stored, whatever is done: bytes counted and stored are equal', async () => {
    const { rows } = (await app.database.withSystem((trx) => trx.raw('select id from tenants'))) as {
      rows: { id: string }[];
    };
    for (const { id } of rows) {
      const [stored, counted] = await app.database.withTenant({ tenantId: id }, async (trx) => [
        (
          await trx.raw(
            'select kind, sum(bytes)::bigint as bytes, count(*)::bigint as items from stored_items group by 1 order by 1',
          )
        ).rows,
        (
          await trx.raw(
            `select kind, sum(bytes)::bigint as bytes, sum(items)::bigint as items from storage_changes where kind <> 'recent'
             group by 1 having sum(items) <> 0 or sum(bytes) <> 0 order by 1`,
          )
        ).rows,
      ]);
      assert.deepEqual(counted, stored);
    }
  });
});

/** Members that no partner has: each is a fault in the answer. */
function manyUnknown(): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`unknown_member_${index}`, 1]));
}
