/**
 * Builds the entry of a payment, or of credit applied later (PGC): bank or cash against the partner, the rest as an
 * advance (438 received, 407 paid), with withholding, prompt payment discounts and write-offs.
 */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';
import type { PaymentDirection } from '../../trade/payments/types.ts';
import type { PendingTaxes } from './cash-basis.ts';
import type { Dimensions } from './dimensions.ts';
import { type EntryLine, entryLine, entrySums, inCurrency, type LineTax, type Side } from './entries.ts';

/** A taxed line of the invoice's entry. */
export interface TaxedLine {
  readonly accountId: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly tax: LineTax;
  /** Tax of the cash basis only. */
  readonly pendingTaxId?: string | null;
}

/** A settlement of an invoice under the cash basis: amounts are in its currency, and signed like its total. */
export interface AccruingSettlement {
  readonly pending: PendingTaxes;
  /** With the discount. */
  readonly settled: Decimal;
  readonly discount: Decimal;
  /** The payment that made it, with all that it settled of the invoice. */
  readonly payment: { readonly id: string; readonly settled: Decimal };
  /** Where it is undone: whether its tax accrued in an earlier VAT return. */
  readonly rectifies: boolean;
}

export interface SettledDocument {
  /** The partner's account for the document: 430, 400, 410; for an advance on an order or note, 438 or 407. */
  readonly accountId: string;
  readonly settled: Decimal;
  /** The same in the payment's currency, if that is another than the company's. */
  readonly original?: Decimal;
  readonly withholding: Decimal;
  readonly discount: Decimal;
  /** Positive when less was paid than due. */
  readonly writeOff: Decimal;
  /**
   * Invoices only: the amount from which a discount is taken, and the taxes it contains, which the discount reduces.
   */
  readonly owed: Decimal;
  readonly taxed: readonly TaxedLine[];
  /** Cost center and project of the whole document, which also bear its discount and what is written off. */
  readonly dimensions: Dimensions;
  /** Invoices under the cash basis only. */
  readonly accruing?: AccruingSettlement | undefined;
}

export interface PaymentToEnter {
  readonly direction: PaymentDirection;
  /** Decimal places of amounts. */
  readonly places: number;
  readonly partnerId: string;
  /** Money moved now; 0 when existing credit is applied. */
  readonly money: Decimal;
  /** Increase of the partner's credit; negative when it is applied. */
  readonly credit: Decimal;
  readonly documents: readonly SettledDocument[];
  /**
   * A payment in another currency than the company's: its amounts there, with null for money on an account in the company's. All others
   * are in the company's.
   */
  readonly original?:
    | { readonly currency: string; readonly money: Decimal | null; readonly credit: Decimal }
    | undefined;
  /** Earlier settlements that are undone now. */
  readonly undone?: readonly SettledDocument[];
  readonly accounts: {
    readonly money: string;
    readonly credit: string;
    readonly withholding: string;
    readonly discount: string;
    readonly writeOffLoss: string;
    readonly writeOffGain: string;
    /** For payments in other currencies. */
    readonly exchangeLoss?: string;
    readonly exchangeGain?: string;
  };
}

/** Builds the entry. @returns balanced lines; none when nothing moves (an advance that stays one) */
export function buildPaymentEntry(payment: PaymentToEnter): EntryLine[] {
  const { direction, partnerId, accounts, undone = [] } = payment;
  const own: Side = direction === 'in' ? 'debit' : 'credit';
  const other: Side = own === 'debit' ? 'credit' : 'debit';
  const of = (amounts: readonly Decimal[]) => sum(amounts).toFixed();
  const documents = [...undone.map(negate), ...payment.documents.map((document) => ({ ...document, sign: 1 }))];
  const withheld = of(documents.map((document) => document.withholding));
  // Write-offs are borne by the payee (a loss) and gained by the payer. An undone write-off returns to its account.
  const isLoss = ({ writeOff, sign }: Signed) => decimal(writeOff).times(sign).gt(0) === (direction === 'in');
  const writtenOff = (loss: boolean) => {
    const accountId = loss ? accounts.writeOffLoss : accounts.writeOffGain;
    const same = groupBy(
      documents.filter((document) => isLoss(document) === loss),
      ({ dimensions }) => `${dimensions.costCenterId} ${dimensions.projectId}`,
    );
    return [...same.values()].map((group) =>
      entryLine(own, accountId, of(group.map(({ writeOff }) => writeOff)), group[0]?.dimensions),
    );
  };
  const parts = [
    { accountId: accounts.credit, settled: payment.credit, original: payment.original?.credit ?? '0' },
    ...documents,
  ];
  const byAccount = groupBy(parts, ({ accountId }) => accountId);
  const { original } = payment;
  const marked = (side: Side, amount: Decimal | null | undefined) =>
    original === undefined || amount === null || amount === undefined
      ? {}
      : { inCurrency: inCurrency(side, original.currency, amount) };
  const withholding: LineTax = {
    kind: 'withholding',
    operation: 'domestic',
    use: 'current',
    rectifying: false,
    groupId: null,
    rate: '0',
    base: '0',
    amount: withheld,
  };
  const effects = documents.map((document) => taxEffects(payment, own, document));
  const lines = [
    entryLine(own, accounts.money, payment.money, { money: true, ...marked(own, original?.money) }),
    entryLine(own, accounts.withholding, withheld, { tax: decimal(withheld).eq(0) ? null : withholding }),
    ...effects.flatMap(({ discount }) => discount),
    ...writtenOff(true),
    ...writtenOff(false),
    ...[...byAccount].map(([accountId, same]) => {
      const inOriginal = marked(other, of(same.map((part) => part.original ?? '0')));
      return entryLine(other, accountId, of(same.map(({ settled }) => settled)), { partnerId, ...inOriginal });
    }),
  ];
  const accruals = effects.flatMap(({ accrued }) => accrued);
  return [...lines, ...exchangeLines(payment, lines), ...accruals].filter(
    ({ debit, credit }) => !decimal(debit).eq(credit),
  );
}

