/** Checks for drafts, which keep a period from being closed; with others they make its checklist (decision 0334). */
import { STATE } from '../../../db/queries/document-states.ts';
import type { Permission } from '../../../domain/permissions.ts';

/** The check of payrolls, which a refusal counts apart. */
export const DRAFT_PAYROLLS = 'draft_payrolls';

/** The days of a period. */
export interface Span {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface Check {
  /** Stable, for programs. */
  readonly code: string;
  readonly title: string;
  /** The permission that a caller needs to see it. */
  readonly access: Permission;
  /** Whether a period with such rows cannot be closed; otherwise they are a warning. */
  readonly blocks?: true;
  /** Gives one row: `count`, and `amount` in the company's currency, or null. Bindings are `:id`, `:from`, `:to`. */
  readonly sql: string;
  /** Whether its row has `items` too, since the list behind `path` does not show what is open. */
  readonly lists?: true;
  /** The list that shows the rows, with its filter. */
  readonly path: (period: Span) => string;
}

/** Payrolls have a year and a month in place of a date. */
function payrollPath({ from, to }: Span): string {
  const [firstYear, firstMonth, lastYear, lastMonth] = [from, to].flatMap((day) =>
    day.split('-').slice(0, 2).map(Number),
  );
  const months = firstYear === lastYear ? `&month[gte]=${firstMonth}&month[lte]=${lastMonth}` : '';
  return `/api/payrolls?status=D&year[gte]=${firstYear}&year[lte]=${lastYear}${months}`;
}

const drafts = (
  docType: 'SINV' | 'PINV',
) => `select count(*), sum(coalesce(company_total, total)) as amount from documents
  where period_id = :id and doc_type = '${docType}' and status = ${STATE.draft}`;

export const DRAFT_CHECKS: readonly Check[] = [
  {
    code: 'draft_sales_invoices',
    title: 'Draft sales invoices',
    access: 'sales_invoices:read',
    blocks: true,
    sql: drafts('SINV'),
    path: ({ id }) => `/api/sales/invoices?status=D&periodId=${id}`,
  },
  {
    code: 'draft_purchase_invoices',
    title: 'Draft purchase invoices',
    access: 'purchase_invoices:read',
    blocks: true,
    sql: drafts('PINV'),
    path: ({ id }) => `/api/purchases/invoices?status=D&periodId=${id}`,
  },
  {
    code: 'draft_entries',
    title: 'Draft journal entries',
    access: 'journal_entries:read',
    blocks: true,
    sql: `select count(*), sum(total) as amount from journal_entries where period_id = :id and status = 'draft'`,
    path: ({ id }) => `/api/journal-entries?status=draft&periodId=${id}`,
  },
  {
    code: DRAFT_PAYROLLS,
    title: 'Payrolls not posted',
    access: 'payroll:read',
    blocks: true,
    sql: `select count(*), sum(net) as amount from payrolls
      where status = 'D' and year between extract(year from :from::date) and extract(year from :to::date)
        and make_date(year, month, 1) + interval '1 month' - interval '1 day' between :from::date and :to::date`,
    path: payrollPath,
  },
];
