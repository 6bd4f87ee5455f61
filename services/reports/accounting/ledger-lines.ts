/** Reads the lines of one account: monthly totals, pages, or all lines. */
import type { Account } from '../../../db/models/records/master-data.ts';
import type { Row } from '../../../db/models/table.ts';
import { type Bindings, query } from '../../../db/sql.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import type { MonthOfLines, PageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { readMonths } from '../../ledger/accounting/balances/read.ts';
import { cursor } from '../engine/cursor.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { KIND_ORDER, within } from './ledger-parts.ts';

type Request = ReportRequest<{
  readonly account_id: string;
  readonly partner_id?: string | undefined;
  readonly closing_entries?: boolean | undefined;
}>;

export interface Line {
  readonly date: string;
  readonly entryId: string;
  readonly number: number | null;
  readonly description: string | null;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Sum of the lines read so far, including this one. */
  readonly running: Decimal;
}

interface Ledger {
  readonly account: Pick<Row<typeof Account>, 'id' | 'code' | 'name' | 'type'>;
  readonly opening: Decimal;
  /** Months of the period that have lines. */
  readonly months: readonly MonthOfLines[];
}

const ORDER = `l.date, ${KIND_ORDER}, l.entry_id, l.line_number`;
const noAccount = () => notFoundByParameter('This account', 'account_id');

function lineBindings({ ctx, params, range, settings }: Request): Record<string, Bindings[string]> {
  return {
    tenant: ctx.tenantId,
    account: params.account_id,
    partner: params.partner_id ?? null,
    start: range.from,
    ...range,
    closings: params.closing_entries === true,
    year: yearStart(settings.company.fiscalYearStart, range.to),
  };
}

const ofAccount = ({ params }: Request) =>
  `l.account_id = :account::uuid ${params.partner_id === undefined ? '' : 'and l.partner_id = :partner::uuid'}`;
/** Lines that count towards the opening balance, including opening entries on the first day. */
const OPENING = `(l.date < :start::date or l.date = :start::date and l.kind = 'opening')`;
const OF_PERIOD = `not ${OPENING} and (:closings::boolean or l.kind not in ('regularisation', 'closing') or l.date < :year::date)`;
/** Lines of the period, from `:from` to `:to`. */
const ofPeriod = (request: Request) =>
  `${ofAccount(request)} and l.date >= :from::date and l.date <= :to::date and ${OF_PERIOD}`;

function linesSql(request: Request, page = ''): string {
  return `select l.date, l.entry_id as "entryId", e.number, coalesce(l.description, e.description) as description, l.debit::text,
      l.credit::text, l.running::text
    from (select l.*, sum(l.debit - l.credit) over (order by ${ORDER} rows unbounded preceding) as running
      from journal_lines l where ${ofPeriod(request)} order by ${ORDER} ${page}) l
    join journal_entries e on e.id = l.entry_id order by ${ORDER}`;
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
  const [account] = await query<Ledger['account']>(
    request.reader,
    'select id, code, name, type from accounts where id = :id::uuid',
    { id: request.params.account_id },
  );
  if (account === undefined) throw noAccount();
  const months = await (request.params.partner_id === undefined
    ? readAccountMonths(request)
    : readPartnerMonths(request));
  return {
    account,
    opening: sum(months.map(({ before }) => before)).toFixed(),
    months: months.filter(({ lines }) => lines > 0),
  };
}

/** Reads the lines of a page; `running` starts with the first of the page's months. */
export async function readPage(request: Request, span: PageSpan): Promise<Line[]> {
  return await query<Line>(request.reader, linesSql(request, 'limit :limit::bigint offset :skip::bigint'), {
    ...lineBindings(request),
    ...within(request.range, span),
    skip: span.skip,
    limit: request.page?.limit ?? 0,
  });
}

/** Yields all lines of the period, in batches. */
export function readLines(request: Request): AsyncGenerator<readonly Line[]> {
  return cursor<Line>(request.reader, linesSql(request), lineBindings(request));
}

/** A month of the period, with the total of the period's earlier lines. */
type Month = MonthOfLines & { readonly before: Decimal };

async function readAccountMonths({
  reader,
  ctx: { tenantId },
  params,
  range: { from, to },
}: Request): Promise<Month[]> {
  const kinds = params.closing_entries === true ? 'all' : 'unclosed';
  const months = await readMonths(reader, {
    tenantId,
    spans: { before: { before: from }, opening: { from, to: from, kinds: 'opening' }, period: { from, to, kinds } },
    accountId: params.account_id,
  });
  return months.map(({ month, sums: { before, opening, period } }) => ({
    month,
    before: sum([before.debit, opening.debit]).minus(before.credit).minus(opening.credit).toFixed(),
    debit: decimal(period.debit).minus(opening.debit).toFixed(),
    credit: decimal(period.credit).minus(opening.credit).toFixed(),
    lines: Number(period.lines) - Number(opening.lines),
  }));
}

/** Sums lines by month: partners have no stored balances. */
async function readPartnerMonths(request: Request): Promise<Month[]> {
  const sumSql = (value: string, filter: string) => `coalesce(sum(${value}) filter (where ${filter}), 0)::text`;
  return await query<Month>(
    request.reader,
    `select date_trunc('month', l.date::timestamp)::date as month, ${sumSql('l.debit - l.credit', OPENING)} as before,
       ${sumSql('l.debit', OF_PERIOD)} as debit, ${sumSql('l.credit', OF_PERIOD)} as credit,
       (count(*) filter (where ${OF_PERIOD}))::integer as lines
     from journal_lines l where ${ofAccount(request)} and l.date <= :to::date group by 1 order by 1`,
    lineBindings(request),
  );
}
