/** SQL of provisions for bad debts. */
import { companyOutstanding } from './company-amounts.ts';
import { STATE } from './document-states.ts';

/** Bad debts `b` whose invoices `d` have less outstanding than is provided for. The system role may read this. */
export const EXCESSIVE = `bad_debts b join documents d on d.tenant_id = b.tenant_id and d.id = b.document_id
    and (b.provided > 0 or b.doubtful > 0)
    and (d.status = ${STATE.cancelled} or ${companyOutstanding('d')} < greatest(b.provided, b.doubtful))`;

/** The same with the day since which it is too much: of the last settlement or the cancellation, never before what was entered last. */
export const EXCESSIVE_SINCE = `select b.code, b.document_id as "documentId", greatest(
      (select max(a.date) from payment_applications a where a.document_id = b.document_id),
      (select max(r.date) from journal_entries e join journal_entries r on r.reversal_of = e.id
        where e.source_id = b.document_id and e.source_type = 'sales_invoice'),
      (select max(m.date) from bad_debt_movements m where m.bad_debt_id = b.id and m.standing)) as date
    from ${EXCESSIVE}`;
