/** The returns 303 of a company, from the ledger and from what was filed before. */
import type { Reader } from '../../db/database.ts';
import { daysAfter } from '../../domain/days.ts';
import { decimal } from '../../domain/money.ts';
import type { Overrides } from '../../domain/tax-models/boxes.ts';
import type { Return303 } from '../../domain/tax-models/model303.ts';
import { contains, periodsUntil, spanOf, type TaxPeriod } from '../../domain/tax-models/periods.ts';
import { type PeriodReturn, periodKey, returnsOf } from '../../domain/tax-models/year303.ts';
import { loadSettings } from '../settings/settings.ts';
import { type FiledReturn, filedOf, readFiled } from './filed.ts';
import { type AccountTotal, readMonthTotals } from './taxes.ts';

/** The return of a period. */
export interface Computed303 {
  /** As the books have it now. */
  readonly computed: Return303;
  /** As it was filed, if it was. */
  readonly filed: FiledReturn | undefined;
  /** Taxes of the period by account. */
  readonly totals: readonly AccountTotal[];
}

/** What is asked for in filing; a filed return keeps what it was filed with. */
export interface Asked {
  readonly refund: boolean;
  readonly overrides: Overrides;
}

const NOTHING: Asked = { refund: false, overrides: {} };

export async function compute303(
  reader: Reader,
  tenantId: string,
  period: TaxPeriod,
  asked = NOTHING,
): Promise<Computed303> {
  const filed = await readFiled(reader, '303', spanOf(period).to);
  const own = filedOf(filed, period);
  const others = filed.filter((each) => each !== own);
  const { refund, overrides } = own ?? asked;
  const { returns, months } = await chain(reader, tenantId, {
    first: period,
    last: period,
    filed: others,
    asked: { refund, overrides },
  });
  const totals = months.filter(({ month }) => contains(period, month));
  return { computed: returns.at(-1) as PeriodReturn, filed: own, totals };
}

/** The returns of a year until a period, each as it was filed, else as computed; and what was left to compensate before the year. */
export async function yearReturns(reader: Reader, tenantId: string, last: TaxPeriod, first: TaxPeriod) {
  const filed = await readFiled(reader, '303', spanOf(last).to);
  const { returns, carried } = await chain(reader, tenantId, { first, last, filed, asked: NOTHING });
  const own = returns.filter(({ period }) => period.year === last.year);
  const before = returns.findLast(({ period }) => period.year < last.year);
  return { returns: own, carried: before?.left ?? carried };
}

interface Chain {
  readonly first: TaxPeriod;
  readonly last: TaxPeriod;
  readonly filed: readonly FiledReturn[];
  readonly asked: Asked;
}

/** Credits come from the latest return filed before the first period that is wanted, else from what all periods before it come to. */
async function chain(reader: Reader, tenantId: string, { first, last, filed, asked }: Chain) {
  const { from } = spanOf(first);
  const { to } = spanOf(last);
  const anchor = filed.findLast((each) => each.to < from);
  const start = anchor && daysAfter(anchor.to, 1);
  const months = await readMonthTotals(reader, tenantId, { ...(start === undefined ? {} : { from: start }), to });
  const [earliest = from] = [from, ...months.map(({ month }) => month)].sort();
  const carried = anchor?.carry ?? '0';
  const { stateShare } = await loadSettings(reader, 'tax');
  const returns = returnsOf(periodsUntil(last, start ?? earliest), months, {
    carried,
    filed: new Map(
      filed.map(({ year, period, boxes, type, result, carry }) => [
        periodKey({ year, period }),
        { boxes, type: type as Return303['type'], result, left: carry },
      ]),
    ),
    stateShare: decimal(stateShare).toFixed(),
    last: asked,
  });
  return { returns, carried, months };
}
