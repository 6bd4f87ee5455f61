/**
 * Builds the entry of a payment, or of credit applied later (PGC): bank or cash against the partner, the rest as an
 * advance (438 received, 407 paid), with withholding, prompt payment discounts and write-offs.
 */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';
import type { PaymentDirection } from '../../trade/payments/types.ts';
import type { Dimensions } from './dimensions.ts';
import { type EntryLine, entryLine, entrySums, inCurrency, type LineTax, type Side } from './entries.ts';

/** A taxed line of the invoice's entry. */
export interface TaxedLine {
  readonly accountId: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly tax: LineTax;
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
  const lines = [
    entryLine(own, accounts.money, payment.money, { money: true, ...marked(own, original?.money) }),
    entryLine(own, accounts.withholding, withheld, { tax: decimal(withheld).eq(0) ? null : withholding }),
    ...documents.flatMap((document) => discountLines(payment, own, document)),
    ...writtenOff(true),
    ...writtenOff(false),
    ...[...byAccount].map(([accountId, same]) => {
      const inOriginal = marked(other, of(same.map((part) => part.original ?? '0')));
      return entryLine(other, accountId, of(same.map(({ settled }) => settled)), { partnerId, ...inOriginal });
    }),
  ];
  return [...lines, ...exchangeLines(payment, lines)].filter(({ debit, credit }) => !decimal(debit).eq(credit));
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
function discountLines({ accounts, places }: PaymentToEnter, own: Side, document: SettledDocument): EntryLine[] {
  const { discount, owed, taxed, dimensions } = document;
  if (decimal(discount).eq(0)) return [];
  const share = (value: Decimal) => round(decimal(value).times(discount).div(owed), places);
  const taxes = taxed.flatMap(({ accountId, debit, credit, tax }) => {
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
    return [{ amount, line: entryLine(own, accountId, amount, { tax: back, ...(isCost ? dimensions : {}) }) }];
  });
  const base = decimal(discount).minus(sum(taxes.map(({ amount }) => amount)));
  return [entryLine(own, accounts.discount, base.toFixed(), dimensions), ...taxes.map(({ line }) => line)];
}
