/** What the ledger says of taxes: the only source of the figures of returns and of the VAT report (decision 0173). */
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../domain/money.ts';
import type { TaxTotal } from '../../domain/tax-models/totals.ts';
import type { MonthTotal } from '../../domain/tax-models/year303.ts';
import { readBalances, readTaxBalances, type Span, type TaxBalance } from '../accounting/balances/read.ts';

/** A tax on an account. */
export interface AccountTotal extends TaxTotal {
  readonly accountId: string;
}

/** Days, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export async function readTaxTotals(reader: Reader, tenantId: string, days: Days): Promise<TaxTotal[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days } });
  return balances.map((balance) => totalIn(balance, 'found'));
}

/** Taxes by month and account. @param days from the beginning when `from` is left out */
export async function readMonthTotals(
  reader: Reader,
  tenantId: string,
  days: Span,
): Promise<(MonthTotal & AccountTotal)[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days }, by: ['month', 'accountId'] });
  return balances.map((balance) => {
    const { month, accountId } = balance;
    return { ...totalIn(balance, 'found'), month, accountId };
  });
}

async function readAccountTotals(reader: Reader, tenantId: string, days: Days): Promise<AccountTotal[]> {
  const balances = await readTaxBalances(reader, { tenantId, spans: { found: days }, by: ['accountId'] });
  return balances.map((balance) => ({ ...totalIn(balance, 'found'), accountId: balance.accountId }));
}

/** The sums of a tax in one of the spans that were asked for. */
export function totalIn<Name extends string>({ sums, ...tax }: TaxBalance<Name>, span: Name): TaxTotal {
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

/** What is entered on 477 and 472 by lines that do not say what tax they are of, so that no return has it. */
export interface Undeclared {
  readonly output: Decimal;
  readonly input: Decimal;
}

const SETTLED_SQL = `select left(a.code, 3) as code, coalesce(sum(l.debit - l.credit), 0)::text as balance
  from tax_returns r join journal_lines l on l.entry_id = r.entry_id join accounts a on a.id = l.account_id
  where l.date between :from::date and :to::date group by 1`;

/** Opening and closing entries, and those of filed returns, are left out: they carry tax on, or settle it. */
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
