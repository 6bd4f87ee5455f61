/** Tax data of employees, and the percentage that follows from it, over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

type Body = Record<string, unknown>;

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const NOTHING_TOLD = {
  familySituation: 3,
  children: 0,
  childrenUnderThree: 0,
  childrenInFull: false,
  birthYear: null,
  disability: 0,
  needsHelp: false,
  disabledChildren: [],
  ascendants: [],
  withholding: 'ordinary',
  ceutaOrMelilla: false,
  geographicMobility: false,
  province: null,
  spouseNif: null,
  subkey: null,
};

describe('income tax of employees', () => {
  const app = useApp({ clock: { now: new Date('2026-01-10T10:00:00Z') } });
  const hire = async (members: Body) => {
    const usual = { name: 'Ana Ruiz', hireDate: '2026-01-01', payments: 14, contributionGroup: 5 };
    const { status, body } = await app.client.post('/api/employees', { ...usual, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return `/api/employees/${(body.data as { id: string }).id}`;
  };
  const ana = use(async () => ({ path: await hire({ grossAnnualSalary: 23800 }) }));
  const workOut = async (path: string, body: Body = {}) => {
    const answer = await app.client.post(`${path}/irpf`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };

  it("stores the employees' tax data with a version", async () => {
    const path = `${ana.path}/tax-data`;
    const before = await app.client.get(path);
    const id = ana.path.split('/').at(-1);
    assert.deepEqual(before.body.data, { id, ...NOTHING_TOLD, version: 0 });
    const told = { familySituation: 1, children: 2, childrenUnderThree: 1 };
    const tag = { 'If-Match': String(before.headers.get('etag')) };
    const { status, body } = await app.client.put(path, told, tag);
    assert.deepEqual([status, body.data], [200, { id, ...NOTHING_TOLD, ...told, version: 1 }]);
    assertProblem(await app.client.put(path, told, tag), 412, 'stale_version');
    assert.deepEqual((await app.client.put(path, (await app.client.get(path)).body.data)).body.data, body.data);
    assert.deepEqual((await app.client.put(path, {})).body.data, { id, ...NOTHING_TOLD, version: 2 });
  });

  it('withholds less for disabled workers with ascendants, and a fixed percentage of administrators', async () => {
    const path = await hire({ grossAnnualSalary: 30000 });
    const parent = { birthYear: 1946, disability: 33, needsHelp: true, sharedBy: 2 };
    const told = { disability: 33, ascendants: [parent] };
    const { body } = await app.client.put(`${path}/tax-data`, told);
    assert.deepEqual([body.data.disability, body.data.ascendants], [33, [parent]]);
    const worked = await workOut(path);
    // 5,550 + 3,000, and (1,150 + 1,400 + 3,000 + 3,000) / 2.
    assert.deepEqual(
      [worked.steps.disability, worked.steps.minimum, worked.taxData.ascendants],
      [3500, 12825, [parent]],
    );
    await app.client.put(`${path}/tax-data`, { withholding: 'administrator' });
    assert.equal((await workOut(path, { apply: true })).rate, 35);
    assert.equal((await app.client.get(path)).body.data.irpfRate, 35);
  });

  it('rejects invalid families', async () => {
    const bad: [Body, string][] = [
      [{ familySituation: 1 }, '/children'],
      [{ familySituation: 4 }, '/familySituation'],
      [{ children: 1, childrenUnderThree: 2 }, '/childrenUnderThree'],
      [{ children: -1 }, '/children'],
      [{ children: 1.5 }, '/children'],
      [{ birthYear: 1800 }, '/birthYear'],
      [{ disability: 50 }, '/disability'],
      [{ disabledChildren: [{ disability: 33, needsHelp: false }] }, '/disabledChildren'],
      [{ ascendants: [{ birthYear: 1950, disability: 0, needsHelp: false, sharedBy: 0 }] }, '/ascendants/0/sharedBy'],
      [{ withholding: 'none' }, '/withholding'],
      [{ province: '53' }, '/province'],
      [{ spouseNif: '12345678Z' }, '/spouseNif'],
      [{ familySituation: 2, spouseNif: '12345678A' }, '/spouseNif'],
      [{ familySituation: 2, spouseNif: 'B64717838' }, '/spouseNif'],
      [{ subkey: '01' }, '/subkey'],
      [{ withholding: 'author', subkey: '01' }, '/subkey'],
    ];
    for (const [body, pointer] of bad) {
      const answer = await app.client.put(`${ana.path}/tax-data`, body);
      const [found] = (answer.body as { errors?: { pointer: string }[] }).errors ?? [];
      assert.deepEqual([answer.status, found?.pointer], [422, pointer], JSON.stringify(answer.body));
    }
    assertProblem(await app.client.get(`/api/employees/${NOBODY}/tax-data`), 404, 'not_found');
    assertProblem(await app.client.put(`/api/employees/${NOBODY}/tax-data`, {}), 404, 'not_found');
  });

  it('is computed from the contract, and shows its steps', async () => {
    const found = await workOut(ana.path);
    // Worked by hand in test/domain/payroll/irpf.test.ts.
    assert.deepEqual([found.rate, found.currentRate, found.applied], [13.39, 0, false]);
    assert.deepEqual(found.paid, { months: [], gross: 0, contributions: 0, withheld: 0 });
    assert.deepEqual([found.expected.gross, found.expected.contributions], [23800, 1546.92]);
    assert.deepEqual(found.expected.months, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const { base, taxOfBase, taxOfMinimum, tax, rate } = found.steps;
    assert.deepEqual([base, taxOfBase, taxOfMinimum, tax, rate], [20253.08, 4241.42, 1054.5, 3186.92, 13.39]);
  });

  it('regularises the rest of the year, and sets the percentage in the contract', async () => {
    // July to December and the extra pay: 7 x 1,700; (3,186.92 - 1,000) / 11,900 = 18.377 %.
    const before = { gross: 11900, contributions: 773.46, withheld: 1000 };
    const found = await workOut(ana.path, { date: '2026-07-01', before, apply: true });
    assert.deepEqual([found.steps.tax, found.rate, found.applied], [3186.92, 18.37, true]);
    const contracts = (await app.client.get(`${ana.path}/contracts`)).body.data as { irpfRate: number }[];
    assert.deepEqual(
      contracts.map(({ irpfRate }) => irpfRate),
      [18.37],
    );
    assert.equal((await workOut(ana.path)).currentRate, 18.37);
  });

  it('includes pay items, raises and children', async () => {
    const path = await hire({ grossAnnualSalary: 24000, payments: 12 });
    const item = { description: 'Plus', kind: 'earning', amount: 100, from: '2026-07-01', to: '2026-12-31' };
    assert.equal((await app.client.post(`${path}/pay-items`, item)).status, 201);
    const raise = { from: '2026-10-01', grossAnnualSalary: 30000 };
    assert.equal((await app.client.post(`${path}/contracts`, raise)).status, 201);
    // 9 x 2,000, 3 x 2,500 and 6 x 100.
    const alone = await workOut(path);
    assert.equal(alone.steps.gross, 26100);
    await app.client.put(`${path}/tax-data`, { familySituation: 1, children: 1, birthYear: 1960 });
    const family = await workOut(path);
    assert.equal(family.steps.minimum, 5550 + 1150 + 2400);
    assert.ok(family.rate < alone.rate);
    const later = await workOut(path, { date: '2026-11-05' });
    assert.deepEqual([later.expected.months, later.expected.gross], [[11, 12], 5200]);
  });

  it('is at least 2 % for contracts under a year', async () => {
    const terms = {
      contractType: 'temporary',
      grossAnnualSalary: 16800,
      hireDate: '2026-03-16',
      endDate: '2026-08-31',
    };
    const path = await hire({ ...terms, payments: 12 });
    // 16 of 30 days of March, and five months.
    const found = await workOut(path);
    assert.deepEqual([found.expected.gross, found.steps.tax, found.rate], [746.67 + 5 * 1400, 0, 2]);
    const long = await hire({ ...terms, endDate: '2027-03-15', payments: 12 });
    assert.equal((await workOut(long)).rate, 0);
  });

  it('applies to later contracts of the year', async () => {
    const path = await hire({ grossAnnualSalary: 24000 });
    await app.client.post(`${path}/contracts`, { from: '2026-10-01', grossAnnualSalary: 30000 });
    await app.client.post(`${path}/contracts`, { from: '2027-01-01', grossAnnualSalary: 32000 });
    const { rate } = await workOut(path, { apply: true });
    const { data } = (await app.client.get(`${path}/contracts?sort=from`)).body;
    assert.deepEqual(
      (data as { irpfRate: number }[]).map(({ irpfRate }) => irpfRate),
      [rate, rate, 0],
    );
  });

  it('is deleted with its employee', async () => {
    const path = await hire({ name: 'Eva Soto' });
    await app.client.put(`${path}/tax-data`, { children: 1 });
    assert.equal((await app.client.del(path)).status, 204);
    assertProblem(await app.client.get(`${path}/tax-data`), 404, 'not_found');
  });

  it('rejects years without rules, days without contract, and months without pay', async () => {
    const bad: [string, Body, string][] = [
      [ana.path, { year: 2024 }, '/year'],
      [ana.path, { date: '2031-01-01' }, '/date'],
      [ana.path, { year: 2026, date: '2025-12-01' }, '/date'],
      [ana.path, { before: { gross: -1, contributions: 0, withheld: 0 } }, '/before/gross'],
      [await hire({ grossAnnualSalary: 20000, endDate: '2026-03-31' }), { date: '2026-04-01' }, '/date'],
    ];
    for (const [path, body, pointer] of bad) {
      const answer = await app.client.post(`${path}/irpf`, body);
      const [found] = (answer.body as { errors?: { pointer: string }[] }).errors ?? [];
      assert.deepEqual([answer.status, found?.pointer], [422, pointer], JSON.stringify(answer.body));
    }
    assertProblem(await app.client.post(`${await hire({})}/irpf`), 409, 'invalid_transition');
    assertProblem(await app.client.post(`/api/employees/${NOBODY}/irpf`, {}), 404, 'not_found');
  });
});
