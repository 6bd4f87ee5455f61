/** Builds the entry of a posted invoice: looks up its accounts and applies the rules of domain/ledger/accounting. */

import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { yearAfter } from '../../../domain/days.ts';
import { lastAccrualDay, type PendingAccounts } from '../../../domain/ledger/accounting/cash-basis.ts';
import { firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, inCurrency } from '../../../domain/ledger/accounting/entries.ts';
import type { TaxAccounts } from '../../../domain/ledger/accounting/invoice.ts';
import { buildInvoiceLines } from '../../../domain/ledger/accounting/invoice-entry.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { taxTreatment } from '../../../domain/ledger/accounting/tax-treatment.ts';
import { marginTax } from '../../../domain/trade/documents/margin.ts';
import { substitutionWithholdings } from '../../../domain/trade/documents/substitution.ts';
import { computeWithholdings } from '../../../domain/trade/documents/totals.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import type { BookTax } from '../../ledger/accounting/book-sql.ts';
import { hasGoods, lineAccount } from '../../ledger/accounting/line-account.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { DEFERRAL_ROLES } from '../../ledger/deferrals/add.ts';
import { documentDay } from '../documents/day.ts';
import { inCompanyCurrency } from '../documents/in-company-currency.ts';
import type { DocumentRow, LineRow, StoredDocument } from '../documents/stored.ts';
import { hasSpreadLines } from './deferrals.ts';

const ROLES: Readonly<Record<'sales' | 'purchase', readonly AccountRole[]>> = {
  sales: [
    'receivable',
    'salesGoods',
    'salesServices',
    'salesReturns',
    'outputTax',
    'inputTax',
    'outputTaxPending',
    'withholdingSuffered',
  ],
  purchase: [
    'payable',
    'payableServices',
    'payableAssets',
    'payableAssetsLongTerm',
    'purchaseGoods',
    'purchaseServices',
    'purchaseReturns',
    'outputTax',
    'inputTax',
    'inputTaxPending',
    'withholdingMade',
    'customsPayable',
  ],
};

const WORDS = {
  sales: { normal: 'Factura de venta', rectifying: 'Factura rectificativa de venta' },
  purchase: { normal: 'Factura de compra', rectifying: 'Factura rectificativa de compra' },
} as const;

/** The accounts that the entry of an invoice may need, locked. */
export function loadInvoiceBook(trx: Db, document: StoredDocument): Promise<AccountBook> {
  const { row, lines, taxes } = document;
  const { side } = DOCUMENT_TYPES[row.docType];
  return AccountBook.loadLocked(trx, {
    roles: hasSpreadLines(document) ? [...ROLES[side], ...DEFERRAL_ROLES] : ROLES[side],
    side,
    partnerId: row.partner.id,
    rectifies: row.rectifies,
    items: lines.flatMap((line) => line.itemId ?? []),
    taxes: taxes.map((tax) => tax.taxGroupId),
    accounts: lines.flatMap((line) => line.accountId ?? []),
    bases: lines.flatMap((line) => line.baseLineId ?? []),
    ...namedDimensions(row, lines),
  });
}

/** The projects and cost centers of a document. */
function namedDimensions(row: DocumentRow, lines: readonly LineRow[]) {
  const named = lines.map((line) => firstDimensions(line, row));
  return {
    projects: named.flatMap(({ projectId }) => projectId ?? []),
    costCenters: named.flatMap(({ costCenterId }) => costCenterId ?? []),
  };
}

/**
 * The entry of a posted invoice.
 * @param invoice as posted, with its code
 * @throws ServiceError validation_failed when a required account is missing, inactive or a heading; or a line lacks the cost center or
 * project that its account requires, or names one that takes no more
 */
