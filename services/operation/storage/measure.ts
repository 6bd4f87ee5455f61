/** Measures the rows of a company: everything that triggers do not count. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db, Reader } from '../../../db/database.ts';
import { allowTime } from '../../../db/lazy-knex.ts';
import { query } from '../../../db/sql.ts';
import { kindOfTable, type StorageKind } from '../../../domain/platform/storage.ts';

export interface Amount {
  readonly bytes: number;
  readonly items: number;
}

export type Parts = Partial<Record<StorageKind, Amount>>;

/** A measurement takes at most this share of the time. */
const SHARE = 0.01;
/** Pause between measurements that somebody waits for, and the longest that they may take. */
const PAUSE_MS = 10_000;
const PATIENCE_MS = 1000;
const LONGEST_SECONDS = 600;

/** Tables counted by triggers, and the count itself. */
const NOT_MEASURED = ['files', 'idempotency_keys', 'stored_objects', 'storage_changes', 'storage_rows'];

/** Bytes of a row's header and its pointer. */
const ROW_BYTES = 28;

const COLUMNS = `
  select c.relname as "table", a.attname as "column", a.attlen as length
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege(c.oid, 'select')
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
    and c.relname <> all(:except::text[])
  order by c.relname, a.attnum`;

/** Mails' texts are counted by triggers. */
const COUNTED_COLUMNS = new Set(['emails.text', 'emails.html', 'emails.subject', 'emails.addressees']);

interface Column {
  readonly table: string;
  readonly column: string;
  /** In bytes; negative if it varies. */
  readonly length: number;
}

/** One statement for all tables. The size of a long value is read from its pointer: the value itself is not. */
function sizesSql(columns: readonly Column[]): string {
  const tables = [...new Set(columns.map(({ table }) => table))];
  return tables
    .map((table) => {
      const own = columns.filter((column) => column.table === table);
      const varying = own.filter(({ column, length }) => length < 0 && !COUNTED_COLUMNS.has(`${table}.${column}`));
      const fixed = own.reduce((sum, { length }) => sum + Math.max(0, length), ROW_BYTES);
      const sizes = varying.map(({ column }) => `coalesce(pg_column_size(r."${column}"), 0)`);
      return `select '${table}' as "table", count(*) as items, coalesce(sum(${[fixed, ...sizes].join(' + ')}), 0)::bigint as bytes
        from "${table}" r`;
    })
    .join('\nunion all ');
}

/**
 * Measures the rows of a company, and forgets the requests that stood for them.
 * @param elapsed a clock in milliseconds
 */
export async function measureCompany(
  database: Database,
  ctx: Context,
  elapsed = () => performance.now(),
): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    await allowTime(trx, LONGEST_SECONDS);
    const begun = elapsed();
    const stoodFor = await query<{ id: number }>(trx, `select id from storage_changes where kind = 'recent'`, {});
    const parts = await readParts(trx);
    const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
    await query(
      trx,
      `insert into storage_rows as r (tenant_id, bytes, parts, measured_at, took_ms)
       values (:tenantId::uuid, :bytes::bigint, :parts::jsonb, :now::timestamptz, :tookMs::integer)
       on conflict (tenant_id) do update set bytes = excluded.bytes, parts = excluded.parts, measured_at = excluded.measured_at,
         took_ms = excluded.took_ms`,
      {
        tenantId: ctx.tenantId,
        bytes,
        parts: JSON.stringify(parts),
        now: ctx.now.toISOString(),
        tookMs: Math.ceil(elapsed() - begun),
      },
    );
    const ids = stoodFor.map(({ id }) => String(id));
    await query(trx, 'delete from storage_changes where id = any(:ids::bigint[])', { ids });
  });
}

async function readParts(trx: Db): Promise<Parts> {
  const columns = await query<Column>(trx, COLUMNS, { except: NOT_MEASURED });
  const tables = await query<Amount & { table: string }>(trx, sizesSql(columns), {});
  const parts: Partial<Record<StorageKind, Amount>> = {};
  for (const { table, bytes, items } of tables) {
    const kind = kindOfTable(table);
    const before = parts[kind] ?? { bytes: 0, items: 0 };
    parts[kind] = { bytes: before.bytes + bytes, items: before.items + items };
  }
  return parts;
}

/** The last measurement of a company. */
export interface Measurement {
  readonly parts: Parts;
  /** null if it was never measured. */
  readonly measuredAt: string | null;
  readonly tookMs: number;
}

/** Reads the last measurement. */
export async function readMeasurement(reader: Reader): Promise<Measurement> {
  const sql = 'select parts, measured_at as "measuredAt", took_ms as "tookMs" from storage_rows';
  const [found] = await query<Measurement>(reader, sql, {});
  return found ?? { parts: {}, measuredAt: null, tookMs: 0 };
}

/** Whether a company may be measured while somebody waits: it is quick, and was not done just before. */
export function mayMeasureNow({ measuredAt, tookMs }: Measurement, now: Date): boolean {
  if (measuredAt === null) return true;
  return tookMs <= PATIENCE_MS && now.getTime() - Date.parse(measuredAt) >= Math.max(PAUSE_MS, tookMs / SHARE);
}

/**
 * Finds companies that have changed since they were measured, and whose measurement is due.
 * @param after the last one found before
 */
export async function companiesToMeasure(
  database: Database,
  now: Date,
  after: string | null,
  limit = 100,
): Promise<string[]> {
  const rows = await database.withSystem((trx) =>
    query<{ id: string }>(
      trx,
      `select distinct c.tenant_id as id from storage_changes c left join storage_rows r on r.tenant_id = c.tenant_id
       where c.kind = 'recent' and (:after::uuid is null or c.tenant_id > :after::uuid)
         and (r.measured_at is null or r.measured_at + r.took_ms * interval '${1 / SHARE} milliseconds' <= :now::timestamptz)
       order by 1 limit :limit::integer`,
      { now: now.toISOString(), after, limit },
    ),
  );
  return rows.map(({ id }) => id);
}
