import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { PATH_ALIASES } from '../../../api/middleware/aliases.ts';
import { ROUTES } from '../../../api/routes.ts';
import { useApp } from '../../helpers/hooks.ts';

describe('aliases of paths', () => {
  const app = useApp();

  it('answer as the paths do, below them too, and lead to these', async () => {
    for (const [alias, path] of Object.entries(PATH_ALIASES)) {
      const answer = await app.client.get(`${alias}?limit=1`);
      assert.deepEqual([answer.status, answer.body], [200, (await app.client.get(`${path}?limit=1`)).body]);
      const missing = `/${app.tenantId}`;
      assert.equal((await app.client.get(alias + missing)).body.instance, path + missing);
    }
    const made = await app.client.post('/api/units-of-measure', { code: 'CR', name: 'Crate' });
    assert.equal(made.headers.get('location'), `/api/uom/${made.body.data.id}`);
    const { body } = await app.client.get(`/api/units-of-measure/${made.body.data.id}`);
    assert.equal(body.data.code, 'CR');
  });

  it('stand for paths that exist, take none away, and are told of', () => {
    const paths = new Set(ROUTES.map(({ path }) => path));
    const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8');
    for (const [alias, path] of Object.entries(PATH_ALIASES)) {
      assert.ok(paths.has(path) && !paths.has(alias), alias);
      assert.ok(page.includes(`| \`${path}\` | \`${alias}\` |`), alias);
    }
  });
});
