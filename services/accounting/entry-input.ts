/** Checks an entry that a person makes: accounts, partners, amounts, day and period, and that it balances. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { balances, type EntryKind, type EntryLine, entrySums } from '../../domain/accounting/entries.ts';
import { decimal, decimalPlaces } from '../../domain/money.ts';
import { Faults } from '../documents/faults.ts';
import { periodClosed } from '../documents/resolve.ts';
import { noPeriodOf } from './open-day.ts';

export interface EntryLineInput {
  readonly accountId: string;
  readonly debit?: number | null;
  readonly credit?: number | null;
  readonly partnerId?: string | null;
  readonly projectId?: string | null;
  readonly costCenterId?: string | null;
  readonly description?: string | null;
}

/** The kinds of entries that people make. */
export const KINDS_BY_HAND = ['normal', 'opening'] as const satisfies readonly EntryKind[];

export interface EntryInput {
  readonly date: string;
  readonly periodId?: string | null;
  readonly kind?: (typeof KINDS_BY_HAND)[number];
  readonly description?: string | null;
  readonly lines: readonly EntryLineInput[];
}

/** An entry whose references, day and sums are right. */
export interface CheckedEntry {
  readonly date: string;
  readonly periodId: string;
  readonly fiscalYear: number;
  readonly kind: (typeof KINDS_BY_HAND)[number];
  readonly description: string | null;
  readonly lines: readonly EntryLine[];
}

interface Usable {
  readonly id: string;
  readonly active: boolean;
  readonly heading: boolean | null;
  readonly code: string;
}

interface Found {
  readonly places: number;
  readonly fiscalYear: number;
  /** Whether a fiscal year begins on that day. */
  readonly first: boolean;
  readonly period: {
    readonly id: string;
    readonly code: string;
    readonly from: string;
    readonly to: string;
    readonly status: string;
  } | null;
  readonly accounts: readonly Usable[] | null;
  readonly partners: readonly Usable[] | null;
  readonly projects: readonly Usable[] | null;
  readonly costCenters: readonly Usable[] | null;
}

/** Rows are held, as a foreign key would: a draft's lines have none, and what they name is not deleted before the draft is there. */
const usable = (table: string, name: string, heading = 'null::boolean') =>
  `(select json_agg(json_build_object('id', id, 'active', active, 'heading', ${heading}, 'code', code))
    from (select * from ${table} where id = any(:${name}::uuid[]) order by id for key share) held) as "${name}"`;

const FOUND_SQL = `
  select coalesce((select (value->>'decimalPrecision')::integer from settings where name = 'format'), 2) as places,
    fiscal_year_of(:tenant::uuid, :date::date) as "fiscalYear",
    fiscal_year_of(:tenant::uuid, :date::date) <> fiscal_year_of(:tenant::uuid, :date::date - 1) as first,
    (select json_build_object('id', id, 'code', code, 'from', "from", 'to', "to", 'status', status) from periods
     where case when :period::uuid is null then :date::date between "from" and "to" else id = :period::uuid end) as period,
    ${usable('accounts', 'accounts', 'is_heading')},
    ${usable('partners', 'partners')},
    ${usable('projects', 'projects')},
    ${usable('cost_centers', 'costCenters')}`;

