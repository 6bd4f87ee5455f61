/** The area of entries that belong to no document: of the bank, if they move money (decision 0333). */
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { type AccountChart, isIn } from '../../../domain/ledger/accounting/charts/chart.ts';
import type { Area } from '../../../domain/ledger/periods/areas.ts';
import { loadChart } from './chart.ts';

/** An account of a line. */
interface Coded {
  readonly code: string;
}

/** @param accounts of the entry's lines */
export function entryArea(chart: AccountChart, accounts: readonly Coded[]): Area {
  return accounts.some(({ code }) => isIn(chart, 'money', code)) ? 'bank' : 'general';
}

/** The area of a posted entry. */
export async function areaOfEntry(reader: Reader, entryId: string): Promise<Area> {
  const sql =
    'select distinct a.code from journal_lines l join accounts a on a.id = l.account_id where l.entry_id = :entryId';
  return entryArea(await loadChart(reader), await prepared<Coded>(reader, sql, { entryId }));
}

/** The area of an entry with a line on an account; null for none. */
export async function areaOfAccount(reader: Reader, id: string | null): Promise<Area> {
  const found = await prepared<Coded>(reader, 'select code from accounts where id = :id::uuid', { id });
  return entryArea(await loadChart(reader), found);
}
