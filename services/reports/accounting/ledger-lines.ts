/** Reads the lines of one account: monthly totals, pages, or all lines. */
import type { Account } from '../../../db/models/records/master-data.ts';
import type { Row } from '../../../db/models/table.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { yearStart, yearsBeginning } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import type { MonthOfLines, PageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { readBalances, readMonths } from '../../ledger/accounting/balances/read.ts';
import { cursor } from '../engine/cursor.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { DIMENSION_CONDITIONS, type DimensionParams, dimensionBindings, dimensionLimits } from './dimension-filters.ts';
import { askedConditions, within } from './ledger-parts.ts';
import {
  BEFORE,
  LINE_COLUMNS,
  LINE_ORDER,
  type Line,
  OF_PERIOD,
  periodBindings,
  runningLines,
  WITHIN_PERIOD,
  YEAR_OF_LINE,
} from './ledger-sql.ts';

type Request = ReportRequest<
  {
    readonly account_id: string;
    readonly partner_id?: string | undefined;
    readonly closing_entries?: boolean | undefined;
  } & DimensionParams
>;

export interface Ledger {
  readonly account: Pick<Row<typeof Account>, 'id' | 'code' | 'name' | 'type'>;
  readonly opening: Decimal;
  /** Months of the period that have lines. */
  readonly months: readonly MonthOfLines[];
  /** Balance at the end of the period. */
  readonly balance: Decimal;
  /** Days of the period on which the account begins again at zero: income and expense, each fiscal year. */
  readonly resets: readonly string[];
}

const noAccount = () => notFoundByParameter('This account', 'account_id');

function lineBindings(request: Request): Record<string, Bindings[string]> {
  const { ctx, params } = request;
  return {
    tenant: ctx.tenantId,
    account: params.account_id,
    partner: params.partner_id ?? null,
    ...dimensionBindings(params),
    ...periodBindings(request),
  };
}

/** Conditions of the parameters that limit the lines of an account. */
const LIMITS = {
  partner_id: 'l.partner_id = :partner::uuid',
  ...DIMENSION_CONDITIONS,
} as const;

const ofAccount = ({ params }: Request) =>
  ['l.account_id = :account::uuid', ...askedConditions(LIMITS, params)].join(' and ');
/** Lines of the period, from `:from` to `:to`. */
const ofPeriod = (request: Request) => `${ofAccount(request)} and ${WITHIN_PERIOD}`;

function linesSql(request: Request, { resets }: Pick<Ledger, 'resets'>, page = ''): string {
  const year = resets.length === 0 ? null : YEAR_OF_LINE;
  return `select ${LINE_COLUMNS} from (${runningLines(ofPeriod(request), year, page)}) l
    join journal_entries e on e.id = l.entry_id order by ${LINE_ORDER}`;
}

/** Counts the lines of the period, stopping just above `most`. @throws ServiceError not_found */
export async function countLedger(request: Request, most: number): Promise<number> {
  const lines = `select from journal_lines l where ${ofPeriod(request)} limit :most::bigint + 1`;
  const [found] = await query<{ rows: number }>(
    request.reader,
    `select (select count(*)::integer from (${lines}) l) as rows from accounts a where a.id = :account::uuid`,
    { ...lineBindings(request), most },
  );
  if (found === undefined) throw noAccount();
  return found.rows;
}

/** @throws ServiceError not_found */
export async function readLedger(request: Request): Promise<Ledger> {
  const { reader, params, range, settings } = request;
  const [account] = await query<Ledger['account']>(
    reader,
    'select id, code, name, type from accounts where id = :id::uuid',
    { id: params.account_id },
  );
  if (account === undefined) throw noAccount();
  const yearly = isOfResult(account);
  const months = await (params.partner_id === undefined
    ? readAccountMonths(request, yearly)
    : readPartnerMonths(request, yearly));
  return {
    account,
    opening: sum(months.map(({ before }) => before)).toFixed(),
    months: months.filter(({ lines }) => lines > 0),
    balance: sum(months.map(({ end }) => end)).toFixed(),
    resets: yearly ? yearsBeginning(settings.company.fiscalYearStart, range) : [],
  };
}

/** Lines of a page, and the balance to which the `running` of those before the day `until` is added. */
interface PageOfLines {
  readonly lines: readonly Line[];
  readonly start: Decimal;
  readonly until: string | undefined;
}

