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
  async size(request) {
    return (await readTotals(request)).rows;
  },
  async read(request) {
    const { reader, page, money } = request;
    const totals = await readTotals(request);
    const found =
      page === null
        ? []
        : await query<Found>(reader, `${ROWS} limit :limit offset :skip`, {
            ...bindings(request),
            limit: page.limit,
            skip: page.offset,
          });
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
    for await (const rows of cursor<Found>(request.reader, ROWS, bindings(request))) {
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

const total = (value: string, filter: string) => `coalesce(sum(${value}) filter (where ${filter}), 0)`;
const OF_RESULT = `a.type in (${RESULT_TYPES.map((type) => `'${type}'`).join(', ')})`;
/** Income and expense begin each fiscal year at zero. */
const SUMS = `select l.account_id, l.partner_id,
    ${total('l.debit - l.credit', `(not ${OF_RESULT} or l.date >= :firstYear::date) and ${BEFORE}`)} as opening,
    ${total('l.debit', OF_PERIOD)} as debit, ${total('l.credit', OF_PERIOD)} as credit,
    ${total('l.debit - l.credit', `${OF_RESULT} and l.date >= :firstYear::date and l.date < :year::date`)} as "left"
  from journal_lines l join accounts a on a.id = l.account_id
  where l.partner_id is not null and l.date <= :to::date and (:digits::text is null or starts_with(a.code, :digits::text))
  group by l.account_id, l.partner_id`;
const SHOWN = `(${SUMS}) s where s.opening <> 0 or s.debit <> 0 or s.credit <> 0`;
const ROWS = `select a.id as "accountId", a.code as "accountCode", a.name as "accountName", p.id as "partnerId", p.code as "partnerCode",
    p.name as "partnerName", s.opening::text, s.debit::text, s.credit::text, s."left"::text
  from (select * from ${SHOWN}) s join accounts a on a.id = s.account_id join partners p on p.id = s.partner_id
  order by a.code, p.code, p.id`;
const TOTALS = `select count(*)::integer as rows, coalesce(sum(s.opening), 0)::text as opening, coalesce(sum(s.debit), 0)::text as debit,
    coalesce(sum(s.credit), 0)::text as credit, coalesce(sum(s."left"), 0)::text as "left"
  from ${SHOWN}`;

function bindings(request: Asked) {
  return { ...periodBindings(request), digits: request.params.accounts ?? null };
}

async function readTotals(request: Asked): Promise<Sums & { readonly rows: number }> {
  const [found] = await query<Sums & { rows: number }>(request.reader, TOTALS, bindings(request));
  return found as Sums & { rows: number };
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
