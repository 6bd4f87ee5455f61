import { perTenant } from './per-tenant.ts';

/**
 * How purchases were deducted, and what migration 0092 could not see by the company's present settings: purchases of a surcharge regime
 * that was left. Posted invoices of which nothing was deducted say so in their entry, other documents by the surcharge that they were
 * charged. Drafts of before the upgrade are marked, since a process of the previous release may change and post them meanwhile, without
 * the lost tax of their lines.
 */

/** Shares a tax among lines that are taxed alike, rounded so that the shares add up to it. */
const share = (tax: string, whole: string) =>
  `round(${tax} * sum(l.amount) over upto / ${whole}, p.places)
    - coalesce(round(${tax} * sum(l.amount) over before / ${whole}, p.places), 0)`;

/** Of the company as which the statements run. */
const PLACES = `(select coalesce(max((value->>'decimalPrecision')::integer), 2) as places from settings where name = 'format') p`;

const windows = (rate: string) => `
  window alike as (partition by l.document_id, l.tax_group_id, ${rate}), upto as (alike order by l.line_number),
    before as (alike order by l.line_number rows between unbounded preceding and 1 preceding)`;

export const up = perTenant(`
  update document_lines l set lost_tax = shared.lost
    from (
      select l.tenant_id, l.id, e.lost as entered, sum(l.lost_tax) over alike as known, ${share('e.lost', 'e.base')} as lost
      from (select e.tenant_id, e.source_id, l.tax_group_id, l.tax_rate, sum(l.tax_amount) as lost, sum(l.tax_base) as base
          from journal_entries e
          join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id and l.tax_kind = 'input'
          where e.source_type = 'purchase_invoice' and e.reversal_of is null and e.status = 'posted'
          group by 1, 2, 3, 4, e.id having bool_and(l.tax_use = 'none') and sum(l.tax_base) <> 0) e
      join documents d on d.tenant_id = e.tenant_id and d.id = e.source_id
      join document_lines l on l.tenant_id = d.tenant_id and l.document_id = d.id and l.tax_group_id = e.tax_group_id
        and (l.tax_rate = e.tax_rate or l.tax_rate = 0)
      cross join ${PLACES}
      ${windows('e.tax_rate')}
    ) shared where l.tenant_id = shared.tenant_id and l.id = shared.id and shared.known <> shared.entered;
  update document_lines l set lost_tax = shared.lost
    from (
      select l.tenant_id, l.id, sum(l.lost_tax) over alike as known, ${share('(l.tax_rate + l.surcharge_rate)', '100')} as lost
      from document_lines l
      join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id and d.doc_type in ('PO', 'PDN', 'PINV') and d.posted_at is null
      cross join ${PLACES}
      where l.surcharge_rate <> 0
      ${windows('l.tax_rate')}
    ) shared where l.tenant_id = shared.tenant_id and l.id = shared.id and shared.known = 0 and shared.lost <> 0;
  update documents d set deduction_regime = 'surcharge'
    where d.doc_type in ('PO', 'PDN', 'PINV') and d.deduction_regime is null and (
      exists (select from document_lines l where l.tenant_id = d.tenant_id and l.document_id = d.id and l.surcharge_rate <> 0)
      or (select (value->>'surchargeRegime')::boolean from settings where name = 'tax') and not exists (
        select from journal_entries e join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
          and l.tax_kind = 'input' and l.tax_use <> 'none'
        where e.tenant_id = d.tenant_id and e.source_id = d.id and e.source_type = 'purchase_invoice'));
  update documents set deduction_regime = 'special' where pro_rata is not null and deduction_regime is null
    and (select value->>'proRataKind' from settings where name = 'tax') = 'special';
  update documents set lost_tax_unknown = true where doc_type = 'PINV' and status = 'D' and not lost_tax_unknown;
`);
