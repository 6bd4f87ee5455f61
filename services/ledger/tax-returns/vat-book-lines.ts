/**
 * Reads the lines of the VAT books: one for each invoice, operation and rate, from the lines of entries that say what tax they are of, as
 * the returns do (decision 0326).
 */
import { CUSTOMS_SOURCE } from '../../../domain/ledger/accounting/customs.ts';
import type { BookedPurchase, BookedSale } from '../../../domain/ledger/tax-returns/vat-books.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import type { SettledBy } from '../../../domain/trade/payments/types.ts';
import { ACCRUAL_SOURCE } from './accruals.ts';
import { isUnionSale } from './union-sales.ts';

/** Parts of both books that come from the entry and its invoice. */
interface Found {
  readonly entryId: string;
  readonly entryNumber: number | null;
  readonly documentId: string | null;
  readonly docType: DocType | null;
  /** Day of the entry, which the return goes by. */
  readonly date: string;
  readonly issuedOn: string;
  readonly operationDate: string | null;
  readonly code: string | null;
  readonly prefix: string;
  readonly supplierReference: string | null;
  readonly customsNumber: string | null;
  readonly method: SettledBy | null;
  readonly atEnd: boolean;
  readonly paid: Decimal;
  readonly account: string | null;
}

export type FoundSale = Found & BookedSale & { readonly surchargeRate: Decimal | null };
export type FoundPurchase = Found & BookedPurchase & { readonly investment: boolean };

const SELF_ASSESSED = `l.tax_operation in ('intra_eu_goods', 'intra_eu_services', 'services_from_abroad', 'reverse_charge')`;
const UNTAXED_MARGIN = `(l.tax_kind = 'output' and l.tax_operation = 'margin' and l.tax_rate = 0)`;
const OF_SURCHARGE = `l.tax_kind in ('surcharge', 'pending_surcharge')`;

/**
 * A payment accrues what it names as pending; tax under the cash basis that is lost stays in the entry of its invoice, beside what is
 * pending.
 */
const PHASE = `case when l.tax_kind like 'pending%' or l.tax_operation = 'cash_basis' and l.tax_use = 'none' then 'pending'
    when l.pending_tax_id is not null then 'payment' else 'invoice' end`;
const PENDING_INVOICE = `coalesce(p.document_id, case when l.tax_operation = 'cash_basis' then (select x.document_id
    from journal_lines y join pending_taxes x on x.id = y.pending_tax_id where y.entry_id = l.entry_id limit 1) end)`;

/** Lines of tax in the period with what they are grouped by; a payment is one line, whatever it accrues. */
const taxed = (which: string) => `
  select l.*, ${PENDING_INVOICE} as document_id, v.phase, v.phase <> 'payment' and l.tax_rectifying as rectifying,
    case when v.phase <> 'payment' then l.tax_operation else 'cash_basis' end as operation,
    case when v.phase <> 'payment' then l.tax_group_id end as group_id
  from journal_lines l left join pending_taxes p on p.id = l.pending_tax_id cross join lateral (select ${PHASE} as phase) v
  where l.date between :from::date and :to::date and l.tax_kind is not null and ${which}`;

const KEY = 'l.entry_id, l.date, l.document_id, l.phase, l.group_id, l.operation, l.rectifying';

/**
 * A surcharge, and what is not taxed under the margin scheme, stand beside their tax: that of their group, whose rate is known.
 * Purchases of retailers are not sales.
 */
