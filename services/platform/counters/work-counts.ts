/** Counters of completed work, summed over all workers and never reset. Each worker adds its own counts with its heartbeat. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

/** Counters with their help texts and label names. Labels must have few values: no ids, companies or addresses. */
export const COUNTED = {
  webhook_deliveries_total: {
    help: 'Webhook deliveries handled by outcome: delivered, failed (tried again), given_up, waits (for its endpoint), skipped, gone',
    labels: ['outcome'],
  },
  pdfs_total: { help: 'PDFs rendered by outcome: made, failed', labels: ['outcome'] },
  relay_events_total: { help: 'Events handed over to Temporal by name', labels: ['event'] },
  relay_lag_seconds_total: {
    help: 'Seconds between writing events and handing them over, summed by name',
    labels: ['event'],
  },
  maintenance_deleted_total: {
    help: 'Rows deleted for their age, by kind (attempt_bodies: emptied)',
    labels: ['kind'],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>;

export type CountedName = keyof typeof COUNTED;

/** Gauges: current values, not summed. */
export const GAUGED = {
  work_missing: {
    help: 'Work that should be running according to the database but is unknown to Temporal, by kind, as of the last hourly comparison',
    labels: ['kind'],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>;

export type GaugedName = keyof typeof GAUGED;

export interface Count<Name = CountedName> {
  readonly name: Name;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Adds to the counters. */
export async function addCounts(trx: Db, counts: readonly Count[]): Promise<void> {
  await write(trx, counts, 'w.value + excluded.value');
}

/** Replaces the gauges. */
export async function setGauges(trx: Db, gauges: readonly Count<GaugedName>[]): Promise<void> {
  await write(trx, gauges, 'excluded.value');
}

async function write(trx: Db, counts: readonly Count<string>[], value: string): Promise<void> {
  if (counts.length === 0) return;
  const rows = counts
    .map(({ name, labels, value }) => ({ name, labels: JSON.stringify(labels), value }))
    .sort((one, other) => (one.name + one.labels < other.name + other.labels ? -1 : 1)); // Locked in one order.
  await query(
    trx,
    `insert into work_counts as w (name, labels, value)
     select name, labels, value from json_to_recordset(:rows::json) as r (name text, labels text, value float8)
     on conflict (name, labels) do update set value = ${value}`,
    { rows: JSON.stringify(rows) },
  );
}

/** Reads all counters and the latest gauges. */
export async function readCounts(trx: Db): Promise<{ counts: Count[]; gauges: Count<GaugedName>[] }> {
  const rows = await query<{ name: string; labels: string; value: number }>(
    trx,
    'select name, labels, value from work_counts',
    {},
  );
  const counts = <Name extends string>(names: Readonly<Record<Name, unknown>>): Count<Name>[] =>
    rows
      .filter(({ name }) => Object.hasOwn(names, name))
      .map(({ name, labels, value }) => {
        return { name: name as Name, labels: JSON.parse(labels) as Record<string, string>, value };
      });
  return { counts: counts(COUNTED), gauges: counts(GAUGED) };
}
