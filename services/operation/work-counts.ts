/** How often workers did what, summed over all of them and for good. Each adds what it has counted with its sign of life. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';

/** What is counted: its help, and the names of its labels. Their values are few: no ids, no companies, no addresses. */
export const COUNTED = {
  webhook_deliveries_total: {
    help: 'Looks at webhook deliveries by outcome: delivered, failed (tried again), given_up, waits (for its endpoint), skipped, gone',
    labels: ['outcome'],
  },
  pdfs_total: { help: 'Renderings of PDFs by outcome: made, failed', labels: ['outcome'] },
  relay_events_total: { help: 'Events handed to Temporal by name', labels: ['event'] },
  relay_lag_seconds_total: {
    help: 'Seconds from the writing of events to their handing over, summed by name',
    labels: ['event'],
  },
  maintenance_deleted_total: {
    help: 'Rows deleted by age, by their kind (attempt_bodies: emptied)',
    labels: ['kind'],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>;

export type CountedName = keyof typeof COUNTED;

export interface Count {
  readonly name: CountedName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Adds to what was counted before. */
export async function addCounts(trx: Db, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const rows = counts
    .map(({ name, labels, value }) => ({ name, labels: JSON.stringify(labels), value }))
    .sort((one, other) => (one.name + one.labels < other.name + other.labels ? -1 : 1)); // locked in one order
  await query(
    trx,
    `insert into work_counts as w (name, labels, value)
     select name, labels, value from json_to_recordset(:rows::json) as r (name text, labels text, value float8)
     on conflict (name, labels) do update set value = w.value + excluded.value`,
    { rows: JSON.stringify(rows) },
  );
}

/** All that was ever counted. */
export async function readCounts(trx: Db): Promise<Count[]> {
  const rows = await query<{ name: string; labels: string; value: number }>(
    trx,
    'select name, labels, value from work_counts',
    {},
  );
  return rows
    .filter(({ name }) => Object.hasOwn(COUNTED, name))
    .map(({ name, labels, value }) => ({
      name: name as CountedName,
      labels: JSON.parse(labels) as Record<string, string>,
      value,
    }));
}
