/**
 * Checks of what may be open in a period, one entry each (decision 0334). Their SQL may use what `SHARED` reads.
 */
import { companyOutstanding } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { usualCode } from '../accounting/chart.ts';
import { PENDING_NOTES, pendingLines } from '../accounting/pending/lines-sql.ts';
import { type Check, DRAFT_CHECKS, type Span } from '../periods/drafts.ts';
import { DUE_ENTRIES, unrevalued } from './items.ts';
import { UNFILED, UNFILED_SHARED } from './unfiled.ts';

const within = ({ from, to }: Span) => `date[gte]=${from}&date[lte]=${to}`;

const pending = (docType: 'SDN' | 'PDN') =>
  `select count(distinct note_id), sum(value) as amount from pending where doc_type = '${docType}'`;

/** An account that a role of the company's settings, or else of the chart, stands for. */
const inRole = (role: 'customerAdvances' | 'supplierAdvances') => `(a.id::text = s.value ->> '${roleMember(role)}'
  or s.value ->> '${roleMember(role)}' is null and a.code like ${usualCode(role, 's.value')} || '%')`;

/** Advances are no money that is owed (PGC, valuation rule 11), and are not revalued. */
const UNREVALUED = unrevalued(`not exists (
  select from accounts a left join settings s on s.name = 'accounting'
  where a.id = l.account_id and (${inRole('customerAdvances')} or ${inRole('supplierAdvances')}))`);

/** CTEs that several checks read: the notes that are not invoiced, and what returns declare. */
export const SHARED = `${PENDING_NOTES}, pending as materialized (
    select doc_type, note_id, amount * pending / quantity as value from (${pendingLines('notes')}) lines where pending > 0
  ), ${UNFILED_SHARED}`;

export const CHECKS: readonly Check[] = [
  ...DRAFT_CHECKS,
  {
    code: 'open_bank_lines',
    title: 'Bank statement lines that nothing explains',
    access: 'payments:read',
    sql: `select count(*), sum(amount) as amount from bank_statement_lines
      where status = 'open' and date between :from::date and :to::date`,
    path: (period) => `/api/bank-statements/lines?status=open&${within(period)}`,
  },
  {
    code: 'delivered_not_invoiced',
    title: 'Delivered, not invoiced at the end of the period',
    access: 'sales_delivery_notes:read',
    sql: pending('SDN'),
    path: ({ to }) => `/api/sales/delivery-notes?status[in]=O,P&date[lte]=${to}`,
  },
  {
    code: 'received_not_invoiced',
    title: 'Received, not invoiced at the end of the period',
    access: 'purchase_delivery_notes:read',
    sql: pending('PDN'),
    path: ({ to }) => `/api/purchases/delivery-notes?status[in]=O,P&date[lte]=${to}`,
  },
  {
    code: 'negative_stock',
    title: 'Stock below zero today',
    access: 'stock:read',
    sql: 'select count(*), null::numeric as amount from stock_levels where on_hand < 0',
    path: () => '/api/stock?onHand[lt]=0',
  },
  {
    code: 'recurring_due',
    title: 'Recurring documents that are due and have not run',
    access: 'recurring_documents:read',
    sql: 'select count(*), null::numeric as amount from recurring_documents where active and next_on <= :to::date',
    path: ({ to }) => `/api/recurring?active=true&next_on[lte]=${to}`,
  },
  {
    code: 'due_entries',
    title:
      'Deferrals, reversals, instalments of loans and releases of provisions that are due up to the end of the period, not entered',
    access: 'journal_entries:read',
    sql: DUE_ENTRIES,
    lists: true,
    // The service enters them by itself, and gives a to-do about what keeps it from that.
    path: () => '/api/to-dos?status=open',
  },
  {
    code: 'depreciation_not_run',
    title: 'Fixed assets whose depreciation is not entered up to the end of the period',
    access: 'assets:read',
    sql: `select count(*), null::numeric as amount from assets where status = 'active' and next_from <= :to::date`,
    path: () => '/api/assets?status=active',
  },
  {
    code: 'old_debts_not_provided',
    title: 'Invoices overdue for more than a year at the end of the period, without provision',
    access: 'sales_invoices:read',
    sql: `select count(*), sum(${companyOutstanding('d')}) as amount from documents d
      where d.doc_type = 'SINV' and d.status in (${STATE.open}, ${STATE.closed}) and d.total <> d.paid_total and d.total > d.paid_total
        and coalesce(d.due_date, d.date) < (:to::date - interval '1 year')::date
        and not exists (select from bad_debts b where b.document_id = d.id and b.provided > 0)`,
    path: ({ to }) => `/api/reports/bad-debts?to=${to}`,
  },
  {
    code: 'currencies_not_revalued',
    title: 'Balances in other currencies, not revalued at the end of the period',
    access: 'journal_entries:read',
    sql: UNREVALUED,
    lists: true,
    path: ({ to }) => `/api/exchange-revaluations?date=${to}`,
  },
  {
    code: 'returns_not_filed',
    title: 'Tax returns that end in the period and are not filed',
    access: 'tax_returns:read',
    sql: UNFILED,
    lists: true,
    path: ({ from, to }) => `/api/tax-returns?to[gte]=${from}&to[lte]=${to}`,
  },
];
