/** Checks what a customer owes and will owe against their credit limit (decision 0115). */

import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { companyOutstanding, inCompany, unappliedInCompany } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, round } from '../../../domain/money.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { Warning } from '../../../domain/trade/documents/warnings.ts';
import type { DocumentRow, LineRow } from '../documents/stored.ts';
import type { CreditTerms } from './warnings.ts';

/** SQL of the part of the document's total in the company's currency that a quantity of a line accounts for. */
const share = (open: string) =>
  `case when d.subtotal = 0 or l.quantity = 0 then 0 else ${inCompany('l', 'amount')}
    * greatest(${open}, 0) / l.quantity * d.total / d.subtotal end`;

/**
 * The customer's exposure: posted invoices and open items, plus orders and notes not invoiced yet or invoiced in drafts, less advances and
 * unapplied payments. The draft `:document` counts in full. Each part repeats the condition of its partial index, so that none of the
 * customer's history is read.
 */
const EXPOSURE_SQL = `select (
    coalesce((select sum(${companyOutstanding('d')}) from documents d where partner_id = :partner::uuid and doc_type = 'SINV'
      and status = ${STATE.open} and total <> paid_total), 0)
    + coalesce((select sum(total - paid_total) from open_items where partner_id = :partner::uuid and direction = 'in'
      and total <> paid_total), 0)
    + coalesce((select sum(case d.doc_type
        when 'SO' then ${share('l.quantity - l.delivered_quantity - l.invoiced_quantity - l.closed_quantity')}
        when 'SDN' then ${share('l.quantity - l.invoiced_quantity - l.returned_quantity')}
        else ${share('l.quantity')} end)
      from documents d join document_lines l on l.document_id = d.id
      where d.partner_id = :partner::uuid and d.status in (${STATE.draft}, ${STATE.open}, ${STATE.partial})
        and ((d.doc_type in ('SO', 'SDN') and d.status <> ${STATE.draft} and d.returns is null)
        or (d.doc_type = 'SINV' and d.status = ${STATE.draft} and d.rectifies is null and (l.base_id is not null
          or d.id = :document::uuid)))), 0)
    - coalesce((select sum(${inCompany('d', 'paid_total')}) from documents d where partner_id = :partner::uuid and doc_type in ('SO', 'SDN')
      and status <> ${STATE.cancelled} and paid_total <> 0), 0)
    - coalesce((select sum(${unappliedInCompany('y')}) from payments y where partner_id = :partner::uuid and direction = 'in'
      and applied_total < amount), 0)
  )::text as exposure`;

/**
 * Checks the credit limit of a sale's customer after the sale is written, as the last step of its transaction: with `block`, sales to one
 * customer are serialized from here on.
 * @param terms of the customer; null if there is no limit
 * @param before the document before the change; absent when it is new
 * @throws ServiceError credit_limit if the company blocks sales beyond the limit
 */
export async function creditWarnings(
  trx: Db,
  sale: { readonly row: DocumentRow; readonly lines: readonly LineRow[] },
  terms: CreditTerms | null,
  before?: DocumentRow,
): Promise<Warning[]> {
  const { row } = sale;
  if (terms === null || terms.mode === 'off') return [];
  const partner = row.partner.id;
  const blocks = terms.mode === 'block' && addsTo(sale, before);
  if (blocks) await lockName(trx, `credit:${partner}`);
  const [found] = await query<{ exposure: Decimal }>(trx, EXPOSURE_SQL, { partner, document: row.id });
  const exposure = round(found?.exposure ?? '0', row.companyPlaces);
  if (decimal(exposure).lte(terms.creditLimit)) return [];
  const limit = decimal(terms.creditLimit).toFixed();
  const message = `would owe ${exposure} ${terms.currency} with all that is ordered, more than their credit limit of ${limit}`;
  const warning: Warning = { pointer: '/partnerId', code: 'credit_limit', message };
  if (blocks) throw new ServiceError('credit_limit', `${terms.name} ${message}`, { errors: [warning] });
  return [warning];
}

/** Whether the document increases the debt: what was ordered or delivered counts already, and drafts are not binding. */
function addsTo(
  { row, lines }: { readonly row: DocumentRow; readonly lines: readonly LineRow[] },
  before?: DocumentRow,
) {
  if (row.status === DOCUMENT_STATUS.draft) return false;
  if (DOCUMENT_TYPES[row.docType].kind === 'order') return decimal(row.total).gt(before?.total ?? 0);
  return lines.some((line) => line.baseId === null && decimal(line.amount).gt(0));
}
