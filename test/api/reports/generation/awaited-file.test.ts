import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WorkflowClient } from '../../../../api/workflow-client.ts';
import { query } from '../../../../db/sql.ts';
import { endTask } from '../../../../services/platform/tasks/report.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('files of reports made by a worker', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  const generated = async (name: string, body: object) => {
    const answer = await app.client.post(`/api/reports/${name}/generate`, body);
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    assert.equal(answer.body.status, 'queued');
    assert.equal(answer.headers.get('location'), `/api/tasks/${answer.body.task_id}`);
    return eventually(async () => {
      const task = (await app.client.get(`/api/tasks/${answer.body.task_id}`)).body.data;
      assert.ok(task.completed_at);
      return task;
    }, 60_000);
  };
  const notices = () =>
    app.database.readTenant(app, (db) =>
      query<{ title: string; action_url: string }>(
        db,
        `select title, action_url from notifications where type = 'task_completed' order by id`,
        {},
      ),
    );

  // Once a task has ended, the worker is ready: only then is a file answered within the request.
  before(async () => {
    const { id } = await generated('aging', { format: 'csv', notify: false });
    assert.equal((await app.client.del(`/api/tasks/${id}`)).status, 204);
  });

  it('answer a request for a PDF, and leave no task behind', async () => {
    const response = await download(app, '/api/reports/aging?format=pdf&side=suppliers');
    assert.equal(response.status, 200, response.ok ? '' : await response.text());
    assert.equal(response.headers.get('Content-Type'), 'application/pdf');
    assert.match(response.headers.get('Content-Disposition') ?? '', /filename="aging-[\d-]+\.pdf"/);
    const text = await pdfText(new Uint8Array(await response.arrayBuffer()));
    assert.match(text, /Saldos de proveedores por antigüedad[\s\S]*Página 1 de 1/);
    assert.equal((await app.client.get('/api/tasks')).body.pagination.total, 0);
  });

  it('wait behind a signed link that needs no token, and are announced', async () => {
    const task = await generated('aging', { format: 'excel', to: '2026-01-31' });
    assert.deepEqual([task.type, task.status, task.progress], ['report', 'completed', 100]);
    const response = await fetch(app.address + task.result_url);
    assert.match(response.headers.get('Content-Disposition') ?? '', /"aging-2026-01-31\.xlsx"/);
    assert.equal((await readWorkbook(response)).worksheets[0]?.name, 'Saldos de clientes');
    const [notice] = await notices();
    assert.deepEqual([notice?.title, notice?.action_url], ['Su informe está listo', task.result_url]);
    const same = await download(app, `/api/tasks/${task.id}/result`);
    assert.equal(same.status, 200);
  });

  it('are not announced if that is not wanted, and come in every format', async () => {
    const before = (await notices()).length;
    const csv = await generated('payments-summary', { format: 'csv', header: 'names', notify: false });
    const rows = await readCsv(await fetch(app.address + csv.result_url), ';');
    assert.deepEqual(rows, []);
    const json = await generated('aging', { format: 'json', notify: false });
    const body = (await (await fetch(app.address + json.result_url)).json()) as Record<string, unknown>;
    assert.deepEqual([body.report_name, body.customers], ['aging', []]);
    assert.equal((await notices()).length, before);
  });

  it('open by no other link', async () => {
    const task = await generated('aging', { format: 'csv' });
    const link = new URL(app.address + task.result_url);
    const opened = async (change: (link: URL) => void) => {
      const other = new URL(link);
      change(other);
      return (await fetch(other)).status;
    };
    assert.equal(await opened(() => undefined), 200);
    assert.equal(await opened((url) => url.searchParams.set('expires', '99999999999')), 404);
    assert.equal(await opened((url) => url.searchParams.set('signature', 'x')), 404);
    assert.equal(await opened((url) => url.searchParams.delete('signature')), 401);
    assert.equal(await opened((url) => url.searchParams.set('company', NOBODY)), 404);
    assert.equal((await app.client.del(`/api/tasks/${task.id}`)).status, 204);
    assert.equal(await opened(() => undefined), 404);
  });

  it('are shown only as long as the person who asked for them may read the report', async () => {
    const user = { email: 'ana@example.test', name: 'Ana', password: 'ana counts what is owed', role: 'accountant' };
    const { membershipId } = (await app.client.post('/api/users', user)).body.data;
    const signIn = async () => {
      const { email, password } = user;
      return app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
    };
    const accountant = await signIn();
    const started = await accountant.post('/api/reports/aging/generate', { format: 'csv' });
    assert.equal(started.status, 202, JSON.stringify(started.body));
    const at = `/api/tasks/${started.body.task_id}`;
    const task = await eventually(async () => {
      const { data } = (await accountant.get(at)).body;
      assert.equal(data.status, 'completed');
      return data;
    });
    const link = app.address + task.result_url;
    assert.deepEqual([(await fetch(link)).status, (await accountant.get(`${at}/result`)).status], [200, 200]);
    const demoted = await app.client.patch(`/api/memberships/${membershipId}`, { role: 'warehouse' });
    assert.equal(demoted.status, 200, JSON.stringify(demoted.body));
    const clerk = await signIn();
    const seen = await Promise.all([
      clerk.get(at),
      clerk.get(`${at}/result`),
      clerk.get(`${at}/progress`),
      clerk.del(at),
    ]);
    assert.deepEqual([...seen.map(({ status }) => status), (await fetch(link)).status], [404, 404, 404, 404, 404]);
    assert.deepEqual((await clerk.get('/api/tasks')).body.data, []);
    assert.equal((await app.client.get(at)).status, 200);
  });

  it('are shown no longer to somebody who may not read pay any more, if they hold it', async () => {
    const login = { email: 'eva@example.test', password: 'eva counts what they earn' };
    const user = { ...login, name: 'Eva', role: 'accountant' };
    const { membershipId } = (await app.client.post('/api/users', user)).body.data;
    const signIn = async () => app.as((await app.anonymous.post('/api/auth/login', login)).body.token);
    const accountant = await signIn();
    const started = [];
    for (const name of ['profit-customer', 'profit-project', 'profit-cost-center']) {
      const { body } = await accountant.post(`/api/reports/${name}/generate`, { format: 'csv', notify: false });
      started.push(`/api/tasks/${body.task_id}`);
    }
    assert.equal((await app.client.patch(`/api/memberships/${membershipId}`, { role: 'sales' })).status, 200);
    const seller = await signIn();
    const seen = await Promise.all(started.map((at) => seller.get(at)));
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 404, 404],
    );
    for (const at of started) assert.equal((await app.client.del(at)).status, 204);
  });

  it('refuse at once what cannot be made', async () => {
    const refused = async (body: object, pointer: string) => {
      const answer = await app.client.post('/api/reports/aging/generate', body);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    };
    await refused({ from: '2026-02-01', to: '2026-01-01' }, '/to');
    await refused({ format: 'xml' }, '/format');
    await refused({ warehouse_id: 'x' }, '/warehouse_id');
    await refused({ to: '2026-02-30' }, '/to');
    await refused({ format: 'json', header: 'names' }, '/header');
    assert.equal((await app.client.get('/api/tasks?status[in]=waiting,running')).body.pagination.total, 0);
  });

  it('of a report that a member does not allow point to the member', async () => {
    const refused = async (name: string, body: object, pointer: string, code = 'invalid_parameter') => {
      const answer = await app.client.post(`/api/reports/${name}/generate`, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        [answer.body.errors[0].pointer, answer.body.errors[0].code],
        [pointer, code],
        answer.body.detail,
      );
    };
    await refused('ledger', { account_id: NOBODY }, '/account_id', 'invalid_reference');
    await refused('ledger', {}, '/account_id', 'required');
    await refused('executive', { from: '2001-01-01', to: '2026-01-01' }, '/to');
    await refused('cashflow', { from: '2099-01-01' }, '/from');
    await refused('tax/model303', { year: 2026 }, '/period');
    await refused('tax/model130', { quarter: 1 }, '/year');
    await refused('tax/model303', { format: 'aeat', year: 2025, period: '1T' }, '/period');
    await refused('tax/model303', { format: 'aeat', year: 2026, period: '2T', type: 'soportado' }, '/type');
    await refused('tax/model303', { format: 'aeat', year: 2026, period: '2T', exempt: false }, '/exempt');
    assert.equal((await app.client.get('/api/tasks?status[in]=waiting,running')).body.pagination.total, 0);
  });

  it('of a hundred requests at once are all made, while the API answers', async () => {
    const started = await Promise.all(
      Array.from({ length: 100 }, () =>
        app.client.post('/api/reports/aging/generate', { format: 'csv', notify: false }),
      ),
    );
    assert.deepEqual([...new Set(started.map(({ status }) => status))], [202]);
    assert.equal((await app.client.get('/api/reports/aging')).status, 200);
    await eventually(async () => {
      const left = await app.client.get('/api/tasks?status[in]=waiting,running');
      assert.equal(left.body.pagination.total, 0);
    }, 100_000);
    assert.equal((await app.client.get('/api/tasks?status=failed')).body.pagination.total, 0);
  });

  it('are workbooks with charts as pictures', async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const partner = await app.client.post('/api/partners', { name: 'Bodegas Águila', groupId: group.id });
    const lines = [{ description: 'Servicio', quantity: 1, price: 1000 }];
    const draft = await app.client.post('/api/sales/invoices', { partnerId: partner.body.data.id, lines });
    assert.equal((await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`)).status, 200);
    const workbook = await readWorkbook(await download(app, '/api/reports/executive?format=excel'));
    assert.deepEqual(
      workbook.worksheets.map(({ name }) => name),
      ['Resumen ejecutivo', 'Por meses', 'Gráficos'],
    );
    assert.deepEqual(rowCells(workbook.worksheets[0], 2).slice(0, 3), ['Cifra de negocios', 1000, 0]);
    assert.equal(workbook.worksheets[2]?.getImages().length, 2);
    // Without data, there is no picture.
    const empty = await readWorkbook(await download(app, '/api/reports/profit-item?format=excel&to=2001-12-31'));
    assert.equal(empty.worksheets.length, 1);
  });
});

describe('a request for a file of a report', () => {
  const app = useApp();
  /** Stands for the worker: what becomes of the task until the wait is over. */
  const meanwhile = (work: (taskId: string) => Promise<unknown>) => {
    const awaitTask: WorkflowClient['awaitTask'] = async ({ taskId }) => {
      await work(taskId);
      return true;
    };
    Object.assign(app.deps.workflows, { awaitTask });
  };

  it('whose task is deleted meanwhile is a conflict, and can be asked for again', async () => {
    meanwhile(async (taskId) => assert.equal((await app.client.del(`/api/tasks/${taskId}`)).status, 204));
    const answer = await app.client.get('/api/reports/aging?format=pdf');
    assertProblem(answer, 409, 'invalid_transition');
    assert.match(answer.body.detail, /ask for it again/);
  });

  it('whose task has failed is told why', async () => {
    const error = 'The file could not be made; try again in a moment';
    const ctx = { tenantId: app.tenantId, userId: null, actor: 'worker', requestId: 'failed-task', now: new Date() };
    meanwhile((taskId) =>
      app.database.withTenant(ctx, (trx) => endTask(trx, ctx, taskId, { message: 'Failed', error })),
    );
    const answer = await app.client.get('/api/reports/aging?format=pdf');
    assertProblem(answer, 503, 'unavailable');
    assert.equal(answer.body.detail, error);
    const [task] = (await app.client.get('/api/tasks?status=failed')).body.data;
    assert.equal(task.error, error);
  });
});
