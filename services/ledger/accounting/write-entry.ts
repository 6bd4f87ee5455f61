/** Writes journal entries: head, lines and audit record. Posted entries are final and can only be reversed. */
import { Changes, type Insertable } from '../../../db/changes/changes.ts';
import type { Entity } from '../../../db/changes/trail.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ConcurrentChange } from '../../../db/errors.ts';
import { newId } from '../../../db/ids.ts';
import { JournalEntry, JournalLine, PendingTax } from '../../../db/models/ledger/accounting.ts';
import type { Row } from '../../../db/models/table.ts';
import { OpenItem } from '../../../db/models/trade/payments.ts';
import { accruedKind } from '../../../domain/ledger/accounting/cash-basis.ts';
import {
  type EntryKind,
  type EntryLine,
  entrySums,
  isBalanced,
  owedBy,
} from '../../../domain/ledger/accounting/entries.ts';
import type { Area } from '../../../domain/ledger/periods/areas.ts';
import { inSameReturn, type VatPeriods } from '../../../domain/ledger/tax-returns/periods.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';

/** A date in a period that is open for an area of the books; the write keeps it open by a lock. */
export interface EntryDay {
  readonly date: string;
  readonly periodId: string;
  readonly area: Area;
}

/** An entry to be posted. */
export interface EntryToWrite extends EntryDay {
  readonly kind?: EntryKind;
  readonly description: string | null;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  /** Currency of the open items that its lines create. */
  readonly currency?: string;
  readonly lines: readonly EntryLine[];
}

/**
 * Adds a posted entry.
 * @returns its id
 * @throws Error when it does not balance
 */
export function addEntry(changes: Changes, entry: EntryToWrite): string {
  if (!isBalanced(entry.lines)) throw new Error(`an entry of ${entry.sourceType} does not balance`);
  const { date, periodId, area, kind = 'normal', description, sourceType, sourceId } = entry;
  const head = { date, periodId, kind, description: description === '' ? null : description, sourceType, sourceId };
  const row = newEntry(changes.ctx, { ...head, reversalOf: null, ...entryTotals(entry.lines) });
  insertEntry(changes, row, area, storedLines(entry.lines));
  addItems(changes, row, entry);
  addPendingTaxes(changes, entry);
  changes.audit(auditEntity(row), null, { ...headToJson(row), lines: numbered(entry.lines) });
  return row.id;
}

/**
 * Adds the reversal of a posted entry, with debits and credits swapped. A tax reversed in a later VAT return than its
 * own is marked as rectifying (articles 80 and 114 of Ley 37/1992); within the same return both cancel out.
 * @param original with its lines
 * @param periods of the company's VAT returns
 * @returns its id
 */
export function addReversal(
  changes: Changes,
  original: JournalEntry,
  { area, ...on }: EntryDay,
  periods: VatPeriods = 'quarters',
): string {
  const { kind, sourceType, sourceId, lineCount, total, id: reversalOf, lines = [] } = original;
  const description = `Anulación: ${original.description}`;
  const row = newEntry(changes.ctx, { ...on, kind, description, sourceType, sourceId, reversalOf, lineCount, total });
  const rectifies = !inSameReturn(periods, original.date, on.date);
  const opposite = lines.map((line) => ({
    ...line,
    taxRectifying: line.taxRectifying === null ? null : line.taxRectifying || rectifies,
    debit: line.credit,
    credit: line.debit,
    taxBase: negative(line.taxBase),
    taxAmount: negative(line.taxAmount),
    taxSubject: negative(line.taxSubject),
    currencyAmount: negative(line.currencyAmount),
  }));
  insertEntry(changes, row, area, opposite);
  changes.audit(auditEntity(row), null, headToJson(row));
  return row.id;
}

/** Posts a draft that the caller has locked and checked. */
export function addPosting(changes: Changes, draft: JournalEntry, entry: EntryToWrite): void {
  const { lines, periodId, area } = entry;
  const now = changes.ctx.now.toISOString();
  const posted = { status: 'posted' as const, draftLines: null, postedAt: now, updatedAt: now, ...entryTotals(lines) };
  const row = { ...draft, ...posted, version: draft.version + 1 };
  changes.hold(area, periodId).update(JournalEntry, [{ before: draft, after: row }]);
  insertLines(changes, row, storedLines(lines));
  addItems(changes, row, entry);
  changes.audit(auditEntity(row), JournalEntry.toJson({ ...draft }), { ...headToJson(row), lines: numbered(lines) });
}

/** Posts entries in the caller's transaction. @throws ServiceError period_closed, period_locked; Error when one does not balance */
export async function writeEntries(trx: Db, ctx: Context, entries: readonly EntryToWrite[]): Promise<string[]> {
  const changes = new Changes(ctx);
  const ids = entries.map((entry) => addEntry(changes, entry));
  await changes.write(trx);
  return ids;
}

/** Posts one entry. @returns its id @throws ServiceError period_closed, period_locked; Error when it does not balance */
export async function writeEntry(trx: Db, ctx: Context, entry: EntryToWrite): Promise<string> {
  const [id] = await writeEntries(trx, ctx, [entry]);
  return id as string;
}

/**
 * Posts the reversal of a posted entry in the caller's transaction.
 * @returns the id of the reversal
 * @throws ServiceError period_closed, period_locked; duplicate when it is already reversed
 */
export async function writeReversal(trx: Db, ctx: Context, entryId: string, on: EntryDay): Promise<string> {
  const changes = new Changes(ctx);
  const id = addReversal(changes, await loadPosted(trx, { id: entryId }), on);
  await changes.write(trx);
  return id;
}

