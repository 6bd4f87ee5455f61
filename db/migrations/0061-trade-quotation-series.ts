import { perTenant } from './per-tenant.ts';

/** Default series of quotations and requests, for the years that have default series of orders. */
export const up = perTenant(`
  insert into series (id, tenant_id, doc_type, name, prefix, first_number, next_number, padding, is_default, year, created_at, updated_at)
  select gen_random_uuid(), s.tenant_id, t.doc_type,
    case when c.country = 'ES' then t.spanish else t.english end || coalesce(' ' || s.year, ''),
    t.doc_type || coalesce(s.year::text, '') || '-', 1, 1, 5, true, s.year, now(), now()
  from (select distinct tenant_id, year from series where doc_type = 'SO' and is_default) s
  join tenants c on c.id = s.tenant_id
  cross join (values ('SQ', 'Presupuestos', 'Sales quotations'), ('PR', 'Peticiones de oferta', 'Purchase requests'))
    as t (doc_type, spanish, english)
  where not exists (select from series o where o.doc_type = t.doc_type and o.year is not distinct from s.year)
  on conflict do nothing
`);
