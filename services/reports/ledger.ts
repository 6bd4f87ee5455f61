/** The ledger of one account: each line with the balance after it. */
import { Type } from 'typebox';
import type { Account } from '../../db/models/master-data.ts';
import { jsonList } from '../../db/models/selected.ts';
import type { Row } from '../../db/models/table.ts';
import { type Bindings, query } from '../../db/sql.ts';
import { notFoundByParameter } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { yearStart } from '../../domain/seed/fiscal-year.ts';
import { balancesStatement } from '../accounting/balances/statement.ts';
import { amount, day, type Input, integer, nullable, text, uuid } from '../validation/schemas.ts';
import { cursor } from './cursor.ts';
import { defineReport, RANGE, type ReportRequest } from './declaration.ts';
import { CLOSING_ENTRIES, KIND_ORDER, LEDGER_TITLES } from './ledger-parts.ts';
import { PAGINATION, pagination } from './paging.ts';

interface Parameters {
  readonly account_id: string;
  readonly partner_id?: string | undefined;
  readonly closing_entries?: boolean | undefined;
}

const ROW = Type.Object({
  date: day(),
  entry_id: nullable(uuid()),
  entry_number: nullable(integer()),
  description: nullable(text()),
  debit: amount(),
  credit: amount(),
  balance: amount({ description: 'After the line' }),
  drilldown: nullable(text({ max: 500 })),
});

interface Line {
  readonly date: string;
  readonly entryId: string;
  readonly number: number | null;
  readonly description: string | null;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** What the lines up to this one add up to. */
  readonly running: Decimal;
}

interface Found extends Pick<Row<typeof Account>, 'id' | 'code' | 'name' | 'type'> {
  readonly opening: Decimal;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly total: number;
  readonly lines: readonly Line[];
}

export const ledger = defineReport({
  name: 'ledger',
  title: { en: 'Ledger', es: 'Libro mayor' },
  description: 'The lines of one account. The opening entry of the first day is part of the opening balance.',
  area: 'accounting',
  parameters: { account_id: uuid(), ...RANGE, partner_id: Type.Optional(uuid()), ...CLOSING_ENTRIES },
  paged: true,
  problems: ['not_found'],
  data: Type.Object({
    account: Type.Object(
      { id: uuid(), code: text(), name: text(), type: text() },
      { description: 'Whose ledger it is' },
    ),
    opening_balance: amount(),
    rows: Type.Array(ROW),
    pagination: PAGINATION,
  }),
  summary: Type.Object({ debit: amount(), credit: amount(), balance: amount() }),
  async size(request, most) {
    const lines = `select from journal_lines l where ${ofPeriod(request)} limit :most::bigint + 1`;
    const [found] = await query<{ rows: number }>(
      request.reader,
      `select (select count(*)::integer from (${lines}) l) as rows from accounts a where a.id = :account::uuid`,
      { ...bindingsOf(request), most },
    );
    if (found === undefined) throw noAccount();
    // The opening balance is a row of files.
    return found.rows + 1;
  },
  async read(request) {
    const { money, page } = request;
    const { id, code, name, type, opening, debit, credit, total, lines } = await readLedger(request);
    return {
      data: {
        account: { id, code, name, type },
        opening_balance: money(opening),
        rows: lines.map((line) => toRow(line, opening, money)),
        pagination: pagination(page, total),
      },
      summary: {
        debit: money(debit),
        credit: money(credit),
        balance: money(decimal(opening).plus(debit).minus(credit).toFixed()),
      },
    };
  },
  async *stream(request): AsyncGenerator<readonly Input<typeof ROW>[]> {
    const { opening } = await readLedger(request);
    const { money, range, language } = request;
    const before = { date: range.from, entry_id: null, entry_number: null, debit: 0, credit: 0, drilldown: null };
    yield [{ ...before, description: OPENING[language], balance: money(opening) }];
    for await (const lines of cursor<Line>(request.reader, linesOf(request), bindingsOf(request))) {
      yield lines.map((line) => toRow(line, opening, money));
    }
  },
  file: ({ data: { account }, summary }) => {
    const name = `${account.code} ${account.name}`;
    return {
      tables: [
        {
          title: { en: `Ledger of ${name}`, es: `Libro mayor de ${name}` },
          row: ROW,
          titles: LEDGER_TITLES,
          rows: [],
          totals: summary,
        },
      ],
    };
  },
});

