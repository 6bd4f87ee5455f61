/**
 * Reads reference rates in the forms in which the European Central Bank publishes them: XML (eurofxref-daily, -hist-90d, -hist) and CSV of
 * the same names. Rates are what one euro is worth.
 */
import { isDay } from '../../days.ts';
import { isCurrency, RATE_PLACES } from '../../locale/currencies.ts';
import { type Decimal, decimal, parseDecimal, round } from '../../money.ts';
import { descendants, localName, parseXml, XmlError } from '../../xml-reader.ts';

export interface DayRate {
  readonly currency: string;
  readonly date: string;
  /** Units of it for one of the base currency. */
  readonly rate: Decimal;
}

/** Thrown for a file that is not of this form. */
export class BadRates extends Error {
  override readonly name = 'BadRates';
}

/** @returns what one euro is worth, in the order of the file; currencies that are no longer in use are left out @throws BadRates */
export function readEcbRates(text: string): DayRate[] {
  const rates = text.trimStart().startsWith('<') ? fromXml(text) : fromCsv(text);
  if (rates.length === 0) throw new BadRates('has no rates');
  return rates.filter(({ currency }) => isCurrency(currency));
}

function fromXml(text: string): DayRate[] {
  try {
    const root = parseXml(text);
    return [...descendants(root, 'Cube')].flatMap((cube) => {
      const date = cube.attributes?.time;
      if (date === undefined || typeof cube.content === 'string') return [];
      return cube.content
        .filter((child) => localName(child) === 'Cube')
        .map(({ attributes = {} }) => dayRate(date, attributes.currency ?? '', attributes.rate ?? ''));
    });
  } catch (error) {
    throw error instanceof XmlError ? new BadRates(error.message) : error;
  }
}

function fromCsv(text: string): DayRate[] {
  const [head = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()));
  if (head[0]?.toLowerCase() !== 'date') throw new BadRates('must begin with the column Date, as the ECB writes it');
  return rows.flatMap(([day = '', ...cells]) => {
    const date = dayFrom(day);
    return cells.flatMap((cell, index) => {
      const currency = head[index + 1] ?? '';
      return cell === '' || cell === 'N/A' || currency === '' ? [] : [dayRate(date, currency, cell)];
    });
  });
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Reads 2026-11-27, or 27 November 2026 as the daily file has it. */
function dayFrom(text: string): string {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  const date = month === 0 ? text : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (isDay(date)) return date;
  throw new BadRates(`has ${text.slice(0, 30)} where a date should be`);
}

function dayRate(date: string, currency: string, rate: string): DayRate {
  if (!isDay(date)) throw new BadRates(`has ${date.slice(0, 30)} where a date should be`);
  if (!/^[A-Z]{3}$/.test(currency)) throw new BadRates(`has ${currency.slice(0, 30)} where a currency should be`);
  if (!/^\d{1,12}(\.\d{1,10})?$/.test(rate) || !parseDecimal(rate).gt(0))
    throw new BadRates(`has ${rate.slice(0, 30)} where a rate should be (${currency}, ${date})`);
  return { currency, date, rate: parseDecimal(rate).toFixed() };
}

/**
 * Converts rates of the euro to those of another base, day by day.
 * @returns the same rates if the base is the euro; days without a rate of the base are left out
 */
export function ratesInBase(base: string, rates: readonly DayRate[]): readonly DayRate[] {
  if (base === 'EUR') return rates;
  const ofBase = new Map(rates.filter(({ currency }) => currency === base).map(({ date, rate }) => [date, rate]));
  const others = rates.filter(({ currency, date }) => currency !== base && ofBase.has(date));
  const euros = [...ofBase].map(([date, rate]): DayRate => ({ currency: 'EUR', date, rate: crossRate('1', rate) }));
  return [
    ...euros,
    ...others.map((one): DayRate => ({ ...one, rate: crossRate(one.rate, ofBase.get(one.date) as Decimal) })),
  ];
}

function crossRate(rate: Decimal, ofBase: Decimal): Decimal {
  return round(decimal(rate).div(ofBase), RATE_PLACES);
}
