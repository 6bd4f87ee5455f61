/** Suggestions for lines: the open invoices that may be theirs are looked up for all lines at once. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import {
  type OpenInvoice,
  type OpenPayment,
  type SuggestedLine,
  type Suggestion,
  suggest,
  tokensOf,
} from '../../domain/bank/suggest.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { decimal, toNumber } from '../../domain/money.ts';

/** Invoices that are looked at for each line. */
const CANDIDATES = 60;

/** What is open is gone through once, whatever the number of lines. */
const CANDIDATES_SQL = `
  with lines as (
    select * from json_to_recordset(:lines::json) as l (id uuid, doc_type text, amount numeric, iban text, tokens text[])
  ), tokens as (
    select id, doc_type, unnest(tokens) as token from lines
  ), open as materialized (
    select id, doc_type, code, reference, supplier_reference, date, partner_id, total - paid_total as outstanding
    from documents where doc_type in ('SINV', 'PINV') and status = 'O' and total > paid_total
  ), found as (
    select t.id as line_id, d.id, 1 as place from tokens t join open d on d.doc_type = t.doc_type and lower(d.code) = t.token
    union all
    select t.id, d.id, 1 from tokens t join open d on d.doc_type = t.doc_type and lower(btrim(d.reference)) = t.token
    union all
    select t.id, d.id, 1 from tokens t join open d on d.doc_type = t.doc_type and lower(btrim(d.supplier_reference)) = t.token
    union all
    select l.id, d.id, 2 from lines l join open d on d.doc_type = l.doc_type and d.outstanding = l.amount
    union all
    select l.id, d.id, 3 from lines l join partners p on p.iban = l.iban join open d on d.partner_id = p.id and d.doc_type = l.doc_type
  ), best as (
    select line_id, id, row_number() over (partition by line_id order by min(place), count(*) desc, id) as rank
    from found group by line_id, id
  )
  select best.line_id as "lineId", json_build_object('id', d.id, 'docType', d.doc_type, 'code', d.code, 'reference', d.reference,
    'supplierReference', d.supplier_reference, 'date', d.date, 'outstanding', d.outstanding::text,
    'partner', json_build_object('id', p.id, 'name', p.name, 'iban', p.iban)) as invoice
  from best join open d on d.id = best.id join partners p on p.id = d.partner_id
  where best.rank <= :most::integer`;

/** Payments without a line, of the amount and at most so many days apart. */
const PAYMENTS_SQL = `
  select l.id as "lineId", json_build_object('id', p.id, 'date', p.date, 'reference', p.reference,
    'partner', json_build_object('id', partner.id, 'name', partner.name, 'iban', partner.iban)) as payment
  from json_to_recordset(:lines::json) as l (id uuid, direction text, amount numeric, date date, account uuid)
  cross join lateral (
    select * from payments p
    where p.direction = l.direction and p.amount = l.amount and p.date between l.date - 45 and l.date + 45
      and coalesce(p.bank_account_id, l.account) = l.account and p.payment_method <> 'cash'
      and not exists (select from bank_statement_lines other where other.payment_id = p.id)
    order by abs(p.date - l.date), p.id limit :most::integer
  ) p
  join partners partner on partner.id = p.partner_id`;

/** The suggestions for each line, by its id, the best first. */
export async function suggestionsFor(
  db: Db,
  lines: readonly ({ readonly id: string; readonly bankAccountId: string } & SuggestedLine)[],
): Promise<Map<string, Suggestion[]>> {
  const asked = lines.map((line) => ({
    id: line.id,
    doc_type: line.amount.startsWith('-') ? 'PINV' : 'SINV',
    direction: line.amount.startsWith('-') ? 'out' : 'in',
    date: line.date,
    account: line.bankAccountId,
    amount: decimal(line.amount).abs().toFixed(),
    iban: line.counterpartyIban,
    tokens: tokensOf(line),
  }));
  const rows = await query<{ lineId: string; invoice: OpenInvoice }>(db, CANDIDATES_SQL, {
    lines: JSON.stringify(asked),
    most: CANDIDATES,
  });
  const registered = await query<{ lineId: string; payment: OpenPayment }>(db, PAYMENTS_SQL, {
    lines: JSON.stringify(asked),
    most: CANDIDATES,
  });
  const payments = new Map<string, OpenPayment[]>(lines.map(({ id }) => [id, []]));
  for (const { lineId, payment } of registered) payments.get(lineId)?.push(payment);
  const invoices = new Map<string, OpenInvoice[]>(lines.map(({ id }) => [id, []]));
  for (const { lineId, invoice } of rows) invoices.get(lineId)?.push(invoice);
  return new Map(
    lines.map((line) => [line.id, suggest(line, invoices.get(line.id) ?? [], payments.get(line.id) ?? [])]),
  );
}

/** A suggestion as clients see it. */
export function presentSuggestion({ payment, invoices, partner, score, reasons }: Suggestion): Record<string, unknown> {
  return {
    score,
    reason: reasons.join('; '),
    partner_id: partner.id,
    partner_name: partner.name,
    payment_id: payment?.id ?? null,
    documents: invoices.map(({ id, docType, code, outstanding }) => ({
      document_type: DOCUMENT_TYPES[docType].name,
      document_id: id,
      document_code: code,
      outstanding: toNumber(outstanding),
    })),
  };
}
