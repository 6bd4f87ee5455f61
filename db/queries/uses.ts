/** Finds references to a row by the foreign keys, so that a new table needs no line here. Drafts and the like store their lines as JSON. */

import type { Use } from '../../domain/errors.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/trade/documents/types.ts';
import type { Db } from '../database.ts';
import { entityType } from '../models/entities.ts';
import { query } from '../sql.ts';

/** Maximum references counted per foreign key; beyond that, counts are lower bounds. */
const MAX_COUNTED = 1000;

/** A foreign key that prevents the deletion of a row. Rows that are deleted with an owner count as the owner. */
interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly owner: string | null;
  readonly owner_column: string | null;
}

const FOREIGN_KEYS = `
  select source.relname as "table", own.attname as "column", owner.relname as owner, owner.attname as owner_column
  from pg_constraint key
  join pg_class source on source.oid = key.conrelid
  cross join unnest(key.conkey, key.confkey) as pair (own, target)
  join pg_attribute own on own.attrelid = key.conrelid and own.attnum = pair.own
  join pg_attribute target on target.attrelid = key.confrelid and target.attnum = pair.target and target.attname = 'id'
  left join lateral (
    select holder.relname, part.attname
    from pg_constraint cascade
    join pg_class holder on holder.oid = cascade.confrelid
    cross join unnest(cascade.conkey, cascade.confkey) as pair (own, target)
    join pg_attribute part on part.attrelid = cascade.conrelid and part.attnum = pair.own
    join pg_attribute whole on whole.attrelid = cascade.confrelid and whole.attnum = pair.target and whole.attname = 'id'
    where cascade.contype = 'f' and cascade.conrelid = key.conrelid and cascade.confdeltype = 'c'
    limit 1
  ) owner on true
  where key.contype = 'f' and key.confrelid = to_regclass(:table) and key.confdeltype in ('a', 'r')
  order by 1, 2`;

/** SQL of references to `:id` in lines of draft entries, templates and group adjustments, by table; posted lines have foreign keys. */
const IN_DRAFT_LINES: ReadonlyMap<string, string> = new Map([
  ['accounts', `'accountId', :id::text`],
  ['partners', `'partnerId', :id::text`],
  ['projects', `'projectId', :id::text`],
  ['cost_centers', `'costCenterId', :id::text`],
  ['taxes', `'tax', jsonb_build_object('groupId', :id::text)`],
]);

/**
 * Finds what uses a row of the tenant, most frequent first. While the row is locked `for update`, nothing can start using it.
 * @param table name in the database
 */
export async function findUses(db: Db, table: string, id: string): Promise<Use[]> {
  const keys = await query<ForeignKey>(db, FOREIGN_KEYS, { table });
  if (keys.length === 0) return [];
  const references = keys.map(
    ({ table: source, column, owner, owner_column }, index) =>
      `(select ${index} as source, '${owner ?? source}' as holder, "${owner_column ?? 'id'}" as id
        from "${source}" where "${column}" = :id::uuid limit ${MAX_COUNTED + 1})`,
  );
  const member = IN_DRAFT_LINES.get(table);
  if (member !== undefined) {
    const lines = `jsonb_build_array(jsonb_build_object(${member}))`;
    references.push(
      `(select ${keys.length}, 'journal_entries', id from journal_entries where draft_lines @> ${lines} limit ${MAX_COUNTED + 1})`,
      `(select ${keys.length + 1}, 'entry_templates', id from entry_templates where lines @> ${lines} limit ${MAX_COUNTED + 1})`,
      `(select ${keys.length + 2}, 'group_adjustments', id from group_adjustments where lines @> ${lines} limit ${MAX_COUNTED + 1})`,
    );
  }
  const rows = await query<{ holder: string; doc_type: DocType | null; count: number; more: boolean }>(
    db,
    `select holder, doc_type, count(distinct id)::integer as count, bool_or(seen > ${MAX_COUNTED}) as more
     from (
       select reference.*, document.doc_type, count(*) over (partition by source) as seen
       from (${references.join(' union all ')}) reference
       left join documents document on holder = 'documents' and document.id = reference.id
     ) found
     group by holder, doc_type order by count desc, holder, doc_type`,
    { id },
  );
  return rows.map(({ holder, doc_type, count, more }) => ({
    entityType: doc_type === null ? entityType(holder) : DOCUMENT_TYPES[doc_type].entityType,
    count: Math.min(count, MAX_COUNTED),
    ...(more ? { atLeast: true } : {}),
  }));
}