/**
 * A posted entry with its lines that is not itself a reversal.
 * @param which by id, or by its source
 * @throws ConcurrentChange when there is none
 */
export async function loadPosted(
  trx: Db,
  which: { readonly id: string } | { readonly source_id: string; readonly source_type: string },
): Promise<JournalEntry> {
  const entry = await JournalEntry.query(trx)
    .findOne({ ...which, status: 'posted', reversal_of: null })
    .withGraphFetched('lines');
  if (entry === undefined) throw new ConcurrentChange();
  return entry;
}

/** Loads the posted entries of a source that are neither reversed nor reversals, with their lines, in posting order. */
export async function loadStanding(trx: Db, sourceId: string): Promise<JournalEntry[]> {
  return await JournalEntry.query(trx)
    .where({ source_id: sourceId })
    .modify('standing')
    .withGraphFetched('lines')
    .orderBy('seq');
}

type NewEntry = Insertable<typeof JournalEntry> & Pick<JournalEntry, 'date' | 'kind' | 'version'>;

function newEntry(
  { userId, now }: Context,
  given: Pick<
    JournalEntry,
    'date' | 'periodId' | 'kind' | 'description' | 'sourceType' | 'sourceId' | 'reversalOf' | 'lineCount' | 'total'
  >,
): NewEntry {
  const at = now.toISOString();
  const made = { createdBy: userId, postedAt: at, version: 1, createdAt: at, updatedAt: at };
  return { id: newId(), ...given, status: 'posted', ...made };
}

function insertEntry(changes: Changes, row: NewEntry, area: Area, lines: readonly StoredLine[]): void {
  changes.hold(area, row.periodId as string).insert(JournalEntry, [row]);
  insertLines(changes, row, lines);
}

/** Adds the open items that lines create or settle. */
function addItems(
  changes: Changes,
  { id: entryId, date }: Pick<JournalEntry, 'id' | 'date'>,
  { lines, currency }: EntryToWrite,
): void {
  for (const { open, partnerId, accountId, lineNumber, ...line } of numbered(lines)) {
    if (open === undefined || open.settlesId !== null) continue;
    if (partnerId === null || currency === undefined) throw new Error('an open item has a partner and a currency');
    const { direction, reference, dueDate } = open;
    const code = reference ?? `${date}/${lineNumber}`;
    const item = {
      entryId,
      lineNumber,
      partnerId,
      accountId,
      direction,
      code,
      reference,
      date,
      dueDate: dueDate ?? date,
    };
    changes.create(OpenItem, { ...item, currency, total: owedBy(line, direction), paidTotal: '0' });
  }
}

/** Adds the taxes of the cash basis that the lines of an invoice enter. */
function addPendingTaxes(changes: Changes, { sourceId: documentId, lines }: EntryToWrite): void {
  const pending = lines.flatMap(({ pendingTaxId: id, accountId, accrual, tax }) => {
    if (accrual === undefined || id === undefined || documentId === null || tax === null) return [];
    const { use, rectifying, groupId, rate } = tax;
    const kind = accruedKind(tax.kind) as PendingTax['kind'];
    const accounts = { accountId, accrualAccountId: accrual.accountId };
    return [{ id, documentId, kind, ...accounts, dueOn: accrual.dueOn, use, rectifying, groupId, rate }];
  });
  if (pending.length > 0) changes.insert(PendingTax, pending);
}

function insertLines(
  changes: Changes,
  { id: entryId, date, kind }: Pick<JournalEntry, 'id' | 'date' | 'kind'>,
  lines: readonly StoredLine[],
): void {
  changes.insert(
    JournalLine,
    lines.map((line) => ({ ...line, entryId, date, kind })),
  );
}

type StoredLine = Omit<Row<typeof JournalLine>, 'entryId' | 'date' | 'kind'>;

function storedLines(lines: readonly EntryLine[]): StoredLine[] {
  return numbered(lines).map(({ tax, noteLineId = null, pendingTaxId = null, inCurrency, accrual: _, ...line }) => ({
    ...line,
    noteLineId,
    pendingTaxId,
    currency: inCurrency?.currency ?? null,
    currencyAmount: inCurrency?.amount ?? null,
    taxKind: tax?.kind ?? null,
    taxOperation: tax?.operation ?? null,
    taxUse: tax?.use ?? null,
    taxRectifying: tax?.rectifying ?? null,
    taxGroupId: tax?.groupId ?? null,
    taxRate: tax?.rate ?? null,
    taxBase: tax?.base ?? null,
    taxAmount: tax?.amount ?? null,
    taxSubject: tax?.subject ?? null,
  }));
}

function numbered(lines: readonly EntryLine[]): (EntryLine & { readonly lineNumber: number })[] {
  return lines.map((line, index) => ({ lineNumber: index + 1, ...line }));
}

function entryTotals(lines: readonly EntryLine[]): { readonly lineCount: number; readonly total: Decimal } {
  return { lineCount: lines.length, total: entrySums(lines).debit };
}

function negative(amount: Decimal | null): Decimal | null {
  return amount === null ? null : decimal(amount).neg().toFixed();
}

/** Converts the head of an entry for the audit log. */
function headToJson(entry: Partial<Row<typeof JournalEntry>>) {
  const { date, periodId, kind, status, description, sourceType, sourceId, reversalOf, version } = entry;
  return { date, periodId, kind, status, description, sourceType, sourceId, reversalOf, version };
}

function auditEntity({ id }: { readonly id: string }): Entity {
  return { type: JournalEntry.entityType, id };
}