/** Reads the lines of a page; `running` starts with the first of the page's months. */
export async function readPage(request: Request, ledger: Ledger, span: PageSpan): Promise<PageOfLines> {
  const days = within(request.range, span);
  const lines = await query<Line>(
    request.reader,
    linesSql(request, ledger, 'limit :limit::bigint offset :skip::bigint'),
    {
      ...lineBindings(request),
      ...days,
      resets: ledger.resets,
      skip: span.skip,
      limit: request.page?.limit ?? 0,
    },
  );
  const reset = ledger.resets.findLast((day) => day <= days.from);
  return {
    lines,
    start:
      reset === undefined
        ? decimal(ledger.opening).plus(span.before).toFixed()
        : await readBalanceSince(request, reset, days.from),
    until: ledger.resets.find((day) => day > days.from),
  };
}

/** Sums an account's lines from a day on, until before another. */
async function readBalanceSince(request: Request, from: string, before: string): Promise<Decimal> {
  if (from === before) return '0';
  const { reader, ctx, params } = request;
  if (params.partner_id !== undefined) {
    const [found] = await query<{ balance: Decimal }>(
      reader,
      `select coalesce(sum(l.debit - l.credit), 0)::text as balance from journal_lines l
       where ${ofAccount(request)} and l.date >= :since::date and l.date < :before::date`,
      { ...lineBindings(request), since: from, before },
    );
    return found?.balance ?? '0';
  }
  const spans = { since: { from, before } };
  const limits = { accountIds: [params.account_id], ...dimensionLimits(params) };
  const [found] = await readBalances(reader, { tenantId: ctx.tenantId, spans, ...limits });
  return found?.sums.since.balance ?? '0';
}

/** Yields all lines of the period, in batches. */
export function readLines(request: Request, ledger: Ledger): AsyncGenerator<readonly Line[]> {
  return cursor<Line>(request.reader, linesSql(request, ledger), { ...lineBindings(request), resets: ledger.resets });
}

/**
 * A month up to the end of the period: its part of the opening balance, its lines of the period, and its part of the balance at the end.
 */
type Month = MonthOfLines & { readonly before: Decimal; readonly end: Decimal };

/** @param yearly whether the account begins each fiscal year at zero */
async function readAccountMonths(
  { reader, ctx: { tenantId }, params, range: { from, to }, settings }: Request,
  yearly: boolean,
): Promise<Month[]> {
  const kinds = params.closing_entries === true ? 'all' : 'unclosed';
  const since = (day: string) => (yearly ? yearStart(settings.company.fiscalYearStart, day) : undefined);
  const months = await readMonths(reader, {
    tenantId,
    spans: {
      before: { from: since(from), before: from },
      opening: { from, to: from, kinds: 'opening' },
      period: { from, to, kinds },
      end: { from: since(to), to, kinds },
    },
    accountId: params.account_id,
    ...dimensionLimits(params),
  });
  return months.map(({ month, sums: { before, opening, period, end } }) => ({
    month,
    before: sum([before.debit, opening.debit]).minus(before.credit).minus(opening.credit).toFixed(),
    debit: decimal(period.debit).minus(opening.debit).toFixed(),
    credit: decimal(period.credit).minus(opening.credit).toFixed(),
    lines: Number(period.lines) - Number(opening.lines),
    end: decimal(end.debit).minus(end.credit).toFixed(),
  }));
}

/** Sums lines by month: partners have no stored balances. */
async function readPartnerMonths(request: Request, yearly: boolean): Promise<Month[]> {
  const sumSql = (value: string, filter: string) => `coalesce(sum(${value}) filter (where ${filter}), 0)::text`;
  const since = (day: string) => (yearly ? `l.date >= ${day}::date` : 'true');
  return await query<Month>(
    request.reader,
    `select date_trunc('month', l.date::timestamp)::date as month,
       ${sumSql('l.debit - l.credit', `${since(':firstYear')} and ${BEFORE}`)} as before,
       ${sumSql('l.debit', OF_PERIOD)} as debit, ${sumSql('l.credit', OF_PERIOD)} as credit,
       (count(*) filter (where ${OF_PERIOD}))::integer as lines,
       ${sumSql('l.debit - l.credit', `${since(':year')} and (${BEFORE} or ${OF_PERIOD})`)} as "end"
     from journal_lines l where ${ofAccount(request)} and l.date <= :to::date group by 1 order by 1`,
    lineBindings(request),
  );
}
