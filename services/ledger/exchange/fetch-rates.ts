/** Fetches rates in the ECB's form, for the companies that use other currencies: those that have a rate of one. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { prepared, query } from '../../../db/sql.ts';
import { type DayRate, ratesInBase, readEcbRates } from '../../../domain/ledger/accounting/ecb-rates.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { keepRates, MAX_RATES } from './import-rates.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** @throws Error if the answer is no file of rates @throws OutboundError */
export async function fetchRates(outbound: Outbound, address: string, signal: AbortSignal): Promise<DayRate[]> {
  const { status, body } = await outbound.send({
    url: address,
    method: 'GET',
    headers: { accept: 'application/xml, text/xml, text/csv', 'user-agent': 'business-management-service' },
    body: null,
    timeoutMs: TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES + 1,
    signal,
  });
  if (status !== 200) throw new Error(`The answer was ${status}`);
  if (body.length > MAX_ANSWER_BYTES)
    throw new Error('The answer has more than 1 MiB; give the address of the daily file');
  const rates = readEcbRates(body.toString('utf8'));
  // The newest alone, of a file with many days.
  const last = rates
    .map(({ date }) => date)
    .sort()
    .at(-1);
  return rates.filter(({ date }) => date === last).slice(0, MAX_RATES);
}

/** Companies of one page. */
const COMPANIES = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

const COMPANIES_SQL = `select distinct tenant_id as "tenantId" from exchange_rates where tenant_id > :after::uuid order by 1 limit :limit`;

/** @returns the next companies, and the last of them if there may be more */
export async function companiesWithRates(database: Database, after: string | null) {
  const rows = await database.withSystem((trx) =>
    prepared<{ tenantId: string }>(trx, COMPANIES_SQL, { after: after ?? FIRST, limit: COMPANIES }),
  );
  const companies = rows.map(({ tenantId }) => tenantId);
  return { companies, last: companies.length < COMPANIES ? null : (companies.at(-1) ?? null) };
}

/** Keeps the rates of currencies that the company uses. @returns how many were new, or had changed */
export async function keepFetched(trx: Db, ctx: Context, fetched: readonly DayRate[]): Promise<number> {
  const { currency: own } = await loadSettings(trx, 'company');
  const used = await query<{ currency: string }>(trx, 'select distinct currency from exchange_rates', {});
  const currencies = new Set(used.map(({ currency }) => currency));
  const wanted = ratesInBase(own, fetched).filter(({ currency }) => currency !== own && currencies.has(currency));
  const { created, changed } = await keepRates(trx, ctx, wanted);
  return created + changed;
}
