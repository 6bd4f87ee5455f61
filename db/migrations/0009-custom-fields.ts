import { reference, secureTenantTable, tenantTable } from './schema.ts';

const TABLE_NAMES: Readonly<Record<string, string>> = {
  items: 'Item',
  partners: 'BusinessPartner',
  warehouses: 'Warehouse',
};

/**
 * Custom fields: their definitions, those deleted lately, and the index of the filterable ones.
 *
 * The index is a table kept by triggers, since an index on an expression over jsonb is of no use here: row-level security lets
 * only leakproof operators into index conditions, and nothing that reads jsonb is leakproof. Equality and order of texts in
 * the C collation and of bigints are. It narrows a search; the value itself is then compared exactly.
 */
export const up = `
  ${tenantTable(
    'custom_fields',
    `plugin_id uuid,
     table_name text not null,
     field_name text not null,
     storage_key text not null,
     label text not null,
     type text not null,
     position integer not null,
     visible_in_list boolean not null,
     visible_in_form boolean not null,
     required boolean not null,
     default_value text,
     help_text text,
     options text[],
     validation_regex text,
     active boolean not null,
     filterable boolean not null,
     constraint custom_fields_field_name_key unique (tenant_id, table_name, field_name),
     constraint custom_fields_storage_key_key unique (tenant_id, table_name, storage_key)`,
  )}

  ${tenantTable(
    'deleted_custom_fields',
    `table_name text not null,
     field_name text not null,
     storage_key text not null,
     type text not null,
     deleted_at timestamptz not null,
     constraint deleted_custom_fields_storage_key_key unique (tenant_id, table_name, storage_key)`,
    { versioned: false },
  )}
  create index deleted_custom_fields_age on deleted_custom_fields (deleted_at);

  create table custom_field_index (
    tenant_id uuid not null references tenants (id),
    field_id uuid not null,
    row_id uuid not null,
    text_value text collate "C",
    number_value bigint,
    ${reference('custom_field_index', 'field_id', 'custom_fields', 'on delete cascade')}
  );
  ${secureTenantTable('custom_field_index', { grants: 'select, insert, delete' })}
  create index custom_field_index_text on custom_field_index (tenant_id, field_id, text_value, row_id) where text_value is not null;
  create index custom_field_index_number on custom_field_index (tenant_id, field_id, number_value, row_id) where number_value is not null;
  create index custom_field_index_row on custom_field_index (tenant_id, row_id);

  -- How often the definitions of a company have changed: read along with an API key, which is looked up across companies.
  create policy counters_system on counters for select to bms_system using (name = 'custom_fields');
  grant select on counters to bms_system;

  -- What the index holds of a value: numbers in millionths (NUMBER: as they are), everything else as the beginning of its text.
  create function custom_field_entries(field_type text, value jsonb) returns table (text_value text, number_value bigint)
  language sql immutable as $$
    select case when jsonb_typeof(entry) <> 'number' then left(entry #>> '{}', 200) end,
      case when jsonb_typeof(entry) = 'number'
        then floor((entry #>> '{}')::numeric * case field_type when 'NUMBER' then 1 else 1000000 end)::bigint end
    from jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) as entry
  $$;

  create function custom_field_table(doc_type text) returns text language sql immutable as $$
    select case doc_type when 'SO' then 'SalesOrder' when 'SDN' then 'SalesDeliveryNote' when 'SINV' then 'SalesInvoice'
      when 'PO' then 'PurchaseOrder' when 'PDN' then 'PurchaseDeliveryNote' when 'PINV' then 'PurchaseInvoice' end
  $$;

  -- Keeps the index when a record is written. The argument is the table_name of its definitions.
  create function index_custom_values() returns trigger language plpgsql as $$
  declare
    target text := tg_argv[0];
  begin
    if tg_op <> 'INSERT' then
      delete from custom_field_index where tenant_id = old.tenant_id and row_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      if tg_table_name = 'documents' then
        target := custom_field_table(new.doc_type);
      end if;
      insert into custom_field_index (tenant_id, field_id, row_id, text_value, number_value)
      select f.tenant_id, f.id, new.id, e.text_value, e.number_value
      from custom_fields f cross join lateral custom_field_entries(f.type, new.custom -> f.storage_key) e
      where f.tenant_id = new.tenant_id and f.table_name = target and f.filterable and new.custom ? f.storage_key;
    end if;
    return null;
  end $$;

  -- Fills the index of a field that becomes filterable, and empties that of one that is so no longer.
  create function index_custom_field() returns trigger language plpgsql as $$
  declare
    source text := case new.table_name when 'Item' then 'items' when 'BusinessPartner' then 'partners'
      when 'Warehouse' then 'warehouses' when 'Employee' then null else 'documents' end;
  begin
    delete from custom_field_index where tenant_id = new.tenant_id and field_id = new.id;
    if new.filterable and source is not null then
      execute format('insert into custom_field_index (tenant_id, field_id, row_id, text_value, number_value)
        select r.tenant_id, $1, r.id, e.text_value, e.number_value
        from %I r cross join lateral custom_field_entries($2, r.custom -> $3) e
        where r.tenant_id = $4 and r.custom ? $3 %s', source,
        case source when 'documents' then 'and custom_field_table(r.doc_type) = $5' else 'and $5 is not null' end)
      using new.id, new.type, new.storage_key, new.tenant_id, new.table_name;
    end if;
    return null;
  end $$;
  create trigger custom_fields_filterable_new after insert on custom_fields
    for each row when (new.filterable) execute function index_custom_field();
  create trigger custom_fields_filterable_changed after update on custom_fields
    for each row when (old.filterable is distinct from new.filterable) execute function index_custom_field();

  ${['items', 'partners', 'warehouses', 'documents'].map(triggers).join('\n')}
`;

/** Nothing runs for records without custom values. */
function triggers(table: string): string {
  const keep = `for each row when`;
  const run = `execute function index_custom_values('${TABLE_NAMES[table] ?? ''}')`;
  return `
    create trigger ${table}_custom_new after insert on ${table} ${keep} (new.custom <> '{}') ${run};
    create trigger ${table}_custom_changed after update of custom on ${table} ${keep} (old.custom is distinct from new.custom) ${run};
    create trigger ${table}_custom_gone after delete on ${table} ${keep} (old.custom <> '{}') ${run};`;
}
