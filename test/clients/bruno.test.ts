import assert from 'node:assert/strict';
import { bruToEnvJsonV2, bruToJsonV2 } from '@usebruno/lang';
import { brunoCollection } from '../../clients/bruno/collection.ts';
import { describeService } from '../../clients/description.ts';
import { useApp } from '../helpers/hooks.ts';

const files = brunoCollection(describeService());
const guide = [...files].filter(([path]) => path.startsWith('Guide/')).sort(([one], [other]) => (one < other ? -1 : 1));

/** The values that Bruno puts in place of `{{name}}`. */
type Variables = Map<string, unknown>;

function fill(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    assert.ok(variables.has(name), `no request before has given ${name}`);
    return String(variables.get(name));
  });
}

/** A member of an answer: `res.body.data[0].id`. */
function member(answer: unknown, path: string): unknown {
  const steps = path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .slice(1);
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], answer);
}

describe('the collection for Bruno', () => {
  const app = useApp({ setUp: false });

  it('has each operation once, in files that Bruno reads', () => {
    const operations = Object.values(describeService().paths as Record<string, object>).flatMap((item) =>
      Object.keys(item),
    );
    const requests = [...files].filter(([path]) => path.includes('/') && !/^(Guide|environments)\//.test(path));
    assert.equal(requests.length, operations.length);
    for (const [path, text] of [...requests, ...guide]) {
      const { meta, http } = bruToJsonV2(text);
      assert.ok(meta.name !== '' && http.url.startsWith('{{address}}/'), path);
      assert.doesNotMatch(path, /[\\:*?"<>|]/);
    }
  });

  it('leads through the guide, from set-up to the money that was paid back', async () => {
    const variables: Variables = new Map(
      bruToEnvJsonV2(files.get('environments/local.bru') ?? '').variables.map(({ name, value }) => [name, value]),
    );
    variables.set('address', app.address);
    for (const [path, text] of guide) {
      const { http, body, vars, assertions = [] } = bruToJsonV2(text);
      const response = await fetch(fill(http.url, variables), {
        method: http.method,
        headers: {
          ...(http.auth === 'inherit' ? { Authorization: `Bearer ${variables.get('token')}` } : {}),
          ...(body?.json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body?.json === undefined ? {} : { body: fill(body.json, variables) }),
      });
      const answer = { status: response.status, body: await response.json() };
      for (const { name, value } of assertions) {
        assert.equal(`eq ${member(answer, name)}`, value, `${path}: ${name} of ${JSON.stringify(answer)}`);
      }
      for (const { name, value } of vars?.res ?? []) variables.set(name, member(answer, String(value)));
    }
    assert.equal(guide.length, 18);
  });
});
