/** The budget of the measured year: its year before and a tenth more, by account, project, cost center and month. */
import { YEAR } from './measured-reports.ts';
import type { Stage } from './stage.ts';

/** @returns id of the budget, which is the current one */
export async function fillBudget({ client }: Stage): Promise<string> {
  const { body } = await client.post('/api/budgets', { name: 'Bench', fiscalYear: YEAR });
  const path = `/api/budgets/${body.data.id}`;
  for (const answer of [
    await client.post(`${path}/fill`, { fiscalYear: YEAR - 1, percent: 10 }),
    await client.patch(path, { status: 'approved', isDefault: true }),
  ]) {
    if (answer.status >= 300)
      throw new Error(`The budget was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return body.data.id;
}
