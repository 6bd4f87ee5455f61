/** Reads the lines of the trial balance: one for each account, or for accounts whose codes begin alike. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import {
  accountMovements,
  type Movements,
  openYearsMovements,
  type SpanName,
  sumMovements,
} from '../../../domain/reports/accounting/trial-balance.ts';
import { type AccountBalance, readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { balanceIn } from './annual-accounts.ts';
import { columnNames, columnSpans, type PeriodColumn } from './columns.ts';
import { type DimensionColumns, type DimensionParams, dimensionLimits, type Unit } from './dimension-filters.ts';
import { beginningWith } from './ledger-parts.ts';
import { OPEN_YEARS } from './open-years.ts';

type Asked = Pick<
  ReportRequest<
    {
      readonly level?: number | undefined;
      readonly accounts?: string | undefined;
      readonly closing_entries?: boolean | undefined;
      readonly by?: Unit | undefined;
    } & DimensionParams
  >,
  'reader' | 'ctx' | 'params' | 'range' | 'settings' | 'accountChart' | 'language'
>;

/** A line of the trial balance. */
export interface TrialBalanceLine {
  /** null for accounts that are added up. */
  readonly accountId: string | null;
  readonly code: string;
  readonly name: string;
  /** Whether it has the results of years not closed. */
  readonly openYears: boolean;
  readonly movements: Movements;
  /** Debit less credit of each period column. */
  readonly amounts: readonly Decimal[];
}

/** Reads the lines in the order of their codes; the results of years not closed come after the account that will have them. */
export async function readTrialBalance(
  request: Asked,
  columns: readonly PeriodColumn[],
  bearers: DimensionColumns,
): Promise<TrialBalanceLine[]> {
  const { reader, ctx, params, range, settings } = request;
  const { yearResult } = request.accountChart.roles;
  const { level, accounts: prefix } = params;
  const { from, to } = range;
  const { fiscalYearStart } = settings.company;
  const [firstYear, year] = [yearStart(fiscalYearStart, from), yearStart(fiscalYearStart, to)];
  const kinds = params.closing_entries === true ? 'all' : 'unclosed';
  const spans: Record<Name, Span> = {
    before: { before: from },
    opening: { from, to: from, kinds: 'opening' },
    period: { from, to, kinds },
    beforeFirstYear: { before: firstYear },
    beforeYear: { before: year },
    yearOpening: { from: year, to, kinds: 'opening' },
    year: { from: year, to, kinds },
    ...columnSpans('column', columns, (column) => ({ from: column.from, to: column.to, kinds })),
  };
  const all = await readBalances(reader, { tenantId: ctx.tenantId, spans, ...dimensionLimits(params) });
  const lines = beginningWith(all, prefix).map((account): TrialBalanceLine => {
    const { accountId, code, name } = account;
    const moved = columnNames('column', columns).map((span) => balanceIn(account, span));
    return {
      accountId,
      code,
      name,
      openYears: false,
      movements: accountMovements(account),
      amounts: [...withoutFirstOpening(moved, account), ...bearers.amounts(accountId)],
    };
  });
  const shown = level === undefined ? lines : await atLevel(reader, lines, level);
  const place = shown.filter(({ code }) => code <= yearResult).length;
  if (prefix !== undefined && !yearResult.startsWith(prefix)) return shown;
  const openYears = {
    ...{ accountId: null, code: yearResult.slice(0, level), name: OPEN_YEARS.name.en, openYears: true },
    ...{ movements: openYearsMovements(all), amounts: [...columns, ...bearers.columns].map(() => '0' as const) },
  };
  return [...shown.slice(0, place), openYears, ...shown.slice(place)];
}

type Name = SpanName | `column${number}`;

/** The opening entry of the first day is in the opening balance, not in the first column. */
function withoutFirstOpening([first, ...others]: readonly Decimal[], { sums }: AccountBalance<Name>): Decimal[] {
  return first === undefined ? [] : [decimal(first).minus(sums.opening.balance).toFixed(), ...others];
}

/** Adds up the lines whose codes begin with the same digits. An account with no more digits that is alone stays as it is. */
async function atLevel(reader: Reader, lines: readonly TrialBalanceLine[], level: number): Promise<TrialBalanceLine[]> {
  const groups = groupBy(lines, ({ code }) => code.slice(0, level));
  const accounts = await query<{ code: string; name: string }>(
    reader,
    'select code, name from accounts where code = any(:codes::text[])',
    { codes: [...groups.keys()] },
  );
  const names = new Map(accounts.map(({ code, name }) => [code, name]));
  return [...groups].map(([code, group]) => {
    const [only, ...more] = group;
    if (only?.code === code && more.length === 0) return only;
    return {
      ...{ accountId: null, code, name: names.get(code) ?? `${code}…`, openYears: false },
      movements: sumMovements(group.map(({ movements }) => movements)),
      amounts: (only?.amounts ?? []).map((_, index) =>
        sum(group.map(({ amounts }) => amounts[index] ?? '0')).toFixed(),
      ),
    };
  });
}
