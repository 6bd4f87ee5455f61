/** Reads the rates by which the books of a company with another currency are translated: those that its parent keeps (decision 0409). */
import type { Db } from '../../../db/database.ts';
import { rateOn } from '../../../db/queries/exchange-rates.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Rates } from '../../../domain/reports/consolidation/companies.ts';

interface Sought {
  /** Name of the company, for a refusal. */
  readonly name: string;
  readonly currency: string;
  /** First day in the group. */
  readonly joinedOn: string;
  /** Last day of the report. */
  readonly to: string;
}

/** Rates, with the day of the closing rate: that of the report, or the last before that has one. */
export interface DatedRates extends Rates {
  readonly closingOn: string;
}

interface Found {
  readonly closing: Decimal | null;
  readonly closingOn: string | null;
  readonly joined: Decimal | null;
  readonly months: Readonly<Record<string, Decimal | null>>;
}

/** A month without rates has the last one before. */
const RATES_SQL = `with sought as (select :currency::text as currency)
  select ${rateOn('s.currency', ':to::date')} as closing, ${rateOn('s.currency', ':to::date', 'date')} as "closingOn",
    ${rateOn('s.currency', ':joinedOn::date')} as joined,
    (select json_object_agg(to_char(month, 'YYYY-MM-DD'), coalesce(
        (select avg(x.rate)::text from exchange_rates x
          where x.currency = s.currency and x.date between month::date and least(:to::date, (month + interval '1 month - 1 day')::date)),
        ${rateOn('s.currency', 'month::date')}))
      from generate_series(date_trunc('month', :joinedOn::date::timestamp), :to::date::timestamp, interval '1 month') month) as months
  from sought s`;

const NONE: Found = { closing: null, closingOn: null, joined: null, months: {} };

/** @throws ServiceError invalid_transition if there is no rate for the first day in the group; then each later day has one */
export async function readRates(trx: Db, { name, ...sought }: Sought): Promise<DatedRates> {
  const [found = NONE] = await query<Found>(trx, RATES_SQL, { ...sought });
  const { closing, closingOn, joined, months } = found;
  if (closing === null || closingOn === null || joined === null) {
    const { currency, joinedOn } = sought;
    const how = 'add one with POST /api/exchange-rates';
    const words = `${name} cannot be consolidated because there is no rate of ${currency} for ${joinedOn} or before; ${how}`;
    throw new ServiceError('invalid_transition', words);
  }
  const known = Object.entries(months).filter((entry): entry is [string, Decimal] => entry[1] !== null);
  return { closing, closingOn, joined, months: Object.fromEntries(known) };
}
