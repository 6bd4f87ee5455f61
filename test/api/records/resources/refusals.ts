/** Checks of refusals for every declared resource: callers, ids, versions and bodies. */
import assert from 'node:assert/strict';
import type { Row } from '../../../../services/records/resources/field.ts';
import type { Answer } from '../../../helpers/client.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { fieldSchema, resourceOfTable, writableFields } from '../../../helpers/resource-bodies.ts';
import { resourceFaults } from '../../../helpers/resource-faults.ts';
import { roleWithout, type Subject } from './world.ts';

const NOWHERE = '0190f5fe-7c00-7a00-8abc-012345678901';

export function checkRefusals(subject: Subject): void {
  checkCallers(subject);
  checkAddresses(subject);
  describe('bodies', () => checkBodies(subject));
}

function checkCallers({ declaration, world, full }: Subject): void {
  const calls = (): ['read' | 'create' | 'update' | 'delete', string, string][] => [
    ['read', 'GET', full().listPath],
    ['read', 'GET', full().path],
    ['create', 'POST', full().listPath],
    ['update', 'PATCH', full().path],
    ['delete', 'DELETE', full().path],
  ];

  it('needs a token, and a role with the permission', async () => {
    const { app, member } = world();
    for (const [action, method, path] of calls()) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      assertProblem(await app.anonymous.request(method, path, body), 401, 'unauthorized');
      const role = roleWithout(`${declaration.permission}:${action}`);
      if (role === undefined) {
        assert.equal(action, 'read', 'everybody may write');
        continue;
      }
      const refused = await (await member(role)).request(method, path, body);
      assertProblem(refused, 403, 'forbidden');
      assert.match(refused.body.detail, new RegExp(`${declaration.permission}:${action}`));
    }
    assert.equal((await app.client.get(full().path)).status, 200);
  });
}

function checkAddresses({ declaration, world, full, foreign }: Subject): void {
  it('knows its methods and the form of its ids', async () => {
    const { app } = world();
    const methods = [
      [full().listPath, 'GET, POST'],
      [full().path, 'GET, PATCH, DELETE'],
    ] as const;
    for (const [path, expected] of methods) {
      const answer = await app.client.request('PUT', path, {});
      assertProblem(answer, 405, 'method_not_allowed');
      const allowed = answer.headers.get('allow')?.split(', ') ?? [];
      assert.deepEqual(
        allowed.filter((method) => !['HEAD', 'OPTIONS'].includes(method)).join(),
        expected.replaceAll(' ', ''),
      );
    }
    const bad = `${full().listPath}/17`;
    for (const answer of [await app.client.get(bad), await app.client.patch(bad, {}), await app.client.del(bad)]) {
      assertProblem(answer, 400, 'invalid_parameter');
    }
  });

  it('does not tell what is not there from what is of another company', async () => {
    const { app, other } = world();
    const unchanged = (await other.client.get(foreign().path)).body.data;
    const paths = [`${full().listPath}/${NOWHERE}`, `${full().listPath}/${foreign().row.id}`];
    // Parts are not found below another parent either, nor below a parent of another company.
    if (declaration.parent) paths.push(foreign().path, `${foreign().listPath}/${full().row.id}`);
    for (const path of paths) {
      const answers = [await app.client.get(path), await app.client.patch(path, {}), await app.client.del(path)];
      for (const answer of answers) {
        assertProblem(answer, 404, 'not_found');
        assert.equal(answer.body.detail, answers[0]?.body.detail);
      }
    }
    if (declaration.parent) {
      assertProblem(await app.client.get(foreign().listPath), 404, 'not_found');
      assertProblem(await app.client.post(foreign().listPath, full().sent), 404, 'not_found');
    }
    assert.equal((await app.client.get(`${full().listPath}?id=${foreign().row.id}`)).body.pagination.total, 0);
    assert.deepEqual((await other.client.get(foreign().path)).body.data, unchanged);
  });

  it('refuses a change or deletion of another version than the present one', async () => {
    const { app } = world();
    const before = (await app.client.get(full().path)).body.data as Row;
    const stale = { 'If-Match': `"${Number(before.version) + 1}"` };
    assertProblem(await app.client.patch(full().path, {}, stale), 412, 'stale_version');
    assertProblem(await app.client.del(full().path, stale), 412, 'stale_version');
    assert.deepEqual((await app.client.get(full().path)).body.data, before);
  });
}

