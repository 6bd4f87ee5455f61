/**
 * What a company stores. Bytes of files, kept answers, mails and objects are counted by triggers, whoever writes or deletes them: each
 * change adds a row, so that nobody waits for a counter, and about every 64th row sums up those of its company. All other rows are measured
 * now and then.
 */
import { APP_ROLE } from '../database.ts';
import { secureTenantTable, table } from './schema.ts';

interface Counted {
  readonly table: string;
  /** SQL of a row `r`: its kind, its bytes with what is stored around them, and whether it counts. */
  readonly kind: string;
  readonly bytes: string;
  readonly counts: string;
  /** SQL of the rows `old` and `new`: whether an update changes what is stored. */
  readonly changed: string;
}

const COUNTED: readonly Counted[] = [
  {
    table: 'files',
    kind: `r.kind`,
    bytes: `200 + octet_length(r.content)`,
    counts: 'true',
    changed:
      'octet_length(old.content) is distinct from octet_length(new.content) or old.kind is distinct from new.kind',
  },
  {
    table: 'idempotency_keys',
    kind: `'answers'`,
    bytes: `300 + coalesce(octet_length(r.body_sealed), 0) + octet_length(r.path) + octet_length(r.key)`,
    // An answer counts once it is given: a key under way has no more than its row, for two minutes.
    counts: 'r.status is not null',
    changed:
      '(old.status is null) is distinct from (new.status is null) or ' +
      'octet_length(old.body_sealed) is distinct from octet_length(new.body_sealed)',
  },
  {
    table: 'emails',
    kind: `'mails'`,
    bytes:
      `500 + coalesce(octet_length(r.text), 0) + coalesce(octet_length(r.html), 0) + octet_length(r.subject) + ` +
      `octet_length(r.addressees)`,
    counts: 'true',
    changed:
      'octet_length(old.text) is distinct from octet_length(new.text) or ' +
      'octet_length(old.html) is distinct from octet_length(new.html)',
  },
  {
    table: 'stored_objects',
    kind: `'objects'`,
    bytes: 'r.size',
    counts: 'r.size is not null',
    changed: 'old.size is distinct from new.size',
  },
];

export const up = `
  alter table stored_objects add column size bigint;
  comment on column stored_objects.size is 'Bytes of the object; null for objects of version 1.0.0 until they are counted';

  ${table(
    'storage_changes',
    'Changes of the bytes that a company stores, by kind. Their sum is what is stored; rows of a kind are summed up now and then.',
    `
    id bigint generated always as identity primary key, -- Order of insertion
    tenant_id uuid not null references tenants (id), -- Company that stores
    -- Kind of file, or answers, mails, objects; recent stands for requests since the rows were last measured
    kind text not null,
    bytes bigint not null, -- Bytes that were added; negative for those that were removed
    items bigint not null -- Number of files, answers and so on that were added; negative for those that were removed
  `,
  )}
  ${secureTenantTable('storage_changes', { systemGrants: 'select, insert, update, delete' })}
  create index storage_changes_tenant on storage_changes (tenant_id);
  create index storage_changes_recent on storage_changes (tenant_id) where kind = 'recent';

  ${table(
    'storage_rows',
    'Bytes of the rows of a company, as they were last measured. What storage_changes counts is not among them.',
    `
    tenant_id uuid primary key references tenants (id), -- Company that stores
    bytes bigint not null, -- Bytes of all rows
    parts jsonb not null, -- Bytes and number of rows by kind
    measured_at timestamptz not null, -- When they were measured
    took_ms integer not null -- How long that took, in milliseconds
  `,
  )}
  ${secureTenantTable('storage_rows', { grants: 'select, insert, update', systemGrants: 'select' })}

  create function sum_up_storage() returns trigger language plpgsql as $$
    begin
      with looked as (
        select id from storage_changes where tenant_id = new.tenant_id order by id limit 1000 for update skip locked
      ), gone as (
        delete from storage_changes c using looked where c.id = looked.id returning c.kind, c.bytes, c.items
      )
      insert into storage_changes (tenant_id, kind, bytes, items)
      select new.tenant_id, kind, sum(bytes), sum(items) from gone group by kind having sum(bytes) <> 0 or sum(items) <> 0;
      return null;
    end $$;
  create trigger storage_changes_summed after insert on storage_changes
    for each row when (hashint8(new.id) % 64 = 0) execute function sum_up_storage();

  create view stored_items with (security_invoker = true) as
    ${COUNTED.map(
      ({ table: name, kind, bytes, counts }) =>
        `select r.tenant_id, (${kind})::text as kind, (${bytes})::bigint as bytes from ${name} r where ${counts}`,
    ).join('\n    union all ')};
  comment on view stored_items is 'Everything that storage_changes counts';
  grant select on stored_items to ${APP_ROLE};
  ${COUNTED.map(counting).join('\n')}
`;

function counting({ table: name, kind, bytes, counts, changed }: Counted): string {
  const of = (row: string, sql: string) => sql.replaceAll('r.', `${row}.`);
  const row = (one: string, sign: string) =>
    `select ${one}.tenant_id, ${of(one, kind)} as kind, ${sign}(${of(one, bytes)})::bigint as bytes, ${sign}1 as items
        where ${of(one, counts)}`;
  return `
  create function count_kept_${name}() returns trigger language plpgsql as $$
    begin
      insert into storage_changes (tenant_id, kind, bytes, items) ${row('new', '')};
      return null;
    end $$;
  create function count_changed_${name}() returns trigger language plpgsql as $$
    begin
      insert into storage_changes (tenant_id, kind, bytes, items)
      select tenant_id, kind, sum(bytes), sum(items) from (${row('new', '')} union all ${row('old', '-')}) both_rows
      group by 1, 2 having sum(bytes) <> 0 or sum(items) <> 0;
      return null;
    end $$;
  create function count_gone_${name}() returns trigger language plpgsql as $$
    begin
      insert into storage_changes (tenant_id, kind, bytes, items)
      select r.tenant_id, ${kind}, -sum(${bytes}), -count(*) from gone r where ${counts} group by 1, 2;
      return null;
    end $$;
  create trigger ${name}_kept after insert on ${name} for each row when (${of('new', counts)}) execute function count_kept_${name}();
  create trigger ${name}_changed after update on ${name} for each row when (${changed}) execute function count_changed_${name}();
  create trigger ${name}_gone after delete on ${name} referencing old table as gone
    for each statement execute function count_gone_${name}();`;
}
