/** Reads both sides of a bank reconciliation: what the books have and the bank does not, and the other way round. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import type { Decimal } from '../../../domain/money.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import type { ReportRequest } from '../engine/declaration.ts';

export type Asked = ReportRequest<{ readonly bank_account_id: string; readonly to?: string | undefined }>;

/** A ledger account, and the bank accounts that are kept on it. */
export interface ReconciledAccount {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  /** Currency of the bank accounts; null for the company's. */
  readonly currency: string | null;
  readonly banks: readonly { readonly id: string; readonly name: string; readonly iban: string }[];
}

const ACCOUNT_SQL = `select a.id, a.code, a.name, b.currency,
    (select json_agg(json_build_object('id', o.id, 'name', o.name, 'iban', o.iban) order by o.name, o.id) from bank_accounts o
     where coalesce(o.account_id, :usual::uuid) = a.id and o.currency is not distinct from b.currency) as banks
  from bank_accounts b join accounts a on a.id = coalesce(b.account_id, :usual::uuid) where b.id = :id::uuid`;

/** Finds the ledger account of a bank account. @throws ServiceError not_found */
export async function readAccount({ reader, params }: Pick<Asked, 'reader' | 'params'>): Promise<ReconciledAccount> {
  const book = await AccountBook.load(reader, { roles: ['bank'] });
  const usual = book.role('bank');
  const [found] = await query<ReconciledAccount>(reader, ACCOUNT_SQL, {
    id: params.bank_account_id,
    usual: usual || null,
  });
  if (found === undefined) throw notFoundByParameter('This bank account', 'bank_account_id');
  return found;
}

/** A row of the statement. */
export interface OpenLine {
  readonly kind: 'not_at_bank' | 'not_in_books';
  readonly date: string;
  readonly number: number | null;
  readonly text: string | null;
  readonly partnerName: string | null;
  /** Above zero for money that comes in. */
  readonly amount: Decimal;
  readonly status: string | null;
  readonly entryId: string | null;
  readonly lineId: string | null;
  readonly statementId: string | null;
}

/** The amount of a ledger line in the currency of the bank accounts. */
const AMOUNT = `case when :currency::text is null then l.debit - l.credit
      when l.currency = :currency::text then sign(l.debit - l.credit) * l.currency_amount else 0 end`;

/** Entries that lines of the bank show, with the days of both. */
const SHOWN = `shown as materialized (
    select b.date as shown_on, b.id as line_id, e.id as entry_id, e.date as entered_on
      from bank_statement_lines b join journal_entries e on e.id = b.entry_id
      where b.bank_account_id = any(:banks::uuid[])
    union all
    select b.date, b.id, e.id, e.date from bank_statement_lines b join bank_line_payments p on p.line_id = b.id
      join journal_entries e on e.source_type = 'payment' and e.source_id = p.payment_id and e.status = 'posted'
      where b.bank_account_id = any(:banks::uuid[])
    union all
    select b.date, b.id, e.id, e.date from bank_statement_lines b
      join journal_entries e on e.source_type = 'bank_statement_line' and e.source_id = b.id and e.status = 'posted'
      where b.bank_account_id = any(:banks::uuid[])
  )`;

/** Since the first statement. An entry and its reversal that the bank never saw take each other back. */
const OPEN = `with ${SHOWN}, begun as materialized (
    select min(from_date) as first from bank_statements where bank_account_id = any(:banks::uuid[])
  ), unseen as materialized (
    select l.entry_id, e.reversal_of, l.date, e.number, coalesce(l.description, e.description) as text, l.partner_id, ${AMOUNT} as amount
    from begun, journal_lines l join journal_entries e on e.id = l.entry_id
    where l.account_id = :account::uuid and l.date >= begun.first and l.date <= :to::date and l.kind = 'normal'
      and not exists (select from shown s where s.entry_id = l.entry_id and s.shown_on <= :to::date)
  ), open_lines as (
    select 'not_at_bank' as kind, u.date, u.number, u.text, p.name as "partnerName", u.amount, null as status, u.entry_id as "entryId",
      null::uuid as "lineId", null::uuid as "statementId"
    from unseen u left join partners p on p.id = u.partner_id
    where u.amount <> 0 and not exists (select from unseen o where o.entry_id = u.reversal_of)
      and not exists (select from unseen o where o.reversal_of = u.entry_id)
    union all
    select 'not_in_books', b.date, null, coalesce(b.text, b.reference), b.counterparty_name, b.amount, b.status, null, b.id, b.statement_id
    from bank_statement_lines b
    where b.bank_account_id = any(:banks::uuid[]) and b.date <= :to::date
      and (b.status <> 'matched' or not exists (
        select from shown s where s.line_id = b.id and s.entered_on <= :to::date))
  )`;

