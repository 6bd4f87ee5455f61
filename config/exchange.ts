/** Where exchange rates are fetched from. */
import { type Problems, url } from './parse.ts';

export interface ExchangeConfig {
  /** Address of a file in the form of the European Central Bank, fetched every 6 hours; undefined = none is fetched. */
  readonly ratesUrl: string | undefined;
}

/** Loads `EXCHANGE_RATES_URL`. */
export function loadExchange(env: Record<string, string | undefined>, problems: Problems): ExchangeConfig {
  return Object.freeze({ ratesUrl: url(env, 'EXCHANGE_RATES_URL', ['https:', 'http:'], problems) });
}
