/** Computes the amount that a link settles: as requested, within what the document has outstanding and the payment has left. */
import { newId } from '../../../db/ids.ts';
import type { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, decimalPlaces, sum } from '../../../domain/money.ts';
import {
  isOwed,
  type MatchingMode,
  OPEN_ITEM,
  type PaymentDirection,
  paymentStatus,
} from '../../../domain/trade/payments/types.ts';
import { type Debt, debtDirection, isItem } from './debts.ts';
import type { PaymentFacts } from './facts.ts';
import type { LinkRow } from './payment.ts';
import { withPromptDiscount } from './prompt-discount.ts';
import type { LinkInput } from './schemas.ts';

/** A new application. */
export function newLink(
  { row }: Debt,
  values: {
    readonly amount: Decimal;
    readonly date: string;
    readonly settledBefore: Decimal;
    readonly matchedBy?: MatchingMode | null;
    /** Refunds a credit: money goes the other way, and the document is settled by a negative amount. */
    readonly refund?: boolean;
  } & Partial<
    Pick<LinkRow, 'withholding' | 'discount' | 'writeOff' | 'keepWithholding' | 'instalment' | 'originDocumentId'>
  >,
): LinkRow {
  const { amount, date, settledBefore, matchedBy = null, originDocumentId = null, refund = false } = values;
  const { instalment = null } = values;
  const { withholding = '0', discount = '0', writeOff = '0', keepWithholding = false } = values;
  const settled = sum([amount, withholding, discount, writeOff])
    .times(refund ? -1 : 1)
    .toFixed();
  return {
    id: newId(),
    documentId: row.id,
    docType: row.docType,
    documentCode: row.code,
    documentRate: row.docType === OPEN_ITEM ? null : row.exchangeRate,
    originDocumentId,
    instalment,
    date,
    amount,
    withholding,
    discount,
    writeOff,
    keepWithholding,
    settled,
    companyAmount: null,
    companySettled: null,
    previousStatus: paymentStatus(row.total, settledBefore),
    newStatus: paymentStatus(row.total, decimal(settledBefore).plus(settled)),
    matchedBy,
  };
}

/** Whether a payment in this direction refunds the document's credit: to a customer, or from a supplier. */
export function isRefund(debt: Debt, direction: PaymentDirection): boolean {
  return debtDirection(debt) !== direction && isOwed(debt.row.docType) && decimal(debt.row.total).lt(0);
}

/** The payment of a link, and the link's place among others. */
interface Place {
  readonly direction: PaymentDirection;
  readonly date: string;
  readonly facts: PaymentFacts;
  readonly at: string;
  readonly single: boolean;
  readonly faults: Faults;
  /** Settled amount of the document, by other links. */
  readonly settledBefore: Decimal;
  /** Open amount of the named instalment, before this link; null if none is named. */
  readonly openOfInstalment: Decimal | null;
  /** Unapplied amount of the payment, after the previous links. */
  readonly left: Decimal;
}

const EXTRAS = ['withholding', 'discount', 'write_off'] as const;

/** The link that an input requests. Faults are added with pointers. */
export function resolveAmounts(
  given: LinkInput,
  document: Debt,
  { direction, facts, date, at, single, faults, settledBefore, openOfInstalment, left }: Place,
): LinkRow {
  const { row } = document;
  const { places } = facts;
  const input = withPromptDiscount(given, document, { at, faults, places, date, settledBefore, left });
  for (const member of ['amount_applied', ...EXTRAS] as const) {
    if (input[member] !== undefined && decimalPlaces(input[member]) > facts.places)
      faults.add(`${at}/${member}`, 'too_many_decimals', `must have at most ${facts.places} decimals`);
  }
  const [withholding, discount, writeOff] = EXTRAS.map((member) => decimal(input[member] ?? 0).toFixed()) as [
    Decimal,
    Decimal,
    Decimal,
  ];
  const extras = sum([withholding, discount, writeOff]);
  const refund = isRefund(document, direction);
  // Signed as the payment sees it: credits are negative beside invoices, and positive when they are refunded.
  const outstanding = decimal(row.total)
    .minus(settledBefore)
    .times(refund ? -1 : 1);
  const credits = decimal(row.total).lt(0);
  const credited = credits && !refund;
  const due = decimal(openOfInstalment ?? outstanding.toFixed()).minus(extras);
  const amount =
    input.amount_applied === undefined ? (due.gt(left) ? decimal(left) : due) : decimal(input.amount_applied);
  if (EXTRAS.some((member) => input[member] !== undefined && input[member] !== 0)) {
    if (credits) faults.add(at, 'out_of_range', 'is not allowed for credits');
    if (!isOwed(row.docType)) faults.add(at, 'wrong_type', 'is allowed only for invoices');
    // By law, a discount reduces the tax of an invoice, and an open item has none.
    if (isItem(document) && decimal(discount).gt(0))
      faults.add(`${at}/discount`, 'wrong_type', 'is allowed only for invoices: an open item does not say its taxes');
  }
  if (decimal(writeOff).abs().gt(facts.writeOffLimit))
    faults.add(
      `${at}/write_off`,
      'over_limit',
      `is more than the ${facts.writeOffLimit} that may be written off (config/payments)`,
    );
  const settled = amount.plus(extras);
  if (openOfInstalment !== null && settled.gt(openOfInstalment)) {
    const message = `settles more than the ${openOfInstalment} that is open of instalment ${input.instalment}`;
    faults.add(`${at}/amount_applied`, 'over_instalment', message);
  } else if (credited ? amount.gte(0) : amount.lte(0)) {
    const message =
      input.amount_applied === undefined
        ? 'nothing of it is outstanding'
        : credited
          ? 'must be less than zero: the document is a credit'
          : 'must be greater than zero';
    faults.add(`${at}/amount_applied`, 'out_of_range', message);
  } else if ((credited ? settled.lt(outstanding) : settled.gt(outstanding)) && (!single || credits || !extras.eq(0))) {
    // A single explicit link may overpay its document, because people do.
    faults.add(
      `${at}/amount_applied`,
      'over_outstanding',
      `settles more than the ${outstanding.toFixed()} that is outstanding`,
    );
  } else if (credited ? settled.gte(0) : settled.lte(0)) {
    faults.add(`${at}/write_off`, 'out_of_range', 'leaves nothing of the payment to settle the document');
  }
  return newLink(document, {
    amount: amount.toFixed(),
    withholding,
    discount,
    writeOff,
    keepWithholding: input.keep_withholding ?? false,
    instalment: openOfInstalment === null ? null : (input.instalment ?? null),
    date,
    settledBefore,
    refund,
  });
}
