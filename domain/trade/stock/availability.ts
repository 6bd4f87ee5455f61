/** Goods that can be promised: what is on hand, less what orders reserve, plus what is ordered, day by day. */
import { type Decimal, decimal } from '../../money.ts';

/** The goods that open orders bring in and take out on a day. */
export interface Flow {
  readonly date: string;
  readonly incoming: Decimal;
  readonly outgoing: Decimal;
}

export interface AvailabilityDay extends Flow {
  /** On hand at the end of the day if everything happens as expected. */
  readonly projected: Decimal;
  /** The quantity that can be promised for that day without taking it from a later promise: the least that is projected from then on. */
  readonly promisable: Decimal;
}

/**
 * Computes the days on which something changes, the first being today.
 * @param flows in any order, each day once; those of the past count today
 */
export function availability(today: string, onHand: Decimal, flows: readonly Flow[]): AvailabilityDay[] {
  const byDay = new Map<string, { incoming: Decimal; outgoing: Decimal }>([[today, { incoming: '0', outgoing: '0' }]]);
  for (const { date, incoming, outgoing } of flows) {
    const day = date < today ? today : date;
    const known = byDay.get(day) ?? { incoming: '0', outgoing: '0' };
    byDay.set(day, {
      incoming: decimal(known.incoming).plus(incoming).toFixed(),
      outgoing: decimal(known.outgoing).plus(outgoing).toFixed(),
    });
  }
  let projected = decimal(onHand);
  const days = [...byDay]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, { incoming, outgoing }]) => {
      projected = projected.plus(incoming).minus(outgoing);
      return { date, incoming, outgoing, projected: projected.toFixed() };
    });
  let least: Decimal | null = null;
  const promisable = [...days].reverse().map((day) => {
    least = least === null || decimal(day.projected).lt(least) ? day.projected : least;
    return least;
  });
  return days.map((day, index) => ({ ...day, promisable: promisable[days.length - 1 - index] ?? day.projected }));
}

/** The first day on which a quantity can be promised; null for never, as far as is known. */
export function earliestDay(days: readonly AvailabilityDay[], quantity: Decimal): string | null {
  return days.find(({ promisable }) => decimal(promisable).gte(quantity))?.date ?? null;
}
