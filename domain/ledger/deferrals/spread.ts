/**
 * Spreads income and expense over the months of a service (accrual principle: PGC PYMES, part 1, section 3.2; accounts 480 and 485).
 */
import { daysBetween, endOfMonth, monthsWithin } from '../../days.ts';
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { type EntryLine, entryLine, type ServicePeriod } from '../accounting/entries.ts';

/** Most months of a service. */
export const MAX_MONTHS = 120;

/** The part of an amount that a month takes. */
export interface MonthPart {
  /** The last day of the month. */
  readonly date: string;
  readonly amount: Decimal;
}

/** The fault of a service period, in words; null if it has none. */
export function periodFault({ from, to }: ServicePeriod): string | null {
  if (to < from) return `must not be before the first day of the service, ${from}`;
  if (to > endOfMonth(`${Number(from.slice(0, 4)) + MAX_MONTHS / 12}${from.slice(4, 8)}01`))
    return 'must be within ten years of the first day of the service';
  return null;
}

/** Splits an amount by the days of the service in each month. Parts are rounded; the last month takes what is left. */
export function spreadByMonth(amount: Decimal, { from, to }: ServicePeriod, places: number): MonthPart[] {
  const days = daysBetween(from, to) + 1;
  const months = monthsWithin({ from, to });
  let left = decimal(amount);
  return months.map((first, index): MonthPart => {
    const date = endOfMonth(first);
    const served = daysBetween(first < from ? from : first, date > to ? to : date) + 1;
    const share = decimal(round(decimal(amount).times(served).div(days), places));
    const isLast = index === months.length - 1 || share.abs().gt(left.abs());
    const part = isLast ? left : share;
    left = left.minus(part);
    return { date, amount: part.toFixed() };
  });
}

/** A line that is taken back, with the parts of it that wait. */
export interface WaitingLine {
  readonly service: ServicePeriod;
  /** Its amount, less what credits have taken back. */
  readonly left: Decimal;
  /** By month, likewise. */
  readonly months: readonly MonthPart[];
}

/**
 * The parts that wait for their months: those after the month of the document. What was served before it is income or expense of that
 * month. A credit takes its share of what still waits of the other line; with a period of its own, it spreads over that.
 * @param taken the line that is taken back, if it is spread
 */
export function deferredParts(
  amount: Decimal,
  service: ServicePeriod,
  date: string,
  places: number,
  taken: WaitingLine | null = null,
): MonthPart[] {
  const isSame = taken?.service.from === service.from && taken.service.to === service.to;
  if (taken !== null && isSame && !decimal(taken.left).eq(0)) {
    const share = decimal(amount).div(taken.left);
    return withoutZeros(taken.months.map((part) => ({ ...part, amount: round(share.times(part.amount), places) })));
  }
  const waits = new Set(taken?.months.map((part) => part.date));
  const parts = spreadByMonth(amount, service, places);
  return withoutZeros(parts.filter((part) => part.date > endOfMonth(date) || waits.has(part.date)));
}

function withoutZeros(parts: readonly MonthPart[]): MonthPart[] {
  return parts.filter(({ amount }) => !decimal(amount).eq(0));
}

/** An amount that moves between a deferral account and income or expense. */
export interface DeferredAmount {
  readonly kind: DeferralKind;
  readonly accountId: string;
  readonly deferralAccountId: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** In the company's currency; negative for what is taken back. */
  readonly amount: Decimal;
}

export const DEFERRAL_KINDS = ['expense', 'income'] as const;
export type DeferralKind = (typeof DEFERRAL_KINDS)[number];

/**
 * Builds the lines that take amounts from deferral accounts to income or expense.
 * @returns balanced lines; none if the amounts cancel out
 */
export function recognitionLines(amounts: readonly DeferredAmount[]): EntryLine[] {
  const places = groupBy(
    amounts,
    ({ accountId, projectId, costCenterId }) => `${accountId} ${projectId} ${costCenterId}`,
  );
  const results = [...places.values()].map((same) => {
    const { accountId, projectId, costCenterId } = same[0] as DeferredAmount;
    return entryLine('debit', accountId, debits(same), { projectId, costCenterId });
  });
  const held = groupBy(amounts, ({ deferralAccountId }) => deferralAccountId);
  const deferrals = [...held].map(([accountId, same]) => entryLine('credit', accountId, debits(same)));
  return [...results, ...deferrals].filter(({ debit, credit }) => debit !== credit);
}

/** Builds the lines that take amounts out of income or expense, onto deferral accounts. */
export function deferralLines(amounts: readonly DeferredAmount[]): EntryLine[] {
  return recognitionLines(amounts.map((one) => ({ ...one, amount: decimal(one.amount).neg().toFixed() })));
}

/** The sum that is debited to income and expense. */
function debits(amounts: readonly DeferredAmount[]): Decimal {
  return sum(
    amounts.map(({ kind, amount }) => (kind === 'expense' ? amount : decimal(amount).neg().toFixed())),
  ).toFixed();
}
