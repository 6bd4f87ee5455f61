/** Spans of days. */
import { daysBetween, LAST_DAY } from '../../days.ts';
import { type Decimal, decimal, type Exact } from '../../money.ts';

/** Days from the first to the last; `to` may be open. */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/** A span that ends. */
export type ClosedSpan = Span & { readonly to: string };

/** An absence: the days that it counts as, halves included, at most its dates. */
export type Absent = ClosedSpan & { readonly days: Decimal };

/** The days that two spans have in common; null if there are none. */
export function shared(span: Span, within: Span): ClosedSpan | null {
  const [from] = [span.from, within.from].sort().reverse();
  const [to] = [span.to ?? LAST_DAY, within.to ?? LAST_DAY].sort();
  return from === undefined || to === undefined || to < from ? null : { from, to };
}

/** Number of days in a span. */
export function spanLength({ from, to }: ClosedSpan): number {
  return daysBetween(from, to) + 1;
}

/** Number of days that a span has in common with another. */
export function overlap(span: Span, within: Span): number {
  const days = shared(span, within);
  return days === null ? 0 : spanLength(days);
}

/** Days that an absence counts as within a span: its days are spread evenly over its dates. */
export function absentWithin({ days, ...span }: Absent, within: Span): Exact {
  return decimal(days).times(overlap(span, within)).div(spanLength(span));
}