const SALES = `
  select ${KEY}, case when l.phase = 'payment' then null when ${OF_SURCHARGE} or ${UNTAXED_MARGIN} then coalesce(t.rate, 0)
      else l.tax_rate end as rate,
    coalesce(sum(l.tax_base) filter (where not ${OF_SURCHARGE} and not ${UNTAXED_MARGIN}), 0) as base,
    coalesce(sum(l.tax_base) filter (where ${UNTAXED_MARGIN}), 0) as untaxed,
    coalesce(sum(l.tax_amount) filter (where not ${OF_SURCHARGE}), 0) as amount,
    max(l.tax_rate) filter (where ${OF_SURCHARGE} and l.phase <> 'payment') as "surchargeRate",
    coalesce(sum(l.tax_amount) filter (where ${OF_SURCHARGE}), 0) as surcharge
  from (${taxed(`(l.tax_kind in ('output', 'pending_output') and l.tax_operation <> 'import' and not (${SELF_ASSESSED} and l.tax_rate <> 0)
    or ${OF_SURCHARGE} and not ${SELF_ASSESSED})`)}) l
  left join taxes t on t.id = l.tax_group_id and (${OF_SURCHARGE} or ${UNTAXED_MARGIN})
  group by ${KEY}, 8`;

/**
 * Purchases by use; what is lost belongs to the tax that it was lost of. The supplier's invoice of imported goods bears no tax, which is
 * that of the customs document; and regularisations of investment goods are in their own book.
 */
const PURCHASES = `
  select ${KEY.replaceAll('l.', 'g.')}, g.rate, v.investment,
    case when v.investment then g.investment_base + case when g.current then 0 else g.base end else g.base end as base,
    case when v.investment then g.investment_amount + case when g.current then 0 else g.amount end else g.amount end as amount,
    case when v.investment then g.investment_amount else g.deductible end as deductible
  from (
    select ${KEY}, case when l.phase <> 'payment' then l.tax_rate end as rate,
      bool_or(l.tax_use = 'investment') as for_investment, bool_or(l.tax_use = 'current') as current,
      coalesce(sum(l.tax_base) filter (where l.tax_use = 'investment'), 0) as investment_base,
      coalesce(sum(l.tax_amount) filter (where l.tax_use = 'investment'), 0) as investment_amount,
      coalesce(sum(l.tax_base) filter (where l.tax_use <> 'investment'), 0) as base,
      coalesce(sum(l.tax_amount) filter (where l.tax_use <> 'investment'), 0) as amount,
      coalesce(sum(l.tax_amount) filter (where l.tax_use = 'current'), 0) as deductible
    from (${taxed(`l.tax_kind in ('input', 'pending_input')
      and not (l.tax_operation = 'import' and l.tax_rate = 0 and l.tax_amount = 0)
      and not (l.tax_use = 'investment' and l.tax_operation = 'domestic' and l.tax_group_id is null and l.tax_rate = 0
        and l.tax_base = 0)`)}) l
    group by ${KEY}, 8
  ) g cross join (values (false), (true)) v(investment)
  where case when v.investment then g.for_investment else g.current or not g.for_investment end`;

/** The invoice of a line, the entry if there is none, and the payment. */
const DETAILS = `
  b."entry_id" as "entryId", e.number as "entryNumber", d.id as "documentId", d.doc_type as "docType", b.date, b.phase, b.operation,
  b.rectifying, b.group_id as "groupId", b.rate::text, b.base::text, b.amount::text, d.id is not null as "isDocument",
  coalesce(case when e.source_type = '${CUSTOMS_SOURCE}' then (d.customs_document->>'date')::date end, f.date, d.document_date, d.date,
    b.date) as "issuedOn", d.operation_date as "operationDate", coalesce(f.code, d.code) as code,
  coalesce(s.prefix, '') as prefix, d.supplier_reference as "supplierReference", d.rectification_type as "rectificationType",
  case when p.id is not null then json_build_object('name', p.name, 'taxId', p.nif, 'country', p.country_code) end as partner,
  case when o.id is not null then json_build_object('taxId', o.nif) end as rectified,
  case when b.phase = 'payment' then m.payment_method end as method, e.source_type = '${ACCRUAL_SOURCE}' as "atEnd",
  case when b.phase = 'payment' then (select coalesce(sum(coalesce(x.company_settled, x.settled)), 0)::text from payment_applications x
    where x.document_id = d.id and (x.payment_id = m.id or x.entry_id = e.id)) else '0' end as paid,
  case when b.phase = 'payment' then k.iban end as account`;

