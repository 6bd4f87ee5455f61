/** Whose changes the audit log shows, for records of every type. */
import assert from 'node:assert/strict';
import { Changes } from '../../../../db/changes/changes.ts';
import { newId } from '../../../../db/ids.ts';
import { ENTITIES } from '../../../../db/models/entities.ts';
import { query } from '../../../../db/sql.ts';
import { PRIVATE, ROLES, type Role } from '../../../../domain/permissions.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PASSWORD = 'a password of twenty letters';

interface Log {
  readonly id: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly oldValue: Readonly<Record<string, unknown>> | null;
  readonly newValue: Readonly<Record<string, unknown>> | null;
}

describe('the audit log', () => {
  const app = useApp();
  /** Ids of the records, by type. */
  const planted = new Map<string, string>();
  let accountant: TestClient;
  let auditor: TestClient;

  async function member(role: Role): Promise<TestClient> {
    const email = `${role}@example.test`;
    await app.client.post('/api/users', { email, name: role, role, password: PASSWORD });
    const { body } = await app.anonymous.post('/api/auth/login', { email, password: PASSWORD });
    return app.as(body.token);
  }

  /** Writes records of changes, made by the owner. */
  async function plant(records: readonly (readonly [type: string, values: object])[]): Promise<string[]> {
    const ctx = { tenantId: app.tenantId, userId: app.userId, actor: null, requestId: newId(), now: app.clock.now };
    const entities = records.map(([type, values]) => ({ type, id: newId(), values: { ...values } }));
    const changes = new Changes(ctx);
    for (const { type, id, values } of entities) changes.audit({ type, id }, null, { id, ...values });
    await app.database.withTenant(ctx, (trx) => changes.write(trx));
    return entities.map(({ id }) => id);
  }

  const listLogs = async (client: TestClient, query: string) =>
    (await client.get(`/api/audit-logs?${query}`)).body as { data: Log[]; pagination: { total: number } };

  before(async () => {
    // Records of documents must have events; test/api/visibility.test.ts has them.
    const documents: readonly string[] = Object.values(DOCUMENT_TYPES).map(({ entityType }) => entityType);
    const types = [...ENTITIES.keys()].filter((type) => !documents.includes(type));
    const about = (type: string) =>
      ENTITIES.get(type)?.access?.startsWith('subject') ? { entityType: 'Employee', body: 'about' } : {};
    const ids = await plant(types.map((type) => [type, { name: `of ${type}`, ...about(type) }] as const));
    for (const [index, type] of types.entries()) planted.set(type, ids[index] as string);
    accountant = await member('accountant');
    const plugin = { name: 'Auditor', version: '1.0.0', permissions: ['audit:read', 'people:read', 'payroll:read'] };
    auditor = app.as((await app.client.post('/api/plugins', plugin)).body.data.token);
  });

  it('knows every type of record, each with who may read it', () => {
    const undeclared = [...ENTITIES].filter(([, { access }]) => access === undefined).map(([type]) => type);
    assert.deepEqual(undeclared, []);
    assert.ok(planted.size > 50);
  });

  it('shows everything to owners', async () => {
    const [stored] = await query<{ count: number }>(
      app.database.reader(app),
      'select count(*)::int as count from audit_logs',
      {},
    );
    assert.equal((await listLogs(app.client, 'limit=1')).pagination.total, stored?.count);
  });

  it('shows the records of types that the reader may read, and of their own', async () => {
    const { permissions } = ROLES.accountant;
    for (const [type, id] of planted) {
      const access = String(ENTITIES.get(type)?.access);
      const isVisible = (permissions as ReadonlySet<string>).has(access);
      for (const [client, sees] of [
        [app.client, true],
        [accountant, isVisible],
      ] as const) {
        const { data, pagination } = await listLogs(client, `entityId=${id}`);
        assert.deepEqual([type, data.length, pagination.total], [type, Number(sees), Number(sees)]);
      }
    }
    const own = await accountant.post('/api/reports/trial-balance/generate', { format: 'csv' });
    const tasks = await listLogs(accountant, 'entityType=Task');
    assert.deepEqual([...new Set(tasks.data.map(({ entityId }) => entityId))], [own.body.task_id]);
  });

  it('counts, lists, exports and finds nothing of the others', async () => {
    for (const type of ['Employee', 'Absence', 'Automation', 'Webhook', 'ApiKey', 'User', 'Comment', 'Attachment']) {
      const query = `entityType=${type}`;
      assert.deepEqual((await listLogs(accountant, query)).pagination.total, 0, type);
      const file = await accountant.get(`/api/audit-logs?${query}&format=csv`);
      assert.ok(!String(file.body).includes(`of ${type}`), type);
      const [log] = (await listLogs(app.client, query)).data;
      assertProblem(await accountant.get(`/api/audit-logs/${log?.id}`), 404, 'not_found');
      assert.equal((await app.client.get(`/api/audit-logs/${log?.id}`)).status, 200);
    }
    const all = await listLogs(accountant, 'limit=500');
    const readable = all.data.filter(({ entityType }) => entityType === 'Employee');
    assert.deepEqual(readable, []);
  });

  it('shows as many of each type to who asks for it, alone or with others, as among all', async () => {
    for (const client of [accountant, auditor]) {
      const all = (await listLogs(client, 'limit=500')).data;
      const of = (...types: string[]) => all.filter(({ entityType }) => types.includes(entityType)).length;
      const total = async (asked: string) => (await listLogs(client, asked)).pagination.total;
      for (const type of planted.keys()) assert.equal(await total(`entityType=${type}`), of(type), type);
      assert.equal(await total('entityType[in]=Employee, Item,Comment'), of('Employee', 'Item', 'Comment'));
      assert.equal(await total('entityType=Item&entityType[in]=Employee'), 0);
    }
  });

  it('masks private members for readers of the rest', async () => {
    const [employee, absence, payroll] = await plant([
      ['Employee', { name: 'Ana', nif: '12345678Z', iban: 'ES9121000418450200051332', socialSecurityNumber: null }],
      ['Absence', { type: 'sick', notes: 'Migraine' }],
      ['Payroll', { net: 1500, terms: { nif: '12345678Z' } }],
    ]);
    const shown = async (client: TestClient, id: string | undefined) =>
      (await listLogs(client, `entityId=${id}`)).data[0]?.newValue;
    assert.deepEqual(await shown(auditor, employee), {
      id: employee,
      name: 'Ana',
      nif: '***',
      iban: '***',
      socialSecurityNumber: '***',
    });
    assert.deepEqual(await shown(auditor, absence), { id: absence, type: 'sick', notes: '***' });
    assert.deepEqual(await shown(auditor, payroll), { id: payroll, net: 1500, terms: '***' });
    assert.equal((await shown(app.client, absence))?.notes, 'Migraine');
    assert.ok(!ROLES.viewer.permissions.has(PRIVATE));
  });

  it('shows comments to readers of their record, attachments only to readers of its private data', async () => {
    const [comment, attachment, other] = await plant([
      ['Comment', { entityType: 'Employee', body: 'Late' }],
      ['Attachment', { entityType: 'Employee', name: 'sick-note.pdf' }],
      ['Attachment', { entityType: 'Item', name: 'photo.png' }],
    ]);
    const seenBy = async (client: TestClient) =>
      await Promise.all(
        [comment, attachment, other].map(async (id) => (await listLogs(client, `entityId=${id}`)).data.length),
      );
    assert.deepEqual(await seenBy(app.client), [1, 1, 1]);
    assert.deepEqual(await seenBy(auditor), [1, 0, 0]);
    assert.deepEqual(await seenBy(accountant), [0, 0, 1]);
  });

  it('masks tokens in addresses and headers, in records of version 1.0.0 too', async () => {
    const url = 'https://user:secret1@example.com/hook?token=secret2&secret3#secret4';
    const masked = 'https://•••@example.com/hook?token=•••&•••#•••';
    const [webhook, rule, plugin] = await plant([
      ['Webhook', { url, headers: { 'X-Key': 'secret5' } }],
      ['Automation', { actions: [{ type: 'http.request', url, headers: { 'X-Key': 'secret6' } }] }],
      ['Plugin', { base_url: url }],
    ]);
    const ids = [webhook, rule, plugin];
    const logs = await Promise.all(ids.map((id) => app.client.get(`/api/audit-logs?entityId=${id}`)));
    const text = JSON.stringify(logs.map(({ body }) => body));
    assert.doesNotMatch(text, /secret/);
    assert.equal(text.split(masked).length, 4);
  });

  it('stores no tokens in addresses', async () => {
    const url = 'https://example.com/hook?token=secret-of-today';
    const made = await app.client.post('/api/webhooks', { name: 'Hook', url, events: ['document.created'] });
    await app.client.patch(`/api/webhooks/${made.body.data.id}`, { name: 'Other' });
    assert.equal(made.body.data.url, url);
    const found = await query(
      app.database.reader(app),
      `select id from audit_logs where concat(old_value, new_value) like '%secret-of-today%'`,
      {},
    );
    assert.deepEqual(found, []);
  });
});
