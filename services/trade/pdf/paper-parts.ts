/**
 * SQL for the data on a paper that is not in its document's own rows, as two JSON values. They are read live for
 * drafts, and frozen for an invoice when it is posted. Frozen papers keep their form for ever: members may be added
 * later, and are then missing in older ones.
 */
import { LOGO } from '../../platform/files/files.ts';

/** Settings that are printed. */
export const PAPER_SETTINGS = ['company', 'format', 'flags', 'branding'] as const;

/** The company's part: the same for all documents of a type until it is changed. `:entityType` names the type. */
export const COMPANY_PART = `jsonb_build_object(
    'settings', (select coalesce(jsonb_object_agg(name, value), '{}') from settings
      where name in (${PAPER_SETTINGS.map((name) => `'${name}'`).join(', ')})),
    'bank', (select jsonb_build_object('bankName', bank_name, 'iban', iban, 'bic', bic) from bank_accounts where is_default),
    'customFields', (select coalesce(jsonb_agg(jsonb_build_object('fieldName', c.field_name, 'label', c.label, 'type', c.type,
         'storageKey', c.storage_key, 'visibleInForm', c.visible_in_form) order by c.position, c.field_name), '[]')
       from custom_fields c where c.active and c.table_name = :entityType),
    'logoId', (select id from files where kind = '${LOGO}'))`;

const batchesSql = (lines: string) => `(
    select jsonb_agg(jsonb_build_object('batchNum', b.batch_num, 'expiryDate', b.expiry_date, 'quantity', m.quantity::text)
      order by b.expiry_date, b.batch_num)
    from (select batch_id, sum(quantity) as quantity from stock_movements
          where ${lines} and batch_id is not null group by batch_id having sum(quantity) <> 0) m
    join batches b on b.id = m.batch_id)`;

/** The part about the document's partner, items and bases. */
export const DOCUMENT_PART = `jsonb_build_object(
    'rectifying', s.rectifying,
    'partner', jsonb_build_object('code', p.code, 'name', p.name, 'nif', p.nif, 'language', p.language, 'email', p.email,
      'phone', p.phone, 'paymentMethod', p.payment_method, 'iban', p.iban),
    'warehouse', w.name, 'reason', d.reason,
    'corrected', (select jsonb_build_object('code', coalesce(f.code, r.code), 'date', coalesce(f.date, r.date)) from documents r
      left join full_invoices f on f.document_id = r.id where r.id in (d.rectifies, d.returns)),
    'lineExtras', (select coalesce(jsonb_object_agg(l.id, jsonb_build_object('code', i.code, 'uom', u.code, 'taxKind', t.kind,
         'exemptionReason', t.exemption_reason, 'exemptionArticle', t.exemption_article,
         'consumptionCountry', t.consumption_country,
         'goods', i.type is not distinct from 'product', 'moved', ${batchesSql('document_line_id = l.id')},
         'delivered', ${batchesSql(`document_line_id = l.base_line_id and l.base_type in ('SDN', 'PDN')`)})
         || case when l.components is null then '{}' else jsonb_build_object('parts', (
           select jsonb_agg(jsonb_build_object('name', k.name, 'quantity', part ->> 'quantity', 'uom', o.code) order by n)
           from jsonb_array_elements(l.components) with ordinality c(part, n)
           join items k on k.id = (part ->> 'itemId')::uuid join uoms o on o.id = k.uom_id)) end), '{}')
       from document_lines l join taxes t on t.id = l.tax_group_id left join items i on i.id = l.item_id
       left join uoms u on u.id = coalesce(l.uom_id, i.uom_id)
       where l.document_id = d.id),
    'bases', (select coalesce(jsonb_object_agg(l.base_id, (
        select jsonb_build_object('docType', b.doc_type, 'code', b.code, 'date', b.date) from documents b where b.id = l.base_id)), '{}')
      from (select distinct base_id from document_lines where document_id = d.id and base_id is not null) l))
  || case when d.exchange_rate is null then '{}' else jsonb_build_object('currencyBank', (
    select jsonb_build_object('bankName', bank_name, 'iban', iban, 'bic', bic) from bank_accounts where currency = d.currency
    order by is_default desc, id limit 1)) end`;

/** Tables for the parts; `d` is the document. */
export const DOCUMENT_FROM = `documents d join series s on s.id = d.series_id join partners p on p.id =
    coalesce((select f.partner_id from full_invoices f where f.document_id = d.rectifies), d.partner_id)
  left join warehouses w on w.id = d.warehouse_id`;
