/** Reads taxes from the ledger, the only source of figures for returns and the VAT report (decision 0173). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { type AccountGroup, isIn, likeGroup } from '../../../domain/ledger/accounting/charts/chart.ts';
import type { MonthTotal } from '../../../domain/ledger/tax-returns/credits.ts';
import type { TaxTotal } from '../../../domain/ledger/tax-returns/totals.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { readBalances, readTaxBalances, type Span, type TaxBalance } from '../accounting/balances/read.ts';
import { loadChart } from '../accounting/chart.ts';
import { PARTNER_ENTRIES } from '../accounting/partner-entries.ts';

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

/** Amounts on the accounts of VAT (477 and 472) whose lines carry no tax details, so that no return includes them. */
export interface Undeclared {
  readonly output: Decimal;
  readonly input: Decimal;
}

/** Settlements of filed returns, and taxes of the cash basis that leave the account on which they were pending. */
const SETTLED_SQL = `select a.code, coalesce(sum(l.debit - l.credit), 0)::text as balance
  from (
    select l.* from tax_returns r join journal_lines l on l.entry_id = r.entry_id
    union all select l.* from journal_lines l where l.pending_tax_id is not null and l.tax_kind is null
  ) l join accounts a on a.id = l.account_id
  where l.date between :from::date and :to::date group by 1`;

/** Ignores opening and closing entries, and what `SETTLED_SQL` finds, since they carry tax forward or settle it. */
export async function readUndeclared(reader: Reader, tenantId: string, days: Days): Promise<Undeclared> {
  const spans = { found: { ...days, kinds: 'normal' } } as const;
  const balances = await readBalances(reader, { tenantId, spans });
  const taxes = await readAccountTotals(reader, tenantId, days);
  const settled = await query<{ code: string; balance: Decimal }>(reader, SETTLED_SQL, { ...days });
  const chart = await loadChart(reader);
  const on = (group: AccountGroup): Decimal => {
    const accounts = balances.filter(({ code }) => isIn(chart, group, code));
    const ids = new Set(accounts.map(({ accountId }) => accountId));
    const declared = taxes.filter(({ accountId }) => ids.has(accountId));
    return sum(accounts.map(({ sums }) => sums.found.balance))
      .minus(sum(declared.map(({ debit, credit }) => decimal(debit).minus(credit))))
      .minus(sum(settled.filter(({ code }) => isIn(chart, group, code)).map(({ balance }) => balance)))
      .toFixed();
  };
  return { output: decimal(on('outputTax')).neg().toFixed(), input: on('inputTax') };
}

/** Taxes by the lines of the entries that concern a partner; balances do not know partners. */
const OF_PARTNER_SQL = `select l.tax_kind as kind, l.tax_operation as operation, l.tax_use as use, l.tax_rectifying as rectifying,
    l.tax_group_id as "groupId", l.tax_rate::text as rate, sum(l.tax_base)::text as base, sum(l.tax_amount)::text as amount,
    sum(l.debit)::text as debit, sum(l.credit)::text as credit
  from journal_lines l
  where l.entry_id in (${PARTNER_ENTRIES}) and l.tax_kind is not null
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`;

const UNDECLARED_OF_PARTNER_SQL = `
  select coalesce(sum(l.credit - l.debit) filter (where a.code like any(:output::text[])), 0)::text as output,
    coalesce(sum(l.debit - l.credit) filter (where a.code like any(:input::text[])), 0)::text as input
  from journal_lines l join journal_entries e on e.id = l.entry_id join accounts a on a.id = l.account_id
  where l.entry_id in (${PARTNER_ENTRIES}) and l.tax_kind is null and l.pending_tax_id is null and e.kind = 'normal'
    and (a.code like any(:output::text[]) or a.code like any(:input::text[]))
    and not exists (select from tax_returns r where r.entry_id = e.id)`;

/** Reads the taxes, and the undeclared amounts, of the entries that concern a partner. */
export async function readPartnerTaxes(
  reader: Reader,
  days: Days,
  partner: string,
): Promise<{ readonly totals: readonly TaxTotal[]; readonly undeclared: Undeclared }> {
  const bindings = { ...days, partner };
  const totals = await query<TaxTotal>(reader, OF_PARTNER_SQL, bindings);
  const chart = await loadChart(reader);
  const [undeclared] = await query<Undeclared>(reader, UNDECLARED_OF_PARTNER_SQL, {
    ...bindings,
    output: likeGroup(chart, 'outputTax'),
    input: likeGroup(chart, 'inputTax'),
  });
  return { totals, undeclared: undeclared ?? { output: '0', input: '0' } };
}
