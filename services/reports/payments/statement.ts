/** Statements of account: what a partner was charged and has paid, with the balance after each (the partner's lines of the ledger). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { likeGroup } from '../../../domain/ledger/accounting/charts/chart.ts';
import { PARTNER_ROLES } from '../../../domain/ledger/accounting/partner-accounts.ts';
import { roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { loadChart } from '../../ledger/accounting/chart.ts';
import { amount, currencyCode, day, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE, type Report, type ReportRequest } from '../engine/declaration.ts';
import { countUpTo } from '../engine/size.ts';

const ROW = Type.Object({
  date: day(),
  code: nullable(text({ description: 'Code of the document; null for payments and other entries' })),
  description: nullable(text()),
  due_date: nullable(day({ description: 'Of an invoice' })),
  charged: amount({ description: 'What was charged' }),
  settled: amount({ description: 'What was paid, credited or written off' }),
  balance: amount({ description: 'What is owed after it' }),
  drilldown: nullable(text({ max: 500 })),
});

const TITLES = {
  charged: { en: 'Charged', es: 'Cargos' },
  settled: { en: 'Settled', es: 'Abonos' },
  balance: { en: 'Balance', es: 'Saldo' },
};

const OPENING = { en: 'Balance brought forward', es: 'Saldo anterior' } as const;

interface Line {
  readonly date: string;
  readonly entryId: string;
  readonly description: string;
  readonly code: string | null;
  readonly dueDate: string | null;
  readonly amount: Decimal;
}

/** Groups and roles of the accounts of each side, as `partnerSide` knows them. */
const ACCOUNTS = {
  customer: { group: 'customers', roles: PARTNER_ROLES.in.map(roleMember), sign: 1 },
  supplier: { group: 'suppliers', roles: PARTNER_ROLES.out.map(roleMember), sign: -1 },
} as const;
type Side = keyof typeof ACCOUNTS;

/** The partner's lines `l` on the accounts of a side. The entries that close and open a year again are none of the partner's business. */
const own = (side: Side) => `journal_lines l join accounts a on a.id = l.account_id
    and (a.code like any(:group::text[]) or a.id::text in (select value ->> member from settings,
      unnest(array[${ACCOUNTS[side].roles.map((role) => `'${role}'`).join(', ')}]) member where name = 'accounting'))
  where l.partner_id = :partner::uuid and (:currency::text is null or l.currency = :currency::text) and l.kind <> 'closing'
    and not (l.kind = 'opening' and exists (
    select from journal_entries c where c.kind = 'closing' and c.date < l.date))`;

/** The amount that a line adds to the balance, in the company's currency or in `:currency`. */
const added = (side: Side) =>
  `${ACCOUNTS[side].sign} * case when :currency::text is null then l.debit - l.credit else l.currency_amount end`;

const linesSql = (side: Side) => `
  select l.date::text, l.entry_id as "entryId", e.description, d.code, d.due_date::text as "dueDate",
    l.amount::text, l.before::text
  from (select l.date, l.entry_id, l.line_number, ${added(side)} as amount,
      coalesce(sum(${added(side)}) over (order by l.date, l.entry_id, l.line_number
        rows between unbounded preceding and 1 preceding), 0) as before
    from ${own(side)} and l.date between :from::date and :to::date
    order by l.date desc, l.entry_id desc, l.line_number desc limit :newest::integer) l
  join journal_entries e on e.id = l.entry_id
  left join documents d on d.id = e.source_id and e.source_type in ('sales_invoice', 'purchase_invoice') and e.reversal_of is null
  order by l.date, l.entry_id, l.line_number`;

const openingSql = (side: Side) => `
  select p.name, coalesce((select sum(${added(side)}) from ${own(side)} and l.date < :from::date), 0)::text
    as opening from partners p where p.id = :partner::uuid`;

export interface Statement {
  readonly name: string;
  readonly opening: Decimal;
  readonly lines: readonly (Line & { readonly balance: Decimal })[];
  readonly balance: Decimal;
}

/**
 * Reads the statement of a partner.
 * @param options.newest only so many of the last lines; the opening balance is that before them
 * @param options.currency only lines in this currency, with their amounts there; all in the company's if null
 * @returns null if there is no such partner
 */
