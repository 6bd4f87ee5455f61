/** Builds the entries of payments: looks up their accounts and applies the rules of domain/ledger/accounting. */

import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { PendingTax } from '../../../domain/ledger/accounting/cash-basis.ts';
import { commonDimensions, type Dimensions, firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entryLine } from '../../../domain/ledger/accounting/entries.ts';
import {
  buildPaymentEntry,
  type SettledDocument,
  type TaxedLine,
} from '../../../domain/ledger/accounting/payment-entry.ts';
import type { AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import { newPendingTaxes, PENDING_TAXES } from '../../ledger/accounting/pending-taxes.ts';
import type { EntryToWrite } from '../../ledger/accounting/write-entry.ts';
import { inCompanyCurrency } from '../documents/in-company-currency.ts';
import { accruingSettlement, PendingOfInvoices } from './accruals.ts';
import { type Debt, isItem } from './debts.ts';
import type { PaymentFacts } from './facts.ts';
import { PAYMENT_AREA } from './facts.ts';
import type { LinkRow, PaymentRow } from './payment.ts';

const ROLES: Readonly<Record<PaymentDirection, readonly AccountRole[]>> = {
  in: [
    'bank',
    'cash',
    'billsReceivable',
    'receivable',
    'customerAdvances',
    'withholdingSuffered',
    'salesDiscounts',
    'writeOffLoss',
    'writeOffGain',
    'exchangeLoss',
    'exchangeGain',
    'bankCharges',
  ],
  out: [
    'bank',
    'cash',
    'billsPayable',
    'payable',
    'supplierAdvances',
    'withholdingMade',
    'purchaseDiscounts',
    'writeOffLoss',
    'writeOffGain',
    'exchangeLoss',
    'exchangeGain',
    'bankCharges',
  ],
};
const OWN: Readonly<
  Record<
    PaymentDirection,
    {
      readonly partner: AccountRole;
      readonly credit: AccountRole;
      readonly withholding: AccountRole;
      readonly discount: AccountRole;
      readonly bills: AccountRole;
    }
  >
> = {
  in: {
    partner: 'receivable',
    credit: 'customerAdvances',
    withholding: 'withholdingSuffered',
    discount: 'salesDiscounts',
    bills: 'billsReceivable',
  },
  out: {
    partner: 'payable',
    credit: 'supplierAdvances',
    withholding: 'withholdingMade',
    discount: 'purchaseDiscounts',
    bills: 'billsPayable',
  },
};

/** Accounts of partner and taxes in an invoice's own entry. */
interface EnteredInvoice {
  readonly documentId: string;
  readonly partnerAccountId: string;
  readonly taxed: readonly TaxedLine[];
  /** Found on its lines of income or expense. */
  readonly dimensions: readonly Dimensions[] | null;
  /** Taxes of the cash basis. */
  readonly pending: readonly PendingTax[];
}

/** Whether a line of an invoice's entry, `l`, is income or expense rather than what is due or a tax of its own. */
const IS_RESULT = `l.partner_id is null and (l.tax_kind is null or l.tax_use = 'none' or l.tax_amount = 0)`;

const INVOICES_SQL = `select e.source_id as "documentId",
    (select l.account_id from journal_lines l where l.entry_id = e.id and l.partner_id is not null) as "partnerAccountId",
    (select coalesce(json_agg(json_build_object('accountId', l.account_id, 'debit', l.debit::text, 'credit', l.credit::text,
      'pendingTaxId', l.pending_tax_id, 'tax',
      json_build_object(
        'kind', l.tax_kind, 'operation', l.tax_operation, 'use', l.tax_use, 'rectifying', l.tax_rectifying, 'groupId', l.tax_group_id,
        'rate', l.tax_rate::text, 'base', l.tax_base::text, 'amount', l.tax_amount::text,
        'subject', l.tax_subject::text)) order by l.line_number), '[]')
      from journal_lines l where l.entry_id = e.id and l.tax_kind is not null and l.tax_amount <> 0) as taxed,
    (select json_agg(distinct jsonb_build_object('costCenterId', l.cost_center_id, 'projectId', l.project_id)) from journal_lines l
      where l.entry_id = e.id and ${IS_RESULT}) as dimensions,
    ${PENDING_TAXES} as pending
  from journal_entries e where e.source_id = any(:ids::uuid[]) and e.reversal_of is null and e.status = 'posted'
    and e.source_type in ('sales_invoice', 'purchase_invoice')`;

/** Everything that a payment moves: money and the change of the partner's credit, in its currency, and links that are reversed. */
interface Movement {
  readonly money: Decimal;
  readonly credit: Decimal;
  readonly bankAccount?: PaymentFacts['bankAccount'];
  readonly undone?: readonly LinkRow[];
}

/** The amounts of a link as they are entered: in the company's currency, seen from the payment, to which a refund is positive. */
function enteredAmounts({ companyAmount, companyPlaces }: PaymentRow, link: LinkRow) {
  const { amount, withholding, discount, writeOff } = link;
  const settled = sum([amount, withholding, discount, writeOff]).toFixed();
  if (companyAmount === null) return { settled, withholding, discount, writeOff, original: {} };
  const inCompany = (value: Decimal) => toCompany(value, link.documentRate ?? '1', companyPlaces);
  const isRefund = decimal(link.settled).times(settled).lt(0);
  return {
    settled: decimal(link.companySettled ?? '0')
      .times(isRefund ? -1 : 1)
      .toFixed(),
    withholding: inCompany(withholding),
    discount: inCompany(discount),
    writeOff: inCompany(writeOff),
    original: { original: settled },
  };
}

function isResult({ partnerId, tax }: EntryLine): boolean {
  return partnerId === null && (tax === null || tax.use === 'none' || decimal(tax.amount).eq(0));
}

/** The accounts of payments in one direction. */
export class PaymentAccounts {
  readonly #direction: PaymentDirection;
  readonly #book: AccountBook;
  readonly #entered: ReadonlyMap<string, EnteredInvoice>;
  readonly #pending = new PendingOfInvoices();

  private constructor(direction: PaymentDirection, book: AccountBook, entered: ReadonlyMap<string, EnteredInvoice>) {
    this.#direction = direction;
    this.#book = book;
    this.#entered = entered;
  }

  /** @param documentIds of the documents to be paid */
  static async load(
    trx: Db,
    direction: PaymentDirection,
    documentIds: readonly string[],
    accounts: readonly string[] = [],
  ): Promise<PaymentAccounts> {
    const book = await AccountBook.loadLocked(trx, { roles: ROLES[direction], accounts });
    const rows =
      documentIds.length === 0 ? [] : await prepared<EnteredInvoice>(trx, INVOICES_SQL, { ids: [...documentIds] });
    return new PaymentAccounts(direction, book, new Map(rows.map((row) => [row.documentId, row])));
  }

  /** For what is paid of an invoice at once. @param entry its own, which is about to be written */
  static async ofNew(trx: Db, direction: PaymentDirection, entry: EntryToWrite): Promise<PaymentAccounts> {
    const book = await AccountBook.loadLocked(trx, { roles: ROLES[direction] });
    const { sourceId, lines } = entry;
    const partner = lines.find(({ partnerId }) => partnerId !== null);
    if (sourceId === null || partner === undefined) throw new Error('an invoice enters what its partner owes');
    const taxed = lines.flatMap(({ accountId, debit, credit, tax, pendingTaxId = null }) =>
      tax === null || decimal(tax.amount).eq(0) ? [] : [{ accountId, debit, credit, tax, pendingTaxId }],
    );
    const dimensions = lines.filter(isResult);
    const pending = newPendingTaxes(lines);
    const entered = { documentId: sourceId, partnerAccountId: partner.accountId, taxed, dimensions, pending };
    return new PaymentAccounts(direction, book, new Map([[sourceId, entered]]));
  }

  /**
   * Builds the entry of a payment.
   * @param movement the money that moves, the change of the partner's credit, and the links that are reversed
   * @returns null if there is nothing to enter
   * @throws ServiceError validation_failed when an account is missing, inactive or a heading
   */
  paymentEntry(
    payment: PaymentRow,
    links: readonly LinkRow[],
    documents: ReadonlyMap<string, Debt>,
    movement: Movement & { readonly date: string; readonly periodId: string },
  ): EntryToWrite | null {
    const own = OWN[this.#direction];
    const some = (values: readonly Decimal[]) => values.some((value) => !decimal(value).eq(0));
    const role = (needed: boolean, name: AccountRole) => (needed ? this.#book.role(name) : '');
    const { undone = [] } = movement;
    const touched = [...links, ...undone];
    const writesOff = some(touched.map((link) => link.writeOff));
    const lines = buildPaymentEntry({
      direction: this.#direction,
      places: payment.companyPlaces,
      partnerId: payment.partner.id,
      ...this.#moved(payment, links, movement),
      documents: links.map((link) => this.#settled(payment, link, documents, movement.date)),
      undone: undone.map((link) => this.#settled(payment, link, documents, movement.date)),
      accounts: {
        money: some([movement.money]) ? this.moneyAccount(payment, movement.bankAccount ?? null) : '',
        credit: role(some([movement.credit]), own.credit),
        withholding: role(some(touched.map((link) => link.withholding)), own.withholding),
        discount: role(some(touched.map((link) => link.discount)), own.discount),
        writeOffLoss: role(writesOff, 'writeOffLoss'),
        writeOffGain: role(writesOff, 'writeOffGain'),
        exchangeLoss: role(payment.companyAmount !== null, 'exchangeLoss'),
        exchangeGain: role(payment.companyAmount !== null, 'exchangeGain'),
      },
    });
    this.#book.faults.throwIfAny();
    if (lines.length === 0) return null;
    // What is only undone goes back to where it was.
    const completed = links.length === 0 && undone.length > 0 ? lines : this.#book.completed(lines);
    const what = payment.paymentMethod === 'offset' ? 'Compensación' : this.#direction === 'in' ? 'Cobro' : 'Pago';
    const returned = `Devolución de ${what.toLowerCase()}`;
    const words = payment.returns !== null ? returned : undone.length > 0 ? `${what} (cambio)` : what;
    const codes = [...new Set(touched.flatMap(({ documentCode }) => documentCode ?? []))].slice(0, 5).join(', ');
    return {
      date: movement.date,
      periodId: movement.periodId,
      area: PAYMENT_AREA,
      description: [words, payment.reference, codes, payment.partner.name].filter(Boolean).join(' · '),
      sourceType: 'payment',
      sourceId: payment.id,
      lines: completed,
    };
  }

  /** Everything that moves, in the company's currency, and in the payment's if that is another. */
  #moved(payment: PaymentRow, links: readonly LinkRow[], { money, credit, bankAccount, undone = [] }: Movement) {
    const { companyAmount, currency } = payment;
    if (companyAmount === null) return { money, credit };
    // The money of a payment moves as a whole, or not at all.
    const moved = decimal(companyAmount).times(decimal(money).eq(0) ? 0 : decimal(money).gt(0) ? 1 : -1);
    const worth = (some: readonly LinkRow[]) => sum(some.map((link) => link.companyAmount ?? '0'));
    const left = moved.minus(worth(links)).plus(worth(undone));
    const onAccount = bankAccount?.currency === currency ? money : null;
    return { money: moved.toFixed(), credit: left.toFixed(), original: { currency, money: onAccount, credit } };
  }

  #settled(payment: PaymentRow, link: LinkRow, documents: ReadonlyMap<string, Debt>, date: string): SettledDocument {
    const debt = documents.get(link.documentId);
    if (debt === undefined) throw new Error('a link without its document');
    const { settled, withholding, discount, writeOff, original } = enteredAmounts(payment, link);
    if (isItem(debt)) {
      const { accountId, total: owed } = debt.row;
      const dimensions = firstDimensions();
      return { accountId, settled, ...original, withholding, discount, writeOff, owed, taxed: [], dimensions };
    }
    const { row } = inCompanyCurrency(debt);
    const entered = this.#entered.get(row.id);
    const own = OWN[this.#direction];
    const invoice = DOCUMENT_TYPES[row.docType].kind === 'invoice';
    const accountId = invoice
      ? (entered?.partnerAccountId ?? this.#book.role(own.partner))
      : this.#book.role(own.credit);
    // A rebate lowers the base of everything that the invoice computes from it: LIVA art. 80, RIRPF art. 95.
    const all = entered?.taxed ?? [];
    const taxed = link.keepWithholding ? all.filter(({ tax }) => tax.kind !== 'withholding') : all;
    const owed = link.keepWithholding ? sum([row.subtotal, row.taxTotal]).toFixed() : row.total;
    const dimensions = commonDimensions(entered?.dimensions ?? []);
    const pending = this.#pending.find(debt, entered?.pending ?? []);
    const accruing = pending && accruingSettlement(pending, payment, link, date);
    return { accountId, settled, ...original, withholding, discount, writeOff, owed, taxed, dimensions, accruing };
  }

  /** A bank account's own ledger account, else the company's for banks; cash and bills have their own unless a bank account is named. */
  moneyAccount({ paymentMethod: method, bankAccountId }: PaymentRow, bankAccount: PaymentFacts['bankAccount']): string {
    if (method === 'cash' && bankAccountId === null) return this.#book.role('cash');
    if (method === 'effects' && bankAccountId === null) return this.#book.role(OWN[this.#direction].bills);
    const account = bankAccount?.accountId ?? null;
    return account === null ? this.#book.role('bank') : this.#book.use(account, 'of the bank account');
  }

  /** The line of bank charges. @throws ServiceError validation_failed */
  bankCharges(fees: Decimal, dimensions: Dimensions): EntryLine[] {
    return this.#book.completed([entryLine('debit', this.#book.role('bankCharges'), fees, dimensions)]);
  }

  /** The partner's account where no invoice names one. @throws ServiceError validation_failed */
  partner(): string {
    return this.#checked(this.#book.role(OWN[this.#direction].partner));
  }

  #checked(accountId: string): string {
    this.#book.faults.throwIfAny();
    return accountId;
  }
}
