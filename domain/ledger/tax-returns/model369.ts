/**
 * Model 369, the quarterly return of the Union scheme (OSS): sales to consumers in other member states, by state and rate, and what
 * corrects earlier quarters (Directive 2006/112/EC, arts. 369f and 369g; Orden HAC/610/2021; decision 0377).
 */
import { formatDay } from '../../days.ts';
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import type { RateKind } from '../../trade/documents/union-scheme.ts';
import { Boxes, type BoxValues } from './boxes.ts';
import { contains, periodContaining, periodSpan, type TaxPeriod } from './periods.ts';

/** Sums of sales that are taxed alike and were entered on a day. */
export interface UnionSale {
  readonly country: string;
  readonly goods: boolean;
  readonly rateKind: RateKind;
  readonly rate: Decimal;
  readonly date: string;
  /** Date of the invoice that is rectified or cancelled; null for all others. */
  readonly corrects: string | null;
  /** Account of the tax. */
  readonly accountId: string;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/** Sales to a state at a rate. */
export interface Declared369 extends Pick<UnionSale, 'country' | 'goods' | 'rateKind' | 'rate' | 'base' | 'amount'> {}

/** The tax by which a return corrects that of an earlier quarter. */
export interface Correction369 extends TaxPeriod {
  readonly country: string;
  readonly amount: Decimal;
}

/** Tax owed to a state, after corrections; below zero, the state pays it back itself. */
export interface Balance369 {
  readonly country: string;
  readonly amount: Decimal;
}

export interface Declaration369 {
  readonly rows: readonly Declared369[];
  readonly corrections: readonly Correction369[];
  /** Corrections after the three years in which a return may make them: they are made in the state itself, and part of no sum. */
  readonly expired: readonly Correction369[];
  readonly balances: readonly Balance369[];
  /** The tax of the return by account. */
  readonly accounts: readonly { readonly accountId: string; readonly amount: Decimal }[];
}

/** Years in which a return may be corrected, from the last day on which it could be filed (Directive, art. 369g.4). */
const YEARS_TO_CORRECT = 3;

/** Whether a return can still correct an earlier quarter, which had to be filed by the end of the month after it. */
function canCorrect(period: TaxPeriod, earlier: TaxPeriod): boolean {
  const [year = 0, month = 0] = periodSpan(earlier).to.split('-').map(Number);
  const due = month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
  return periodSpan(period).to <= formatDay(due.year + YEARS_TO_CORRECT, due.month, 31);
}

/** Divides sales into what a quarter declares and what it corrects; what is taken back in its own quarter is part of that. */
export function declare369(sales: readonly UnionSale[], period: TaxPeriod): Declaration369 {
  const corrected = ({ corrects, date }: UnionSale) => periodContaining(period.period, corrects ?? date);
  const own = sales.filter(({ corrects, date }) => contains(period, corrects ?? date));
  const earlier = sales.filter((sale) => !own.includes(sale));
  const inTime = earlier.filter((sale) => canCorrect(period, corrected(sale)));
  const corrections = (of: readonly UnionSale[]) =>
    addUp(of, (sale) => ({ country: sale.country, ...corrected(sale) })).filter(({ amount }) => !decimal(amount).eq(0));
  const counted = [...own, ...inTime];
  return {
    rows: addUp(own, ({ country, goods, rateKind, rate }) => ({
      country,
      goods,
      rateKind,
      rate: trimmed(rate),
    })).filter(({ base, amount }) => !decimal(base).eq(0) || !decimal(amount).eq(0)),
    corrections: corrections(inTime).map(withoutBase),
    expired: corrections(earlier.filter((sale) => !inTime.includes(sale))).map(withoutBase),
    balances: addUp(counted, ({ country }) => ({ country })).map(withoutBase),
    accounts: addUp(counted, ({ accountId }) => ({ accountId })).map(withoutBase),
  };
}

/** Adds up what is the same but for its amounts, in the order of its texts. */
function addUp<Same extends object>(sales: readonly UnionSale[], same: (sale: UnionSale) => Same) {
  const groups = groupBy(sales, (sale) => JSON.stringify(same(sale)));
  const total = (of: readonly UnionSale[], member: 'base' | 'amount'): Decimal =>
    sum(of.map((sale) => sale[member])).toFixed();
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, of]) => ({ ...same(of[0] as UnionSale), base: total(of, 'base'), amount: total(of, 'amount') }));
}

function withoutBase<Row extends { readonly base: Decimal }>({ base: _, ...row }: Row): Omit<Row, 'base'> {
  return row;
}

function trimmed(rate: Decimal): Decimal {
  return decimal(rate).toFixed();
}

/**
 * Boxes by the sections of the form, which has no numbers of its own: 3 services and 4 goods with their bases, 7 corrections, 8 what is
 * paid, and 8N what states pay back.
 */
export const BOXES_369 = ['3B', '3', '4B', '4', '7', '8', '8N'];

/** Adds the sections up. What one state owes does not lower what is paid to others. */
export function model369({ rows, corrections, balances }: Declaration369): BoxValues {
  const boxes = new Boxes();
  for (const { goods, base, amount } of rows) {
    boxes.add(goods ? '4B' : '3B', base);
    boxes.add(goods ? '4' : '3', amount);
  }
  boxes.set('7', sum(corrections.map(({ amount }) => amount)));
  const amounts = balances.map(({ amount }) => decimal(amount));
  boxes.set('8', sum(amounts.filter((amount) => amount.gt(0))));
  boxes.set('8N', sum(amounts.filter((amount) => amount.lt(0))));
  return boxes.values(BOXES_369);
}
