import assert from 'node:assert/strict';
import { useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';

type Items = Record<string, Record<string, { tags: string[] }>>;

describe('a part of the description', () => {
  const app = useApp();
  const read = async (query: string) => (await app.anonymous.get(`/api/openapi.json${query}`)).body;
  const tagsIn = (paths: Items) =>
    new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));

  it('has the operations of each group, and every component that these refer to, but no other', async () => {
    const whole = await read('?webhooks=false');
    let operations = 0;
    for (const { name } of whole.tags) {
      const part = await read(`?tags=${encodeURIComponent(name)}`);
      assert.deepEqual([...tagsIn(part.paths)], [name]);
      operations += Object.values(part.paths as Items).flatMap((item) => Object.keys(item)).length;
      const text = JSON.stringify(part);
      assert.ok(text.length < 1_000_000, `${name}: ${text.length}`);
      const used = new Set(
        [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)].map(([, section, one]) => `${section}/${one}`),
      );
      const there = Object.entries(part.components as Record<string, object>)
        .filter(([section]) => section !== 'securitySchemes')
        .flatMap(([section, all]) => Object.keys(all).map((one) => `${section}/${one}`));
      assert.deepEqual(there.sort(), [...used].sort(), name);
    }
    assert.equal(operations, Object.values(whole.paths as Items).flatMap((item) => Object.keys(item)).length);
  });

  it('may have several groups, in any order', async () => {
    const part = await read('?tags=Sales,Partners');
    assert.deepEqual([...tagsIn(part.paths)].sort(), ['Partners', 'Sales']);
    assert.deepEqual(await read('?tags=Partners,%20Sales'), part);
    assert.equal(part.webhooks, undefined);
  });

  it('is refused for groups that do not exist', async () => {
    const answer = await app.anonymous.get('/api/openapi.json?tags=Sales,__proto__');
    assertProblem(answer, 400, 'invalid_parameter');
    assert.match(answer.body.detail, /^tags cannot contain __proto__; there are .*Sales/);
    assertProblem(await app.anonymous.get('/api/openapi.json?tags='), 400, 'invalid_parameter');
  });
});