export function buildInvoiceEntry(book: AccountBook, document: StoredDocument): EntryToWrite {
  const { row, lines, taxes } = inCompanyCurrency(document);
  const { side, name } = DOCUMENT_TYPES[row.docType];
  const goods = (line: LineRow) => hasGoods(book, line);
  const withholdings = row.rectificationMethod === null ? computeWithholdings : substitutionWithholdings;
  const made = buildInvoiceLines({
    side,
    rectifying: row.rectifying,
    places: row.decimalPrecision,
    partnerId: row.partner.id,
    partnerAccountId: partnerAccount(book, side, payableFor(row, lines, goods)),
    total: row.total,
    lines: lines.map((line, index) => {
      const { amount, lostTax, taxGroupId, taxRate, surchargeRate, vatUse, deductiblePercent } = line;
      const tax = book.taxes.get(taxGroupId) as BookTax;
      const regime = line.vatRegime ?? row.vatRegime;
      const pointer = `/lines/${index}`;
      const accountId = lineAccount(book, line, { side, rectifying: row.rectifying, pointer });
      const dimensions = firstDimensions(line, row);
      // What is corrected stays on the cost center and the project where it is.
      if (!(row.rectifying && line.baseLineId !== null)) book.dimensions.check(accountId, dimensions, pointer);
      const taxed = { side, tax, regime, goods: goods(line), vatUse, deductiblePercent, cashBasis: row.cashBasis };
      return {
        ...{ amount, lostTax, taxGroupId, taxRate, surchargeRate },
        accountId,
        margin:
          line.marginCost === null
            ? null
            : marginTax({ amount, cost: line.marginCost, rate: tax.rate }, row.decimalPrecision),
        ...taxTreatment(taxed, row.deductionRegime),
        ...dimensions,
      };
    }),
    taxes,
    pending: row.cashBasis ? pendingAccounts(book, side, row) : null,
    taxAccounts: new Map([...book.taxes].map(([id, tax]) => [id, taxAccounts(book, tax)])),
    withholdings: withholdings(lines, row.withholdingRate, row.decimalPrecision).map((withheld) => ({
      ...withheld,
      accountId: book.role(side === 'sales' ? 'withholdingSuffered' : 'withholdingMade'),
    })),
  });
  book.faults.throwIfAny();
  const reference = row.supplierReference === null ? '' : ` (${row.supplierReference})`;
  return {
    ...documentDay(row),
    description: `${WORDS[side][row.rectifying ? 'rectifying' : 'normal']} ${row.code}${reference} · ${row.partner.name}`,
    sourceType: name,
    sourceId: row.id,
    lines: withOriginal(row.rectifying ? made : book.completed(made), document.row).map((line) =>
      line.accrual === undefined ? line : { ...line, pendingTaxId: newId() },
    ),
  };
}

/** Where the taxes of an invoice under the cash basis are pending, and until when. */
function pendingAccounts(book: AccountBook, side: 'sales' | 'purchase', row: DocumentRow): PendingAccounts {
  return {
    accountId: book.role(side === 'sales' ? 'outputTaxPending' : 'inputTaxPending'),
    dueOn: lastAccrualDay(row.operationDate ?? row.documentDate ?? row.date),
  };
}

/** The lines, with the total in the invoice's currency on that of its partner, if that is another. */
function withOriginal(
  lines: readonly EntryLine[],
  { docType, currency, exchangeRate, total }: DocumentRow,
): readonly EntryLine[] {
  if (exchangeRate === null) return lines;
  const original = inCurrency(DOCUMENT_TYPES[docType].side === 'sales' ? 'debit' : 'credit', currency, total);
  return lines.map((line) => (line.partnerId === null ? line : { ...line, inCurrency: original }));
}

type Payable = 'payable' | 'payableServices' | 'payableAssets' | 'payableAssetsLongTerm';

/** The kind of payable: suppliers of assets if everything is an investment, suppliers if some of it is goods, else creditors. */
function payableFor(
  { date, dueDate }: DocumentRow,
  lines: readonly LineRow[],
  goods: (line: LineRow) => boolean,
): Payable {
  if (lines.every((line) => line.vatUse === 'investment')) {
    return dueDate !== null && dueDate > yearAfter(date) ? 'payableAssetsLongTerm' : 'payableAssets';
  }
  return lines.some(goods) ? 'payable' : 'payableServices';
}

/**
 * The partner's account on the rectified invoice, else the group's; if that is just the company's for goods, creditors of services or
 * assets use their own.
 */
function partnerAccount(book: AccountBook, side: 'sales' | 'purchase', payable: Payable): string {
  if (book.rectifiedAccountId !== null) return book.use(book.rectifiedAccountId, 'of the invoice that is rectified');
  const own = book.partnerAccountId;
  if (side === 'purchase' && payable !== 'payable' && (own === null || own === book.roleId('payable'))) {
    return book.role(payable);
  }
  if (own !== null) return book.use(own, 'in the group of the partner');
  return book.role(side === 'sales' ? 'receivable' : 'payable');
}

/** The accounts of a tax: its own, or the company's. */
export function taxAccounts(book: AccountBook, tax: BookTax): TaxAccounts {
  const own = (id: string | null, role: 'outputTax' | 'inputTax') =>
    id === null ? (book.roleId(role) ?? book.role(role)) : book.use(id, 'in the tax group');
  const output = own(tax.outputAccountId, 'outputTax');
  const input = own(tax.inputAccountId, 'inputTax');
  return {
    output,
    input,
    surcharge: tax.surchargeAccountId === null ? output : own(tax.surchargeAccountId, 'outputTax'),
    intraEuOutput: tax.intraEuOutputAccountId === null ? output : own(tax.intraEuOutputAccountId, 'outputTax'),
    intraEuInput: tax.intraEuInputAccountId === null ? input : own(tax.intraEuInputAccountId, 'inputTax'),
  };
}
