/** The people of the year: contracts, payrolls by month, and the payments of their wages. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../api-client.ts';
import { DemoError } from '../session.ts';
import type { Movement } from './bank.ts';
import { type Month, STAFF } from './plan.ts';

const WAIT_MS = 250;
const TRIES = 240;

/** Hires the staff on a day, with what they declare for income tax. */
export async function hire(client: ApiClient, day: string): Promise<void> {
  const there = new Set((await client.all<{ name: string }>('/api/employees')).map(({ name }) => name));
  for (const { name, salary, group, children } of STAFF) {
    if (there.has(name)) continue;
    const body = { name, hireDate: day, grossAnnualSalary: salary, contributionGroup: group };
    const { id } = await client.create<{ id: string }>('/api/employees', body, `demo-hire-${name}`);
    await client.put(`/api/employees/${id}/tax-data`, { familySituation: 3, children });
  }
  await withholdTax(client, day);
}

/** Works out the percentage of income tax from a day on, for the rest of its year. */
export async function withholdTax(client: ApiClient, day: string): Promise<void> {
  for (const { id } of await client.all<{ id: string }>('/api/employees')) {
    await client.post(`/api/employees/${id}/irpf`, { year: Number(day.slice(0, 4)), date: day, apply: true });
  }
}

/** Makes, posts and pays the payrolls of a month. @returns the movements of the bank that pay them */
export async function payWages(
  client: ApiClient,
  { year, month, to }: Month,
  bankAccountId: string,
): Promise<Movement[]> {
  const started = await client.post('/api/payrolls/generate', { year, month, post: true });
  await ended(client, String(started.task_id));
  const payrolls = await client.all<{ id: string }>('/api/payrolls', { year: String(year), month: String(month) });
  if (payrolls.length === 0) return [];
  const paid = await client.post('/api/payrolls/pay', { ids: payrolls.map(({ id }) => id), date: to, bankAccountId });
  return (paid.data as { paymentId: string; amount: number }[]).map(({ paymentId, amount }, index) => ({
    date: to,
    text: `Nómina ${month}/${year} ${index + 1}`,
    amount: -amount,
    paymentId,
  }));
}

/** @throws DemoError if the task fails, or takes a minute */
async function ended(client: ApiClient, id: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const { status, error } = await client.one<{ status: string; error?: string }>(`/api/tasks/${id}`);
    if (status === 'completed') return;
    if (status === 'failed') throw new DemoError(`The payrolls could not be made: ${error}`);
    await sleep(WAIT_MS);
  }
  throw new DemoError('The payrolls were not made within a minute; does a worker run?');
}
