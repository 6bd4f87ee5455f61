/** Contract for the fetch of exchange rates: constants and types only. */

/** Workflow that fetches the rates of the day and keeps them for the companies that use other currencies. */
export const EXCHANGE_RATES = 'exchangeRates';

/** A rate as it was fetched: what one euro is worth. */
export interface FetchedRate {
  readonly currency: string;
  readonly date: string;
  readonly rate: `${number}`;
}

/** Progress of a fetch. */
export interface RatesState {
  readonly rates: readonly FetchedRate[];
  /** The last company served; null at the beginning and at the end. */
  readonly after: string | null;
  readonly companies: number;
  /** Rates that were new or had changed, of all companies. */
  readonly kept: number;
}
