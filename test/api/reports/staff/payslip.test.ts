/** The payslip of the facts that everybody can check: 1,700 a month, two extra pays, group 5, an office, 12 %. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { ANA, generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('the report payslip', () => {
  const app = useApp({ clock: { now: new Date('2026-02-10T10:00:00Z') } });
  const ana = use(async () => {
    await app.client.put('/api/config/payroll', { contributionAccount: '28123456789' });
    const number = '280000000192'; // 280000001 divided by 97 leaves 92
    const { id } = await hire(app, { nif: '12345678Z', socialSecurityNumber: number, position: 'Administrativa' });
    const items = [
      { description: 'Vales de comida', kind: 'in_kind', amount: 50, from: '2026-02-01' },
      { description: 'Anticipo de enero', kind: 'deduction', amount: 100, from: '2026-02-01', to: '2026-02-28' },
      { description: 'Horas extra', kind: 'overtime', amount: 120, from: '2026-02-01', to: '2026-02-28' },
    ];
    for (const item of items) assert.equal((await app.client.post(`/api/employees/${id}/pay-items`, item)).status, 201);
    await generate(app, { year: 2026, month: 1, post: true });
    await generate(app, { year: 2026, month: 2 });
    return { id };
  });
  const payslipPath = async (month: number) => {
    const [payroll] = await listPayrolls(app, `employeeId=${ana.id}&month=${month}`);
    return `/api/reports/payslip?payroll_id=${payroll?.id}`;
  };
  const payslip = async (month: number) => await app.client.get(await payslipPath(month));

  it('has the sections that the law asks for, to the cent', async () => {
    const { status, body } = await payslip(1);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.report_name, body.from, body.to], ['payslip', '2026-01-01', '2026-01-31']);
    const { company, employee, earnings, deductions, bases, employer, net } = body.data;
    assert.equal(company.contribution_account, '28123456789');
    assert.deepEqual([employee.name, employee.nif, employee.position], [ANA.name, '12345678Z', 'Administrativa']);
    assert.deepEqual([earnings.total, net], [1700, 1367.09]);
    const rows = (of: { name: string; base: number; rate: number; amount: number }[]) =>
      of.map(({ name, base, rate, amount }) => [name, base, rate, amount]);
    assert.deepEqual(rows(deductions.contributions), [
      ['common', 1983.33, 4.7, 93.22],
      ['mei', 1983.33, 0.15, 2.97],
      ['unemployment', 1983.33, 1.55, 30.74],
      ['training', 1983.33, 0.1, 1.98],
    ]);
    assert.deepEqual(rows(employer.contributions), [
      ['common', 1983.33, 23.6, 468.07],
      ['mei', 1983.33, 0.75, 14.87],
      ['unemployment', 1983.33, 5.5, 109.08],
      ['training', 1983.33, 0.6, 11.9],
      ['accidents', 1983.33, 1.5, 29.75],
      ['fogasa', 1983.33, 0.2, 3.97],
    ]);
    assert.deepEqual(deductions.irpf, { base: 1700, rate: 12, amount: 204 });
    assert.deepEqual([bases.monthly, bases.extras, bases.common, bases.irpf], [1700, 283.33, 1983.33, 1700]);
    assert.deepEqual(body.summary, { gross: 1700, deductions: 332.91, net: 1367.09, employer_contributions: 637.64 });
  });

  it('tells what is in kind, in advance and overtime, and adds up', async () => {
    const { body } = await payslip(2);
    const { earnings, deductions, bases, net, status } = body.data;
    assert.equal(status, 'D');
    assert.deepEqual([deductions.in_kind, deductions.advances[0].amount, bases.overtime], [50, 100, 120]);
    const cents = (amounts: number[]) => Math.round(amounts.reduce((total, each) => total + each, 0) * 100);
    assert.equal(cents(earnings.lines.map((line: { amount: number }) => line.amount)), cents([earnings.total]));
    const taken = [deductions.contributions_total, deductions.irpf.amount, deductions.in_kind, 100];
    assert.equal(cents(taken), cents([deductions.total]));
    assert.equal(cents([earnings.total, -deductions.total]), cents([net]));
  });

  it('is a table of its sections in files', async () => {
    const response = await download(app, `${await payslipPath(1)}&format=csv`);
    const rows = await readCsv(response, ';');
    const text = JSON.stringify(rows);
    for (const said of ['I. Devengos', 'Salario base', 'Líquido total a percibir', '1367,09', '28123456789']) {
      assert.ok(text.includes(said), `${said}: ${text}`);
    }
  });

  it('is of those who may read payrolls, and of payrolls that there are', async () => {
    const login = { email: 'carla@example.test', password: 'a password of twenty letters' };
    await app.client.post('/api/users', { ...login, name: 'Carla', role: 'accountant' });
    const { body } = await app.anonymous.post('/api/auth/login', login);
    assertProblem(await app.as(body.token).get(await payslipPath(1)), 403, 'forbidden');
    assertProblem(await app.client.get(`/api/reports/payslip?payroll_id=${ana.id}`), 404, 'not_found');
    assertProblem(await app.client.get('/api/reports/payslip'), 400, 'invalid_parameter');
  });
});
