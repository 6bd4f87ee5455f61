/** Reads what is pending of taxes of the cash basis from the lines of entries that name them (decision 0345). */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { accruedKind, type PendingTax } from '../../../domain/ledger/accounting/cash-basis.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';

/** The rest of a pending tax `p`, and the parts that payments have accrued. */
const LEFT_SQL = `select sum(sign * l.tax_base)::text as base, sum(sign * l.tax_amount)::text as amount,
    sum(sign * l.tax_subject)::text as subject
  from (select *, case when tax_kind = p.kind then -1 else 1 end as sign from journal_lines where pending_tax_id = p.id) l`;
const ACCRUED_SQL = `select coalesce(json_agg(a), '[]') from (
    select e.source_id as "paymentId", sum(l.tax_base)::text as base, sum(l.tax_amount)::text as amount, sum(l.tax_subject)::text as subject
    from journal_lines l join journal_entries e on e.id = l.entry_id
    where l.pending_tax_id = p.id and l.tax_kind = p.kind and e.source_type = 'payment' group by 1) a`;

/** SQL of the taxes of the cash basis of an invoice, whose entry is `e`, as a list of `PendingTax`. */
export const PENDING_TAXES = `(select coalesce(json_agg(json_build_object('id', p.id, 'kind', p.kind, 'accountId', p.account_id,
      'accrualAccountId', p.accrual_account_id, 'use', p.use, 'rectifying', p.rectifying, 'groupId', p.group_id, 'rate', p.rate::text,
      'base', b.base, 'amount', b.amount, 'subject', b.subject, 'accrued', (${ACCRUED_SQL})) order by p.id), '[]')
    from pending_taxes p cross join lateral (${LEFT_SQL}) b where p.document_id = e.source_id)`;

/** The taxes that an invoice is about to enter as pending. */
export function newPendingTaxes(lines: readonly EntryLine[]): PendingTax[] {
  return lines.flatMap(({ accountId, tax, accrual, pendingTaxId: id }) => {
    if (tax === null || accrual === undefined || id === undefined) return [];
    const { use, rectifying, groupId, rate, base, amount, subject = null } = tax;
    const said = { use, rectifying, groupId, rate, base, amount, subject };
    const kind = accruedKind(tax.kind) as PendingTax['kind'];
    return [{ id, kind, accountId, accrualAccountId: accrual.accountId, ...said, accrued: [] }];
  });
}

/**
 * Checks that nothing is pending which had to accrue by a day.
 * @throws ServiceError invalid_transition with the latest day of what is
 */
export async function assertAccrued(trx: Db, until: string): Promise<void> {
  const [left] = await query<{ year: number }>(
    trx,
    `select extract(year from p.due_on)::integer as year from pending_taxes p join journal_lines l on l.pending_tax_id = p.id
     where p.due_on <= :until::date group by p.id, p.due_on
     having sum(case when l.tax_kind = p.kind then -1 else 1 end * l.tax_amount) <> 0 order by p.due_on desc limit 1`,
    { until },
  );
  if (left === undefined) return;
  const day = `${left.year}-12-31`;
  throw new ServiceError(
    'invalid_transition',
    `Tax of the cash basis is pending that accrues by ${day}; accrue it first (POST /api/tax-accruals)`,
  );
}
