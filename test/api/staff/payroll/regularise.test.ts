/** Percentages of income tax of many employees over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';

interface Rate {
  readonly employeeId: string;
  readonly code: string;
  readonly currentRate: number | null;
  readonly rate: number | null;
  readonly applied: boolean;
  readonly reason: string | null;
}

describe('income tax percentages of several employees', () => {
  const app = useApp({ clock: { now: new Date('2026-01-10T10:00:00Z') } });
  const hire = async (code: string, members: object) => {
    const usual = { code, name: code, hireDate: '2026-01-01', contributionGroup: 5, grossAnnualSalary: 23800 };
    const { status, body } = await app.client.post('/api/employees', { ...usual, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return (body.data as { id: string }).id;
  };
  const staff = use(async () => ({
    ana: await hire('ANA', {}),
    bea: await hire('BEA', { grossAnnualSalary: 40000 }),
    carl: await hire('CARL', { grossAnnualSalary: null }),
    dora: await hire('DORA', { endDate: '2026-01-31' }),
    eva: await hire('EVA', { active: false }),
  }));
  const regularise = async (body: object) => {
    const answer = await app.client.post('/api/payrolls/regularise', { year: 2026, month: 2, ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as Rate[];
  };
  const said = (rates: readonly Rate[]) => rates.map(({ code, applied, reason }) => [code, applied, reason]);

  it('equal those of each employee, and are applied together', async () => {
    await app.client.put(`/api/employees/${staff.bea}/tax-data`, { children: 1 });
    const tried = await regularise({});
    assert.deepEqual(said(tried), [
      ['ANA', false, null],
      ['BEA', false, null],
      ['CARL', false, 'nothing_to_pay'],
    ]);
    const rates = await regularise({ apply: true });
    assert.deepEqual(said(rates)[1], ['BEA', true, null]);
    assert.deepEqual(
      rates.map(({ rate }) => rate),
      tried.map(({ rate }) => rate),
    );
    for (const { employeeId, rate } of rates.slice(0, 2)) {
      const one = await app.client.post(`/api/employees/${employeeId}/irpf`, { date: '2026-02-01' });
      assert.deepEqual([one.body.data.rate, one.body.data.currentRate], [rate, rate]);
    }
  });

  it('are limited to the named employees', async () => {
    const rates = await regularise({ employeeIds: [staff.eva, staff.dora, staff.ana] });
    assert.deepEqual(said(rates), [
      ['ANA', false, null],
      ['DORA', false, 'no_contract'],
      ['EVA', false, null],
    ]);
  });

  it('are rejected for years without rules and without employees', async () => {
    const nobody = '018f0000-0000-7000-8000-000000000000';
    const bad: [object, string][] = [
      [{ year: 2024 }, '/year'],
      [{ month: 13 }, '/month'],
      [{ employeeIds: [] }, '/employeeIds'],
      [{ employeeIds: [staff.ana, nobody] }, '/employeeIds/1'],
      [{ employeeIds: [staff.ana, staff.ana] }, '/employeeIds'],
    ];
    for (const [body, pointer] of bad) {
      const answer = await app.client.post('/api/payrolls/regularise', { year: 2026, month: 2, apply: true, ...body });
      const [found] = (answer.body as { errors?: { pointer: string }[] }).errors ?? [];
      assert.deepEqual([answer.status, found?.pointer], [422, pointer], JSON.stringify(answer.body));
    }
  });

  it('require names if there are more than a hundred employees', async function () {
    this.timeout(60_000);
    const file = ['code,name,hireDate,grossAnnualSalary,contributionGroup'];
    for (let index = 0; index < 100; index++) file.push(`N${index},Name ${index},2026-01-01,24000,5`);
    const imported = await app.client.request('POST', '/api/import/employees', file.join('\n'), {
      'Content-Type': 'text/csv',
    });
    assert.equal(imported.status, 200, JSON.stringify(imported.body));
    const answer = await app.client.post('/api/payrolls/regularise', { year: 2026, month: 2 });
    assert.deepEqual(
      [answer.status, (answer.body as { errors?: { pointer: string }[] }).errors?.[0]?.pointer],
      [422, '/employeeIds'],
    );
  });
});
