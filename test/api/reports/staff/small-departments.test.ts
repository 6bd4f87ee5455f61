/** Labor cost of departments with fewer than three people, which only readers of payrolls see. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { round, sum, toNumber } from '../../../../domain/money.ts';
import { REAL_CLOCK, type TestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { generate, hire } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

const YEAR = 'from=2026-01-01&to=2026-03-31';

type Row = Readonly<
  Record<'month' | 'name' | 'gross' | 'total' | 'department_id' | 'drilldown', string | number | null>
>;

/**
 * A company whose shop has four people, its store three, the office two and the board one; in February there are only the office and the
 * board, in March the office alone.
 */
async function staffed(app: TestApp) {
  await app.client.post('/api/periods/generate', { year: 2026 });
  const departments: Record<string, string> = {};
  const hired = async (department: string, count: number, until: object, members: object = {}) => {
    const { body } = await app.client.post('/api/departments', { name: department });
    departments[department] = body.data.id;
    for (let n = 0; n < count; n++) await hire(app, { departmentId: body.data.id, ...until, ...members });
  };
  await hired('Shop', 4, { endDate: '2026-01-31' });
  await hired('Store', 3, { endDate: '2026-01-31' });
  await hired('Office', 2, {});
  await hired('Board', 1, { endDate: '2026-02-28' }, { grossAnnualSalary: 59388 });
  for (const month of [1, 2, 3]) await generate(app, { year: 2026, month, post: true });
  return departments;
}

describe('labor cost of small departments', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    return { clock: REAL_CLOCK, env: { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const made = use(async () => {
    const departments = await staffed(app);
    const token = async (role: string): Promise<string> => {
      const login = { email: `${role}@example.test`, password: 'a password of twenty letters' };
      await app.client.post('/api/users', { ...login, name: role, role });
      return (await app.anonymous.post('/api/auth/login', login)).body.token;
    };
    const key = async (role: string) =>
      app.as((await app.client.post('/api/api-keys', { name: role, role })).body.data.key);
    const accountantToken = await token('accountant');
    return {
      departments,
      accountantToken,
      accountant: app.as(accountantToken),
      hr: app.as(await token('hr')),
      key: await key('accountant'),
      hrKey: await key('hr'),
    };
  });
  const read = async (client: TestClient, query: string) => {
    const { status, body } = await client.get(`/api/reports/labor-cost?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { data: { rows: Row[] }; summary: Row };
  };

  /** The gross pay by month and department, as human resources see it. */
  const gross = async (month: string, ...names: string[]) => {
    const { data } = await read(made.hr, YEAR);
    const rows = data.rows.filter((row) => row.month === month && names.includes(String(row.name)));
    assert.equal(rows.length, names.length);
    return toNumber(round(sum(rows.map((row) => Number(row.gross))).toFixed(), 2));
  };

  it('is shown to human resources', async () => {
    const { data, summary } = await read(made.hr, YEAR);
    const names = ['Board', 'Office', 'Shop', 'Store', 'Board', 'Office', 'Office'];
    assert.deepEqual(
      data.rows.map(({ name }) => name),
      names,
    );
    assert.ok(Number(summary.gross) > Number(data.rows[0]?.gross) && data.rows.every(({ total }) => Number(total) > 0));
  });

  it('is one sum of at least three people for the accountant, or none', async () => {
    const { data, summary } = await read(made.accountant, YEAR);
    const rows = data.rows.map((row) => [row.month, row.name, row.gross, row.drilldown === null]);
    assert.deepEqual(rows, [
      ['2026-01', 'Shop', await gross('2026-01', 'Shop'), false],
      ['2026-01', 'Store', await gross('2026-01', 'Store'), false],
      ['2026-01', 'Otros departamentos', await gross('2026-01', 'Board', 'Office'), true],
      ['2026-02', 'Otros departamentos', await gross('2026-02', 'Board', 'Office'), true],
      ['2026-03', 'Otros departamentos', null, true],
    ]);
    assert.deepEqual(summary, { gross: null, severance: null, employer_contributions: null, total: null });
    const until = 'from=2026-01-01&to=2026-02-28';
    assert.deepEqual((await read(made.accountant, until)).summary, (await read(made.hr, until)).summary);
  });

  it('is not divided by cost center and project for those who may not read payrolls', async () => {
    const center = (await app.client.post('/api/cost-centers', { code: 'C1', name: 'Studio' })).body.data.id;
    const query = `${YEAR}&cost_center_id=${center}`;
    for (const one of [query, `${YEAR}&by=cost_center`, `${YEAR}&by=project`])
      assertProblem(await made.accountant.get(`/api/reports/labor-cost?${one}`), 403, 'forbidden');
    assert.deepEqual((await read(made.hr, query)).data.rows, []);
    assert.deepEqual((await read(made.hr, `${YEAR}&by=project`)).summary, (await read(made.hr, YEAR)).summary);
  });

  it('cannot be asked for by department', async () => {
    for (const [name, cost] of [
      ['Board', null],
      ['Office', null],
      ['Shop', await gross('2026-01', 'Shop')],
    ] as const) {
      const query = `from=2026-01-01&to=2026-01-31&department_id=${made.departments[name]}`;
      const { data, summary } = await read(made.accountant, query);
      assert.deepEqual([data.rows.map((row) => [row.name, row.gross]), summary.gross], [[[name, cost]], cost]);
    }
  });

  it('is not in files either, made at once or by a task', async () => {
    const range = { from: '2026-01-01', to: '2026-02-28' };
    const csv = async (caller: TestClient) => {
      const body = { ...range, format: 'csv', header: 'names' };
      const { status, body: task } = await caller.post('/api/reports/labor-cost/generate', body);
      assert.equal(status, 202, JSON.stringify(task));
      const { result_url: url } = await eventually(async () => {
        const { data } = (await caller.get(`/api/tasks/${task.task_id}`)).body;
        assert.equal(data.status, 'completed', JSON.stringify(data));
        return data as { result_url: string };
      }, 60_000);
      return (await readCsv(await download(app, url), ';')).map(({ month, name }) => `${month} ${name}`);
    };
    const all = ['01 Board', '01 Office', '01 Shop', '01 Store', '02 Board', '02 Office'];
    const protectedOnes = ['01 Shop', '01 Store', '01 Otros departamentos', '02 Otros departamentos'];
    for (const caller of [made.accountant, made.key]) {
      assert.deepEqual(
        await csv(caller),
        protectedOnes.map((row) => `2026-${row}`),
      );
    }
    for (const caller of [made.hr, made.hrKey])
      assert.deepEqual(
        await csv(caller),
        all.map((row) => `2026-${row}`),
      );
    const file = await download(app, '/api/reports/labor-cost?format=csv&from=2026-01-01&to=2026-01-31', {
      headers: { Authorization: `Bearer ${made.accountantToken}` },
    });
    assert.doesNotMatch(await file.text(), /Board/);
  });
});
