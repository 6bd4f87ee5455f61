import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { loadConfig } from '../../../../config/index.ts';
import { ROLES } from '../../../../domain/permissions.ts';
import { pruneBatch } from '../../../../services/operation/pruning/prune.ts';
import type { ObjectStore } from '../../../../services/platform/files/objects/object-store.ts';
import { sharedObjectStore } from '../../../../services/platform/files/objects/store.ts';
import { attachFile } from '../../../../services/records/attachments/attachments.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { startObjectStore } from '../../../helpers/object-store.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const HOUR = 3_600_000;
const { keep } = loadConfig({});

describe('attachments in a store of objects', () => {
  let partnerId: string;

  const objects = use(startObjectStore, { close: (store) => store.close() });
  const app = useApp(() => ({ env: objects.env }));
  before(async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body.data.id;
  });

  async function attach(content: string, entityId = partnerId) {
    const path = `/api/files?entityType=BusinessPartner&entityId=${entityId}&name=a.txt`;
    return await app.client.post(path, content, { 'Content-Type': 'text/plain' });
  }
  const storedState = async (id: string): Promise<string | undefined> => {
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db.raw<{ rows: { state: string }[] }>('select state from stored_objects where id = ?', [id]),
    );
    return rows[0]?.state;
  };
  const store = () => {
    const found = sharedObjectStore(app.deps.config.attachments.store);
    assert.ok(found);
    return found;
  };
  async function prune(now: Date): Promise<number> {
    const deps = { database: app.database, keep, dataDir: '/nonexistent', store: store() };
    return (await pruneBatch(deps, 'objects', { now, after: null })).deleted;
  }

  it('come back as they were, with a token and by a link, and are not in the database', async () => {
    const { body } = await attach('in the store');
    const { id } = body.data;
    assert.equal((await app.client.get(`/api/files/${id}`)).body, 'in the store');
    const link = new URL((await app.client.get(`/api/files/${id}/link`)).body.data.url);
    assert.equal((await app.anonymous.get(link.pathname + link.search)).body, 'in the store');
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
      db.raw<{ rows: unknown[] }>("select 1 from files where kind = 'attachment'"),
    );
    assert.deepEqual(rows, []);
  });

  it('are removed after their row, also when their record goes', async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const other = (await app.client.post('/api/partners', { name: 'Other', groupId })).body.data.id;
    const ids = [(await attach('one')).body.data.id, (await attach('two', other)).body.data.id] as const;
    assert.equal((await app.client.del(`/api/files/${ids[0]}`)).status, 204);
    assert.equal((await app.client.del(`/api/partners/${other}`)).status, 204);
    assert.deepEqual([await storedState(ids[0]), await storedState(ids[1])], ['gone', 'gone']);
    assert.equal(await prune(app.clock.now), 2);
    for (const id of ids) {
      assert.equal(await store().get(`${app.tenantId}/${id}`), null);
      assert.equal(await storedState(id), undefined);
    }
    assert.equal(await prune(app.clock.now), 0);
  });

  it('that were stored and never kept are removed after an hour', async () => {
    const id = randomUUID();
    // Left by a process killed between writing to the store and to the database.
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw("insert into stored_objects (id, tenant_id, state, changed_at) values (?, ?, 'pending', ?)", [
        id,
        app.tenantId,
        app.clock.now.toISOString(),
      ]),
    );
    await store().put(`${app.tenantId}/${id}`, Buffer.from('lost'), createHash('sha256').update('lost').digest('hex'));
    assert.equal(await prune(new Date(app.clock.now.getTime() + HOUR)), 0);
    assert.equal(await prune(new Date(app.clock.now.getTime() + HOUR + 1)), 1);
    assert.equal(await store().get(`${app.tenantId}/${id}`), null);
  });

  it('that were removed while they were still uploaded are not kept', async () => {
    const count = async () => (await app.client.get('/api/files?limit=1')).body.pagination.total;
    const before = await count();
    const keys: string[] = [];
    const slow: ObjectStore = {
      get: (key) => store().get(key),
      remove: (key) => store().remove(key),
      async put(key, content, sha256) {
        await store().put(key, content, sha256);
        keys.push(key);
        assert.equal(await prune(new Date(app.clock.now.getTime() + 2 * HOUR)), 1);
      },
    };
    const { database } = app;
    const ctx = { tenantId: app.tenantId, userId: app.userId, actor: null, requestId: 'test', now: app.clock.now };
    const file = { entityType: 'BusinessPartner', entityId: partnerId, name: 'a.txt', content: Buffer.from('slow') };
    await assert.rejects(
      attachFile({ database, store: slow, maxTotalBytes: 1e9 }, ctx, { ...ROLES.owner, role: 'owner' }, file),
      { code: 'not_found' },
    );
    assert.equal(await count(), before);
    assert.equal(await store().get(String(keys[0])), null);
  });

  it('are refused with 503 while the store is away, and nothing is left of them', async () => {
    const { body } = await attach('before');
    await objects.close();
    assertProblem(await attach('meanwhile'), 503, 'unavailable');
    assertProblem(await app.client.get(`/api/files/${body.data.id}`), 503, 'unavailable');
    assert.equal((await app.client.get('/api/files?name=a.txt&q=a')).body.pagination.total, 2);
  });
});

describe('a company that fills its storage with objects', () => {
  const objects = use(startObjectStore, { close: (store) => store.close() });
  const app = useApp(() => ({ env: { ...objects.env, STORAGE_MIB_PER_COMPANY: '4' } }));

  it('is refused before the upload, and has room again once the store has removed some', async () => {
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const entityId = (await app.client.post('/api/partners', { name: 'Café Sol', groupId })).body.data.id;
    const attach = (name: number) =>
      app.client.post(
        `/api/files?entityType=BusinessPartner&entityId=${entityId}&name=${name}.txt`,
        `${name}`.repeat(1024 ** 2),
        { 'Content-Type': 'text/plain' },
      );
    const ids: string[] = [];
    let answer = await attach(0);
    for (let name = 1; answer.status === 201 && name < 9; name += 1) {
      ids.push(answer.body.data.id);
      answer = await attach(name);
    }
    assertProblem(answer, 507, 'storage_full');
    const { data } = (await app.client.get('/api/company/usage')).body;
    const stored = data.kinds.find(({ kind }: { kind: string }) => kind === 'attachments');
    assert.ok(stored.bytes >= ids.length * 1024 ** 2, JSON.stringify(data));
    for (const id of ids.slice(0, 2)) assert.equal((await app.client.del(`/api/files/${id}`)).status, 204);
    // They take their room until the store has removed them, which happens every hour.
    assertProblem(await attach(9), 507, 'storage_full');
    const store = sharedObjectStore(app.deps.config.attachments.store);
    const now = new Date(NOW.getTime() + HOUR);
    const deps = { database: app.database, keep, dataDir: '/nonexistent', store };
    assert.equal((await pruneBatch(deps, 'objects', { now, after: null })).deleted, 2);
    assert.equal((await attach(9)).status, 201);
  });
});
