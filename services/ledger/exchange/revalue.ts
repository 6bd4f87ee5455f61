/** Revalues what is open in other currencies, and enters the difference. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { ExchangeRevaluation } from '../../../db/models/ledger/exchange.ts';
import { rateOn } from '../../../db/queries/exchange-rates.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { daysAfter } from '../../../domain/days.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import {
  type OpenAmount,
  type RevaluedPart,
  revaluationLines,
  revaluationSums,
  revalue,
} from '../../../domain/ledger/accounting/revaluation.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { translatePointers } from '../../platform/validation/refusals.ts';
import { AccountBook } from '../accounting/account-book.ts';
import { openDay } from '../accounting/open-day.ts';
import { type EntryDay, writeEntry, writeReversal } from '../accounting/write-entry.ts';
import type { RevaluationInput } from './schemas.ts';

/**
 * Balances of other currencies at the end of a day, by account and partner. Advances are no money that is owed (PGC, valuation rule 11).
 */
const OPEN_SQL = `
  select l.account_id as "accountId", l.partner_id as "partnerId", l.currency, sum(l.currency_amount)::text as amount,
    sum(l.debit - l.credit)::text as value
  from journal_lines l where l.currency is not null and l.date <= :date::date and l.account_id <> all(:advances::uuid[])
  group by 1, 2, 3 having sum(l.currency_amount) <> 0 or sum(l.debit - l.credit) <> 0
  order by 3, 1, 2`;

/** The area of the books that revaluations belong to. */
const AREA = 'general';

const RATES_SQL = `select currency, rate from (
    select currency, ${rateOn('wanted.currency', ':date::date')} as rate from unnest(:currencies::text[]) wanted(currency)) known
  where rate is not null`;

/**
 * Enters the difference between the books and the rates of a day, and its reversal.
 * @returns its id
 * @throws ServiceError validation_failed, period_closed; nothing_open if nothing differs
 */
export async function addRevaluation(trx: Db, ctx: Context, input: RevaluationInput): Promise<string> {
  await lockName(trx, `exchange_revaluations:${ctx.tenantId}`);
  const { date, reverseOn = daysAfter(date, 1) } = input;
  if (reverseOn !== null && reverseOn <= date)
    throw invalidMember('/reverseOn', 'out_of_range', `must be after ${date}, the day of the revaluation`);
  const on = await openDay(trx, ctx, AREA, date, date, '/date');
  const back = reverseOn === null ? null : await reversalDay(trx, ctx, reverseOn);
  const { book, accounts } = await loadAccounts(trx, ['customerAdvances', 'supplierAdvances']);
  const advances = [book.roleId('customerAdvances'), book.roleId('supplierAdvances')].filter((id) => id !== null);
  const open = await query<OpenAmount>(trx, OPEN_SQL, { date, advances });
  const rates = await ratesOn(trx, input, open);
  const parts = revalue(open, rates, book.places);
  if (parts.length === 0) {
    throw new ServiceError('nothing_open', `Nothing that is open in other currencies has another value on ${date}`);
  }
  const id = newId();
  const entryId = await enter(trx, ctx, { id, on, lines: book.completed(revaluationLines(parts, accounts)) });
  const reversalId = entryId === null || back === null ? null : await writeReversal(trx, ctx, entryId, back);
  await record(trx, ctx, { id, date, reverseOn, rates, parts, entryId, reversalId });
  return id;
}

/** The accounts of gains and losses, and others. @throws ServiceError validation_failed when one cannot be used */
async function loadAccounts(trx: Db, more: readonly AccountRole[] = []) {
  const book = await AccountBook.loadLocked(trx, { roles: ['exchangeGain', 'exchangeLoss', ...more] });
  const accounts = { gain: book.role('exchangeGain'), loss: book.role('exchangeLoss') };
  book.faults.throwIfAny();
  return { book, accounts };
}

