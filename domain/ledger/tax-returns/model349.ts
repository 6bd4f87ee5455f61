/** Model 349: operations with taxable people of other member states (RD 1624/1992, arts. 78 to 81), with what corrects earlier ones. */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import { Boxes, type BoxValues } from './boxes.ts';
import { contains, periodContaining, type TaxPeriod } from './periods.ts';

/** Keys of operations: E goods supplied, A goods acquired, S services rendered, I services received. */
export const KEYS_349 = ['E', 'A', 'S', 'I'] as const;

interface Partner {
  readonly partnerId: string;
  readonly name: string;
  readonly nif: string | null;
  readonly country: string;
}

/** Bases of one partner and key that were entered on a day. */
export interface UnionBase extends Partner {
  readonly key: (typeof KEYS_349)[number];
  readonly date: string;
  /** Date of the invoice that a rectifying one corrects; null for all others. */
  readonly corrects: string | null;
  readonly base: Decimal;
}

/** The declaration of one partner under one key. */
export interface Declared349 extends Partner {
  readonly key: (typeof KEYS_349)[number];
  readonly base: Decimal;
}

/** The base of an earlier period, as it was declared and as it is now. */
export interface Correction349 extends Partner {
  readonly key: (typeof KEYS_349)[number];
  readonly period: TaxPeriod;
  readonly before: Decimal;
  readonly rectified: Decimal;
}

export const BOXES_349 = ['01', '02', '03', '04'];
/** Boxes that contain a number of records. */
export const COUNTS_349: ReadonlySet<string> = new Set(['01', '03']);

/** The first day of the earliest period that a period corrects; null if it corrects none. */
export function earliestCorrected(bases: readonly UnionBase[], period: TaxPeriod): string | null {
  const days = bases.flatMap(({ date, corrects }) =>
    corrects !== null && contains(period, date) && !contains(period, corrects) ? [corrects] : [],
  );
  return days.sort()[0] ?? null;
}

/**
 * Divides bases into what the period declares and what it corrects of earlier ones. A correction within its own period is part of that.
 * @param bases of the period, and of all earlier ones that it corrects
 */
export function declare349(
  bases: readonly UnionBase[],
  period: TaxPeriod,
): { readonly declared: readonly Declared349[]; readonly corrections: readonly Correction349[] } {
  const length = period.period;
  const belongsTo = ({ date, corrects }: UnionBase) => periodContaining(length, corrects ?? date);
  const isEarlier = (each: UnionBase) => !contains(period, each.corrects ?? each.date);
  const now = bases.filter(({ date }) => contains(period, date));
  const total = (of: readonly UnionBase[]) => sum(of.map(({ base }) => base)).toFixed();
  const named = ({ partnerId, name, nif, country, key }: UnionBase) => ({ partnerId, name, nif, country, key });
  const declared = [...byPartner(now.filter((each) => !isEarlier(each))).values()].map((of) => ({
    ...named(of[0] as UnionBase),
    base: total(of),
  }));
  const corrections = [...byPartner(now.filter(isEarlier)).values()].flatMap((of) => {
    const periods = groupBy(of, (each) => periodName(belongsTo(each)));
    return [...periods.values()].map((corrected): Correction349 => {
      const first = corrected[0] as UnionBase;
      const corrected349 = belongsTo(first);
      const before = bases.filter(
        (each) =>
          !contains(period, each.date) &&
          each.key === first.key &&
          each.partnerId === first.partnerId &&
          periodName(belongsTo(each)) === periodName(corrected349),
      );
      const known = total(before);
      return {
        ...named(first),
        period: corrected349,
        before: known,
        rectified: decimal(known).plus(total(corrected)).toFixed(),
      };
    });
  });
  return { declared: declared.filter(({ base }) => !decimal(base).eq(0)), corrections };
}

function byPartner(bases: readonly UnionBase[]): Map<string, UnionBase[]> {
  return groupBy(bases, ({ key, partnerId }) => `${key} ${partnerId}`);
}

function periodName({ year, period }: TaxPeriod): string {
  return `${year} ${period}`;
}

/** Computes the boxes of the summary: records and sums of what is declared, and of what is corrected. */
export function model349(declared: readonly Declared349[], corrections: readonly Correction349[]): BoxValues {
  const boxes = new Boxes();
  boxes.set('01', declared.length);
  boxes.set('02', sum(declared.map(({ base }) => base)));
  boxes.set('03', corrections.length);
  boxes.set('04', sum(corrections.map(({ rectified }) => rectified)));
  return boxes.values(BOXES_349);
}
