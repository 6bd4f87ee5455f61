/** Reads the VAT of the cash basis as the VAT books state it: each payment with what it accrued (RD 1624/1992, art. 61 decies). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { DocType } from '../../../domain/trade/documents/types.ts';
import type { SettledBy } from '../../../domain/trade/payments/types.ts';
import type { Days } from './taxes.ts';

export const BOOK_KINDS = ['repercutido', 'soportado'] as const;

interface BookedInvoice {
  readonly kind: (typeof BOOK_KINDS)[number];
  readonly documentId: string;
  readonly docType: DocType;
  readonly code: string;
  readonly supplierReference: string | null;
  /** Day of the invoice, and that of the operation. */
  readonly date: string;
  readonly operationDate: string;
  readonly partnerName: string;
  readonly nif: string | null;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
}

export interface Accrual extends BookedInvoice {
  readonly accruedOn: string;
  readonly entryId: string;
  /** null: no payment, but the end of the year after the operation, or a manual entry. */
  readonly method: SettledBy | null;
  /** Whether it accrued at the end of the year after the operation. */
  readonly atEnd: boolean;
  /** The settled amount of the invoice, in the company's currency. */
  readonly paid: Decimal;
  readonly account: string | null;
}

export interface Pending extends BookedInvoice {
  readonly dueOn: string;
}

const INVOICE = `d.id as "documentId", d.doc_type as "docType", d.code, d.supplier_reference as "supplierReference",
    coalesce(d.document_date, d.date) as date, coalesce(d.operation_date, d.document_date, d.date) as "operationDate",
    f.name as "partnerName", f.nif`;
const KIND = `case p.kind when 'input' then 'soportado' else 'repercutido' end`;

const ACCRUALS_SQL = `
  with accrued as (
    select l.entry_id, p.document_id, ${KIND} as kind, p.group_id, min(p.rate) filter (where p.kind <> 'surcharge') as rate,
      coalesce(sum(l.tax_base) filter (where p.kind <> 'surcharge'), 0) as base,
      coalesce(sum(l.tax_amount) filter (where p.kind <> 'surcharge'), 0) as amount,
      coalesce(sum(l.tax_amount) filter (where p.kind = 'surcharge'), 0) as surcharge
    from journal_lines l join pending_taxes p on p.id = l.pending_tax_id and p.kind = l.tax_kind
    where l.pending_tax_id is not null and l.date between :from::date and :to::date
    group by 1, 2, 3, p.group_id, p.use
  )
  select a.kind, ${INVOICE}, coalesce(a.rate, 0)::text as rate, a.base::text, a.amount::text, a.surcharge::text,
    e.date as "accruedOn", e.id as "entryId", m.payment_method as method, e.source_type = 'cash_basis' as "atEnd",
    (select coalesce(sum(coalesce(x.company_settled, x.settled)), 0)::text from payment_applications x
      where x.document_id = d.id and (x.payment_id = m.id or x.entry_id = e.id)) as paid,
    b.iban as account
  from accrued a join journal_entries e on e.id = a.entry_id join documents d on d.id = a.document_id
    join partners f on f.id = d.partner_id
    left join payments m on e.source_type = 'payment' and m.id = e.source_id
    left join bank_accounts b on b.id = m.bank_account_id
  where :kind::text is null or a.kind = :kind
  order by e.date, d.code, e.id, a.rate`;

const PENDING_SQL = `
  with left_over as (
    select p.document_id, p.due_on, ${KIND} as kind, p.group_id, min(p.rate) filter (where p.kind <> 'surcharge') as rate,
      coalesce(sum(s.sign * l.tax_base) filter (where p.kind <> 'surcharge'), 0) as base,
      coalesce(sum(s.sign * l.tax_amount) filter (where p.kind <> 'surcharge'), 0) as amount,
      coalesce(sum(s.sign * l.tax_amount) filter (where p.kind = 'surcharge'), 0) as surcharge
    from pending_taxes p join journal_lines l on l.pending_tax_id = p.id and l.date <= :to::date
      cross join lateral (select case when l.tax_kind = p.kind then -1 else 1 end as sign) s
    group by 1, 2, 3, p.group_id, p.use
    having sum(s.sign * l.tax_amount) <> 0
  )
  select a.kind, ${INVOICE}, coalesce(a.rate, 0)::text as rate, a.base::text, a.amount::text, a.surcharge::text, a.due_on as "dueOn"
  from left_over a join documents d on d.id = a.document_id join partners f on f.id = d.partner_id
  where :kind::text is null or a.kind = :kind
  order by a.due_on, d.code, a.rate`;

/** Accruals of some days, and what is pending at the end of them. @param kind one of the two books; null for both */
export async function readCashBasis(
  reader: Reader,
  days: Days,
  kind: (typeof BOOK_KINDS)[number] | null,
): Promise<{ readonly accruals: readonly Accrual[]; readonly pending: readonly Pending[] }> {
  const bindings = { ...days, kind };
  const accruals = await query<Accrual>(reader, ACCRUALS_SQL, bindings);
  const pending = await query<Pending>(reader, PENDING_SQL, bindings);
  return { accruals, pending };
}
