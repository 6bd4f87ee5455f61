/** Entries of a test company, written by the service that events use, so that they wait for their numbers. */

import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { CostCenter, Project } from '../../db/models/records/master-data.ts';
import { query } from '../../db/sql.ts';
import { insertRow } from '../../db/write.ts';
import { type EntryKind, type EntryLine, entryLine } from '../../domain/ledger/accounting/entries.ts';
import type { Decimal } from '../../domain/money.ts';
import { numberEntries } from '../../services/ledger/accounting/numbers.ts';
import { type EntryDay, writeEntry } from '../../services/ledger/accounting/write-entry.ts';
import { openYear } from '../../services/ledger/periods/open-year.ts';
import type { Company } from './company.ts';

interface More {
  readonly kind?: EntryKind;
  /** Members set on each line. */
  readonly line?: Partial<Omit<EntryLine, 'accountId' | 'debit' | 'credit'>>;
}

export interface TestLedger {
  account(code: string): string;
  /** Posts an entry; amounts by code are debit − credit. */
  enter(date: string, amounts: Readonly<Record<string, Decimal>>, more?: More): Promise<string>;
  /** The same in a transaction of the caller's. */
  enterIn(trx: Db, on: EntryDay, amounts: Readonly<Record<string, Decimal>>, more?: More): Promise<string>;
  /** Gives numbers to what waits for them. */
  number(): Promise<{ readonly numbered: number; readonly unsummed: number }>;
  project(): Promise<string>;
  costCenter(): Promise<string>;
}

/** @param years whose periods are opened: those next to 2026 */
export async function openLedger(company: Company, years: readonly number[] = [2025, 2026, 2027]): Promise<TestLedger> {
  const { ctx } = company;
  for (const year of years) await company.run((trx) => openYear(trx, ctx, `${year}-06-01`));
  const accounts = await company.rows('select id, code from accounts where not is_heading');
  const ids = new Map(accounts.map(({ id, code }) => [String(code), String(id)]));
  const account = (code: string) => {
    const id = ids.get(code);
    if (id === undefined) throw new Error(`There is no account ${code}`);
    return id;
  };
  const named = (model: typeof Project | typeof CostCenter) => async () => {
    const code = newId().slice(-8);
    const row = await company.run((trx) => insertRow(trx, ctx, model as typeof CostCenter, { code, name: code }));
    return row.id;
  };
  const enterIn: TestLedger['enterIn'] = async (trx, on, amounts, { kind = 'normal', line } = {}) => {
    const lines = Object.entries(amounts).map(([code, amount]) => entryLine('debit', account(code), amount, line));
    const source = { description: 'Asiento', sourceType: null, sourceId: null };
    return await writeEntry(trx, ctx, { ...on, kind, ...source, lines });
  };
  return {
    account,
    enterIn,
    enter: (date, amounts, more) =>
      company.run(async (trx) => {
        const [period] = await query<{ id: string }>(
          trx,
          'select id from periods where :date::date between "from" and "to"',
          { date },
        );
        return await enterIn(trx, { date, periodId: String(period?.id), area: 'general' }, amounts, more);
      }),
    number: () => company.run((trx) => numberEntries(trx, ctx)),
    project: named(Project),
    costCenter: named(CostCenter),
  };
}
