/** Files of consolidated reports are made with the rights of that moment, for whoever asked for them alone. */
import assert from 'node:assert/strict';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';
import { openGroup } from './group.ts';

describe('files of consolidated reports', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const group = use(() => openGroup(app));

  const generated = async (client = app.client) => {
    const { status, body } = await client.post('/api/reports/consolidated-balance-sheet/generate', { format: 'csv' });
    assert.equal(status, 202, JSON.stringify(body));
    return eventually(async () => {
      const task = (await client.get(`/api/tasks/${body.task_id}`)).body.data;
      assert.ok(task.completed_at);
      return task;
    }, 60_000);
  };

  it('are shown to whoever asked alone, behind no link, not even to administrators', async () => {
    const task = await generated();
    assert.equal(task.result_url, `/api/tasks/${task.id}/result`);
    assert.equal((await download(app, task.result_url)).status, 200);
    const { client } = await addMember(app, 'admin');
    assertProblem(await client.get(`/api/tasks/${task.id}`), 404, 'not_found');
    assertProblem(await client.get(task.result_url), 404, 'not_found');
    assert.equal((await client.get('/api/tasks')).body.pagination.total, 0);
    const refused = await generated(client);
    assert.equal(refused.status, 'failed');
    assert.match(refused.error, /right to read accounting reports in Filial/);
  });

  it('are printed', async () => {
    await group.subsidiary.entry('2026-06-01', { '572': 777, '100': -777 });
    const response = await download(app, '/api/reports/consolidated-balance-sheet?format=pdf&to=2026-12-31');
    assert.equal(response.status, 200, response.ok ? '' : await response.text());
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.match(await pdfText(bytes), /Balance de situación consolidado[\s\S]*Filial[\s\S]*777,00/);
  });
});
