/** Amounts that a parent enters for its consolidated reports alone. */
import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { headingAmounts, openGroup } from './group.ts';

const PATH = '/api/group-adjustments';

describe('adjustments of a group', () => {
  const app = useApp();
  const group = use(() => openGroup(app));
  const adjustment = (amount: number, more: object = {}) => ({
    date: '2026-12-31',
    description: 'Beneficio no realizado en existencias',
    lines: [
      { accountId: group.parent.account('610'), side: 'debit', amount },
      { accountId: group.parent.account('300'), side: 'credit', amount },
    ],
    ...more,
  });
  const amounts = async (report: string, query: string) => {
    const { data } = await group.parent.report(report, query);
    return headingAmounts((data as { sections: never[] }).sections);
  };

  it('count among the eliminations from their day on, until they are reversed', async () => {
    const { id } = await group.parent.make(PATH, adjustment(60, { reversesOn: '2027-01-01' }));
    const pl = await amounts('consolidated-pl', 'from=2026-01-01&to=2026-12-31');
    assert.deepEqual(pl['4'], [0, 0, -60, -60]);
    assert.deepEqual(pl.parent_result, [0, 0, -60, -60]);
    const sheet = await amounts('consolidated-balance-sheet', 'to=2026-12-31');
    assert.deepEqual(sheet['A-1.VII'], [0, 0, -60, -60]);
    assert.deepEqual(sheet.ACTIVO, [0, 0, -60, -60]);
    assert.deepEqual(await amounts('consolidated-balance-sheet', 'to=2026-12-30'), {});
    const { summary } = await group.parent.report('consolidated-trial-balance', 'to=2026-12-31');
    assert.deepEqual(summary, { amount: 0, amounts: [0, 0, 0] });
    const later = await amounts('consolidated-balance-sheet', 'to=2027-12-31');
    assert.deepEqual(later['A-1.VII'], [0, 0, 60, 60]);
    assert.deepEqual(later.group_reserves, [0, 0, -60, -60]);
    assert.equal(later.ACTIVO, undefined);
    // The books of the parent are not touched.
    const own = await group.parent.report('balance-sheet', 'from=2026-01-01&to=2026-12-31');
    assert.equal((own.summary as { assets: number }).assets, 0);
    assert.equal((await app.client.del(`${PATH}/${id}`)).status, 204);
  });

  it('stand without a reversal, as reserves of the years after', async () => {
    const { id } = await group.parent.make(PATH, adjustment(60));
    const later = await amounts('consolidated-balance-sheet', 'to=2027-12-31');
    assert.deepEqual(later.ACTIVO, [0, 0, -60, -60]);
    assert.deepEqual(later.group_reserves, [0, 0, -60, -60]);
    assert.equal(later['A-1.VII'], undefined);
    const { summary } = await group.parent.report('consolidated-trial-balance', 'to=2027-12-31');
    assert.deepEqual(summary, { amount: 0, amounts: [0, 0, 0] });
    await app.client.del(`${PATH}/${id}`);
  });

  it('balance, on accounts that can be used, and are reversed afterwards', async () => {
    const [debit, credit] = adjustment(60).lines;
    const refused = async (more: object, pointer: string) =>
      assertRefused(await app.client.post(PATH, adjustment(60, more)), pointer);
    await refused({ lines: [debit, { ...credit, amount: 59 }] }, '/lines');
    await refused({ lines: [debit, { ...credit, amount: 60.001 }] }, '/lines/1/amount');
    const nowhere = '00000000-0000-7000-8000-000000000000';
    await refused({ lines: [debit, { ...credit, accountId: nowhere }] }, '/lines/1/accountId');
    await refused({ reversesOn: '2026-12-31' }, '/reversesOn');
    const { id } = await group.parent.make(PATH, adjustment(60));
    const used = await app.client.del(`/api/accounts/${group.parent.account('610')}`);
    assertProblem(used, 409, 'in_use');
    assertRefused(await app.client.patch(`${PATH}/${id}`, { reversesOn: '2026-12-30' }), '/reversesOn');
    await app.client.del(`${PATH}/${id}`);
  });

  it('stay as they are once the period of a day on which they count is closed', async () => {
    const { id } = await group.parent.make(PATH, adjustment(60, { date: '2026-01-31', reversesOn: '2026-02-28' }));
    const { body } = await app.client.get('/api/periods?code=2026-02');
    assert.equal((await app.client.patch(`/api/periods/${body.data[0].id}`, { status: 'C' })).status, 200);
    assertProblem(await app.client.post(PATH, adjustment(1, { date: '2026-02-10' })), 409, 'period_closed');
    assertProblem(await app.client.patch(`${PATH}/${id}`, { description: 'X' }), 409, 'period_closed');
    assertProblem(await app.client.del(`${PATH}/${id}`), 409, 'period_closed');
    const { body: kept } = await app.client.get(`${PATH}/${id}`);
    assert.equal(kept.data.description, 'Beneficio no realizado en existencias');
  });
});
