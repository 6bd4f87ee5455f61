/** The entry of the customs document of imported goods: made when its invoice is posted, or when it arrives later. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { JournalEntry, TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { CUSTOMS_SOURCE, customsLines, type ImportedLine } from '../../../domain/ledger/accounting/customs.ts';
import { firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { taxTreatment } from '../../../domain/ledger/accounting/tax-treatment.ts';
import type { AccountBook } from '../../ledger/accounting/account-book.ts';
import type { BookTax } from '../../ledger/accounting/book-sql.ts';
import { hasGoods, lineAccount } from '../../ledger/accounting/line-account.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { addEntry, addReversal, type EntryDay } from '../../ledger/accounting/write-entry.ts';
import { loadVatPeriods } from '../../ledger/tax-returns/filed.ts';
import { documentEvent } from '../documents/events.ts';
import type { LoadedDocument, StoredDocument } from '../documents/stored.ts';
import { type DocumentAnswer, documentAnswer } from '../documents/to-json.ts';
import { changeDocument } from '../documents/write.ts';
import { loadInvoiceBook, taxAccounts } from './invoice-entry.ts';

/** Whether an invoice has goods whose VAT only a customs document charges. */
export function hasImports(book: AccountBook, invoice: StoredDocument): boolean {
  return invoice.row.docType === 'PINV' && importedLines(book, invoice).length > 0;
}

/**
 * Adds the entry of an invoice's customs document, on the later of their dates, or today if that is no longer open.
 * @param book of the invoice
 * @throws ServiceError validation_failed when an account cannot be used
 */
export async function addCustomsEntry(
  trx: Db,
  changes: Changes,
  book: AccountBook,
  invoice: StoredDocument,
): Promise<void> {
  const { row } = invoice;
  const { customsDocument } = row;
  if (customsDocument === null) return;
  const entered = customsLines({
    document: customsDocument,
    lines: importedLines(book, invoice),
    rectifying: row.rectifying,
    places: row.decimalPrecision,
    proRata: row.proRata ?? '100',
    taxAccounts: new Map([...book.taxes].map(([id, tax]) => [id, taxAccounts(book, tax)])),
    payableAccountId: customsDocument.deferred ? '' : book.role('customsPayable'),
  });
  book.faults.throwIfAny();
  const [, date] = [customsDocument.date, row.date].sort() as [string, string];
  addEntry(changes, {
    ...(await dayInTime(trx, changes.ctx, date)),
    description: `DUA ${customsDocument.number} · ${row.code ?? ''} · ${row.partner.name}`,
    sourceType: CUSTOMS_SOURCE,
    sourceId: row.id,
    lines: book.completed(entered),
  });
}

/**
 * The day, or today if its period is closed or its VAT return filed: what comes late is entered when it comes.
 * @throws ServiceError period_closed
 */
async function dayInTime(trx: Db, ctx: Context, date: string): Promise<EntryDay> {
  const filed = await TaxReturn.query(trx).where({ model: '303' }).where('to', '>=', date).first();
  if (filed !== undefined) return await openDay(trx, ctx, 'purchases', undefined, date);
  try {
    return await openDay(trx, ctx, 'purchases', date, date);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'period_closed' || error.code === 'period_locked')
      return await openDay(trx, ctx, 'purchases', undefined, date);
    const errors = error.errors.map((fault) => ({ ...fault, pointer: `/customsDocument${fault.pointer}` }));
    throw new ServiceError(error.code, error.message, { errors });
  }
}

/** The lines of imported goods, each with its account. */
function importedLines(book: AccountBook, { row, lines }: StoredDocument): ImportedLine[] {
  return lines.flatMap((line, index) => {
    const tax = book.taxes.get(line.taxGroupId) as BookTax;
    const taxed = {
      ...line,
      side: 'purchase' as const,
      tax,
      regime: line.vatRegime ?? row.vatRegime,
      goods: hasGoods(book, line),
    };
    const { operation, use, deduction } = taxTreatment(taxed, row.deductionRegime);
    if (operation !== 'import') return [];
    const place = { side: 'purchase', rectifying: row.rectifying, pointer: `/lines/${index}` } as const;
    const accountId = lineAccount(book, line, place);
    const { amount, taxGroupId } = line;
    return [{ amount, use, taxGroupId, deduction, rate: tax.rate, accountId, ...firstDimensions(line, row) }];
  });
}

/** Reverses the entry of an invoice's customs document, if it has one. */
export async function reverseCustomsEntry(
  trx: Db,
  changes: Changes,
  documentId: string,
  on: EntryDay | null,
): Promise<void> {
  const entry = await JournalEntry.query(trx)
    .where({ source_id: documentId, source_type: CUSTOMS_SOURCE })
    .modify('standing')
    .withGraphFetched('lines')
    .first();
  if (entry === undefined) return;
  const day = on !== null && on.date >= entry.date ? on : await dayInTime(trx, changes.ctx, entry.date);
  addReversal(changes, entry, day, await loadVatPeriods(trx));
}

/**
 * Writes a posted invoice whose customs document came, changed or went: its entry is reversed and made anew.
 * @throws ServiceError period_closed, validation_failed
 */
export async function writeCustomsDocument(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  next: LoadedDocument,
  fields: readonly string[],
): Promise<DocumentAnswer> {
  const changes = new Changes(ctx);
  if (document.row.customsDocument !== null) await reverseCustomsEntry(trx, changes, document.row.id, null);
  await addCustomsEntry(trx, changes, await loadInvoiceBook(trx, next), next);
  const shown = changeDocument(changes, document, next, documentEvent('document.updated', next.row, { fields }));
  await changes.write(trx);
  return documentAnswer(next, shown);
}
