/**
 * Comments on records. What a comment is about is named by kind and id, as in the audit log, since it may be of any table: comments go when
 * their record goes. The triggers run once for each statement that deletes, and cost others nothing.
 */
import { tenantTable } from './schema.ts';

const SUBJECTS = [
  'documents',
  'journal_entries',
  'partner_groups',
  'payment_terms',
  'partners',
  'categories',
  'items',
  'uoms',
  'warehouses',
  'zones',
  'taxes',
  'series',
  'periods',
  'price_lists',
  'accounts',
  'projects',
  'cost_centers',
  'bank_accounts',
  'bank_rules',
  'custom_fields',
];

export const up = `
  ${tenantTable(
    'comments',
    `entity_type text not null,
     entity_id uuid not null,
     body text not null,
     user_id uuid references users (id),
     actor text,
     mentions uuid[] not null default '{}'`,
  )}
  create index comments_entity on comments (tenant_id, entity_id, id);
  create function remove_what_is_about() returns trigger language plpgsql as $$
    begin
      delete from comments c using gone where c.tenant_id = gone.tenant_id and c.entity_id = gone.id;
      return null;
    end $$;
  ${SUBJECTS.map(
    (table) => `create trigger ${table}_subject_gone after delete on ${table} referencing old table as gone
      for each statement execute function remove_what_is_about();`,
  ).join('\n  ')}
`;
