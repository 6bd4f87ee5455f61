/** SQL of exchange rates. */

/**
 * The rate of a currency on a day, or the last before; null if there is none.
 * @param currency SQL of its code, with the name of its table
 * @param day SQL of the day
 * @param column of the rate: itself, or the day from which it counts
 */
export function rateOn(currency: string, day: string, column: 'rate' | 'date' = 'rate'): string {
  return `(select x.${column}::text from exchange_rates x where x.currency = ${currency} and x.date <= ${day}
    order by x.date desc limit 1)`;
}
