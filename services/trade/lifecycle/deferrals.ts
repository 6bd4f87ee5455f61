/** Spreads lines of invoices over the months of their service (decision 0336). */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { AccountBook } from '../../ledger/accounting/account-book.ts';
import { lineAccount } from '../../ledger/accounting/line-account.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { addDeferrals, lockWaiting, type SpreadLine } from '../../ledger/deferrals/add.ts';
import { inCompanyCurrency } from '../documents/in-company-currency.ts';
import type { LineRow, StoredDocument } from '../documents/stored.ts';

/** Whether a line has a service period. */
function isSpread(line: LineRow): line is LineRow & { readonly serviceFrom: string; readonly serviceTo: string } {
  return line.serviceFrom !== null && line.serviceTo !== null;
}

/** Whether any line of an invoice is spread over months. */
export function hasSpreadLines({ lines }: Pick<StoredDocument, 'lines'>): boolean {
  return lines.some(isSpread);
}

/**
 * Plans the deferral of an invoice: keeps what waits of the lines that it takes back.
 * @returns adds it to the changes that post the invoice
 */
export async function planDeferrals(trx: Db, ctx: Context, document: StoredDocument) {
  if (!hasSpreadLines(document)) return null;
  const waiting = await lockWaiting(
    trx,
    ctx,
    document.lines.filter(isSpread).flatMap((line) => line.baseLineId ?? []),
    document.row.date,
  );
  return (changes: Changes, book: AccountBook, posted: StoredDocument, entry: EntryToWrite): void => {
    const { date, periodId, area, description } = entry;
    const source = { documentId: posted.row.id, entryId: null, date, periodId, area, description: description ?? '' };
    addDeferrals(changes, book, source, spreadLines(book, posted), waiting);
  };
}

/** The net cost or income of the lines: tax that cannot be deducted is a part of the cost (PGC PYMES, valuation rule 12). */
function spreadLines(book: AccountBook, document: StoredDocument): SpreadLine[] {
  const { row, lines } = inCompanyCurrency(document);
  const { side } = DOCUMENT_TYPES[row.docType];
  return lines.flatMap((line, index): SpreadLine[] => {
    if (!isSpread(line)) return [];
    const pointer = `/lines/${index}`;
    const cost = sum([line.amount, line.lostTax]);
    return [
      {
        lineId: line.id,
        lineNumber: line.lineNumber,
        pointer: `${pointer}/serviceFrom`,
        takesBack: decimal(line.quantity).lt(0) ? line.baseLineId : null,
        service: { from: line.serviceFrom, to: line.serviceTo },
        accountId: lineAccount(book, line, { side, rectifying: row.rectifying, pointer }),
        projectId: line.projectId ?? row.projectId,
        costCenterId: line.costCenterId ?? row.costCenterId,
        net: (side === 'sales' ? decimal(line.amount).neg() : cost).toFixed(),
      },
    ];
  });
}
