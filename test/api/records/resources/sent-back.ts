/** Checks of sending back what was read, and of null, for every declared resource. */
import assert from 'node:assert/strict';
import type { ResourceField, Row } from '../../../../services/records/resources/field.ts';
import { isNullable } from '../../../../services/records/resources/fields.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { writableFields } from '../../../helpers/resource-bodies.ts';
import { FOLLOWERS, LEFT_OUT, ONE_OF, UNIQUE_DEFAULTS } from '../../../helpers/resource-specials.ts';
import type { Subject } from './world.ts';

export function checkSentBack({ declaration, world, full, foreign }: Subject): void {
  const { fields } = declaration;
  const declaredField = (name: string) => fields[name] as ResourceField;
  const changeable = writableFields(declaration, 'patch').filter(
    (name) => LEFT_OUT[declaration.name]?.includes(name) !== true,
  );

  it('takes back what it answers, which changes nothing', async () => {
    const { app } = world();
    const { path } = full();
    const read = (await app.client.get(path)).body.data as Row;
    const audited = async () => (await app.client.get(`/api/audit-logs?entityId=${read.id}`)).body.pagination.total;
    const before = await audited();
    const answer = await app.client.patch(path, read);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(answer.body.data, read);
    assert.equal(await audited(), before);
  });

  it('changes the one member that differs in what is sent back', async () => {
    const { app, mine } = world();
    const { path, row } = await mine.create(declaration, 'all');
    const alternatives = ONE_OF[declaration.name] ?? [];
    let current: Row = row;
    for (const name of changeable) {
      if (alternatives.includes(name)) continue;
      const value = await mine.value(declaration, name, current);
      const answer = await app.client.patch(path, { ...current, [name]: value });
      assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
      const next = answer.body.data as Row;
      const expected = [name, 'version', ...(FOLLOWERS[declaration.name]?.[name] ?? [])];
      const differing = Object.keys(next).filter((member) => !/^updated_?at$/i.test(member));
      for (const member of differing) {
        if (member === name) assert.deepEqual(next[member], value);
        else if (!expected.includes(member)) assert.deepEqual(next[member], current[member], `${name}: ${member}`);
      }
      assert.equal(next.version, Number(current.version) + 1);
      const back = await app.client.patch(path, { ...next, [name]: current[name] });
      assert.equal(back.status, 200, `${name} back: ${JSON.stringify(back.body)}`);
      current = back.body.data;
    }
  });

  it('refuses each member that cannot be set when it differs', async () => {
    const { app } = world();
    const { path } = full();
    const read = (await app.client.get(path)).body.data as Row;
    const fixed = Object.keys(read).filter((name) => !writableFields(declaration, 'patch').includes(name));
    assert.ok(fixed.includes('id') && fixed.includes('version'));
    for (const name of fixed.filter((member) => !member.startsWith('custom_'))) {
      const other = foreign().row[name];
      for (const value of [other === read[name] ? 'x' : other, typeof read[name] === 'number' ? -7 : 'nonsense']) {
        const answer = await app.client.patch(path, { ...read, [name]: value });
        assertProblem(answer, 422, 'validation_failed');
        assert.deepEqual(
          answer.body.errors.map(({ pointer, code }: Row) => [pointer, code]),
          [[`/${name}`, 'read_only']],
          `${name}: ${JSON.stringify(value)}`,
        );
      }
    }
    const two = await app.client.patch(path, { version: -1, nonsense: 1 });
    assert.deepEqual(
      two.body.errors.map(({ pointer, code }: Row) => [pointer, code]),
      [
        ['/version', 'read_only'],
        ['/nonsense', 'unknown_field'],
      ],
    );
    assert.deepEqual((await app.client.get(path)).body.data, read);
  });

  it('takes null at creation for leaving a member out', async () => {
    const { app, mine } = world();
    const optional = writableFields(declaration, 'create').filter((name) => declaredField(name).required !== true);
    const least = async () => {
      const body = await mine.body(declaration, 'required');
      for (const name of UNIQUE_DEFAULTS[declaration.name] ?? [])
        body[name] = await mine.value(declaration, name, body);
      return body;
    };
    const sent = { left: await least(), nulls: await least() };
    const nulls = Object.fromEntries(optional.filter((name) => !(name in sent.nulls)).map((name) => [name, null]));
    const [left, empty] = [
      await app.client.post(await mine.listPath(declaration), sent.left),
      await app.client.post(await mine.listPath(declaration), { ...nulls, ...sent.nulls }),
    ];
    assert.equal(empty.status, 201, JSON.stringify(empty.body));
    for (const name of Object.keys(nulls)) {
      const [one, other] = [left.body.data[name], empty.body.data[name]];
      // Values that the service counts up differ: the second row gets the next one.
      if (declaredField(name).filled && (typeof one === 'string' || name === 'position'))
        assert.ok(other !== null, name);
      else assert.deepEqual(other, one, name);
    }
  });

  it('takes null in a change for its default, and refuses it where a value is needed', async () => {
    const { app, mine } = world();
    const { path, row } = await mine.create(declaration, 'all');
    for (const name of changeable) {
      const field = declaredField(name);
      if (isNullable(field)) continue; // becomes null, as the changes of each member show
      const answer = await app.client.patch(path, { [name]: null });
      const restored = field.default ?? field.restored;
      if (restored === undefined) {
        assertProblem(answer, 422, 'validation_failed');
        assert.deepEqual(answer.body.errors, [{ pointer: `/${name}`, code: 'required', message: 'cannot be empty' }]);
      } else {
        assert.equal(answer.status, 200, `${name}: ${JSON.stringify(answer.body)}`);
        assert.deepEqual(answer.body.data[name], restored, name);
        const back = await app.client.patch(path, { [name]: row[name] });
        assert.equal(back.status, 200, `${name} back: ${JSON.stringify(back.body)}`);
      }
    }
  });
}
