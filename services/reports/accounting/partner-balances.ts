/** The trial balance by partner: accounts whose lines name one, with a row for each partner (decision 0324). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { amount, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { ACCOUNTS, CLOSING_ENTRIES, LEDGER_TITLES } from './ledger-parts.ts';
import { BEFORE, OF_PERIOD, periodBindings } from './ledger-sql.ts';

const ROW = Type.Object({
  account_id: uuid(),
  account_code: text(),
  account_name: text(),
  partner_id: uuid(),
  partner_code: nullable(text()),
  partner_name: text(),
  opening_balance: amount(),
  debit: amount(),
  credit: amount(),
  balance: amount(),
  drilldown: text({ max: 500 }),
});

export const partnerBalances = defineReport({
  name: 'partner-balances',
  title: { en: 'Trial balance by partner', es: 'Balance de sumas y saldos por tercero' },
  description:
    'Accounts of partners, with a row for each partner that has a balance or anything entered in the period. Lines that name no partner ' +
    'are left out, so that the rows of an account may come to less than the account.',
  area: 'accounting',
  parameters: { ...RANGE, ...ACCOUNTS, ...CLOSING_ENTRIES },
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object({ opening_balance: amount(), debit: amount(), credit: amount(), balance: amount() }),
  consistent: true,
  size: async (request) => (await readPage({ ...request, page: null })).totals.rows,
  async read(request) {
    const { page, money } = request;
    const { totals, found } = await readPage(request);
    return {
      data: { rows: found.map((row) => toRow(row, request)), pagination: pagination(page, totals.rows) },
      summary: {
        opening_balance: money(totals.opening),
        debit: money(totals.debit),
        credit: money(totals.credit),
        balance: money(balance(totals)),
      },
    };
  },
  async *stream(request) {
    for await (const rows of cursor<Found>(request.reader, ALL_SQL, bindings(request))) {
      yield rows.map((row) => toRow(row, request));
    }
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, titles: LEDGER_TITLES, rows: [], totals: summary }] }),
});

type Asked = ReportRequest<{ readonly accounts?: string | undefined; readonly closing_entries?: boolean | undefined }>;

interface Sums {
  readonly opening: Decimal;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Entered in earlier fiscal years of the period on accounts that begin each year at zero. */
  readonly left: Decimal;
}

interface Found extends Sums {
  readonly accountId: string;
  readonly accountCode: string;
  readonly accountName: string;
  readonly partnerId: string;
  readonly partnerCode: string | null;
  readonly partnerName: string;
}

const total = (value: string, filter: string) => `coalesce(sum(l.${value}) filter (where ${filter}), 0)`;
const SINCE_FIRST_YEAR = 'l.date >= :firstYear::date';
const EARLIER_YEARS = `${SINCE_FIRST_YEAR} and l.date < :year::date`;
/** Read from the index alone; then income and expense begin each fiscal year at zero. */
const SUMS = `with summed as (
    select l.account_id, l.partner_id, ${total('debit', BEFORE)} - ${total('credit', BEFORE)} as before,
      ${total('debit', `${BEFORE} and ${SINCE_FIRST_YEAR}`)} - ${total('credit', `${BEFORE} and ${SINCE_FIRST_YEAR}`)} as of_year,
      ${total('debit', OF_PERIOD)} as debit, ${total('credit', OF_PERIOD)} as credit,
      ${total('debit', EARLIER_YEARS)} - ${total('credit', EARLIER_YEARS)} as earlier
    from journal_lines l where l.partner_id is not null and l.date <= :to::date group by l.account_id, l.partner_id
  ), shown as materialized (
    select a.id as "accountId", a.code as "accountCode", a.name as "accountName", s.partner_id, s.debit, s.credit,
      case when a.of_result then s.of_year else s.before end as opening, case when a.of_result then s.earlier else 0 end as "left"
    from summed s join (select id, code, name, type = any(:results::text[]) as of_result from accounts) a on a.id = s.account_id
    where :digits::text is null or starts_with(a.code, :digits::text)
  ), chosen as materialized (select * from shown where opening <> 0 or debit <> 0 or credit <> 0)`;
const ROWS = `select c."accountId", c."accountCode", c."accountName", p.id as "partnerId", p.code as "partnerCode", p.name as "partnerName",
    c.opening::text, c.debit::text, c.credit::text, c."left"::text
  from chosen c join partners p on p.id = c.partner_id order by c."accountCode", p.code, p.id`;
const ALL_SQL = `${SUMS} ${ROWS}`;
const PAGE_SQL = `${SUMS} select
    (select json_build_object('rows', count(*), 'opening', coalesce(sum(opening), 0)::text, 'debit', coalesce(sum(debit), 0)::text,
      'credit', coalesce(sum(credit), 0)::text, 'left', coalesce(sum("left"), 0)::text) from chosen) as totals,
    coalesce((select json_agg(r) from (${ROWS} limit :limit offset :skip) r), '[]'::json) as found`;

function bindings(request: Asked) {
  return { ...periodBindings(request), digits: request.params.accounts ?? null, results: RESULT_TYPES };
}

interface FoundPage {
  readonly totals: Sums & { readonly rows: number };
  readonly found: readonly Found[];
}

async function readPage(request: Asked): Promise<FoundPage> {
  const { limit, offset } = request.page ?? { limit: 0, offset: 0 };
  const [found] = await query<FoundPage>(request.reader, PAGE_SQL, { ...bindings(request), limit, skip: offset });
  return found as FoundPage;
}

function balance({ opening, debit, credit, left }: Sums): Decimal {
  return decimal(opening).plus(debit).minus(credit).minus(left).toFixed();
}

function toRow(found: Found, { params, range: { from, to }, money }: Asked) {
  const closings = params.closing_entries === true ? '&closing_entries=true' : '';
  return {
    account_id: found.accountId,
    account_code: found.accountCode,
    account_name: found.accountName,
    partner_id: found.partnerId,
    partner_code: found.partnerCode,
    partner_name: found.partnerName,
    opening_balance: money(found.opening),
    debit: money(found.debit),
    credit: money(found.credit),
    balance: money(balance(found)),
    drilldown: `/api/reports/ledger?account_id=${found.accountId}&partner_id=${found.partnerId}&from=${from}&to=${to}${closings}`,
  };
}
