/** Runs of depreciation as clients see them. */
import type { Reader } from '../../../../db/database.ts';
import { AssetRun } from '../../../../db/models/ledger/assets.ts';
import { findRow } from '../../../../db/queries/find.ts';
import { query } from '../../../../db/sql.ts';
import { notFound } from '../../../../domain/errors.ts';
import { type Decimal, toNumber } from '../../../../domain/money.ts';

const ENTRIES = `
  select e.id as "entryId", e.date, e.number, r.id as "reversalId", e.total::text as amount
  from journal_entries e left join journal_entries r on r.reversal_of = e.id
  where e.source_type = 'asset_run' and e.source_id = :id::uuid and e.reversal_of is null order by e.date`;

interface RunEntry {
  readonly entryId: string;
  readonly date: string;
  readonly number: number | null;
  readonly reversalId: string | null;
  readonly amount: Decimal;
}

/** A run with its entries. @throws ServiceError not_found */
export async function readRun(reader: Reader, id: string) {
  const [head, entries] = await Promise.all([
    findRow(reader, AssetRun, { id }),
    query<RunEntry>(reader, ENTRIES, { id }),
  ]);
  if (head === undefined) throw notFound('This run');
  return { ...runHead(head), entries: entries.map((entry) => ({ ...entry, amount: toNumber(entry.amount) })) };
}

/** The head of a run. */
export function runHead({ tenantId: _, total, ...head }: AssetRun) {
  return { ...head, total: toNumber(total) };
}
