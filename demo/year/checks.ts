/** Compares the reports of a year with each other. */
import { decimal, sum } from '../../domain/money.ts';
import type { ApiClient } from '../api-client.ts';

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly data: { readonly rows: readonly Readonly<Record<string, number>>[] };
}

/** Compares the reports of the year with each other. @returns what does not agree */
export async function disagreements(client: ApiClient, from: string, to: string): Promise<string[]> {
  const report = async (name: string, query = `from=${from}&to=${to}`) =>
    (await client.get(`/api/reports/${name}?${query}`)) as unknown as Report;
  const [customers, items, trial, valuation] = await Promise.all([
    report('profit-customer'),
    report('profit-item'),
    report('trial-balance'),
    report('stock-valuation', `to=${to}`),
  ]);
  const total = ({ data }: Report, member: string) => sum(data.rows.map((row) => row[member] ?? 0)).toFixed(2);
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (String(one) !== String(other)) found.push(`${what}: ${one} and ${other}`);
  };
  for (const member of ['revenue', 'cost', 'margin']) {
    compare(`${member} by customer and by item`, fixed(customers.summary[member]), fixed(items.summary[member]));
    compare(`${member} by customer and its sum`, fixed(customers.summary[member]), total(customers, member));
  }
  compare('debits and credits of the trial balance', total(trial, 'debit'), total(trial, 'credit'));
  const stock = sum(
    trial.data.rows.filter(({ code }) => String(code).startsWith('30')).map(({ balance = 0 }) => balance),
  );
  if (!stock.eq(0)) compare('stock in the books and by its movements', stock.toFixed(2), total(valuation, 'value'));
  return found;
}

function fixed(amount = 0): string {
  return decimal(amount).toFixed(2);
}
