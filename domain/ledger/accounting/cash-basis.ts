/**
 * The cash basis of VAT (régimen especial del criterio de caja, LIVA, arts. 163 decies to sexiesdecies; decision 0345): tax
 * is pending until its invoice is paid, and accrues in proportion to each payment, or at the latest at the end of the year
 * after the operation.
 */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { type EntryLine, entryLine, type LineTax, PENDING_KINDS, type PendingKind, type Side } from './entries.ts';

type AccruedKind = keyof typeof PENDING_KINDS;

/** Accounts of pending tax, and the last day on which it accrues. */
export interface PendingAccounts {
  /** 4778 on sales, 4728 on purchases. */
  readonly accountId: string;
  readonly dueOn: string;
}

/** The last day of the year after an operation (LIVA, art. 163 terdecies). */
export function lastAccrualDay(operationDate: string): string {
  return `${String(Number(operationDate.slice(0, 4)) + 1).padStart(4, '0')}-12-31`;
}

/** Whether a kind of tax is pending. */
export function isPending(kind: LineTax['kind']): kind is PendingKind {
  return Object.values<string>(PENDING_KINDS).includes(kind);
}

/** The kind that a pending tax has once it accrues; all others stay. */
export function accruedKind(kind: LineTax['kind']): Exclude<LineTax['kind'], PendingKind> {
  return isPending(kind) ? (kind.replace('pending_', '') as AccruedKind) : kind;
}

/** Moves what a line enters as tax of the cash basis to the account of pending tax; other lines stay. */
export function pendingLine(line: EntryLine, { accountId, dueOn }: PendingAccounts): EntryLine {
  const { tax } = line;
  if (tax === null || tax.operation !== 'cash_basis' || tax.use === 'none' || decimal(tax.amount).eq(0)) return line;
  const kind = PENDING_KINDS[tax.kind as AccruedKind];
  return { ...line, accountId, tax: { ...tax, kind }, accrual: { accountId: line.accountId, dueOn } };
}

interface Part {
  readonly base: Decimal;
  readonly amount: Decimal;
  /** Deducted tax only, as in `LineTax`. */
  readonly subject: Decimal | null;
}

/** A tax of an invoice that is, or was, pending. */
export interface PendingTax extends Part, Pick<LineTax, 'use' | 'rectifying' | 'groupId' | 'rate'> {
  readonly id: string;
  readonly kind: AccruedKind;
  /** The account on which it is pending, and the one to which it accrues. */
  readonly accountId: string;
  readonly accrualAccountId: string;
  /** The parts that payments have accrued, by payment. */
  readonly accrued: readonly (Part & { readonly paymentId: string })[];
}

/** The unsettled amount of an invoice, and its pending taxes. */
export interface PendingInvoice {
  /** Unsettled amount in the currency of the invoice, signed like its total. */
  readonly open: Decimal;
  readonly taxes: readonly PendingTax[];
}

/** A settlement of an invoice, in its currency. */
interface Settled {
  /** With the discount. */
  readonly settled: Decimal;
  /** Signed like `settled`. */
  readonly discount: Decimal;
}

/** Follows what is pending of one invoice through one settlement after the other. */
export class PendingTaxes {
  #open: Decimal;
  #taxes: readonly PendingTax[];
  readonly #places: number;

  /** @param places decimals of amounts in the company's currency */
  constructor({ open, taxes }: PendingInvoice, places: number) {
    this.#open = open;
    this.#taxes = taxes;
    this.#places = places;
  }

  /** The tax that a line of the invoice entered as pending. @returns undefined for other lines */
  find(id: string | null | undefined): PendingTax | undefined {
    return this.#taxes.find((tax) => tax.id === id);
  }

  /** Takes off what a discount gives back of pending tax, by lines with their `pendingTaxId`. */
  discount(lines: readonly EntryLine[]): void {
    for (const { pendingTaxId, tax } of lines) {
      if (pendingTaxId !== undefined && tax !== null) this.#add(pendingTaxId, tax, 1);
    }
  }

