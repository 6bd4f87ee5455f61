/** Checks of creating, changing and deleting for every declared resource. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceDeclaration } from '../../../../services/records/resources/declaration.ts';
import type { ResourceField, Row } from '../../../../services/records/resources/field.ts';
import { isNullable } from '../../../../services/records/resources/fields.ts';
import type { TestApp } from '../../../helpers/app.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { fieldSchema, writableFields } from '../../../helpers/resource-bodies.ts';
import { COMPUTED, FOLLOWERS, LEFT_OUT, ONE_OF } from '../../../helpers/resource-specials.ts';
import type { Subject } from './world.ts';

interface AuditLog {
  readonly action: string;
  readonly oldValue: Row | null;
  readonly newValue: Row | null;
}

export function checkWrites({ declaration, world, full, least }: Subject): void {
  const { fields, model } = declaration;
  const auditLogs = async (id: string) =>
    (await world().app.client.get(`/api/audit-logs?entityId=${id}&sort=createdAt&limit=500`)).body.data as AuditLog[];

  /** Returns the members audited with the row; those kept in a row apart are audited there, computed ones not always. */
  const recorded = (row: Row | null) => {
    const isOwn = (name: string) => !fields[name]?.apart && COMPUTED[declaration.name]?.includes(name) !== true;
    return row && Object.fromEntries(Object.entries(row).filter(([name]) => isOwn(name)));
  };
  const actions = (logs: readonly AuditLog[]) =>
    logs.map(({ action, oldValue, newValue }) => [action, recorded(oldValue), recorded(newValue)]);

  it('creates what was sent, completed by defaults', async () => {
    for (const made of [full(), least()]) {
      const { answer, row, sent, path } = made;
      assert.equal(answer.headers.get('location'), path);
      assert.equal(answer.headers.get('etag'), `"${answer.body.data.id}-1"`);
      assert.equal(row.version, 1);
      assert.deepEqual(Object.fromEntries(Object.keys(sent).map((name) => [name, row[name]])), sent);
      for (const [name, field] of Object.entries(fields)) {
        assert.ok(name in row, `${name} is missing in the answer`);
        if (!isNullable(field)) assert.notEqual(row[name], null, `${name} has no value`);
        if (!(name in sent) && field.default !== undefined) assert.deepEqual(row[name], field.default, name);
      }
      const read = await world().app.client.get(path);
      assert.equal(read.status, 200);
      // A later default may have taken over.
      assert.deepEqual(Object.keys(read.body.data).sort(), Object.keys(row).sort());
      assert.equal(read.headers.get('etag'), `"${read.body.data.id}-${read.body.data.version}"`);
      const [log] = await auditLogs(row.id);
      assert.equal(log?.action, 'CREATE');
      assert.deepEqual(recorded(log?.newValue ?? null), recorded(row));
    }
  });

  it('takes off the blanks around codes and names', async () => {
    const { app, mine } = world();
    const labels = writableFields(declaration, 'create').filter((name) => {
      const field = fields[name];
      return field !== undefined && fieldSchema(field)['x-trimmed'] === true;
    });
    const sent = await mine.body(declaration, 'all');
    const padded = Object.fromEntries(
      labels.flatMap((name) => (name in sent ? [[name, ` ${sent[name]}\u00a0 `]] : [])),
    );
    const answer = await app.client.post(await mine.listPath(declaration), { ...sent, ...padded });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    for (const name of Object.keys(padded)) assert.equal(answer.body.data[name], sent[name], name);
  });

  it('changes each member by itself, and records it', async () => {
    const { app, mine } = world();
    const made = await mine.create(declaration, 'all');
    let current: Row = made.row;
    const changes: [Row, Row][] = [];
    const change = async (values: Row) => {
      const answer = await app.client.patch(made.path, values, { 'If-Match': `"${current.version}"` });
      const what = `PATCH ${JSON.stringify(values)} of ${JSON.stringify(current)}`;
      assert.equal(answer.status, 200, `${what}: ${JSON.stringify(answer.body)}`);
      const next = answer.body.data as Row;
      assert.equal(next.version, Number(current.version) + 1, what);
      assert.equal(answer.headers.get('etag'), `"${next.id}-${next.version}"`);
      for (const [name, value] of Object.entries(values)) assert.deepEqual(next[name], value, `${name}: ${what}`);
      const expected = Object.keys(values).flatMap((name) => [name, ...(FOLLOWERS[declaration.name]?.[name] ?? [])]);
      const others = differences(current, next).filter((member) => !expected.includes(member));
      assert.deepEqual(others, [], what);
      changes.push([current, next]);
      current = next;
    };
    for (const name of writableFields(declaration, 'patch')) {
      if (LEFT_OUT[declaration.name]?.includes(name)) continue;
      const alternatives = ONE_OF[declaration.name] ?? [];
      const cleared = alternatives.includes(name) ? alternatives.filter((member) => member !== name) : [];
      const before = Object.fromEntries([name, ...cleared].map((member) => [member, current[member]]));
      const nulls = Object.fromEntries(cleared.map((member) => [member, null]));
      await change({ ...nulls, [name]: await mine.value(declaration, name, current) });
      if (isNullable(fields[name] as ResourceField) && !alternatives.includes(name)) await change({ [name]: null });
      await change(before);
    }
    const read = await app.client.get(made.path);
    assert.deepEqual(read.body.data, current);
    const logs = await auditLogs(made.row.id);
    assert.deepEqual(actions(logs), [
      ['CREATE', null, recorded(made.row)],
      ...changes.map(([before, after]) => ['UPDATE', recorded(before), recorded(after)]),
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const { app } = world();
    const { path } = full();
    const before = (await app.client.get(path)).body.data as Row;
    const logs = await auditLogs(String(before.id));
    const same = Object.fromEntries(writableFields(declaration, 'patch').map((name) => [name, before[name]]));
    for (const body of [{}, same]) {
      const answer = await app.client.patch(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body.data, before);
    }
    assert.deepEqual(await auditLogs(String(before.id)), logs);
  });

  it('is created once for an Idempotency-Key', async () => {
    const { app, mine, total } = world();
    const listPath = full().listPath;
    const body = await mine.body(declaration, 'all');
    const key = { 'Idempotency-Key': `create-${declaration.name}` };
    const first = await app.client.post(listPath, body, key);
    const count = await total(listPath);
    const again = await app.client.post(listPath, body, key);
    assert.equal(first.status, 201, JSON.stringify(first.body));
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.headers.get('location'), first.headers.get('location'));
    assert.equal(await total(listPath), count);
    assertProblem(await app.client.post(listPath, { ...body, ...key }, key), 422, 'idempotency_key_reused');
  });

  it('refuses a second one with the same unique members', async () => {
    const { app, mine, other, total } = world();
    const { listPath, row } = full();
    const writable = writableFields(declaration, 'create');
    for (const members of await uniqueMembers(app, model)) {
      const own = members.filter((member) => !/^tenant_?id$/i.test(member) && member !== declaration.parent?.member);
      if (own.length === 0 || !own.every((member) => writable.includes(member))) continue;
      const taken = Object.fromEntries(own.map((member) => [member, row[member]]));
      const body = await mine.body(declaration, 'all', taken);
      const count = await total(listPath);
      const answer = await app.client.post(listPath, body);
      assertProblem(answer, 409, 'duplicate');
      const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer.slice(1)) as string[];
      assert.ok(pointers.length > 0 && pointers.every((member) => own.includes(member)), String(pointers));
      assert.equal(await total(listPath), count);
      // Values taken here are free in another company.
      const values = Object.entries(taken).filter(([member]) => fields[member]?.reference === undefined);
      await other.create(declaration, 'all', Object.fromEntries(values));
    }
  });

  it('is deleted once, and recorded', async () => {
    const { app, mine } = world();
    const made = await mine.create(declaration, 'all');
    const deleted = await app.client.del(made.path, { 'If-Match': '"1"' });
    assert.equal(deleted.status, 204, JSON.stringify(deleted.body));
    assert.equal(deleted.body, undefined);
    assertProblem(await app.client.get(made.path), 404, 'not_found');
    assertProblem(await app.client.patch(made.path, {}), 404, 'not_found');
    assertProblem(await app.client.del(made.path), 404, 'not_found');
    const logs = await auditLogs(made.row.id);
    assert.deepEqual(actions(logs), [
      ['CREATE', null, recorded(made.row)],
      ['DELETE', recorded(made.row), null],
    ]);
  });
}

/** Returns the members that differ, except those that differ after every change. */
function differences(before: Row, after: Row): string[] {
  return Object.keys(after).filter(
    (member) => !/^(version|updated_?at)$/i.test(member) && !isDeepStrictEqual(before[member], after[member]),
  );
}

/** The members of each unique index of a table, conditional ones apart. */
async function uniqueMembers(app: TestApp, model: ResourceDeclaration['model']): Promise<string[][]> {
  const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
    db.raw<{ rows: { columns: string[] }[] }>(
      `select array_agg(a.attname::text order by a.attnum) as columns from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
       where i.indrelid = ?::regclass and i.indisunique and i.indpred is null and i.indexprs is null group by i.indexrelid`,
      [model.tableName],
    ),
  );
  return rows.map(({ columns }) =>
    columns.map((column) =>
      model.publicName(column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())),
    ),
  );
}
