/** Goods that can be promised: what is on hand, less what orders reserve, plus what is ordered, day by day. */
import Big from 'big.js';
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

/** A component of a kit, with its days. */
export interface KitPart {
  /** In one kit. */
  readonly quantity: Decimal;
  readonly onHand: Decimal;
  readonly days: readonly AvailabilityDay[];
}

/**
 * Computes the days of a kit, which has no stock itself: as many kits as the scarcest component allows. Nothing comes in or goes out of
 * it.
 * @param places decimals of its unit, to which quantities are rounded down
 */
export function kitAvailability(
  today: string,
  parts: readonly KitPart[],
  places: number,
): { readonly onHand: Decimal; readonly days: readonly AvailabilityDay[] } {
  const scarcest = (of: (part: KitPart) => Decimal): Decimal => {
    const kits = parts.map((part) => decimal(of(part)).div(part.quantity).round(places, Big.roundDown));
    return kits.reduce((least, each) => (each.lt(least) ? each : least), kits[0] ?? decimal(0)).toFixed();
  };
  const dates = [...new Set([today, ...parts.flatMap(({ days }) => days.map(({ date }) => date))])].sort();
  const days = dates.map((date): AvailabilityDay => {
    const on = ({ days: known }: KitPart) => known.findLast((day) => day.date <= date);
    return {
      ...{ date, incoming: '0', outgoing: '0' },
      projected: scarcest((part) => on(part)?.projected ?? '0'),
      promisable: scarcest((part) => on(part)?.promisable ?? '0'),
    };
  });
  return { onHand: scarcest(({ onHand }) => onHand), days };
}
