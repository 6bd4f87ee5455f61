/** Payrolls over HTTP, made by the real workflow. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

/** The worked payslip: 1,700 a month in 14 payments, group 5, offices, 12 %. */
const ANA = {
  name: 'Ana Ruiz',
  nif: '12345678Z',
  hireDate: '2020-01-01',
  grossAnnualSalary: 23800,
  contributionGroup: 5,
  irpfRate: 12,
};

interface Result {
  readonly made: number;
  readonly kept: number;
  readonly skipped: readonly { readonly code: string; readonly reason: string }[];
}

interface Payroll {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly net: number;
  readonly entryId: string | null;
  readonly employeeContributions: { readonly total: number };
  readonly lines: readonly { readonly description: string; readonly kind: string; readonly amount: number }[];
  readonly [member: string]: unknown;
}

describe('payrolls', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK, env: { ENCRYPTION_KEY } }));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  // Whatever the year is: only those next to the current one open by themselves.
  before(async () => await app.client.post('/api/periods/generate', { year: 2026 }));

  const hire = async (members: object) => {
    const { status, body } = await app.client.post('/api/employees', { ...ANA, nif: null, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data as { id: string };
  };
  const generate = async (year: number, month: number, more: object = {}) => {
    const { status, body } = await app.client.post('/api/payrolls/generate', { year, month, ...more });
    assert.equal(status, 202, JSON.stringify(body));
    const task = await eventually(async () => {
      const found = (await app.client.get(`/api/tasks/${body.task_id}`)).body.data as {
        status: string;
        result_url: string;
        completed_at?: string;
      };
      assert.ok(found.completed_at);
      return found;
    }, 60_000);
    const result = (await app.anonymous.get(task.result_url)).body.data as Result;
    return { status: task.status, ...result };
  };
  const of = async (employeeId: string, query = '') =>
    (await app.client.get(`/api/payrolls?employeeId=${employeeId}${query}`)).body.data as Payroll[];

  it('match the worked payslip and its entry to the cent', async () => {
    const { id } = await hire(ANA);
    const done = await generate(2026, 1);
    assert.deepEqual([done.status, done.made, done.skipped], ['completed', 1, []], JSON.stringify(done));
    const [payroll] = await of(id);
    assert.ok(payroll);
    assert.deepEqual(payroll.lines, [{ description: 'Salario base', kind: 'earning', amount: 1700 }]);
    assert.deepEqual(payroll.bases, { common: 1983.33, professional: 1983.33, irpf: 1700 });
    const { employeeContributions, employerContributions } = payroll as unknown as Record<string, { total: number }>;
    assert.deepEqual([employeeContributions?.total, employerContributions?.total], [128.91, 637.64]);
    assert.deepEqual([payroll.gross, payroll.irpf, payroll.deductions, payroll.net], [1700, 204, 332.91, 1367.09]);
    const posted = await app.client.post(`/api/payrolls/${payroll.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    const entry = (await app.client.get(`/api/journal-entries/${posted.body.data.entryId}`)).body.data;
    assert.deepEqual([entry.date, entry.description, typeof entry.number], ['2026-01-31', 'Nómina 2026-01', 'number']);
    const accounts = (await app.client.get('/api/accounts?limit=500')).body.data as { id: string; code: string }[];
    const accountCode = (accountId: string) => accounts.find((account) => account.id === accountId)?.code;
    const lines = (entry.lines as { accountId: string; debit: number; credit: number }[]).map((line) => [
      accountCode(line.accountId),
      line.debit,
      line.credit,
    ]);
    assert.deepEqual(lines, [
      ['640', 1700, 0],
      ['642', 637.64, 0],
      ['476', 0, 766.55],
      ['4751', 0, 204],
      ['465', 0, 1367.09],
    ]);
    assert.ok(!JSON.stringify(entry).includes('Ana'));
    assertProblem(await app.client.patch(`/api/payrolls/${payroll.id}`, { irpfRate: 10 }), 409, 'invalid_transition');
    assertProblem(await app.client.del(`/api/payrolls/${payroll.id}`), 409, 'invalid_transition');
    await app.client.patch(`/api/employees/${id}`, { active: false });
  });

  it('are generated once for a month, with a list of skipped employees', async () => {
    const { id } = await hire({ name: 'Bea', code: 'BEA' });
    await hire({ name: 'Carl', code: 'CARL', grossAnnualSalary: null });
    const first = await generate(2026, 2);
    assert.deepEqual(
      [first.made, first.skipped.map(({ code, reason }) => [code, reason])],
      [1, [['CARL', 'no_salary']]],
    );
    const again = await generate(2026, 2);
    assert.deepEqual([again.made, again.kept, again.skipped.length], [0, 1, 1]);
    assert.equal((await of(id, '&month=2')).length, 1);
  });

  it('are recomputed with other lines, as long as the net is positive', async () => {
    const { id } = await hire({ name: 'Dora' });
    await generate(2026, 3);
    const [draft] = await of(id);
    assert.ok(draft);
    const path = `/api/payrolls/${draft.id}`;
    const lines = [...draft.lines, { description: 'Horas extra', kind: 'overtime', amount: 100 }];
    const { body } = await app.client.patch(path, { lines });
    assert.deepEqual([body.data.gross, body.data.bases.professional], [1800, 2083.33]);
    const advance = { description: 'Anticipo', kind: 'deduction', amount: 5000 };
    const refused = await app.client.patch(path, { lines: [...lines, advance] });
    assertProblem(refused, 422, 'validation_failed');
    assert.equal((refused.body as { errors: { pointer: string; code: string }[] }).errors[0]?.code, 'net_below_zero');
    assert.deepEqual((await app.client.get(path)).body.data, body.data);
  });

  it('are reversed when cancelled, and can be generated again', async () => {
    const { id } = await hire({ name: 'Eva' });
    await generate(2026, 4, { post: true });
    const [posted] = await of(id);
    assert.equal(posted?.status, 'O');
    const cancelled = await app.client.post(`/api/payrolls/${posted?.id}/cancel`, { date: '2026-05-31' });
    assert.equal(cancelled.body.data.status, 'X', JSON.stringify(cancelled.body));
    const balance = await app.client.get('/api/reports/trial-balance?from=2026-04-01&to=2026-05-31');
    assert.ok(balance.status === 200);
    await generate(2026, 4);
    assert.deepEqual(
      (await of(id, '&sort=createdAt')).map(({ status }) => status),
      ['X', 'D'],
    );
    assertProblem(await app.client.post(`/api/payrolls/${posted?.id}/cancel`), 409, 'invalid_transition');
  });

  it('are rejected for invalid months', async () => {
    const bad: [object, string, string][] = [
      [{ year: 2024, month: 1 }, '/year', 'no_rates'],
      [{ year: 2027, month: 1 }, '/year', 'no_rates'],
      [{ year: 2026, month: 13 }, '/month', 'out_of_range'],
      [{ year: 2026 }, '/month', 'required'],
    ];
    for (const [body, pointer, code] of bad) {
      const answer = await app.client.post('/api/payrolls/generate', body);
      const [found] = (answer.body as { errors?: { pointer: string; code: string }[] }).errors ?? [];
      assert.deepEqual([answer.status, found?.pointer, found?.code], [422, pointer, code], JSON.stringify(answer.body));
    }
    const periods = (await app.client.get('/api/periods?from=2026-06-01')).body.data as { id: string }[];
    await app.client.patch(`/api/periods/${periods[0]?.id}`, { status: 'C' });
    assertProblem(await app.client.post('/api/payrolls/generate', { year: 2026, month: 6 }), 409, 'period_closed');
  });
});
