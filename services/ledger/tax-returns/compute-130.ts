/** Computes model 130 of a quarter from the ledger and the returns filed for earlier quarters. */
import type { Reader } from '../../../db/database.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import type { Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import { model130, type Return130, type YearToDate } from '../../../domain/ledger/tax-returns/model130.ts';
import { periodSpan, periodsOfYear, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import { withheldByCustomers } from '../../../domain/ledger/tax-returns/totals.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { readBalances, readTaxBalances } from '../accounting/balances/read.ts';
import { type FiledReturn, findFiled, readFiled } from './filed.ts';
import { spanTotal } from './taxes.ts';

export interface Computed130 {
  /** False for companies, which pay corporate tax instead. */
  readonly applicable: boolean;
  readonly computed: Return130;
  readonly filed: FiledReturn | undefined;
}

export async function compute130(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  overrides: Overrides = {},
): Promise<Computed130> {
  const { taxpayer, estimation, priorYearNetIncome, homeLoan } = await loadSettings(reader, 'tax');
  const filed = await readFiled(reader, '130', periodSpan(period).to);
  const quarters = periodsOfYear(period);
  const found = await readYearToDate(reader, tenantId, quarters);
  const settings = {
    simplified: estimation === 'simplified',
    priorYearNetIncome: decimal(priorYearNetIncome).toFixed(),
    homeLoan,
  };
  const own = findFiled(filed, period);
  const earlier: Pick<Return130, 'boxes'>[] = [];
  let computed: Return130 | undefined;
  for (const [index, quarter] of quarters.entries()) {
    const last = index === quarters.length - 1;
    const stated = last ? (own?.overrides ?? overrides) : {};
    const of = { year: period.year, quarter: index + 1 };
    computed = model130(of, found[index] as YearToDate, settings, [...earlier], stated);
    earlier.push(findFiled(filed, quarter) ?? computed);
  }
  return { applicable: taxpayer === 'sole_trader', computed: computed as Return130, filed: own };
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
