/** Checks the requested applications of a payment against the locked documents. */

import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import {
  debtName,
  OPEN_ITEM,
  type PaymentDirection,
  parseDebtType,
  payableTypes,
  refundedType,
} from '../../../domain/trade/payments/types.ts';
import { type Debt, debtDirection } from './debts.ts';
import type { PaymentFacts } from './facts.ts';
import { Instalments } from './instalments.ts';
import { isRefund, resolveAmounts } from './link-amounts.ts';
import type { LinkRow } from './payment.ts';
import type { LinkInput } from './schemas.ts';

/** A requested link and its pointer. */
export interface NamedLink {
  readonly input: LinkInput;
  /** JSON pointer of it. */
  readonly at: string;
  /** The link that it replaces. */
  readonly replaces?: LinkRow;
}

interface LinkCheck {
  readonly direction: PaymentDirection;
  readonly partnerId: string;
  readonly currency: string;
  /** Unapplied amount of the payment. */
  readonly remaining: Decimal;
  readonly date: string;
  readonly facts: PaymentFacts;
  /** Links of the payment to ignore; `remaining` already includes their amounts. */
  readonly without?: readonly LinkRow[];
  /** Whether it is the payment's only link; defaults to whether only one is named. */
  readonly single?: boolean;
}

/**
 * @param documents of the links, locked
 * @throws ServiceError validation_failed with a pointer for each fault
 */
export function resolveLinks(
  inputs: readonly LinkInput[],
  documents: ReadonlyMap<string, Debt>,
  check: LinkCheck,
): LinkRow[] {
  return resolveNamed(
    inputs.map((input, index) => ({ input, at: `/linked_documents/${index}` })),
    documents,
    check,
  );
}

/** The same for links with their own pointers; one that replaces another keeps its id, date and origin. */
export function resolveNamed(
  named: readonly NamedLink[],
  documents: ReadonlyMap<string, Debt>,
  check: LinkCheck,
): LinkRow[] {
  const faults = new Faults();
  const seen = new Set<string>();
  const { without = [], single = named.length === 1 } = check;
  const settled = new Map([...documents].map(([id, { row }]) => [id, row.paidTotal]));
  const settle = (id: string, amount: Decimal) => settled.set(id, sum([settled.get(id) ?? '0', amount]).toFixed());
  const instalments = new Instalments(without);
  for (const link of without) settle(link.documentId, decimal(link.settled).times(-1).toFixed());
  let left = decimal(check.remaining);
  // What credits leave is there for the documents named before them.
  const credits = new Map(named.map((one) => [one, creditedAmount(one, documents, settled, check.direction)]));
  let ahead = sum(credits.values());
  const links = named.flatMap((one) => {
    const { input, at, replaces } = one;
    ahead = ahead.minus(credits.get(one) ?? '0');
    const id = input.document_id.toLowerCase();
    const document = documents.get(id);
    const known = faults.list.length;
    const place = `${id} ${input.instalment ?? ''}`;
    if (seen.has(place) && replaces === undefined) faults.add(`${at}/document_id`, 'duplicate', 'is named twice');
    seen.add(place);
    checkDocument(input, document, check, at, faults);
    if (document === undefined || faults.list.length > known) return [];
    const settledBefore = settled.get(id) ?? '0';
    const openOfInstalment = instalments.openAmount(document, input.instalment ?? null, settledBefore, { at, faults });
    if (faults.list.length > known) return [];
    const rest = left.minus(ahead).toFixed();
    const link = resolveAmounts(input, document, {
      ...check,
      at,
      single,
      faults,
      settledBefore,
      openOfInstalment,
      left: rest,
    });
    left = left.minus(link.amount);
    settle(id, link.settled);
    instalments.add(link);
    const { id: linkId, date, originDocumentId } = replaces ?? link;
    return [{ ...link, id: linkId, date, originDocumentId }];
  });
  if (faults.list.length === 0 && left.lt(0)) {
    const applied = sum(links.map((link) => link.amount)).toFixed();
    const message = `apply ${applied} together, more than the ${check.remaining} that the payment has left`;
    const [first] = named;
    const alone = first !== undefined && named.length === 1;
    faults.add(alone ? `${first.at}/amount_applied` : '/linked_documents', 'over_payment', message);
  }
  faults.throwIfAny();
  return links;
}

/** Amount by which a link to a credit increases what the payment has left, below 0; 0 for others. */
function creditedAmount(
  { input }: NamedLink,
  documents: ReadonlyMap<string, Debt>,
  settled: ReadonlyMap<string, Decimal>,
  direction: PaymentDirection,
): Decimal {
  const id = input.document_id.toLowerCase();
  const document = documents.get(id);
  if (document === undefined || decimal(document.row.total).gte(0) || isRefund(document, direction)) return '0';
  const amount = input.amount_applied ?? decimal(document.row.total).minus(settled.get(id) ?? '0');
  return decimal(amount).toFixed();
}

function checkDocument(
  { document_type }: LinkInput,
  document: Debt | undefined,
  { direction, partnerId, currency }: LinkCheck,
  at: string,
  faults: Faults,
): void {
  const docType = parseDebtType(document_type);
  const payable =
    docType === OPEN_ITEM
      ? document?.row.docType !== OPEN_ITEM || debtDirection(document) === direction
      : docType !== undefined && payableTypes(direction).includes(docType);
  if (docType === undefined || !(payable || (document?.row.docType === docType && isRefund(document, direction)))) {
    const names = payableTypes(direction).map((code) => DOCUMENT_TYPES[code].name);
    const what = direction === 'in' ? 'received' : 'issued';
    const credits = `${DOCUMENT_TYPES[refundedType(direction)].name} that credits`;
    const message = `must be something that a payment ${what} can settle: ${names.join(', ')}, an open item of that side, or a ${credits}`;
    faults.add(`${at}/document_type`, 'wrong_type', message);
    return;
  }
  const pointer = `${at}/document_id`;
  const row = document?.row;
  if (row === undefined || row.docType !== docType) {
    const words = debtName(docType).replaceAll('_', ' ');
    faults.add(
      pointer,
      'invalid_reference',
      `refers to ${docType === OPEN_ITEM ? 'an' : 'a'} ${words} that does not exist`,
    );
  } else if (row.partner.id !== partnerId) faults.add(pointer, 'other_partner', 'is of another partner');
  else if (row.status === DOCUMENT_STATUS.draft) faults.add(pointer, 'draft', 'is a draft; post it first');
  else if (row.status === DOCUMENT_STATUS.cancelled) faults.add(pointer, 'cancelled', 'is cancelled');
  else if (row.currency !== currency)
    faults.add(pointer, 'other_currency', `is in ${row.currency}, not in ${currency}`);
}