export async function readStatement(
  reader: ReportRequest['reader'],
  side: Side,
  partnerId: string,
  range: { readonly from: string; readonly to: string },
  { newest = null, currency = null }: { readonly newest?: number | null; readonly currency?: string | null } = {},
): Promise<Statement | null> {
  const group = await groupCodes(reader, side);
  const [head] = await query<{ name: string; opening: Decimal }>(reader, openingSql(side), {
    partner: partnerId,
    group,
    from: range.from,
    currency,
  });
  if (head === undefined) return null;
  const bindings = { partner: partnerId, group, ...range, newest, currency };
  const found = await query<Line & { readonly before: Decimal }>(reader, linesSql(side), bindings);
  const opening = decimal(head.opening).plus(found[0]?.before ?? 0);
  let balance = opening;
  const lines = found.map(({ before: _, ...line }) => {
    balance = balance.plus(line.amount);
    return { ...line, balance: balance.toFixed() };
  });
  return { name: head.name, opening: opening.toFixed(), lines, balance: balance.toFixed() };
}

async function groupCodes(reader: ReportRequest['reader'], side: Side): Promise<string[]> {
  return likeGroup(await loadChart(reader), ACCOUNTS[side].group);
}

function statementReport(side: Side, title: Texts): Report {
  return defineReport({
    name: `${side}-statement`,
    title,
    description:
      'The lines of the ledger on accounts of the partner: invoices, payments and everything else, with the balance after each, from the ' +
      'balance brought forward on.',
    area: side === 'customer' ? 'sales' : 'purchases',
    parameters: {
      ...RANGE,
      partner_id: uuid(),
      currency: Type.Optional(
        currencyCode("Only what is in this currency, and in its amounts; by default all, in the company's"),
      ),
    },
    problems: ['not_found'],
    data: Type.Object({ partner: Type.Object({ id: uuid(), name: text() }), rows: Type.Array(ROW) }),
    summary: Type.Object({
      charged: amount({ description: 'What was charged in the period' }),
      settled: amount({ description: 'What was paid, credited or written off' }),
      balance: amount({ description: 'What is owed at the end' }),
    }),
    consistent: true,
    size: ({ reader, accountChart, params, range }, most) =>
      countUpTo(reader, most, `select from ${own(side)} and l.date between :from::date and :to::date`, {
        group: likeGroup(accountChart, ACCOUNTS[side].group),
        partner: params.partner_id,
        currency: params.currency ?? null,
        ...range,
      }),
    async read({ reader, params, range, language, money }) {
      const statement = await readStatement(reader, side, params.partner_id, range, {
        currency: params.currency ?? null,
      });
      if (statement === null) throw notFoundByParameter('This partner', 'partner_id');
      const { name, opening, lines, balance } = statement;
      const positive = (value: Decimal) => (decimal(value).gt(0) ? value : '0');
      const charged = (line: Line) => positive(line.amount);
      const settled = (line: Line) => positive(decimal(line.amount).neg().toFixed());
      const before = { code: null, due_date: null, charged: 0, settled: 0, drilldown: null };
      const rows = lines.map((line) => ({
        date: line.date,
        code: line.code,
        description: line.description,
        due_date: line.dueDate,
        charged: money(charged(line)),
        settled: money(settled(line)),
        balance: money(line.balance),
        drilldown: `/api/journal-entries/${line.entryId}`,
      }));
      return {
        data: {
          partner: { id: params.partner_id, name },
          rows: [{ ...before, date: range.from, description: OPENING[language], balance: money(opening) }, ...rows],
        },
        summary: {
          charged: money(sum(lines.map(charged)).toFixed()),
          settled: money(sum(lines.map(settled)).toFixed()),
          balance: money(balance),
        },
      };
    },
    file: ({ data, summary }) => {
      const { name } = data.partner;
      return {
        tables: [
          {
            title: { en: `${title.en}: ${name}`, es: `${title.es}: ${name}` },
            sheet: { en: 'Statement', es: 'Extracto' },
            row: ROW,
            titles: TITLES,
            rows: data.rows,
            totals: { charged: summary.charged, settled: summary.settled },
          },
        ],
      };
    },
  });
}

export const statementReports: readonly Report[] = [
  statementReport('customer', { en: 'Customer statement', es: 'Extracto de cliente' }),
  statementReport('supplier', { en: 'Supplier statement', es: 'Extracto de proveedor' }),
];