  /**
   * Accrues the part of a settlement; the one that settles the rest accrues all that is pending, so that cents end at nothing.
   * @returns lines that balance
   */
  accrue({ settled, discount }: Settled): EntryLine[] {
    const open = decimal(this.#open).minus(discount);
    const paid = decimal(settled).minus(discount);
    this.#open = decimal(this.#open).minus(settled).toFixed();
    if (open.eq(0) || paid.times(open.gt(0) ? 1 : -1).lte(0)) return [];
    return this.#accrueShare(
      paid.abs().gte(open.abs()) ? { part: '1', whole: '1' } : { part: paid.toFixed(), whole: open.toFixed() },
    );
  }

  /** Accrues all that is pending, at the end of the year after the operation. @returns lines that balance */
  accrueAll(): EntryLine[] {
    return this.#accrueShare({ part: '1', whole: '1' });
  }

  /**
   * Takes back what a payment accrued.
   * @param payment with all that it settled of the invoice, of which `settled` is undone
   * @param rectifies whether it accrued in an earlier VAT return
   * @returns lines that balance
   */
  undo(
    { settled }: Settled,
    payment: { readonly id: string; readonly settled: Decimal },
    rectifies: boolean,
  ): EntryLine[] {
    this.#open = sum([this.#open, settled]).toFixed();
    if (decimal(payment.settled).eq(0)) return [];
    const share = { part: settled, whole: payment.settled };
    return this.#taxes.flatMap((tax) => {
      const accrued = tax.accrued.find(({ paymentId }) => paymentId === payment.id);
      if (accrued === undefined) return [];
      const part = negated(this.#share(accrued, share));
      this.#add(tax.id, part, -1);
      return accrualLines({ ...tax, rectifying: tax.rectifying || rectifies }, part);
    });
  }

  #accrueShare(share: Share): EntryLine[] {
    return this.#taxes.flatMap((tax) => {
      const part = this.#share(tax, share);
      if (decimal(part.amount).eq(0)) return [];
      this.#add(tax.id, part, -1);
      return accrualLines(tax, part);
    });
  }

  #share({ base, amount, subject }: Part, { part, whole }: Share): Part {
    const of = (value: Decimal) =>
      part === whole ? value : round(decimal(value).times(part).div(whole), this.#places);
    return { base: of(base), amount: of(amount), subject: subject === null ? null : of(subject) };
  }

  #add(id: string, part: Pick<LineTax, 'base' | 'amount' | 'subject'>, sign: 1 | -1): void {
    const plus = (value: Decimal, more: Decimal) => decimal(value).plus(decimal(more).times(sign)).toFixed();
    this.#taxes = this.#taxes.map((tax) =>
      tax.id !== id
        ? tax
        : {
            ...tax,
            base: plus(tax.base, part.base),
            amount: plus(tax.amount, part.amount),
            subject: tax.subject === null ? null : plus(tax.subject, part.subject ?? part.amount),
          },
    );
  }
}

interface Share {
  readonly part: Decimal;
  readonly whole: Decimal;
}

function negated({ base, amount, subject }: Part): Part {
  const minus = (value: Decimal) => decimal(value).times(-1).toFixed();
  return { base: minus(base), amount: minus(amount), subject: subject === null ? null : minus(subject) };
}

/** The lines that move a part of a tax from the account on which it is pending to its own. */
function accrualLines(tax: PendingTax, { base, amount, subject }: Part): EntryLine[] {
  const { id: pendingTaxId, kind, use, rectifying, groupId, rate } = tax;
  const own: Side = kind === 'input' ? 'debit' : 'credit';
  const other: Side = own === 'debit' ? 'credit' : 'debit';
  const accrued: LineTax = { kind, operation: 'cash_basis', use, rectifying, groupId, rate, base, amount, subject };
  return [
    entryLine(other, tax.accountId, amount, { pendingTaxId }),
    entryLine(own, tax.accrualAccountId, amount, { pendingTaxId, tax: accrued }),
  ];
}
