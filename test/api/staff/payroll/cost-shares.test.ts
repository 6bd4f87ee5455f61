/** Shares of projects and cost centers in what employees cost, down to the profit of the project (decision 0318). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

describe('shares of projects in what employees cost', () => {
  const app = useApp({ clock: { now: new Date('2026-02-10T10:00:00Z') } });
  const books = use(() => openBooks(app));
  let path: string;
  let employeeId: string;
  let project: { id: string };
  let center: { id: string };

  before(async () => {
    ({ id: employeeId } = await hire(app));
    path = `/api/employees/${employeeId}/cost-shares`;
    project = await books.make('/api/projects', { code: 'P1', name: 'Website' });
    center = await books.make('/api/cost-centers', { code: 'C1', name: 'Studio' });
  });

  it('add up to the whole at most, each of something', async () => {
    await books.make(path, { projectId: project.id, percent: 33.3333 });
    const second = await books.make(path, { costCenterId: center.id, percent: 50 });
    assertRefused(await app.client.post(path, { percent: 1 }), '/projectId');
    const both = { projectId: project.id, costCenterId: center.id };
    assertRefused(await app.client.post(path, { ...both, percent: 16.6668 }), '/percent');
    assertRefused(await app.client.patch(`${path}/${second.id}`, { percent: 70 }), '/percent');
    assertRefused(await app.client.post(path, { projectId: center.id, percent: 1 }), '/projectId');
  });

  it('divide the cost of a payroll to the cent, and the rest is of nothing', async () => {
    await generate(app, { year: 2026, month: 1 });
    const [draft] = await listPayrolls(app, `employeeId=${employeeId}&month=1`);
    assert.equal((await app.client.post(`/api/payrolls/${draft?.id}/post`, {})).status, 200);
    const entered = await books.enteredFor(draft?.id ?? '');
    assert.deepEqual(
      entered.filter((line) => /64[02]/.test(line)),
      ['D 640 566.67', 'D 640 850', 'D 640 283.33', 'D 642 212.55', 'D 642 318.82', 'D 642 106.27'],
    );
    const range = 'from=2026-01-01&to=2026-01-31';
    const { body } = await app.client.get(`/api/reports/profit-project?${range}`);
    assert.deepEqual(
      body.data.rows.map((row: { project_id: string; expenses: number; margin: number }) => [
        row.project_id,
        row.expenses,
        row.margin,
      ]),
      [[project.id, 779.22, -779.22]],
      JSON.stringify(body),
    );
    const cost = await app.client.get(`/api/reports/labor-cost?${range}`);
    assert.deepEqual(cost.body.summary.total, 2337.64);
    for (const [share, gross, contributions] of [
      [`project_id=${project.id}`, 566.67, 212.55],
      [`cost_center_id=${center.id}`, 850, 318.82],
      [`project_id=${project.id}&cost_center_id=${center.id}`, 0, 0],
    ] as const) {
      const { summary, data } = (await app.client.get(`/api/reports/labor-cost?${range}&${share}`)).body;
      assert.deepEqual([summary.gross, summary.employer_contributions], [gross, contributions], share);
      assert.ok(data.rows.every(({ drilldown }: { drilldown: string | null }) => drilldown === null));
    }
    const { data } = (await app.client.get(`/api/reports/labor-cost?${range}&by=project`)).body;
    assert.deepEqual(
      data.rows.map((row: Record<string, unknown>) => [row.project_id, row.project_name, row.gross, row.drilldown]),
      [
        [project.id, 'P1 Website', 566.67, null],
        [null, 'Sin proyecto', 1133.33, null],
      ],
    );
  });

  it('are in the profit of projects for those alone who may read pay, or the books', async () => {
    const shown = async (role: string) => {
      const { client } = await addMember(app, role);
      const { status, body } = await client.get('/api/reports/profit-project?from=2026-01-01&to=2026-01-31');
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.rows.map(({ expenses }: { expenses: number }) => expenses);
    };
    assert.deepEqual(await shown('sales'), []);
    assert.deepEqual(await shown('accountant'), [779.22]);
  });
});
