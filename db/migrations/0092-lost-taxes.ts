import { perTenant } from './per-tenant.ts';

/** The lost tax of earlier purchases, which only the ledger knew: posted invoices take it from there, all others from their taxes. */

/** Shares a tax among lines by their amounts, rounded so that the shares add up to it. */
const share = (tax: string, whole: string, places: string) =>
  `round(${tax} * sum(amount) over upto / ${whole}, ${places})
    - coalesce(round(${tax} * sum(amount) over before / ${whole}, ${places}), 0)`;

/** Percentages that the buyer assesses, of purchases that bear no tax. */
const ASSESSED = `case when d.regime in ('intra_eu', 'reverse_charge') or t.kind = 'reverse_charge' or (d.regime = 'export' and not d.goods)
  then t.rate + case when d.retailer and d.goods then t.surcharge_rate else 0 end else 0 end`;

export const up = perTenant(`
  with losing as materialized (
    select l.id, l.tenant_id, l.document_id, l.line_number, l.amount, l.tax_group_id, l.tax_rate, l.surcharge_rate, l.vat_use,
      coalesce(l.vat_regime, d.vat_regime) as regime, coalesce(i.type = 'product', false) as goods, coalesce(s.retailer, false) as retailer,
      coalesce(s.places, 2) as places, e.id as entry_id
    from document_lines l
    join documents d on d.tenant_id = l.tenant_id and d.id = l.document_id and d.doc_type in ('PO', 'PDN', 'PINV')
    left join (select tenant_id, bool_or((value->>'surchargeRegime')::boolean) filter (where name = 'tax') as retailer,
      max((value->>'decimalPrecision')::integer) filter (where name = 'format') as places from settings group by 1) s
      on s.tenant_id = l.tenant_id
    left join items i on i.tenant_id = l.tenant_id and i.id = l.item_id
    left join journal_entries e on e.tenant_id = d.tenant_id and e.source_id = d.id and e.source_type = 'purchase_invoice'
      and e.reversal_of is null and e.status = 'posted'
    where l.vat_use = 'none' or s.retailer
  ), entered as (
    update document_lines l set lost_tax = shared.lost
      from (
        select d.id, d.tenant_id, ${share('e.lost', 'e.base', 'd.places')} as lost
        from losing d join (select tenant_id, entry_id, tax_group_id, tax_rate, sum(tax_amount) filter (where tax_use = 'none') as lost,
            sum(tax_base) filter (where tax_use = 'none') as base, bool_or(tax_use <> 'none') as deducts
          from journal_lines where tax_kind = 'input' group by 1, 2, 3, 4 having sum(tax_base) filter (where tax_use = 'none') <> 0) e
          on e.tenant_id = d.tenant_id and e.entry_id = d.entry_id and e.tax_group_id = d.tax_group_id
            and (e.tax_rate = d.tax_rate or d.tax_rate = 0) and (d.vat_use = 'none' or not e.deducts)
        window upto as (partition by d.tenant_id, d.document_id, d.tax_group_id, e.tax_rate order by d.line_number),
          before as (partition by d.tenant_id, d.document_id, d.tax_group_id, e.tax_rate order by d.line_number
            rows between unbounded preceding and 1 preceding)
      ) shared where l.tenant_id = shared.tenant_id and l.id = shared.id and shared.lost <> 0 and l.lost_tax = 0
      returning 1
  )
  update document_lines l set lost_tax = shared.lost
    from (
      select d.id, d.tenant_id, round(p.percent * sum(d.amount) over upto / 100, d.places)
        - coalesce(round(p.percent * sum(d.amount) over before / 100, d.places), 0) as lost
      from losing d join taxes t on t.tenant_id = d.tenant_id and t.id = d.tax_group_id
      cross join lateral (select case when d.tax_rate + d.surcharge_rate > 0 then d.tax_rate + d.surcharge_rate
        else ${ASSESSED} end as percent) p
      where d.entry_id is null
      window upto as (partition by d.tenant_id, d.document_id, d.tax_group_id, p.percent order by d.line_number),
        before as (partition by d.tenant_id, d.document_id, d.tax_group_id, p.percent order by d.line_number
          rows between unbounded preceding and 1 preceding)
    ) shared where l.tenant_id = shared.tenant_id and l.id = shared.id and shared.lost <> 0 and l.lost_tax = 0
`);
