/** Checks what a client wants a payment to be applied to, against the documents as they are once they are locked. */
import { newId } from '../../db/ids.ts';
import { DOCUMENT_TYPES, parseDocType } from '../../domain/documents/types.ts';
import { type Decimal, decimal, decimalPlaces, sum } from '../../domain/money.ts';
import { paymentStatus } from '../../domain/payments/status.ts';
import { type PaymentDirection, payableTypes, refundedType } from '../../domain/payments/types.ts';
import { Faults } from '../documents/faults.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import type { PaymentFacts } from './facts.ts';
import type { LinkInput } from './input.ts';
import type { LinkRow } from './payment.ts';

/** An application as it is about to be written. */
export function newLink(
  { row }: LoadedDocument,
  values: {
    readonly amount: Decimal;
    readonly date: string;
    readonly settledBefore: Decimal;
    readonly matchedBy?: string | null;
    /** Pays back what is credited: the money goes the other way, and the document is settled by less than zero. */
    readonly refund?: boolean;
  } & Partial<Pick<LinkRow, 'withholding' | 'discount' | 'writeOff' | 'originDocumentId'>>,
): LinkRow {
  const { amount, date, settledBefore, matchedBy = null, originDocumentId = null, refund = false } = values;
  const { withholding = '0', discount = '0', writeOff = '0' } = values;
  const settled = sum([amount, withholding, discount, writeOff])
    .times(refund ? -1 : 1)
    .toFixed();
  return {
    id: newId(),
    documentId: row.id,
    docType: row.docType,
    documentCode: row.code,
    originDocumentId,
    date,
    amount,
    withholding,
    discount,
    writeOff,
    settled,
    previousStatus: paymentStatus(row.total, settledBefore),
    newStatus: paymentStatus(row.total, decimal(settledBefore).plus(settled)),
    matchedBy,
  };
}

interface LinkCheck {
  readonly direction: PaymentDirection;
  readonly partnerId: string;
  readonly currency: string;
  /** Of the payment, not applied yet. */
  readonly remaining: Decimal;
  readonly date: string;
  readonly facts: PaymentFacts;
}

/**
 * @param documents those that the links name, locked
 * @throws ServiceError validation_failed with a pointer for each fault
 */
export function resolveLinks(
  inputs: readonly LinkInput[],
  documents: ReadonlyMap<string, LoadedDocument>,
  check: LinkCheck,
): LinkRow[] {
  const faults = new Faults();
  const seen = new Set<string>();
  let left = decimal(check.remaining);
  const links = inputs.flatMap((input, index) => {
    const at = `/linked_documents/${index}`;
    const id = input.document_id.toLowerCase();
    const document = documents.get(id);
    const known = faults.list.length;
    if (seen.has(id)) faults.add(`${at}/document_id`, 'duplicate', 'is named twice');
    seen.add(id);
    checkDocument(input, document, check, at, faults);
    if (document === undefined || faults.list.length > known) return [];
    const link = resolveAmounts(input, document, left.toFixed(), check, { at, single: inputs.length === 1, faults });
    left = left.minus(link.amount);
    return [link];
  });
  if (faults.list.length === 0 && left.lt(0)) {
    const applied = sum(links.map((link) => link.amount)).toFixed();
    const message = `apply ${applied} together, more than the ${check.remaining} that the payment has left`;
    faults.add(
      inputs.length === 1 ? '/linked_documents/0/amount_applied' : '/linked_documents',
      'over_payment',
      message,
    );
  }
  faults.throwIfAny();
  return links;
}

