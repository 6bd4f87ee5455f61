/** Entries as clients see them. */
import type { Db } from '../../db/database.ts';
import { JournalEntry, type JournalLine } from '../../db/models/accounting.ts';
import { Account } from '../../db/models/master-data.ts';
import { columnsOf } from '../../db/models/selected.ts';
import type { Row } from '../../db/models/table.ts';
import type { EntryLine } from '../../domain/accounting/entries.ts';
import { notFound } from '../../domain/errors.ts';
import { type Decimal, round, toNumber } from '../../domain/money.ts';
import { PLACES } from '../settings/format.ts';
import { loadSettings } from '../settings/settings.ts';

const { draftLines: _, ...HEAD } = JournalEntry.columns;

export interface EntryHead extends Omit<Row<typeof JournalEntry>, 'draftLines'> {
  readonly reversedBy: string | null;
  /** Decimals of amounts. */
  readonly places: number;
}

/** Heads; `e` is the entry. */
export const ENTRY_COLUMNS = [
  columnsOf({ columns: HEAD }, 'e'),
  '(select r.id from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id) as "reversedBy"',
  `${PLACES} as places`,
] as const;

/** The head of an entry as clients see it. */
export function entryToJson(row: EntryHead) {
  return {
    id: row.id,
    number: row.number,
    fiscalYear: row.fiscalYear,
    date: row.date,
    periodId: row.periodId,
    kind: row.kind,
    status: row.status,
    description: row.description,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    reversalOf: row.reversalOf,
    reversedBy: row.reversedBy,
    total: toNumber(round(row.total, row.places)),
    createdBy: row.createdBy,
    postedAt: row.postedAt,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export type EntryAnswer = Awaited<ReturnType<typeof readEntry>>;

/** One entry with its lines. @throws ServiceError not_found */
export async function readEntry(db: Db, id: string) {
  const entry = await JournalEntry.query(db).findById(id).withGraphFetched('[lines, reversal]');
  if (entry === undefined) throw notFound('This journal entry');
  const { decimalPrecision: places } = await loadSettings(db, 'format');
  const lines = entry.draftLines ?? (entry.lines ?? []).map(enteredLine);
  const named = await Account.query(db).findByIds([...new Set(lines.map(({ accountId }) => accountId))]);
  const accounts = new Map(named.map((account) => [account.id, account]));
  return {
    ...entryToJson({ ...entry, reversedBy: entry.reversal?.id ?? null, places }),
    lines: lines.map((line, index) => lineToJson(line, index + 1, accounts.get(line.accountId), places)),
  };
}

/** A line of the ledger as it was entered. */
function enteredLine(line: JournalLine): EntryLine {
  const { taxKind: kind, taxOperation: operation, taxUse: use, taxRectifying: rectifying, ...row } = line;
  const { taxRate: rate, taxBase: base, taxAmount: amount, taxGroupId: groupId } = row;
  // Either all of it is there, or nothing.
  const taxed = kind && operation && use && rectifying !== null && rate && base && amount;
  return { ...row, tax: taxed ? { kind, operation, use, rectifying, groupId, rate, base, amount } : null };
}

function lineToJson(line: EntryLine, lineNumber: number, account: Account | undefined, places: number) {
  const money = (value: Decimal) => toNumber(round(value, places));
  const { accountId, partnerId, projectId, costCenterId, description, tax } = line;
  return {
    lineNumber,
    accountId,
    accountCode: account?.code ?? '',
    accountName: account?.name ?? '',
    debit: money(line.debit),
    credit: money(line.credit),
    partnerId,
    projectId,
    costCenterId,
    description,
    tax: tax && {
      kind: tax.kind,
      operation: tax.operation,
      use: tax.use,
      rectifying: tax.rectifying,
      taxGroupId: tax.groupId,
      rate: toNumber(tax.rate),
      base: toNumber(tax.base),
      amount: toNumber(tax.amount),
    },
  };
}
