/** Builds indexes of filled tables while others write to them, which PostgreSQL supports only outside of transactions. */
import type { Client } from 'pg';

export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
  /** Columns and condition, as in CREATE INDEX after the table's name: `(created_at) where not read`. */
  readonly of: string;
  readonly unique?: boolean;
}

/** A migration that makes indexes. Each of them may exist already, complete or invalid. */
export interface ConcurrentIndexes {
  readonly indexes: readonly ConcurrentIndex[];
}

/** A migration that makes indexes of filled tables: `export const up = concurrently({ name, table, of }, …)`. */
export function concurrently(...indexes: readonly ConcurrentIndex[]): ConcurrentIndexes {
  return { indexes };
}

/** Creates an index unless it exists; removes the leftovers of an interrupted attempt first. */
export async function makeIndex(client: Client, { name, table, of, unique }: ConcurrentIndex): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.valid === true) return;
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  await client.query(`create ${unique === true ? 'unique ' : ''}index concurrently ${name} on ${table} ${of}`);
}
