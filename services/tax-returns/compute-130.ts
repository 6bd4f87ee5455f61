/** Model 130 of a quarter, from the ledger and from what was filed of earlier quarters. */
import type { Reader } from '../../db/database.ts';
import { decimal, sum } from '../../domain/money.ts';
import type { Overrides } from '../../domain/tax-models/boxes.ts';
import { model130, type Return130, type YearToDate } from '../../domain/tax-models/model130.ts';
import { periodsOfYear, spanOf, type TaxPeriod } from '../../domain/tax-models/periods.ts';
import { withheldByCustomers } from '../../domain/tax-models/totals.ts';
import { readBalances, readTaxBalances } from '../accounting/balances/read.ts';
import { loadSettings } from '../settings/settings.ts';
import { type FiledReturn, filedOf, readFiled } from './filed.ts';
import { totalIn } from './taxes.ts';

export interface Computed130 {
  /** Companies pay corporate tax instead. */
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
  const filed = await readFiled(reader, '130', spanOf(period).to);
  const quarters = periodsOfYear(period);
  const found = await readYearToDate(reader, tenantId, quarters);
  const settings = {
    simplified: estimation === 'simplified',
    priorYearNetIncome: decimal(priorYearNetIncome).toFixed(),
    homeLoan,
  };
  const own = filedOf(filed, period);
  const earlier: Pick<Return130, 'boxes'>[] = [];
  let computed: Return130 | undefined;
  for (const [index, quarter] of quarters.entries()) {
    const last = index === quarters.length - 1;
    const stated = last ? (own?.overrides ?? overrides) : {};
    const of = { year: period.year, quarter: index + 1 };
    computed = model130(of, found[index] as YearToDate, settings, [...earlier], stated);
    earlier.push(filedOf(filed, quarter) ?? computed);
  }
  return { applicable: taxpayer === 'sole_trader', computed: computed as Return130, filed: own };
}

/** Sums from 1 January to the end of each quarter. */
async function readYearToDate(reader: Reader, tenantId: string, quarters: readonly TaxPeriod[]): Promise<YearToDate[]> {
  const { year } = quarters[0] as TaxPeriod;
  const { from } = spanOf({ year, period: '1T' });
  const names = quarters.map((_, index) => `q${index + 1}`);
  const spans = Object.fromEntries(
    quarters.map((quarter, index) => [names[index], { from, to: spanOf(quarter).to, kinds: 'normal' as const }]),
  );
  const balances = await readBalances(reader, { tenantId, spans, types: ['income', 'expense'] });
  const taxes = (await readTaxBalances(reader, { tenantId, spans })).filter(({ taxKind }) => taxKind === 'withholding');
  return names.map((name) => {
    const of = (wanted: 'income' | 'expense') =>
      sum(balances.filter(({ type }) => type === wanted).map(({ sums }) => sums[name]?.balance ?? '0'));
    return {
      income: of('income').neg().toFixed(),
      expense: of('expense').toFixed(),
      withheld: sum(taxes.map((tax) => withheldByCustomers(totalIn(tax, name)))).toFixed(),
    };
  });
}
