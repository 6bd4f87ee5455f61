import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { API_VERSION } from '../../../api/middleware/api-version.ts';
import { useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';

describe('the version of the interface', () => {
  const app = useApp();

  it('is in every answer, of refusals too', async () => {
    for (const path of ['/api/items', '/api/nothing', '/health/live'])
      assert.equal((await app.client.get(path)).headers.get('api-version'), API_VERSION, path);
  });

  it('may be named by clients, which are refused where it is another', async () => {
    assert.equal((await app.client.get('/api/items', { 'api-version': API_VERSION })).status, 200);
    for (const other of ['2027-01-01', '1', 'latest']) {
      const group = { code: 'AV', name: 'Never made' };
      assertProblem(await app.client.post('/api/uom', group, { 'api-version': other }), 400, 'bad_request');
    }
    assert.equal((await app.client.get('/api/uom?code=AV')).body.pagination.total, 0);
  });
});
