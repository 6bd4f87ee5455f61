/** Descriptions of changes as lines of text, with names in place of ids, so that they can be compared with a file. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChangeDescription, Columns, RecordedChange } from '../../db/changes/description.ts';
import type { Db } from '../../db/database.ts';
import type { Company } from './company.ts';

const FOLDER = new URL('../db/changes/snapshots/', import.meta.url);

/** Describes what an act would write, one line for each thing. Each change begins with its number. */
export async function describeAct(company: Company, act: (trx: Db) => Promise<unknown>): Promise<string> {
  const { changes, names } = await company.database.preview(company.ctx, async (trx, written) => {
    await act(trx);
    const { rows } = (await trx.raw(
      `select id, code from accounts union all select id, code from items union all select id, prefix from series`,
    )) as { rows: { id: string; code: string }[] };
    return { changes: written(), names: new Map(rows.map(({ id, code }) => [id, code])) };
  });
  const texts = changes.map((change, index) => [`change ${index + 1}`, ...describeChange(change, names)]);
  return `${texts.map((lines) => lines.join('\n  ')).join('\n')}\n`;
}

type Names = ReadonlyMap<string, string>;

function describeChange({ description, code }: RecordedChange, names: Names): string[] {
  const { number, heldPeriods, entries, stockMoves, rows, auditRecords, events, followUps } = description;
  const hide = (text: string) => (code === null ? text : text.replaceAll(code, '<code>'));
  return [
    ...(number === null
      ? []
      : [`takes a number of ${'seriesId' in number ? names.get(number.seriesId) : number.counter}`]),
    ...(heldPeriods.length === 0 ? [] : [`holds ${heldPeriods.length} period`]),
    ...entries.map((entry) => entryLine(entry, names)),
    ...stockMoves.map(({ movement, layer }) => moveLine(movement, layer, names)),
    ...rowCounts(rows),
    ...auditRecords.map(({ action, entity_type: type }) => `audit: ${action} ${type}`),
    ...events.map(({ event }) => `event: ${event}`),
    ...followUps.map(({ name }) => `then: ${name}`),
  ].map(hide);
}

function entryLine({ head, lines }: ChangeDescription['entries'][number], names: Names): string {
  const parts = lines.map(({ account_id: account, debit, credit }) =>
    Number(debit) === 0 || debit === undefined
      ? `credit ${named(account, names)} ${credit}`
      : `debit ${named(account, names)} ${debit}`,
  );
  return `entry ${head?.kind ?? 'of a draft'}: ${parts.join(', ')}`;
}

function moveLine({ item_id: item, quantity }: Columns, layer: Columns | null, names: Names): string {
  return `stock: ${quantity} of ${named(item, names)}, value ${layer?.average_change ?? 'none'}`;
}

/** Other rows by table and action, with the columns that change. */
function rowCounts(rows: ChangeDescription['rows']): string[] {
  const counts = new Map<string, number>();
  for (const { action, table, columns } of rows) {
    const changed = action === 'update' ? ` (${Object.keys(columns).sort().join(', ')})` : '';
    const line = `${action} ${table}${changed}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} × ${count}`));
}

function named(id: unknown, names: Names): string {
  return names.get(String(id)) ?? String(id);
}

/**
 * Compares a text with its snapshot. `UPDATE_SNAPSHOTS=1` writes it anew: look at what changed before committing it.
 * @throws AssertionError when they differ
 */
export function assertSnapshot(name: string, text: string): void {
  const file = fileURLToPath(new URL(`${name}.txt`, FOLDER));
  if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(file, text);
  assert.ok(existsSync(file), `the snapshot ${name} is missing; run the suite with UPDATE_SNAPSHOTS=1`);
  assert.equal(text, readFileSync(file, 'utf8'));
}
