/** Indexes of tables that have rows already are made while others write to them, which PostgreSQL does outside of transactions only. */
import type { Client } from 'pg';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table's name in CREATE INDEX, such as `(created_at) where not read`. */
  readonly of: string;
  readonly unique?: boolean;
}

/** What a migration exports instead of statements: each of its indexes may be there already, whole or half made. */
export interface ConcurrentIndexes {
  readonly indexes: readonly ConcurrentIndex[];
}

/** The form of a migration that only makes indexes of filled tables: `export const up = concurrently({ name, table, of }, …)`. */
export function concurrently(...indexes: readonly ConcurrentIndex[]): ConcurrentIndexes {
  return { indexes };
}

/** Makes one unless it is there; what an interrupted attempt has left is removed first. */
export async function makeIndex(client: Client, { name, table, of, unique }: ConcurrentIndex): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.valid === true) return;
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  await client.query(`create ${unique === true ? 'unique ' : ''}index concurrently ${name} on ${table} ${of}`);
}
