/** SQL of format settings; by row-level security, those of the connection's company. */
import { currencyPlacesSql } from '../../../domain/locale/currencies.ts';
import { DEFAULT_SETTINGS } from './definitions.ts';

const ofFormat = (name: 'decimalPrecision' | 'quantityPrecision') =>
  `coalesce((select (value->>'${name}')::integer from settings where name = 'format'), ${DEFAULT_SETTINGS.format[name]})`;

const DEFAULT_CURRENCY = DEFAULT_SETTINGS.company.currency;
/** The company's currency. */
export const CURRENCY = `coalesce((select value->>'currency' from settings where name = 'company'), '${DEFAULT_CURRENCY}')`;

/** Decimals of amounts. */
export const PLACES = ofFormat('decimalPrecision');

/** Decimals of quantities. */
export const QUANTITY_PLACES = ofFormat('quantityPrecision');

/** Decimals of the amounts of a document. @param alias of documents */
export function amountPlaces(alias: string): string {
  return `case when ${alias}.exchange_rate is null then ${PLACES} else ${currencyPlacesSql(`${alias}.currency`)} end`;
}
