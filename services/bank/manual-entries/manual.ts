/** Manages manual entries: drafts, which can be changed and deleted, and posted ones, which can only be reversed. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { FiscalYear, JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { assertVersion } from '../../../db/write.ts';
import { dayBefore } from '../../../domain/days.ts';
import { invalidMember, notFound, refused } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { accruedKind } from '../../../domain/ledger/accounting/cash-basis.ts';
import type { TaxInput } from '../../../domain/ledger/accounting/entered-tax.ts';
import { entrySums, type LineTax } from '../../../domain/ledger/accounting/entries.ts';
import { addDraft, changeDraft, type DraftEntry, deleteDraft, MANUAL_AREA } from '../../ledger/accounting/drafts.ts';
import { areaOfEntry } from '../../ledger/accounting/entry-area.ts';
import { type CheckedEntry, checkEntry, checkReversesOn } from '../../ledger/accounting/entry-input.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { assertEarlierYearsClosed, openDay } from '../../ledger/accounting/open-day.ts';
import { loadReversesOn, planReversal } from '../../ledger/accounting/planned-reversals.ts';
import { currencyMembers, type EntryAnswer, readEntry, serviceMembers } from '../../ledger/accounting/read.ts';
import type { EntryChange, EntryInput } from '../../ledger/accounting/schemas.ts';
import { addPosting } from '../../ledger/accounting/write-entry.ts';
import { type BudgetWarning, findControl } from '../../ledger/budgets/compare.ts';
import { checkBudget } from '../../ledger/budgets/control.ts';
import { deferEntryLines } from '../../ledger/deferrals/entry-lines.ts';
import { accrueSettlements } from '../../trade/payments/accruals.ts';
import { addSettlements } from '../../trade/payments/settlements.ts';
import { postManualEntry } from './enter.ts';
import { lockSettlements } from './settling.ts';
import { reverseManualEntry } from './undo.ts';

/**
 * Creates an entry, as a draft or posted immediately.
 * @throws ServiceError validation_failed (unbalanced, a heading or inactive account, …), period_closed;
 * invalid_transition (it opens a year, and the previous one has balances)
 */
export async function createEntry(trx: Db, ctx: Context, input: EntryInput): Promise<EntryAnswer> {
  const checked = await checkEntry(trx, ctx, MANUAL_AREA, input);
  const settlements = await lockSettlements(trx, checked);
  if (input.post) {
    await assertOpeningAllowed(trx, checked);
    const id = await postManualEntry(trx, ctx, { ...checked, sourceType: null, sourceId: null }, settlements);
    await planReversal(trx, ctx, id, null, checked.reversesOn);
    const warnings = await checkBudget(trx, ctx, await findControl(trx, ctx, checked.date), checked);
    await numberEntries(trx, ctx, checked.fiscalYear);
    return withWarnings(await readEntry(trx, id), warnings);
  }
  const changes = new Changes(ctx);
  const id = addDraft(changes, stored(checked));
  await changes.write(trx);
  await planReversal(trx, ctx, id, null, checked.reversesOn);
  return await readEntry(trx, id);
}

/**
 * Changes a draft, or the day on which a posted entry is to be reversed; without changes, returns the entry whatever its state.
 * @throws ServiceError not_found, stale_version, invalid_transition, validation_failed, period_closed
 */
export async function changeEntry(
  trx: Db,
  ctx: Context,
  id: string,
  changes: EntryChange,
  ifMatch: number | null,
): Promise<EntryAnswer> {
  if (Object.keys(changes).length === 0) {
    await lockEntry(trx, id, ifMatch);
    return await readEntry(trx, id);
  }
  const { reversesOn, ...others } = changes;
  if (reversesOn !== undefined && Object.keys(others).length === 0) {
    const entry = await lockEntry(trx, id, ifMatch);
    if (entry.status === 'posted') return await replan(trx, ctx, entry, reversesOn);
  }
  const current = await lockDraft(trx, id, ifMatch, 'changed');
  const planned = await loadReversesOn(trx, id);
  const moved = changes.date !== undefined && changes.date !== current.date;
  const checked = await checkEntry(trx, ctx, MANUAL_AREA, {
    date: current.date,
    // The new date may be in another period.
    periodId: moved ? null : current.periodId,
    ...draftHeading(current),
    lines: draftLines(current),
    reversesOn: planned,
    ...changes,
  });
  await lockSettlements(trx, checked);
  const written = new Changes(ctx);
  changeDraft(written, current, stored(checked));
  await written.write(trx);
  await planReversal(trx, ctx, id, planned, checked.reversesOn);
  return await readEntry(trx, id);
}

/** Changes the day on which a posted entry is to be reversed. @throws ServiceError invalid_transition, validation_failed */
async function replan(trx: Db, ctx: Context, entry: JournalEntry, reversesOn: string | null): Promise<EntryAnswer> {
  await assertReversible(trx, entry);
  const faults = new Faults();
  checkReversesOn({ date: entry.date, kind: entry.kind === 'opening' ? 'opening' : 'normal', reversesOn }, faults);
  faults.throwIfAny();
  await planReversal(trx, ctx, entry.id, await loadReversesOn(trx, entry.id), reversesOn);
  return await readEntry(trx, entry.id);
}

/** Deletes a draft. @throws ServiceError not_found, stale_version, invalid_transition, period_closed */
export async function deleteEntry(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const current = await lockDraft(trx, id, ifMatch, 'deleted');
  const changes = new Changes(ctx);
  deleteDraft(changes, current);
  await changes.write(trx);
}

