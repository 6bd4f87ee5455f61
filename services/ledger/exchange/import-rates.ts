/** Takes over rates in the ECB's form. What people entered stays; the same file again changes nothing. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { ExchangeRate } from '../../../db/models/ledger/exchange.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { BadRates, type DayRate, ratesInBase, readEcbRates } from '../../../domain/ledger/accounting/ecb-rates.ts';
import { decimal } from '../../../domain/money.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

/** Most rates taken over at once: of 90 days in all currencies, or of years in some. */
export const MAX_RATES = 5000;

export interface RatesFile {
  readonly content: Uint8Array;
  /** Only these currencies; all if absent. */
  readonly currencies?: readonly string[] | undefined;
  /** First day. */
  readonly from?: string | undefined;
}

export interface RatesImport {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rates that people entered, which stay. */
  readonly kept: number;
  /** The first and the last day. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Reads the file. @throws ServiceError validation_failed */
export function readRates({ content }: Pick<RatesFile, 'content'>): DayRate[] {
  try {
    return readEcbRates(new TextDecoder().decode(content));
  } catch (error) {
    if (!(error instanceof BadRates)) throw error;
    throw invalidMember('/file', 'invalid_file', error.message);
  }
}

/** @throws ServiceError validation_failed */
export async function importRates(trx: Db, ctx: Context, file: RatesFile): Promise<RatesImport> {
  const { currency: own } = await loadSettings(trx, 'company');
  const read = readRates(file);
  const { currencies, from } = file;
  const wanted = ratesInBase(own, read).filter(
    ({ currency, date }) =>
      currency !== own && (currencies?.includes(currency) ?? true) && (from === undefined || date >= from),
  );
  if (wanted.length > MAX_RATES) {
    const message = `The file has ${wanted.length} rates, more than ${MAX_RATES}; give from or currencies`;
    throw new ServiceError('invalid_parameter', message);
  }
  return await keepRates(trx, ctx, wanted);
}

/** Stores rates that are new or differ. */
export async function keepRates(trx: Db, ctx: Context, rates: readonly DayRate[]): Promise<RatesImport> {
  await lockName(trx, `exchange_rates:${ctx.tenantId}`);
  const days = [...new Set(rates.map(({ date }) => date))].sort();
  const known = await ExchangeRate.query(trx)
    .whereIn('date', days)
    .whereIn('currency', [...new Set(rates.map(({ currency }) => currency))]);
  const stored = new Map(known.map((row) => [`${row.currency} ${row.date}`, row]));
  const changes = new Changes(ctx);
  const counts = { created: 0, changed: 0, unchanged: 0, kept: 0 };
  for (const { currency, date, rate } of rates) {
    const row = stored.get(`${currency} ${date}`);
    if (row === undefined) {
      changes.create(ExchangeRate, { currency, date, rate, source: 'ecb' });
      counts.created++;
    } else if (row.source === 'manual') counts.kept++;
    else if (decimal(row.rate).eq(rate)) counts.unchanged++;
    else {
      changes.change(ExchangeRate, row, { rate });
      counts.changed++;
    }
  }
  if (counts.created + counts.changed > 0) await changes.write(trx);
  return { ...counts, from: days[0] ?? null, to: days.at(-1) ?? null };
}
