/**
 * Attachments of records. They go when their record goes, and their content with them; objects in a store are removed afterwards, by
 * whoever finds their rows marked.
 */
import { secureTenantTable, tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'attachments',
    `entity_type text not null,
     entity_id uuid not null,
     name text not null,
     content_type text not null,
     size integer not null check (size > 0),
     sha256 text not null,
     user_id uuid references users (id),
     actor text,
     in_store boolean not null`,
  )}
  create index attachments_entity on attachments (tenant_id, entity_id, id);

  create table stored_objects (
    id uuid primary key,
    tenant_id uuid not null references tenants (id),
    state text not null check (state in ('pending', 'kept', 'gone')),
    changed_at timestamptz not null
  );
  create index stored_objects_left on stored_objects (changed_at) where state <> 'kept';
  ${secureTenantTable('stored_objects', { grants: 'select, insert, update', systemGrants: 'select, update, delete' })}

  create function remove_content_of_attachments() returns trigger language plpgsql as $$
    begin
      delete from files f using gone where f.tenant_id = gone.tenant_id and f.kind = 'attachment' and f.entity_id = gone.id;
      update stored_objects o set state = 'gone' from gone where o.id = gone.id and gone.in_store;
      return null;
    end $$;
  create trigger attachments_gone after delete on attachments referencing old table as gone
    for each statement execute function remove_content_of_attachments();

  create or replace function remove_what_is_about() returns trigger language plpgsql as $$
    begin
      delete from comments c using gone where c.tenant_id = gone.tenant_id and c.entity_id = gone.id;
      delete from attachments a using gone where a.tenant_id = gone.tenant_id and a.entity_id = gone.id;
      return null;
    end $$;
`;