/** Posts a draft after repeating all checks. @throws ServiceError as createEntry; not_found, stale_version, invalid_transition */
export async function postEntry(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<EntryAnswer> {
  const current = await lockDraft(trx, id, ifMatch, 'posted');
  const { date, periodId } = current;
  const repeated = { date, periodId, ...draftHeading(current), lines: draftLines(current) };
  const checked = await checkEntry(trx, ctx, MANUAL_AREA, repeated);
  const settlements = await lockSettlements(trx, checked);
  await assertOpeningAllowed(trx, checked);
  const changes = new Changes(ctx);
  const lines = [...checked.lines, ...(await accrueSettlements(trx, settlements))];
  const entry = { ...checked, lines, sourceType: null, sourceId: null };
  addPosting(changes, current, entry);
  await deferEntryLines(trx, changes, id, entry);
  addSettlements(changes, { id, date }, settlements);
  await changes.write(trx);
  const warnings = await checkBudget(trx, ctx, await findControl(trx, ctx, date), checked);
  await numberEntries(trx, ctx, checked.fiscalYear);
  return withWarnings(await readEntry(trx, id), warnings);
}

/**
 * Reverses a posted manual entry. Entries of documents and other operations are reversed by undoing those.
 * @param date of the reversal; defaults to today, or the entry's own date if that is later
 * @returns the reversal
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, validation_failed
 */
export async function reverseEntry(
  trx: Db,
  ctx: Context,
  id: string,
  { date, ifMatch }: { readonly date?: string | undefined; readonly ifMatch: number | null },
): Promise<EntryAnswer> {
  const entry = await lockEntry(trx, id, ifMatch);
  await assertReversible(trx, entry);
  const shown: unknown = await BankStatementLine.query(trx).findOne({ entry_id: id });
  if (shown !== undefined)
    throw refused('It cannot be reversed because a bank statement line shows it; reopen that line first');
  // Opening entries must be on the first day.
  if (entry.kind === 'opening' && date !== undefined && date !== entry.date) {
    throw invalidMember('/date', 'out_of_range', `must be the date of the opening entry, ${entry.date}`);
  }
  const asked = entry.kind === 'opening' ? entry.date : date;
  const on = await openDay(trx, ctx, await areaOfEntry(trx, id), asked, entry.date, '/date');
  const reversal = await reverseManualEntry(trx, ctx, id, on);
  await numberEntries(trx, ctx);
  return await readEntry(trx, reversal);
}

/** @throws ServiceError invalid_transition */
async function assertReversible(trx: Db, { id, status, sourceType, reversalOf }: JournalEntry): Promise<void> {
  if (status === 'draft') throw refused('It cannot be reversed because it is a draft; delete it');
  if (sourceType !== null) {
    const source = sourceType.replaceAll('_', ' ');
    throw refused(
      `It cannot be reversed because it comes from another record (${source}); undo that, which reverses it`,
    );
  }
  if (reversalOf !== null)
    throw refused('It cannot be reversed because it is a reversal; enter the original again instead');
  const reversed: unknown = await JournalEntry.query(trx).findOne({ reversal_of: id });
  if (reversed !== undefined) throw refused('It is already reversed');
}

function withWarnings(entry: EntryAnswer, warnings: readonly BudgetWarning[]): EntryAnswer {
  return warnings.length === 0 ? entry : { ...entry, warnings };
}

/**
 * Rejects an opening entry if the previous year has entries, because closing that year opens the next one.
 * @throws ServiceError invalid_transition
 */
async function assertOpeningAllowed(trx: Db, { kind, date }: CheckedEntry): Promise<void> {
  if (kind !== 'opening') return;
  await assertEarlierYearsClosed(trx, date);
  const closed = await FiscalYear.query(trx)
    .findOne({ status: 'closed', to: dayBefore(date) })
    .whereNotNull('opening_id');
  if (closed !== undefined)
    throw refused(`It cannot be opened manually because closing the fiscal year ${closed.year} has opened it`);
}

/** The contents of a draft other than its date and lines. */
function draftHeading({ kind, description }: JournalEntry): Pick<EntryInput, 'kind' | 'description'> {
  return { kind: kind === 'opening' ? 'opening' : 'normal', description };
}

function stored({ lines, currency: _, reversesOn: _reversesOn, ...head }: CheckedEntry): DraftEntry {
  return { ...head, draftLines: lines, lineCount: lines.length, total: entrySums(lines).debit };
}

function draftLines(draft: JournalEntry): EntryInput['lines'] {
  return (draft.draftLines ?? []).map(({ open, inCurrency, service, ...line }) => ({
    ...line,
    ...currencyMembers(inCurrency),
    ...serviceMembers(service),
    dueDate: open?.dueDate ?? null,
    reference: open?.reference ?? null,
    settlesId: open?.settlesId ?? null,
    debit: Number(line.debit),
    credit: Number(line.credit),
    tax: line.tax ? taxInput(line.tax) : null,
  }));
}

/** Converts the tax of a draft's line back to the form in which it was entered. */
function taxInput({ groupId, amount: _, use, kind, ...tax }: LineTax): TaxInput {
  return {
    ...tax,
    kind: accruedKind(kind),
    use: use === 'investment' ? use : 'current',
    taxGroupId: groupId,
    rate: Number(tax.rate),
    base: Number(tax.base),
  };
}

async function lockEntry(trx: Db, id: string, ifMatch: number | null): Promise<JournalEntry> {
  const entry = await JournalEntry.query(trx).findById(id).forUpdate();
  if (entry === undefined) throw notFound('This journal entry');
  assertVersion(entry, ifMatch);
  return entry;
}

async function lockDraft(trx: Db, id: string, ifMatch: number | null, done: string): Promise<JournalEntry> {
  const entry = await lockEntry(trx, id, ifMatch);
  if (entry.status !== 'draft') {
    throw refused(`It is posted and cannot be ${done}${done === 'posted' ? ' again' : '; reverse it instead'}`);
  }
  return entry;
}
