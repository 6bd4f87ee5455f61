/** Payslips by e-mail: mails with links, on the real servers. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { payslipLink } from '../../../../services/staff/payroll/payslip-links.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

const MONTH = { year: 2026, month: 1 };
const DAY = 86_400;

describe('payslips by e-mail', function () {
  this.timeout(180_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const ana = use(async () => {
    await app.client.post('/api/periods/generate', { year: 2026 });
    const made = await hire(app, { email: 'ana@example.test' });
    await hire(app, { name: 'Bea', code: 'BEA' });
    assertProblem(await app.client.post('/api/payrolls/send-payslips', MONTH), 409, 'nothing_open');
    await generate(app, { ...MONTH, post: true });
    const [payroll] = await listPayrolls(app, `employeeId=${made.id}`);
    return { payrollId: payroll?.id ?? '' };
  });

  const send = async () => {
    const { status, body } = await app.client.post('/api/payrolls/send-payslips', MONTH);
    assert.equal(status, 202, JSON.stringify(body));
    const url = await eventually(async () => {
      const task = (await app.client.get(`/api/tasks/${body.task_id}`)).body.data;
      assert.equal(task.status, 'completed', JSON.stringify(task));
      return task.result_url as string;
    }, 60_000);
    return (await app.anonymous.get(url)).body.data;
  };
  const linkFor = (days: number, payrollId = ana.payrollId) => {
    const expires = Math.floor(Date.now() / 1000) + days * DAY;
    return payslipLink([ENCRYPTION_KEY], { tenantId: app.tenantId, payrollId, expires });
  };

  it('are mailed once to each employee with an address, without amounts in the mail log', async () => {
    assert.deepEqual(await send(), { ...MONTH, queued: 1, mailed_before: 0, without_address: ['BEA'] });
    assert.deepEqual(await send(), { ...MONTH, queued: 0, mailed_before: 1, without_address: ['BEA'] });
    const mails = await eventually(async () => {
      const { body } = await app.client.get('/api/emails?to=ana@example.test');
      assert.deepEqual(
        body.data.map(({ status }: { status: string }) => status),
        ['sent'],
        JSON.stringify(body.data),
      );
      return body.data;
    }, 60_000);
    assert.match(mails[0].subject, /^Nómina de 2026-01/);
    assert.ok(!/1[.,]?367|signature/.test(JSON.stringify(mails)), 'the log says too much');
    const { body } = await app.client.get(`/api/payrolls/${ana.payrollId}`);
    assert.notEqual(body.data.payslipMailedAt, null);
  });

  it('are left out of the audit log of people who did not send them', async () => {
    await send();
    const login = { email: 'carla@example.test', password: 'a password of twenty letters' };
    await app.client.post('/api/users', { ...login, name: 'Carla', role: 'accountant' });
    const accountant = app.as((await app.anonymous.post('/api/auth/login', login)).body.token);
    const [theirs, own] = await Promise.all(
      [accountant, app.client].map(async (client) => (await client.get('/api/audit-logs?entityType=Email')).body.data),
    );
    assert.ok(JSON.stringify(own).includes('ana@example.test'));
    assert.deepEqual(theirs, []);
  });

  it('open repeatedly without login', async () => {
    const opened = async () => {
      const response = await fetch(app.address + linkFor(1));
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/pdf');
      return Buffer.from(await response.arrayBuffer());
    };
    const [first, second] = [await opened(), await opened()];
    assert.ok(first.equals(second), 'it was rendered again');
    const text = await pdfText(first);
    for (const said of ['Recibo individual de salarios', 'Ana Ruiz', '1.367,09']) assert.ok(text.includes(said), said);
  });

  it('do not open by forged links, nor once they are cancelled', async () => {
    const [bea] = await listPayrolls(app, 'employeeCode=BEA');
    const [path, query = ''] = linkFor(1).split('?');
    const refused = [
      linkFor(-1),
      `${path?.replace(ana.payrollId, bea?.id ?? '')}?${query}`,
      `${path}?${query.replace(/expires=\d+/, 'expires=253402300799')}`,
      `${path}?${query.slice(0, -1)}0x`,
    ];
    for (const link of refused) assertProblem(await app.anonymous.get(link), 404, 'not_found');
    assertProblem(await app.anonymous.get(path ?? ''), 400, 'invalid_parameter');
    await app.client.post(`/api/payrolls/${ana.payrollId}/cancel`, {});
    assertProblem(await app.anonymous.get(linkFor(1)), 404, 'not_found');
  });
});