function checkDocument(
  { document_type }: LinkInput,
  document: LoadedDocument | undefined,
  { direction, partnerId, currency }: LinkCheck,
  at: string,
  faults: Faults,
): void {
  const docType = parseDocType(document_type);
  const payable = docType !== undefined && payableTypes(direction).includes(docType);
  if (docType === undefined || !(payable || (document?.row.docType === docType && isRefund(document, direction)))) {
    const names = payableTypes(direction).map((code) => DOCUMENT_TYPES[code].name);
    const what = direction === 'in' ? 'received' : 'issued';
    const credits = `${DOCUMENT_TYPES[refundedType(direction)].name} that credits`;
    const message = `is nothing that a payment ${what} is for: ${names.join(', ')}, or a ${credits}`;
    faults.add(`${at}/document_type`, 'wrong_type', message);
    return;
  }
  const pointer = `${at}/document_id`;
  const row = document?.row;
  if (row === undefined || row.docType !== docType) {
    const words = DOCUMENT_TYPES[docType].name.replaceAll('_', ' ');
    faults.add(pointer, 'invalid_reference', `refers to a ${words} that does not exist`);
  } else if (row.partner.id !== partnerId) faults.add(pointer, 'other_partner', 'is of another partner');
  else if (row.status === 'D') faults.add(pointer, 'draft', 'is a draft; post it first');
  else if (row.status === 'X') faults.add(pointer, 'cancelled', 'is cancelled');
  else if (row.currency !== currency)
    faults.add(pointer, 'other_currency', `is in ${row.currency}, not in ${currency}`);
}

/** Whether a payment of this direction pays back what the document credits: to a customer, or from a supplier. */
function isRefund({ row }: LoadedDocument, direction: PaymentDirection): boolean {
  return row.docType === refundedType(direction) && decimal(row.total).lt(0);
}

const EXTRAS = ['withholding', 'discount', 'write_off'] as const;

function resolveAmounts(
  input: LinkInput,
  document: LoadedDocument,
  left: Decimal,
  { direction, facts, date }: LinkCheck,
  { at, single, faults }: { readonly at: string; readonly single: boolean; readonly faults: Faults },
): LinkRow {
  const { row } = document;
  for (const member of ['amount_applied', ...EXTRAS] as const) {
    if (input[member] !== undefined && decimalPlaces(input[member]) > facts.places)
      faults.add(`${at}/${member}`, 'too_many_decimals', `has more than ${facts.places} decimals`);
  }
  const [withholding, discount, writeOff] = EXTRAS.map((member) => decimal(input[member] ?? 0).toFixed()) as [
    Decimal,
    Decimal,
    Decimal,
  ];
  const extras = sum([withholding, discount, writeOff]);
  const refund = isRefund(document, direction);
  // As the payment sees it: what is credited is below zero beside invoices, and above zero where it is paid back.
  const outstanding = decimal(row.total)
    .minus(row.paidTotal)
    .times(refund ? -1 : 1);
  const credits = decimal(row.total).lt(0);
  const credited = credits && !refund;
  const due = outstanding.minus(extras);
  const amount =
    input.amount_applied === undefined ? (due.gt(left) ? decimal(left) : due) : decimal(input.amount_applied);
  if (EXTRAS.some((member) => input[member] !== undefined && input[member] !== 0)) {
    if (credits) faults.add(at, 'out_of_range', 'what is credited has no withholding, discount or write-off');
    if (DOCUMENT_TYPES[row.docType].kind !== 'invoice')
      faults.add(at, 'wrong_type', 'only invoices have withholding, discount or write-off');
  }
  if (decimal(writeOff).abs().gt(facts.writeOffLimit))
    faults.add(
      `${at}/write_off`,
      'over_limit',
      `is more than the ${facts.writeOffLimit} that may be written off (config/payments)`,
    );
  const settled = amount.plus(extras);
  if (credited ? amount.gte(0) : amount.lte(0)) {
    const message =
      input.amount_applied === undefined
        ? 'nothing of it is outstanding'
        : credited
          ? 'must be less than zero: the document is a credit'
          : 'must be greater than zero';
    faults.add(`${at}/amount_applied`, 'out_of_range', message);
  } else if (settled.abs().gt(outstanding.abs()) && (!single || credits || !extras.eq(0))) {
    // One explicit link may overpay its document: somebody did.
    faults.add(
      `${at}/amount_applied`,
      'over_outstanding',
      `settles more than the ${outstanding.toFixed()} that is outstanding`,
    );
  } else if (credited ? settled.gte(0) : settled.lte(0)) {
    faults.add(`${at}/write_off`, 'out_of_range', 'leaves nothing of the payment that settles the document');
  }
  return newLink(document, {
    amount: amount.toFixed(),
    withholding,
    discount,
    writeOff,
    date,
    settledBefore: row.paidTotal,
    refund,
  });
}