const noAccount = () => notFoundByParameter('This account', 'account_id');
const OPENING = { en: 'Opening balance', es: 'Saldo inicial' } as const;

function toRow(line: Line, opening: Decimal, money: ReportRequest['money']) {
  return {
    date: line.date,
    entry_id: line.entryId,
    entry_number: line.number,
    description: line.description,
    debit: money(line.debit),
    credit: money(line.credit),
    balance: money(decimal(opening).plus(line.running).toFixed()),
    drilldown: `/api/journal-entries/${line.entryId}`,
  };
}

type Request = ReportRequest<Parameters>;
const ORDER = `l.date, ${KIND_ORDER}, l.entry_id, l.line_number`;

function bindingsOf({ ctx, params, range, settings }: Request): Record<string, Bindings[string]> {
  return {
    tenant: ctx.tenantId,
    account: params.account_id,
    partner: params.partner_id ?? null,
    from: range.from,
    to: range.to,
    closings: params.closing_entries === true,
    year: yearStart(settings.company.fiscalYearStart, range.to),
  };
}

const ofAccount = ({ params }: Request) =>
  `l.account_id = :account::uuid ${params.partner_id === undefined ? '' : 'and l.partner_id = :partner::uuid'}`;
/** Lines of the period: what opens it is in the opening balance. */
const ofPeriod = (request: Request) => `${ofAccount(request)} and l.date >= :from::date and l.date <= :to::date
  and not (l.kind = 'opening' and l.date = :from::date)
  and (:closings::boolean or l.kind not in ('regularisation', 'closing') or l.date < :year::date)`;

function linesOf(request: Request, page = ''): string {
  return `select l.date, l.entry_id as "entryId", e.number, coalesce(l.description, e.description) as description, l.debit::text,
      l.credit::text, l.running::text
    from (select l.*, sum(l.debit - l.credit) over (order by ${ORDER} rows unbounded preceding) as running
      from journal_lines l where ${ofPeriod(request)} order by ${ORDER} ${page}) l
    join journal_entries e on e.id = l.entry_id order by ${ORDER}`;
}

/** Account, sums and a page in one statement, so that they are of one state of the books. @throws ServiceError not_found */
async function readLedger(request: Request): Promise<Found> {
  const { reader, page } = request;
  const bindings = bindingsOf(request);
  const [found] = await query<Found>(
    reader,
    `select a.id, a.code, a.name, a.type, coalesce((${openingOf(request, bindings)}), 0)::text as opening, p.debit::text,
       p.credit::text, p.total,
       ${page === null ? `'[]'::json` : jsonList(linesOf(request, 'limit :limit::bigint offset :offset::bigint'))} as lines
     from accounts a, (select coalesce(sum(l.debit), 0) as debit, coalesce(sum(l.credit), 0) as credit, count(*)::integer as total
       from journal_lines l where ${ofPeriod(request)}) p
     where a.id = :account::uuid`,
    { ...bindings, limit: page?.limit ?? 0, offset: page?.offset ?? 0 },
  );
  if (found === undefined) throw noAccount();
  return found;
}

/** Partners have no balances of their own, so their lines are added up. */
function openingOf(request: Request, bindings: Record<string, Bindings[string]>): string {
  const { params, range } = request;
  if (params.partner_id !== undefined) {
    return `select sum(l.debit - l.credit) from journal_lines l
      where ${ofAccount(request)} and (l.date < :from::date or l.date = :from::date and l.kind = 'opening')`;
  }
  const spans = {
    before: { before: range.from },
    opening: { from: range.from, to: range.from, kinds: 'opening' },
  } as const;
  const where = ['p.account_id = :account::uuid'];
  const statement = balancesStatement(
    { spans, by: ['accountId'], sums: { balance: 'p.debit - p.credit' }, where },
    bindings,
  );
  return `select (sums #>> '{before,balance}')::numeric + (sums #>> '{opening,balance}')::numeric from (${statement}) b`;
}