/** @throws ServiceError validation_failed with a pointer for each fault; period_closed */
export async function checkEntry(trx: Db, ctx: Context, input: EntryInput): Promise<CheckedEntry> {
  const { date, lines } = input;
  const [found] = await query<Found>(trx, FOUND_SQL, {
    tenant: ctx.tenantId,
    date,
    period: input.periodId ?? null,
    accounts: lines.map((line) => line.accountId),
    partners: lines.flatMap((line) => line.partnerId ?? []),
    projects: lines.flatMap((line) => line.projectId ?? []),
    costCenters: lines.flatMap((line) => line.costCenterId ?? []),
  });
  if (!found) throw new Error('the statement always returns one row');
  const faults = new Faults();
  checkPeriod(input, found.period, faults);
  if (input.kind === 'opening' && !found.first) {
    faults.add('/date', 'out_of_range', 'must be the first day of a fiscal year, which the entry opens');
  }
  checkLines(lines, found, faults);
  const checked = lines.map(toLine);
  if (faults.list.length === 0 && !balances(checked)) {
    const { debit, credit } = entrySums(checked);
    faults.add('/lines', 'unbalanced', `do not balance: debit ${debit}, credit ${credit}`);
  }
  faults.throwIfAny();
  const period = found.period as NonNullable<Found['period']>;
  if (period.status === 'C') throw periodClosed(period.code);
  return {
    date,
    periodId: period.id,
    fiscalYear: found.fiscalYear,
    kind: input.kind ?? 'normal',
    description: input.description ?? null,
    lines: checked,
  };
}

function checkPeriod({ date, periodId }: EntryInput, period: Found['period'], faults: Faults): void {
  if (period === null) {
    if (periodId) faults.add('/periodId', 'invalid_reference', 'refers to a period that does not exist');
    else faults.add('/date', 'no_period', noPeriodOf(date));
  } else if (date < period.from || date > period.to) {
    faults.add('/date', 'outside_period', `is not within the period ${period.code} (${period.from} to ${period.to})`);
  }
}

const ASSIGNMENTS = [
  ['partnerId', 'partners', 'partner'],
  ['projectId', 'projects', 'project'],
  ['costCenterId', 'costCenters', 'cost center'],
] as const;

function checkLines(lines: readonly EntryLineInput[], found: Found, faults: Faults): void {
  const accounts = byId(found.accounts);
  const others = {
    partners: byId(found.partners),
    projects: byId(found.projects),
    costCenters: byId(found.costCenters),
  };
  lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    const account = accounts.get(line.accountId);
    if (!account) faults.add(`${pointer}/accountId`, 'invalid_reference', 'refers to an account that does not exist');
    else if (account.heading)
      faults.add(`${pointer}/accountId`, 'heading_account', `account ${account.code} is a heading`);
    else if (!account.active)
      faults.add(`${pointer}/accountId`, 'inactive_account', `account ${account.code} is inactive`);
    for (const [member, table, words] of ASSIGNMENTS) {
      const id = line[member];
      if (id === undefined || id === null) continue;
      const other = others[table].get(id);
      if (!other) faults.add(`${pointer}/${member}`, 'invalid_reference', `refers to a ${words} that does not exist`);
      else if (!other.active) faults.add(`${pointer}/${member}`, 'invalid_reference', `refers to an inactive ${words}`);
    }
    checkAmounts(line, pointer, found.places, faults);
  });
}

function checkAmounts(line: EntryLineInput, pointer: string, places: number, faults: Faults): void {
  const given = (['debit', 'credit'] as const).filter((side) => (line[side] ?? 0) !== 0);
  if (given.length === 0) faults.add(`${pointer}/debit`, 'required', 'give a debit or a credit above zero');
  if (given.length === 2) faults.add(`${pointer}/credit`, 'both_sides', 'a line has a debit or a credit, not both');
  for (const side of given) {
    const value = line[side] as number;
    if (value < 0) faults.add(`${pointer}/${side}`, 'out_of_range', 'must be above zero: use the other side');
    if (decimalPlaces(value) > places) {
      faults.add(`${pointer}/${side}`, 'too_many_decimals', `has more than ${places} decimals`);
    }
  }
}

function toLine(line: EntryLineInput): EntryLine {
  return {
    accountId: line.accountId,
    debit: decimal(line.debit ?? 0).toFixed(),
    credit: decimal(line.credit ?? 0).toFixed(),
    partnerId: line.partnerId ?? null,
    projectId: line.projectId ?? null,
    costCenterId: line.costCenterId ?? null,
    description: line.description ?? null,
    tax: null,
  };
}

function byId(rows: readonly Usable[] | null): ReadonlyMap<string, Usable> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}