/** The effects of a settlement on taxes: a discount lowers them, and those of the cash basis accrue. */
function taxEffects(payment: PaymentToEnter, own: Side, document: Signed) {
  const { accruing, sign } = document;
  const discount = discountLines(payment, own, document);
  if (accruing === undefined) return { discount, accrued: [] };
  const { pending, rectifies } = accruing;
  pending.discount(discount);
  const accrued = sign > 0 ? pending.accrue(accruing) : pending.undo(accruing, accruing.payment, rectifies);
  return { discount, accrued };
}

/** The realised exchange difference of a payment in another currency (PGC, valuation rule 11: 668 or 768). */
function exchangeLines(payment: PaymentToEnter, lines: readonly EntryLine[]): EntryLine[] {
  const { original, accounts, documents, undone = [] } = payment;
  if (original === undefined) return [];
  const { debit, credit } = entrySums(lines);
  const gain = decimal(debit).minus(credit);
  // What is undone goes back to the account on which it was.
  const isBack = documents.length === 0 && undone.length > 0;
  const accountId = gain.gt(0) !== isBack ? accounts.exchangeGain : accounts.exchangeLoss;
  if (accountId === undefined) throw new Error('a payment in another currency has accounts for its differences');
  return [entryLine('credit', accountId, gain.toFixed())];
}

/** A settled document (1), or one whose settlement is undone (-1), with negated amounts. */
type Signed = SettledDocument & { readonly sign: number };

function negate(document: SettledDocument): Signed {
  const minus = (value: Decimal) => decimal(value).times(-1).toFixed();
  const { settled, withholding, discount, writeOff, original } = document;
  const inOriginal = original === undefined ? {} : { original: minus(original) };
  const amounts = {
    ...inOriginal,
    settled: minus(settled),
    withholding: minus(withholding),
    discount: minus(discount),
  };
  return { ...document, ...amounts, writeOff: minus(writeOff), sign: -1 };
}

/**
 * Builds the lines that a discount reverses: income or expense, and taxes as on the invoice; withheld tax is on the
 * other side.
 */
function discountLines({ accounts, places }: PaymentToEnter, own: Side, document: Signed): EntryLine[] {
  const { discount, owed, taxed, dimensions } = document;
  if (decimal(discount).eq(0)) return [];
  const share = (value: Decimal) => round(decimal(value).times(discount).div(owed), places);
  const taxes = taxed
    .map((line) => discountedTax(line, document))
    .flatMap((line) => {
      const { accountId, debit, credit, tax, pendingTaxId } = line;
      const onLine = own === 'debit' ? decimal(credit).minus(debit) : decimal(debit).minus(credit);
      // Non-deductible tax is on the expense account of its purchase.
      const isCost = tax.kind === 'input' && tax.use === 'none';
      const amount = share(isCost ? tax.amount : onLine.toFixed());
      if (decimal(amount).eq(0)) return [];
      const back: LineTax = {
        ...tax,
        rectifying: true,
        base: decimal(share(tax.base)).times(-1).toFixed(),
        amount: decimal(share(tax.amount)).times(-1).toFixed(),
        subject: tax.subject ? decimal(share(tax.subject)).times(-1).toFixed() : null,
      };
      const pending = pendingTaxId ? { pendingTaxId } : {};
      const borne = isCost ? dimensions : {};
      return [{ amount, line: entryLine(own, accountId, amount, { tax: back, ...pending, ...borne }) }];
    });
  const base = decimal(discount).minus(sum(taxes.map(({ amount }) => amount)));
  return [entryLine(own, accounts.discount, base.toFixed(), dimensions), ...taxes.map(({ line }) => line)];
}

/** A tax as a discount lowers it: pending tax that has accrued meanwhile, where it is now. */
function discountedTax(line: TaxedLine, { accruing, sign }: Signed): TaxedLine {
  const tax = accruing?.pending.find(line.pendingTaxId);
  if (accruing === undefined || tax === undefined) return line;
  const isPending =
    sign > 0 ? !decimal(tax.amount).eq(0) : tax.accrued.some(({ paymentId }) => paymentId === accruing.payment.id);
  if (isPending) return line;
  return { ...line, accountId: tax.accrualAccountId, tax: { ...line.tax, kind: tax.kind }, pendingTaxId: null };
}