function checkBodies({ declaration, world, full, least, foreign }: Subject): void {
  /** Sends bad values as part of a new body and as a change. */
  const refused = async (values: (when: 'create' | 'patch') => Row, codes: readonly string[], what: string) => {
    const { app } = world();
    const bad = { create: values('create'), patch: values('patch') };
    if (Object.keys(bad.create).length > 0) {
      const answer = await app.client.post(full().listPath, { ...least().sent, ...bad.create });
      assertFaults(answer, Object.keys(bad.create), codes, `POST: ${what}`);
    }
    if (Object.keys(bad.patch).length > 0) {
      const answer = await app.client.patch(full().path, bad.patch);
      assertFaults(answer, Object.keys(bad.patch), codes, `PATCH: ${what}`);
    }
  };
  let before: unknown;
  const state = async () => [await world().total(full().listPath), (await world().app.client.get(full().path)).body];
  beforeEach(async () => {
    before = await state();
  });
  afterEach(async () => assert.deepEqual(await state(), before, 'something was written'));

  it('names what is missing and what it does not know', async () => {
    const { app } = world();
    const required = Object.keys(declaration.fields).filter((name) => declaration.fields[name]?.required);
    if (required.length > 0)
      assertFaults(await app.client.post(full().listPath, {}), required, ['required'], 'missing');
    const known = writableFields(declaration, 'create');
    const fixed = ['id', 'version', ...Object.keys(declaration.fields).filter((name) => !known.includes(name))];
    // In a change, what can be read is refused as that (sent-back.ts).
    const unknown = (when: 'create' | 'patch'): Row =>
      Object.fromEntries(['nonsense', 'tenantId', ...(when === 'create' ? fixed : [])].map((name) => [name, 'x']));
    await refused(unknown, ['unknown_field'], 'unknown members');
  });

  it('refuses bad values at their members', async () => {
    const kinds = { create: resourceFaults(declaration, 'create'), patch: resourceFaults(declaration, 'patch') };
    for (const { kind, codes } of kinds.create) {
      const faultValues = (when: 'create' | 'patch') => kinds[when].find((fault) => fault.kind === kind)?.values ?? {};
      await refused(faultValues, codes, kind);
    }
    const texts = (when: 'create' | 'patch') =>
      writableFields(declaration, when).filter((name) => {
        const { type, enum: words } = fieldSchema(declaration.fields[name] as never);
        return type === 'string' && words === undefined;
      });
    for (const name of texts('create')) {
      const withNul = (when: 'create' | 'patch'): Row => (texts(when).includes(name) ? { [name]: 'a\u0000b' } : {});
      await refused(withNul, ['invalid_text'], `NUL in ${name}`);
    }
  });

  it('refuses references to what is not there or of another company', async () => {
    const { other } = world();
    const names = writableFields(declaration, 'create').filter((name) => declaration.fields[name]?.reference);
    const theirs: Row = {};
    for (const name of names) theirs[name] = foreign().row[name] ?? (await other.value(declaration, name, {}));
    const named = (source: (name: string) => unknown) => (when: 'create' | 'patch') => {
      const writable = writableFields(declaration, when);
      return Object.fromEntries(names.filter((name) => writable.includes(name)).map((name) => [name, source(name)]));
    };
    await refused(
      named(() => NOWHERE),
      ['invalid_reference'],
      'nowhere',
    );
    await refused(
      named((name) => theirs[name]),
      ['invalid_reference'],
      'of another company',
    );
  });

  it('refuses references to what is inactive', async () => {
    const { mine } = world();
    for (const name of writableFields(declaration, 'create')) {
      const reference = declaration.fields[name]?.reference;
      if (reference?.mustBeActive !== true) continue;
      // Without its other members, which may refer to a record of this kind in turn.
      const { row } = await mine.create(resourceOfTable(reference.table), 'required', { active: false });
      const inactive = (when: 'create' | 'patch'): Row =>
        writableFields(declaration, when).includes(name) ? { [name]: row.id } : {};
      await refused(inactive, ['invalid_reference'], 'inactive');
    }
  });
}

/** A 422 that names just these members, each with one of the codes. */
function assertFaults(answer: Answer, members: readonly string[], codes: readonly string[], what: string): void {
  assert.equal(answer.status, 422, `${what}: ${JSON.stringify(answer.body)}`);
  assertProblem(answer, 422, 'validation_failed');
  const errors = answer.body.errors as { pointer: string; code: string; message: string }[];
  assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), members.map((name) => `/${name}`).sort(), what);
  for (const { pointer, code, message } of errors) {
    assert.ok(codes.includes(code), `${what}: ${pointer} is refused as ${code}`);
    assert.ok(message, pointer);
  }
}