const ROWS_SQL = `${OPEN} select kind, date::text, number, text, "partnerName", amount::text, status, "entryId", "lineId", "statementId"
  from open_lines order by kind, date, "entryId", "lineId"`;

/** Both sides are matched once, for the totals and a page. */
const PAGE_SQL = `${OPEN}, page as (
    select kind, date, number, text, "partnerName", amount::text, status, "entryId", "lineId", "statementId"
    from open_lines order by kind, date, "entryId", "lineId" limit :limit offset :skip
  )
  select count(*)::integer as rows, (select coalesce(json_agg(p), '[]') from page p) as lines,
    coalesce(sum(amount) filter (where kind = 'not_at_bank'), 0)::text as "notAtBank",
    coalesce(sum(amount) filter (where kind = 'not_in_books'), 0)::text as "notInBooks",
    coalesce((select sum(${AMOUNT}) from journal_lines l
      where :currency::text is not null and l.account_id = :account::uuid and l.date <= :to::date
        and l.kind in ('normal', 'opening')), 0)::text as "bookInCurrency"
  from open_lines`;

/** The balance at the bank: after the last statement that ends by the day, or within the one that goes on. */
const BALANCE_SQL = `select sum(s.balance)::text as balance, count(*) filter (where s.balance is null)::integer as unknown
  from unnest(:banks::uuid[]) wanted (id) left join lateral (
    select case when s.to_date <= :to::date then s.closing_balance else s.opening_balance + coalesce((
        select sum(b.amount) from bank_statement_lines b
        where b.bank_account_id = s.bank_account_id and b.date between s.from_date and :to::date), 0) end as balance
    from bank_statements s where s.bank_account_id = wanted.id and s.from_date <= :to::date
    order by s.to_date desc, s.from_date desc, s.id desc limit 1
  ) s on true`;

function bindings({ range }: Pick<Asked, 'range'>, account: ReconciledAccount) {
  return { account: account.id, banks: account.banks.map(({ id }) => id), currency: account.currency, to: range.to };
}

/** Statement of all rows, with its values, for files. */
export function allRows(request: Asked, account: ReconciledAccount) {
  return { sql: ROWS_SQL, bindings: bindings(request, account) };
}

export interface OpenPage {
  /** Number of all open lines. */
  readonly rows: number;
  /** The lines of the page. */
  readonly lines: readonly OpenLine[];
  readonly notAtBank: Decimal;
  readonly notInBooks: Decimal;
  /** Balance of the ledger account in the currency of the bank accounts, if that is not the company's. */
  readonly bookInCurrency: Decimal;
}

/** Reads the totals and the lines of a page; null for the totals alone. */
export async function readPage(request: Asked, account: ReconciledAccount, page: Asked['page']): Promise<OpenPage> {
  const { limit, offset } = page ?? { limit: 0, offset: 0 };
  const [found] = await query<OpenPage>(request.reader, PAGE_SQL, {
    ...bindings(request, account),
    limit,
    skip: offset,
  });
  return found as OpenPage;
}

/** Reads the balance at the bank; null if the statements of one of the accounts do not say it. */
export async function readBankBalance(
  reader: Reader,
  request: Asked,
  account: ReconciledAccount,
): Promise<Decimal | null> {
  const { banks, to } = bindings(request, account);
  const [found] = await query<{ balance: Decimal | null; unknown: number }>(reader, BALANCE_SQL, { banks, to });
  return found === undefined || found.unknown > 0 ? null : found.balance;
}
