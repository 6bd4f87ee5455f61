/** Labor cost over HTTP, against the ledger. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { daysIn, formatDay } from '../../../../domain/days.ts';
import { decimal, sum, toNumber } from '../../../../domain/money.ts';
import { Random } from '../../../helpers/fuzz/random.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

describe('the report labor cost', () => {
  const app = useApp({ clock: { now: new Date('2026-04-10T10:00:00Z') } });
  const made = use(async () => {
    const department = await app.client.post('/api/departments', { name: 'Shop' });
    const shop = department.body.data.id as string;
    await hire(app, { departmentId: shop });
    await hire(app, { name: 'Bea', grossAnnualSalary: 30000 });
    for (const month of [1, 2]) await generate(app, { year: 2026, month, post: true });
    await generate(app, { year: 2026, month: 3 });
    return { shop };
  });
  const read = async (query: string) => (await app.client.get(`/api/reports/labor-cost?${query}`)).body;

  it('has the posted payrolls of each month by department, as the ledger has them', async () => {
    const { data, summary } = await read('from=2026-01-01&to=2026-03-31');
    const rows = data.rows.map(({ month, name, gross }: Record<string, unknown>) => [month, name, gross]);
    assert.deepEqual(rows, [
      ['2026-01', 'Shop', 1700],
      ['2026-01', 'Sin departamento', 2142.86],
      ['2026-02', 'Shop', 1700],
      ['2026-02', 'Sin departamento', 2142.86],
    ]);
    assert.equal(data.rows[0].total, 2337.64);
    const balance = await app.client.get('/api/reports/trial-balance?from=2026-01-01&to=2026-03-31');
    const of = (code: string) => balance.body.data.rows.find((row: { code: string }) => row.code === code)?.debit;
    assert.deepEqual([summary.gross, summary.employer_contributions], [of('640'), of('642')]);
  });

  it('is of months that end in the period, and of one department', async () => {
    assert.deepEqual((await read('from=2026-01-01&to=2026-01-30')).data.rows, []);
    const { data } = await read(`from=2026-01-31&to=2026-01-31&department_id=${made.shop}`);
    assert.equal(data.rows.length, 1);
    const { body } = await app.client.get(data.rows[0].drilldown);
    assert.deepEqual(
      (body.data as { gross: number }[]).map(({ gross }) => gross),
      [data.rows[0].gross],
    );
  });

  it('is for those who read reports on people, the accountant too', async () => {
    const login = (role: string) => ({ email: `${role}@example.test`, password: 'a password of twenty letters' });
    for (const [role, status] of [
      ['accountant', 200],
      ['viewer', 403],
    ] as const) {
      await app.client.post('/api/users', { ...login(role), name: role, role });
      const { body } = await app.anonymous.post('/api/auth/login', login(role));
      const answer = await app.as(body.token).get('/api/reports/labor-cost?from=2026-01-01&to=2026-03-31');
      if (status === 403) assertProblem(answer, 403, 'forbidden');
      else assert.equal(answer.status, status);
    }
  });
});

describe('labor cost of a month is what 640, 641 and 642 have in it', () => {
  const app = useApp({ clock: { now: new Date('2026-06-20T10:00:00Z') } });
  const books = use(() => openBooks(app));
  const random = new Random(640_642);
  const MONTHS = [1, 2, 3, 4, 5, 6].map((month) => ({
    month,
    from: formatDay(2026, month, 1),
    to: formatDay(2026, month, daysIn(2026, month)),
  }));

  const check = async (which: string) => {
    for (const { from, to } of MONTHS) {
      const { body } = await app.client.get(`/api/reports/labor-cost?from=${from}&to=${to}`);
      const ledger = await app.client.get(`/api/reports/trial-balance?from=${from}&to=${to}`);
      const moved = (code: string) => {
        const row = ledger.body.data.rows.find((each: { code: string }) => each.code === code);
        return toNumber(decimal(row?.debit ?? 0).minus(row?.credit ?? 0));
      };
      const { gross, severance, employer_contributions, total } = body.summary;
      const shown = [gross, severance, employer_contributions];
      const rows = sum(body.data.rows.map((row: { total: number }) => row.total));
      assert.deepEqual(shown, [moved('640'), moved('641'), moved('642')], `${which}, ${from}`);
      assert.equal(total, toNumber(rows));
    }
  };

  before(async () => {
    for (const name of ['Shop', 'Office']) {
      const { id } = (await app.client.post('/api/departments', { name })).body.data;
      for (let n = 0; n < 3; n++)
        await hire(app, { departmentId: id, grossAnnualSalary: 20_000 + random.below(30_000) });
    }
    for (const month of [1, 2, 3, 4]) await generate(app, { year: 2026, month, post: true });
  });

  it('as posted', () => check('posted'));

  it('when payrolls are cancelled, on a day of the same month or of a later one, and made again', async () => {
    const payrolls = await listPayrolls(app, 'year=2026&status=O&limit=100');
    const cancel = async (month: number, date: string) => {
      const found = payrolls.filter((payroll) => (payroll as unknown as { month: number }).month === month);
      const { status, body } = await app.client.post(`/api/payrolls/${random.pick(found).id}/cancel`, { date });
      assert.equal(status, 200, JSON.stringify(body));
    };
    await cancel(1, '2026-01-31');
    await check('cancelled in its month');
    await cancel(2, '2026-03-15');
    await cancel(3, '2026-06-10');
    await check('cancelled later');
    await generate(app, { year: 2026, month: 2, post: true });
    await check('made again');
  });

  it('and when wages are entered without a payroll', async () => {
    const enter = (date: string, debit: string, credit: string, amount: number) =>
      books.make('/api/journal-entries', {
        date,
        post: true,
        lines: [
          { accountId: books.account(debit), debit: amount },
          { accountId: books.account(credit), credit: amount },
        ],
      });
    const { id } = await enter('2026-05-05', '640', '572', 1234.56);
    await enter('2026-05-06', '642', '572', 300);
    await enter('2026-05-07', '641', '572', 100);
    await check('entered');
    const { body } = await app.client.get('/api/reports/labor-cost?from=2026-05-01&to=2026-05-31');
    assert.deepEqual(
      body.data.rows.map(({ name, total }: Record<string, unknown>) => [name, total]),
      [['Asientos sin nómina', 1634.56]],
    );
    await app.client.post(`/api/journal-entries/${id}/reverse`, { date: '2026-06-01' });
    await check('reversed');
  });
});
