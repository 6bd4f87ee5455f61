/** The dimensions and sums of balances, and how they derive from lines (`l`) of entries (`e`). */
import { columnName } from '../../../../db/models/columns.ts';

/** Dimensions that lines of one balance share. */
export const KEY = {
  fiscalYear: 'e.fiscal_year',
  month: `date_trunc('month', l.date::timestamp)::date`,
  accountId: 'l.account_id',
  kind: 'l.kind',
  projectId: 'l.project_id',
  costCenterId: 'l.cost_center_id',
  taxKind: 'l.tax_kind',
  taxOperation: 'l.tax_operation',
  taxUse: 'l.tax_use',
  taxRectifying: 'l.tax_rectifying',
  taxGroupId: 'l.tax_group_id',
  taxRate: 'l.tax_rate',
} as const;
export type KeyMember = keyof typeof KEY;

/** Sums kept in a balance. */
export const SUMS = {
  debit: 'l.debit',
  credit: 'l.credit',
  taxBase: 'coalesce(l.tax_base, 0)',
  taxAmount: 'coalesce(l.tax_amount, 0)',
  taxSubject: 'coalesce(l.tax_subject, l.tax_amount, 0)',
  /** Line count, for paging. */
  lines: '1',
} as const;

export const KEY_COLUMNS = Object.keys(KEY).map(columnName);
export const SUM_COLUMNS = Object.keys(SUMS).map(columnName);

/**
 * Name prefixes of the two counters of each fiscal year: the next entry number, and the first one that is not in
 * balances.
 */
const NUMBERS = 'journal_entries:';
export const SUMMED = 'journal_balances:';

/**
 * Fiscal years with numbered entries: the first number that is not in balances, and the first that is unused. Under
 * row-level security entries are found by an index only with plain values, as a materialized query provides.
 */
export const YEARS_SQL = `
  select substr(n.name, ${NUMBERS.length + 1})::integer as fiscal_year, coalesce(s.next, 1)::integer as next,
    n.next::integer as "end"
  from counters n left join counters s on s.tenant_id = n.tenant_id and s.name = '${SUMMED}' || substr(n.name, ${NUMBERS.length + 1})
  where n.name like '${NUMBERS.replace('_', '\\_')}%'`;
