/** Checks a manual entry: accounts, partners, amounts, date, period and balance. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import { chartNamed } from '../../../domain/ledger/accounting/charts/index.ts';
import type { Dimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entrySums, isBalanced } from '../../../domain/ledger/accounting/entries.ts';
import { type Area, assertOpenFor, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import { CURRENCY, PLACES } from '../../platform/settings/format.ts';
import { noPeriodMessage, openYear } from '../periods/open-year.ts';
import { entryArea } from './entry-area.ts';
import { checkLines, checkRequirements, type LineReferences, withDimensions } from './entry-lines.ts';
import type { EntryInput, MANUAL_KINDS } from './schemas.ts';
import type { EntryDay } from './write-entry.ts';

/** An entry with checked references, date and sums. */
export interface CheckedEntry extends EntryDay {
  readonly fiscalYear: number;
  readonly kind: (typeof MANUAL_KINDS)[number];
  readonly description: string | null;
  /** The day on which it is to be reversed. */
  readonly reversesOn: string | null;
  /** Company currency, used for its open items. */
  readonly currency: string;
  readonly lines: readonly EntryLine[];
}

interface Found extends LineReferences {
  readonly currency: string;
  readonly fiscalYear: number;
  /** Whether the date is the first of a fiscal year. */
  readonly first: boolean;
  readonly period: (PeriodState & { readonly id: string; readonly from: string; readonly to: string }) | null;
}

/** SQL of what only an account has. */
const OF_ACCOUNTS = `'heading', is_heading, 'type', type, 'requires', requires,`;

/**
 * SQL that locks rows as foreign keys would: draft lines have no foreign keys, and their references must not be deleted
 * concurrently.
 * @param more members of the objects, each followed by a comma
 */
const usable = (table: string, name: string, more = '', lock = 'key share') =>
  `(select json_agg(json_build_object('id', id, 'active', active, ${more} 'code', code))
    from (select * from ${table} where id = any(:${name}::uuid[]) order by id for ${lock}) held) as "${name}"`;

const FOUND_SQL = `
  select ${PLACES} as places, ${CURRENCY} as currency,
    (select value from settings where name = 'accounting') as config,
    fiscal_year_of(:tenant::uuid, :date::date) as "fiscalYear",
    fiscal_year_of(:tenant::uuid, :date::date) <> fiscal_year_of(:tenant::uuid, :date::date - 1) as first,
    (select json_build_object('id', id, 'code', code, 'from', "from", 'to', "to", 'status', status,
        'lockedAreas', locked_areas) from periods
     where case when :period::uuid is null then :date::date between "from" and "to" else id = :period::uuid end) as period,
    ${usable('accounts', 'accounts', OF_ACCOUNTS)},
    ${usable('partners', 'partners')},
    ${usable('projects', 'projects', '', 'share')},
    ${usable('cost_centers', 'costCenters', '', 'share')},
    (select json_agg(json_build_object('id', id, 'rate', rate::text, 'surchargeRate', surcharge_rate::text,
      'consumptionCountry', consumption_country))
     from (select * from taxes where id = any(:taxes::uuid[]) order by id for key share) held) as taxes`;

/**
 * Checks a manual entry.
 * @param area of the books for which its period must be open; the bank's in place of `general` if it moves money
 * @param defaults dimensions of lines on accounts of income or expense that name none
 * @throws ServiceError validation_failed with a pointer for each fault; period_closed, period_locked
 */
export async function checkEntry(
  trx: Db,
  ctx: Context,
  area: Area,
  input: EntryInput,
  defaults: Dimensions | null = null,
): Promise<CheckedEntry> {
  const { period, usual, ...checked } = await readChecked(trx, ctx, input, defaults);
  const own = area === 'general' ? usual : area;
  assertOpenFor(period, own, '/date');
  return { ...checked, periodId: period.id, area: own };
}

/**
 * Checks an entry that is to be made on later days, so that its period may be closed or locked.
 * @throws ServiceError validation_failed with a pointer for each fault
 */
export async function checkLaterEntry(trx: Db, ctx: Context, input: EntryInput): Promise<void> {
  await readChecked(trx, ctx, input, null);
}

/** Checks all but the state of the period. */
async function readChecked(
  trx: Db,
  ctx: Context,
  input: EntryInput,
  defaults: Dimensions | null,
): Promise<
  Omit<CheckedEntry, 'periodId' | 'area'> & { readonly period: NonNullable<Found['period']>; readonly usual: Area }
> {
  const { date } = input;
  const named = [...input.lines, defaults];
  const bindings = {
    tenant: ctx.tenantId,
    date,
    period: input.periodId ?? null,
    accounts: input.lines.map((line) => line.accountId),
    partners: input.lines.flatMap((line) => line.partnerId ?? []),
    projects: named.flatMap((one) => one?.projectId ?? []),
    costCenters: named.flatMap((one) => one?.costCenterId ?? []),
    taxes: input.lines.flatMap((line) => line.tax?.taxGroupId ?? []),
  };
  const read = () => query<Found>(trx, FOUND_SQL, bindings);
  let [found] = await read();
  if (found?.period === null && !input.periodId && (await openYear(trx, ctx, date))) [found] = await read();
  if (!found) throw new Error('the statement always returns one row');
  const faults = new Faults();
  const lines = defaults === null ? input.lines : withDimensions(input.lines, found, defaults);
  checkPeriod(input, found.period, faults);
  if (input.kind === 'opening' && !found.first) {
    faults.add('/date', 'out_of_range', 'must be the first day of a fiscal year, because an opening entry opens it');
  }
  checkReversesOn(input, faults);
  // Initial balances are no result: they have neither cost centers nor projects.
  if (input.kind !== 'opening') checkRequirements(lines, found, faults);
  const checked = checkLines(lines, found, faults);
  if (faults.list.length === 0 && !isBalanced(checked)) {
    const { debit, credit } = entrySums(checked);
    faults.add('/lines', 'unbalanced', `are not balanced: debit ${debit}, credit ${credit}`);
  }
  faults.throwIfAny();
  return {
    date,
    period: found.period as NonNullable<Found['period']>,
    usual: entryArea(chartNamed(found.config?.chart), found.accounts ?? []),
    fiscalYear: found.fiscalYear,
    kind: input.kind ?? 'normal',
    description: input.description ?? null,
    reversesOn: input.reversesOn ?? null,
    currency: found.currency,
    lines: checked,
  };
}

/** Checks the day on which an entry is to be reversed. */
export function checkReversesOn(
  { date, kind = 'normal', reversesOn = null }: Pick<EntryInput, 'date' | 'kind' | 'reversesOn'>,
  faults: Faults,
): void {
  if (reversesOn === null) return;
  if (kind === 'opening') {
    faults.add(
      '/reversesOn',
      'not_allowed',
      'cannot be given because an opening entry is reversed on its own date only',
    );
  } else if (reversesOn < date) {
    faults.add('/reversesOn', 'out_of_range', `must not be before the date of the entry, ${date}`);
  }
}

function checkPeriod({ date, periodId }: EntryInput, period: Found['period'], faults: Faults): void {
  if (period === null) {
    if (periodId) faults.add('/periodId', 'invalid_reference', 'refers to a period that does not exist');
    else faults.add('/date', 'no_period', noPeriodMessage(date));
  } else if (date < period.from || date > period.to) {
    faults.add('/date', 'outside_period', `must be within the period ${period.code} (${period.from} to ${period.to})`);
  }
}
