/** Reads taxes from the ledger, the only source of figures for returns and the VAT report (decision 0173). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { TaxTotal } from '../../../domain/ledger/tax-returns/totals.ts';
import type { MonthTotal } from '../../../domain/ledger/tax-returns/year303.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { readBalances, readTaxBalances, type Span, type TaxBalance } from '../accounting/balances/read.ts';

/** The sums of a tax on one account. */
export interface AccountTotal extends TaxTotal {
  readonly accountId: string;
}

/** A span of days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export async function readTaxTotals(reader: Reader, tenantId: string, days: Days): Promise<TaxTotal[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days } });
  return balances.map((balance) => spanTotal(balance, 'found'));
}

/** Reads taxes by month and account. @param days from the first entry on if `from` is missing */
export async function readMonthTotals(
  reader: Reader,
  tenantId: string,
  days: Span,
): Promise<(MonthTotal & AccountTotal)[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days }, by: ['month', 'accountId'] });
  return balances.map((balance) => {
    const { month, accountId } = balance;
    return { ...spanTotal(balance, 'found'), month, accountId };
  });
}

async function readAccountTotals(reader: Reader, tenantId: string, days: Days): Promise<AccountTotal[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days }, by: ['accountId'] });
  return balances.map((balance) => ({ ...spanTotal(balance, 'found'), accountId: balance.accountId }));
}

/** The sums of a tax in one of the requested spans. */
export function spanTotal<Name extends string>({ sums, ...tax }: TaxBalance<Name>, span: Name): TaxTotal {
  const { base, amount, debit, credit } = sums[span];
  return {
    kind: tax.taxKind,
    operation: tax.taxOperation,
    use: tax.taxUse,
    rectifying: tax.taxRectifying,
    groupId: tax.taxGroupId,
    rate: tax.taxRate,
    base,
    amount,
    debit,
    credit,
  };
}

/** Amounts on 477 and 472 whose lines carry no tax details, so that no return includes them. */
export interface Undeclared {
  readonly output: Decimal;
  readonly input: Decimal;
}

const SETTLED_SQL = `select left(a.code, 3) as code, coalesce(sum(l.debit - l.credit), 0)::text as balance
  from tax_returns r join journal_lines l on l.entry_id = r.entry_id join accounts a on a.id = l.account_id
  where l.date between :from::date and :to::date group by 1`;

/** Ignores opening and closing entries and settlements of filed returns, since they carry tax forward or settle it. */
export async function readUndeclared(reader: Reader, tenantId: string, days: Days): Promise<Undeclared> {
  const spans = { found: { ...days, kinds: 'normal' } } as const;
  const balances = await readBalances(reader, { tenantId, spans });
  const taxes = await readAccountTotals(reader, tenantId, days);
  const settled = await query<{ code: string; balance: Decimal }>(reader, SETTLED_SQL, { ...days });
  const on = (prefix: string): Decimal => {
    const accounts = balances.filter(({ code }) => code.startsWith(prefix));
    const ids = new Set(accounts.map(({ accountId }) => accountId));
    const declared = taxes.filter(({ accountId }) => ids.has(accountId));
    return sum(accounts.map(({ sums }) => sums.found.balance))
      .minus(sum(declared.map(({ debit, credit }) => decimal(debit).minus(credit))))
      .minus(sum(settled.filter(({ code }) => code === prefix).map(({ balance }) => balance)))
      .toFixed();
  };
  return { output: decimal(on('477')).neg().toFixed(), input: on('472') };
}
