import { annotated, reference, secureTenantTable, table, tenantTable } from './schema.ts';

/** What can be added to records of all kinds: custom fields, comments and attachments. */
export const up = `
  -- Entries of the index for a value: numbers in millionths (NUMBER: as they are), others as the beginning of their text.
  create function custom_field_entries(field_type text, value jsonb) returns table (text_value text, number_value bigint)
  language sql immutable as $$
    select case when jsonb_typeof(entry) <> 'number' then left(entry #>> '{}', 200) end,
      case when jsonb_typeof(entry) = 'number'
        then floor((entry #>> '{}')::numeric * case field_type when 'NUMBER' then 1 else 1000000 end)::bigint end
    from jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) as entry
  $$;

  -- The table_name of the custom fields of a document.
  create function custom_field_table(doc_type text) returns text language sql immutable as $$
    select case doc_type when 'SO' then 'SalesOrder' when 'SDN' then 'SalesDeliveryNote' when 'SINV' then 'SalesInvoice'
      when 'PO' then 'PurchaseOrder' when 'PDN' then 'PurchaseDeliveryNote' when 'PINV' then 'PurchaseInvoice' end
  $$;

  -- Keeps the index when a record is written. The argument is the table_name of its custom fields.
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

  -- Fills the index for a field that becomes filterable, and empties it for one that no longer is.
  create function index_custom_field() returns trigger language plpgsql as $$
  declare
    source text := case new.table_name when 'Item' then 'items' when 'BusinessPartner' then 'partners'
      when 'Warehouse' then 'warehouses' when 'Employee' then 'employees' else 'documents' end;
  begin
    delete from custom_field_index where tenant_id = new.tenant_id and field_id = new.id;
    if new.filterable then
      execute format('insert into custom_field_index (tenant_id, field_id, row_id, text_value, number_value)
        select r.tenant_id, $1, r.id, e.text_value, e.number_value
        from %I r cross join lateral custom_field_entries($2, r.custom -> $3) e
        where r.tenant_id = $4 and r.custom ? $3 %s', source,
        case source when 'documents' then 'and custom_field_table(r.doc_type) = $5' else 'and $5 is not null' end)
      using new.id, new.type, new.storage_key, new.tenant_id, new.table_name;
    end if;
    return null;
  end $$;

  -- Deletes the comments and attachments of deleted records. It runs once for each statement.
  create function remove_what_is_about() returns trigger language plpgsql as $$
    begin
      delete from comments c using gone where c.tenant_id = gone.tenant_id and c.entity_id = gone.id;
      delete from attachments a using gone where a.tenant_id = gone.tenant_id and a.entity_id = gone.id;
      return null;
    end $$;

  -- Deletes the bytes of deleted attachments. Objects in the store are marked, and removed by a worker.
  create function remove_content_of_attachments() returns trigger language plpgsql as $$
    begin
      delete from files f using gone where f.tenant_id = gone.tenant_id and f.kind = 'attachment' and f.entity_id = gone.id;
      update stored_objects o set state = 'gone' from gone where o.id = gone.id and gone.in_store;
      return null;
    end $$;

  ${tenantTable(
    'custom_fields',
    'Custom fields that a company has defined for its records.',
    `
    plugin_id uuid, -- Plugin that owns the field; null if the company does
    table_name text not null, -- Kind of record, such as SalesInvoice
    field_name text not null, -- Name in the interface
    storage_key text not null, -- Key of its values in the column "custom", which a renamed field keeps
    label text not null, -- Label in forms
    type text not null, -- Type of its values
    position integer not null, -- Place among the fields of a record
    visible_in_list boolean not null, -- Whether lists show it
    visible_in_form boolean not null, -- Whether forms show it
    required boolean not null, -- Whether a value must be given
    default_value text, -- Value for new records that give none
    help_text text, -- Explanation in forms
    options text[], -- Values to choose from
    validation_regex text, -- Regular expression (RE2) that texts must match
    active boolean not null, -- Whether it is in use; values of an inactive field are kept
    filterable boolean not null, -- Whether lists can be filtered by it, through custom_field_index
    constraint custom_fields_field_name_key unique (tenant_id, table_name, field_name),
    constraint custom_fields_storage_key_key unique (tenant_id, table_name, storage_key)
  `,
  )}
  create trigger custom_fields_filterable_new after insert on custom_fields for each row when (new.filterable)
    execute function index_custom_field();
  create trigger custom_fields_filterable_changed after update on custom_fields for each row
    when (old.filterable is distinct from new.filterable) execute function index_custom_field();
  ${annotated('custom_fields')}

  ${tenantTable(
    'deleted_custom_fields',
    'Deleted custom fields, whose values are hidden until they are removed.',
    `
    table_name text not null, -- Kind of record
    field_name text not null, -- Name that the field had
    storage_key text not null, -- Key of the values that remain
    type text not null, -- Type that the field had
    deleted_at timestamptz not null, -- When it was deleted
    constraint deleted_custom_fields_storage_key_key unique (tenant_id, table_name, storage_key)
  `,
    { versioned: false },
  )}
  create index deleted_custom_fields_age on deleted_custom_fields (deleted_at);

  ${table(
    'custom_field_index',
    'Index of filterable values, kept by triggers: row-level security admits only leakproof operators to index conditions, none on jsonb.',
    `
    tenant_id uuid not null references tenants (id), -- Company of the record
    field_id uuid not null, -- Field that the value is of
    row_id uuid not null, -- Record that has the value
    text_value text collate "C", -- Beginning of the text, in the C collation
    number_value bigint, -- Number: NUMBER as it is, others in millionths
    ${reference('custom_field_index', 'field_id', 'custom_fields', 'on delete cascade')}
  `,
  )}
  ${secureTenantTable('custom_field_index', { grants: 'select, insert, delete' })}
  create index custom_field_index_text on custom_field_index (tenant_id, field_id, text_value, row_id)
    where text_value is not null;
  create index custom_field_index_number on custom_field_index (tenant_id, field_id, number_value, row_id)
    where number_value is not null;
  create index custom_field_index_row on custom_field_index (tenant_id, row_id);

  ${tenantTable(
    'comments',
    'Comments on records of any kind. They are deleted with their record.',
    `
    entity_type text not null, -- Kind of record, as in the audit log
    entity_id uuid not null, -- Record that is commented
    body text not null, -- The comment
    user_id uuid references users (id), -- Author; null if a program wrote it
    actor text, -- Program that wrote it
    mentions uuid[] not null default '{}' -- Members who are mentioned, as users' ids
  `,
  )}
  create index comments_entity on comments (tenant_id, entity_id, id);

  ${tenantTable(
    'attachments',
    'Files attached to records of any kind. They are deleted with their record.',
    `
    entity_type text not null, -- Kind of record, as in the audit log
    entity_id uuid not null, -- Record that it is attached to
    name text not null, -- File name
    content_type text not null, -- Media type
    size integer not null check (size > 0), -- Size in bytes
    sha256 text not null, -- SHA-256 of the content, in hexadecimal digits
    user_id uuid references users (id), -- User who attached it; null if a program did
    actor text, -- Program that attached it
    in_store boolean not null -- Whether the bytes are in the object store; otherwise they are in files
  `,
  )}
  create index attachments_entity on attachments (tenant_id, entity_id, id);
  create trigger attachments_gone after delete on attachments referencing old table as gone for each statement
    execute function remove_content_of_attachments();
`;
