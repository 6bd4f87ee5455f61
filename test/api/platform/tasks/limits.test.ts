import assert from 'node:assert/strict';
import { MAX_RUNNING_OF_KIND } from '../../../../domain/platform/tasks.ts';
import type { Answer, TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('waiting tasks', function () {
  this.timeout(60_000);
  const app = useApp();
  /** Too many rows to be imported while the request waits. */
  const FILE = `code;name\n${Array.from({ length: 501 }, (_, row) => `B${row};x\n`).join('')}`;
  const send = (client: TestClient): Promise<Answer> =>
    client.post('/api/import/uom', FILE, { 'Content-Type': 'text/csv' });
  const waiting = async (): Promise<number> =>
    (await app.client.get('/api/tasks?status=waiting')).body.pagination.total;

  it('of a company are limited, until some are done or deleted, and those of others are not', async () => {
    const company = { name: 'Otra SL', taxId: 'B87654323', country: 'ES' };
    const { body } = await app.client.post('/api/tenants', company);
    const other = app.as(app.token, body.data.id);
    const most = MAX_RUNNING_OF_KIND.import;
    let task = '';
    for (let started = 0; started < most; started++) {
      const { status, body: answer } = await send(app.client);
      assert.equal(status, 202, JSON.stringify(answer));
      task = answer.task_id;
    }
    const refused = await Promise.all(Array.from({ length: 8 }, () => send(app.client)));
    for (const answer of refused) {
      assertProblem(answer, 429, 'too_many_requests');
      assert.match(answer.body.detail, /^50 tasks of this kind wait or run: wait until some are done, or delete them/);
      assert.equal(answer.headers.get('retry-after'), '30');
    }
    assert.equal(await waiting(), most);
    const [files] = await app.database.withTenant({ tenantId: app.tenantId }, async (trx) =>
      trx('files').where({ kind: 'task_input' }).count({ count: '*' }),
    );
    assert.equal(Number(files?.count), most);

    assert.equal((await send(other)).status, 202);
    assert.equal((await app.client.post('/api/reports/aging/generate', { format: 'csv' })).status, 202);
    assert.equal((await app.client.del(`/api/tasks/${task}`)).status, 204);
    assert.equal((await send(app.client)).status, 202);
    assertProblem(await send(app.client), 429, 'too_many_requests');
  });
});
