/** The area of entries that belong to no document: of the bank, if they move money (decision 0333). */
import type { Reader } from '../../../db/database.ts';
import type { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { query } from '../../../db/sql.ts';
import { isIn } from '../../../domain/ledger/accounting/charts/chart.ts';
import type { Area } from '../../../domain/ledger/periods/areas.ts';
import { loadChart } from './chart.ts';

/** @param entry with its lines; null for none */
export async function areaOfEntry(reader: Reader, entry: Pick<JournalEntry, 'lines'> | null): Promise<Area> {
  return await areaOfAccounts(
    reader,
    (entry?.lines ?? []).map(({ accountId }) => accountId),
  );
}

/** @param ids of the accounts of the entry's lines */
export async function areaOfAccounts(reader: Reader, ids: readonly string[]): Promise<Area> {
  if (ids.length === 0) return 'general';
  const found = await query<{ code: string }>(reader, 'select code from accounts where id = any(:ids::uuid[])', {
    ids,
  });
  const chart = await loadChart(reader);
  return found.some(({ code }) => isIn(chart, 'money', code)) ? 'bank' : 'general';
}
