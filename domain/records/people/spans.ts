/** Spans of days. */
import { daysBetween, LAST_DAY } from '../../days.ts';

/** Days from the first to the last; `to` may be open. */
export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/** A span that ends. */
export type ClosedSpan = Span & { readonly to: string };

/** The days that two spans share; null where there are none. */
export function shared(span: Span, within: Span): ClosedSpan | null {
  const [from] = [span.from, within.from].sort().reverse();
  const [to] = [span.to ?? LAST_DAY, within.to ?? LAST_DAY].sort();
  return from === undefined || to === undefined || to < from ? null : { from, to };
}

/** How many days a span has. */
export function spanLength({ from, to }: ClosedSpan): number {
  return daysBetween(from, to) + 1;
}

/** How many days of a span lie within another. */
export function overlap(span: Span, within: Span): number {
  const days = shared(span, within);
  return days === null ? 0 : spanLength(days);
}
