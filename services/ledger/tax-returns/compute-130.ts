/** Computes model 130 of a quarter from the ledger and the returns filed for earlier quarters. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { model130, netIncome, type Return130, type YearToDate } from '../../../domain/ledger/tax-returns/model130.ts';
import { ANNUAL, periodSpan, periodsOfYear, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { withheldByCustomers } from '../../../domain/ledger/tax-returns/totals.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import type { TaxSettings } from '../../platform/settings/definitions.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { readBalances, readTaxBalances } from '../accounting/balances/read.ts';
import { type FiledReturn, findFiled, readFiled } from './filed.ts';
import { spanTotal } from './taxes.ts';

export interface Computed130 {
  /** False for companies, which pay corporate tax instead. */
  readonly applicable: boolean;
  readonly computed: Return130;
  readonly filed: FiledReturn | undefined;
  readonly priorYear: PriorYear;
}

/** The net income of the year before, on which box 13 depends. */
export interface PriorYear {
  readonly year: number;
  readonly source: 'ledger' | 'settings' | 'unknown';
  /** null if unknown */
  readonly amount: Decimal | null;
}

export async function compute130(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  overrides?: Overrides,
): Promise<Computed130> {
  const { taxpayer, estimation, priorYearNetIncome, homeLoan } = await loadSettings(reader, 'tax');
  const simplified = estimation === 'simplified';
  const filed = await readFiled(reader, '130', periodSpan(period).to);
  const quarters = periodsOfYear(period);
  const found = await readYearToDate(reader, tenantId, quarters);
  const priorYear =
    (await readNetIncome(reader, tenantId, period.year - 1, { simplified })) ??
    statedNetIncome(period.year - 1, priorYearNetIncome);
  const settings = { simplified, priorYearNetIncome: priorYear.amount, homeLoan };
  const own = findFiled(filed, period);
  const earlier: Pick<Return130, 'boxes'>[] = [];
  let computed: Return130 | undefined;
  for (const [index, quarter] of quarters.entries()) {
    const last = index === quarters.length - 1;
    const stated = last ? (overrides ?? own?.overrides ?? {}) : {};
    const of = { year: period.year, quarter: index + 1 };
    computed = model130(of, found[index] as YearToDate, settings, [...earlier], stated);
    earlier.push(findFiled(filed, quarter) ?? computed);
  }
  return { applicable: taxpayer === 'sole_trader', computed: computed as Return130, filed: own, priorYear };
}

const HAS_ENTRIES_SQL = `select exists (select from journal_entries
  where status = 'posted' and kind = 'normal' and date between :from::date and :to::date) as found`;

/** Reads the net income of a year. @returns null if the ledger has no entries of that year */
async function readNetIncome(
  reader: Reader,
  tenantId: string,
  year: number,
  settings: { readonly simplified: boolean },
): Promise<PriorYear | null> {
  const last = { year, period: '4T' };
  const [entries] = await query<{ found: boolean }>(reader, HAS_ENTRIES_SQL, periodSpan({ year, period: ANNUAL }));
  if (!entries?.found) return null;
  const [found] = await readYearToDate(reader, tenantId, [last]);
  return { year, source: 'ledger', amount: netIncome(year, found as YearToDate, settings) };
}

/** The net income of a year that the ledger does not have. A single number is for any such year, 0 being unset. */
function statedNetIncome(year: number, stated: TaxSettings['priorYearNetIncome']): PriorYear {
  const amount = typeof stated === 'number' ? stated || undefined : stated[year];
  if (amount === undefined) return { year, source: 'unknown', amount: null };
  return { year, source: 'settings', amount: decimal(amount).toFixed() };
}

/** Reads the totals from 1 January to the end of each quarter. */
async function readYearToDate(reader: Reader, tenantId: string, quarters: readonly TaxPeriod[]): Promise<YearToDate[]> {
  const { year } = quarters[0] as TaxPeriod;
  const { from } = periodSpan({ year, period: '1T' });
  const names = quarters.map((_, index) => `q${index + 1}`);
  const spans = Object.fromEntries(
    quarters.map((quarter, index) => [names[index], { from, to: periodSpan(quarter).to, kinds: 'normal' as const }]),
  );
  const balances = await readBalances(reader, { tenantId, spans, types: RESULT_TYPES });
  const taxes = (await readTaxBalances(reader, { tenantId, spans })).filter(({ taxKind }) => taxKind === 'withholding');
  return names.map((name) => {
    const of = (wanted: 'income' | 'expense') =>
      sum(balances.filter(({ type }) => type === wanted).map(({ sums }) => sums[name]?.balance ?? '0'));
    return {
      income: of('income').neg().toFixed(),
      expense: of('expense').toFixed(),
      withheld: sum(taxes.map((tax) => withheldByCustomers(spanTotal(tax, name)))).toFixed(),
    };
  });
}