const JOINS = `
  join journal_entries e on e.id = b.entry_id
  left join documents d on d.id = coalesce(b.document_id,
    case when e.source_type in ('sales_invoice', 'purchase_invoice', '${CUSTOMS_SOURCE}') then e.source_id end)
  left join full_invoices f on f.document_id = d.id
  left join series s on s.id = coalesce(f.series_id, d.series_id)
  left join lateral (select r.id, q.nif from documents r join partners q on q.id = r.partner_id where r.id = d.rectifies) o on true
  left join lateral (select n.partner_id from journal_lines n where n.entry_id = b.entry_id and n.partner_id is not null
    order by n.line_number limit 1) n on d.id is null
  left join partners p on p.id = coalesce(f.partner_id, d.partner_id, n.partner_id)
  left join payments m on e.source_type = 'payment' and m.id = e.source_id
  left join bank_accounts k on k.id = m.bank_account_id`;

const ORDER = 'b.date, b.entry_id, b.document_id, b.operation, b.rate desc nulls last, b.group_id, b.rectifying';

interface Book {
  readonly lines: string;
  /** Sums of all lines, as columns. */
  readonly sums: string;
  readonly order: string;
  readonly columns: string;
  readonly joins: string;
}

export interface BookStatements {
  /** The lines from `:skip` on, at most `:limit`, with the number and sums of all; one row with nulls besides if there are none. */
  readonly page: string;
  readonly all: string;
  readonly count: string;
}

function statements({ lines, sums, order, columns, joins }: Book): BookStatements {
  const detailed = (from: string) => `select ${columns} from ${from} ${joins} order by ${order}`;
  const asked = detailed(`(select * from b order by ${order} offset :skip::bigint limit :limit::bigint) b`);
  return {
    page: `with b as materialized (${lines}), n as (select count(*)::integer as total, json_build_object(${sums}) as sums from b)
      select n.total, n.sums, x.* from n left join (${asked}) x on true`,
    all: detailed(`(${lines}) b`),
    count: `select from (${lines}) b`,
  };
}

const OF_OTHER_STATES = isUnionSale('operation');
const OWN_AMOUNT = `case when ${OF_OTHER_STATES} then 0 else amount end`;

/** A sum of the lines that state invoices, or of those that the return counts: payments instead of what is pending. */
const stated = (value: string) => `coalesce(sum(${value}) filter (where phase <> 'payment'), 0)::text`;
const returned = (value: string) =>
  `coalesce(sum(${value}) filter (where phase <> 'pending' and not ${OF_OTHER_STATES}), 0)::text`;

export const SALES_BOOK = statements({
  lines: SALES,
  sums: `'base', ${stated('base')}, 'amount', ${stated(OWN_AMOUNT)}, 'surcharge', ${stated('surcharge')},
    'total', ${stated('base + amount + surcharge + untaxed')}, 'returned', ${returned('amount + surcharge')}`,
  order: ORDER,
  columns: `${DETAILS}, b."surchargeRate"::text, b.surcharge::text, b.untaxed::text, f.id is not null as exchanged,
    c.type as "recordType",
    (select t.exemption_reason from taxes t where t.id = b.group_id) as reason`,
  joins: `${JOINS}
    left join lateral (select v.record->>'type' as type from verifactu_records v where v.document_id = d.id and v.kind = 'registration'
      order by v.seq desc limit 1) c on true`,
});

export const PURCHASES_BOOK = statements({
  lines: PURCHASES,
  sums: `'base', ${stated('base')}, 'amount', ${stated('amount')}, 'deductible', ${stated('deductible')},
    'total', ${stated(`base + case when ${SELF_ASSESSED.replace('l.tax_operation', 'operation')} then 0 else amount end`)},
    'returned', ${returned('deductible')}`,
  order: `${ORDER}, b.investment`,
  columns: `${DETAILS}, b.investment, b.deductible::text,
    case when e.source_type = '${CUSTOMS_SOURCE}' then d.customs_document->>'number' end as "customsNumber"`,
  joins: JOINS,
});