async function reversalDay(trx: Db, ctx: Context, date: string): Promise<EntryDay> {
  return await openDay(trx, ctx, AREA, date, date, '/date').catch((error: unknown) => {
    throw error instanceof ServiceError ? translatePointers(error, () => '/reverseOn') : error;
  });
}

/** @throws ServiceError validation_failed for a currency without a rate */
async function ratesOn(
  trx: Db,
  { date, rates: given = {} }: RevaluationInput,
  open: readonly OpenAmount[],
): Promise<Readonly<Record<string, Decimal>>> {
  const currencies = [...new Set(open.map(({ currency }) => currency))];
  const known = await query<{ currency: string; rate: Decimal }>(trx, RATES_SQL, { currencies, date });
  const rates: Record<string, Decimal> = Object.fromEntries(known.map(({ currency, rate }) => [currency, rate]));
  const faults = new Faults();
  for (const [currency, rate] of Object.entries(given)) {
    if (currencies.includes(currency)) rates[currency] = decimal(rate).toFixed();
    else faults.add(`/rates/${currency}`, 'not_applicable', 'is a currency in which nothing is open');
  }
  for (const currency of currencies.filter((one) => rates[one] === undefined)) {
    const message = `must have a rate of ${currency}: there is none for ${date} or before`;
    faults.add('/rates', 'no_exchange_rate', message);
  }
  faults.throwIfAny();
  return rates;
}

interface Entered {
  readonly id: string;
  readonly on: EntryDay;
  readonly lines: readonly EntryLine[];
}

/** @returns null if gains and losses of one account cancel out */
async function enter(trx: Db, ctx: Context, { id, on, lines }: Entered): Promise<string | null> {
  if (lines.length === 0) return null;
  const description = `Diferencias de cambio a ${on.date}`;
  return await writeEntry(trx, ctx, { ...on, description, sourceType: 'exchange_revaluation', sourceId: id, lines });
}

async function record(
  trx: Db,
  ctx: Context,
  made: Pick<ExchangeRevaluation, 'id' | 'date' | 'reverseOn' | 'rates' | 'entryId' | 'reversalId'> & {
    readonly parts: readonly RevaluedPart[];
  },
): Promise<void> {
  const { parts, ...head } = made;
  const changes = new Changes(ctx);
  const number = changes.takeNumber({ counter: 'exchange_revaluations', prefix: 'EXR', digits: 5 });
  const more = { lines: parts, ...revaluationSums(parts), cancelledAt: null, createdBy: ctx.userId };
  changes.create(ExchangeRevaluation, { ...number.pending, ...head, ...more });
  await changes.write(trx);
}

/**
 * Cancels a revaluation: its entry, and its reversal, are taken back on their own days.
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed
 */
export async function cancelRevaluation(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await lockName(trx, `exchange_revaluations:${ctx.tenantId}`);
  const current = await ExchangeRevaluation.query(trx).findById(id);
  if (current === undefined) throw notFound('This revaluation');
  assertVersion(current, ifMatch);
  const { code, date, reverseOn, entryId, reversalId } = current;
  if (current.cancelledAt !== null)
    throw new ServiceError('invalid_transition', `${code} cannot be cancelled because it is cancelled already`);
  const on = await openDay(trx, ctx, AREA, date, date);
  if (entryId !== null && reversalId === null) await writeReversal(trx, ctx, entryId, on);
  else if (entryId !== null && reverseOn !== null) {
    // An entry is reversed once, so that both are taken back by others.
    const { accounts } = await loadAccounts(trx);
    const lines = revaluationLines(current.lines, accounts);
    await enter(trx, ctx, { id, on, lines: lines.map(swapped) });
    await enter(trx, ctx, { id, on: await openDay(trx, ctx, AREA, reverseOn, reverseOn), lines });
  }
  const changes = new Changes(ctx);
  changes.change(ExchangeRevaluation, current, { cancelledAt: ctx.now.toISOString() });
  await changes.write(trx);
}

function swapped(line: EntryLine): EntryLine {
  return { ...line, debit: line.credit, credit: line.debit };
}
