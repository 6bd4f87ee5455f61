/** Payments as they are sent and answered. */
import { type TSchema, Type } from 'typebox';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { UNMATCHED_REASONS } from '../../domain/payments/match.ts';
import { PAYMENT_STATUSES } from '../../domain/payments/status.ts';
import {
  invoiceType,
  LINK_STATUSES,
  MATCHING_MODES,
  PAYMENT_METHODS,
  type PaymentDirection,
  RECONCILIATION_MODES,
  SETTLED_BY,
} from '../../domain/payments/types.ts';
import {
  amount,
  choice,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../services/validation/schemas.ts';

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const invoiceName = (direction: PaymentDirection) => DOCUMENT_TYPES[invoiceType(direction)].name;
const names = DOC_TYPES.map((code) => DOCUMENT_TYPES[code].name);

export const PaymentLink = Type.Object(
  {
    document_type: choice([...names, ...DOC_TYPES], {
      description:
        'Of sales for payments received, of purchases for payments issued; an invoice that credits also the other way',
    }),
    document_id: uuid(),
    amount_applied: optional(
      amount({
        description:
          'What is outstanding, as far as the payment reaches, when absent. Below zero for what is credited, unless it is paid back',
      }),
    ),
    withholding: optional(
      amount({ minimum: 0, description: 'Income tax that was withheld and settles the document as well' }),
    ),
    discount: optional(amount({ minimum: 0, description: 'For prompt payment, VAT included' })),
    write_off: optional(
      amount({ description: 'A small difference that is given up (config/payments); below zero when more was paid' }),
    ),
  },
  { title: 'PaymentLink', additionalProperties: false },
);
const links = Type.Array(PaymentLink, { maxItems: 500 });

const range = {
  mode: choice(RECONCILIATION_MODES, { description: 'manual: what linked_documents names' }),
  from: optional(day({ description: 'Invoices of this day and later' })),
  to: optional(day({ description: 'Invoices of this day and earlier' })),
  allow_combination: optional(
    flag({ description: 'by_amount: also the only combination of up to 6 invoices that makes the amount' }),
  ),
};

export const PaymentBody = Type.Object(
  {
    partner_id: uuid(),
    amount: amount({ exclusiveMinimum: 0, description: "Greater than zero, in the company's currency" }),
    payment_date: day(),
    payment_method: choice(PAYMENT_METHODS),
    bank_account_id: optional(nullable(uuid({ description: "The company's own; the default one when absent" }))),
    reference: optional(nullable(text({ description: 'Number of the transfer, cheque …' }))),
    notes: optional(nullable(text({ min: 0, max: 2000 }))),
    linked_documents: optional(links),
    auto_reconcile: optional(
      flag({
        description:
          'Link it to the one open invoice of the partner whose `reference` is that of the payment and whose outstanding amount is just what is left of it',
      }),
    ),
    reconciliation: optional(
      Type.Object(range, { additionalProperties: false, description: 'Match what is left in this mode' }),
    ),
  },
  { title: 'PaymentInput', additionalProperties: false },
);

export const ApplyBody = Type.Object(
  {
    ...range,
    linked_documents: optional(links),
    date: optional(
      day({ description: 'Of the entry; the latest of payment and documents, today when that day is closed' }),
    ),
  },
  { title: 'PaymentApplication', additionalProperties: false },
);

export const RunBody = Type.Object(
  {
    ...range,
    mode: choice(['by_reference', 'by_amount', 'by_date']),
    direction: optional(choice(['in', 'out'], { description: 'Payments received or issued; both when absent' })),
    partner_id: optional(uuid()),
  },
  { title: 'ReconciliationRun', additionalProperties: false },
);

const status = choice(PAYMENT_STATUSES);

const Matching = Type.Object(
  {
    mode: nullable(choice(MATCHING_MODES)),
    status: choice(LINK_STATUSES, { description: 'unlinked: the matching linked nothing' }),
    reason: nullable(choice(UNMATCHED_REASONS, { description: 'Why nothing is linked; null where something is' })),
    message: text({ max: 2000, description: 'Matched by what, or why not' }),
  },
  { title: 'PaymentMatching', description: 'What came of the last matching' },
);

export const Payment = Type.Object(
  {
    id: uuid(),
    partner_id: uuid(),
    partner_name: text(),
    amount: amount(),
    currency: text(),
    payment_date: day(),
    payment_method: choice(PAYMENT_METHODS),
    bank_account_id: nullable(uuid()),
    reference: nullable(text()),
    notes: nullable(text()),
    status: choice(LINK_STATUSES, { description: 'How much of it is applied' }),
    reconciliation: optional(
      Type.Union([choice(['pending'], { description: 'While its workflow still works' }), Matching]),
    ),
    amount_applied: amount(),
    credit: amount({ description: 'What is left; it can be applied later' }),
    linked_documents: Type.Array(
      Type.Object({
        document_type: choice(names),
        document_id: uuid(),
        document_code: nullable(text()),
        date: day({ description: 'Of the entry' }),
        amount_applied: amount(),
        withholding: amount(),
        discount: amount(),
        write_off: amount(),
        previous_status: status,
        new_status: status,
        advance_on: nullable(uuid({ description: 'The order or note that it was paid on in advance' })),
        matched_by: nullable(choice(MATCHING_MODES)),
      }),
    ),
    created_by: nullable(uuid()),
    created_at: instant(),
    updated_at: instant(),
    version: integer(),
  },
  { title: 'Payment' },
);

const OffsetLink = Type.Object(
  {
    document_type: choice([invoiceName('in'), invoiceName('out'), 'SINV', 'PINV'], { description: 'All of one side' }),
    document_id: uuid(),
    amount_applied: optional(
      amount({ description: 'As much as the others reach when absent; below zero for what is credited' }),
    ),
  },
  { title: 'OffsetLink', additionalProperties: false },
);

export const OffsetBody = Type.Object(
  {
    partner_id: uuid(),
    date: optional(day({ description: 'The latest of the documents when absent; today when that day is closed' })),
    reference: optional(nullable(text())),
    notes: optional(nullable(text({ min: 0, max: 2000 }))),
    linked_documents: Type.Array(OffsetLink, { minItems: 2, maxItems: 500 }),
  },
  { title: 'OffsetInput', additionalProperties: false },
);

const { id, partner_id, partner_name, currency, reference, notes, linked_documents } = Payment.properties;
const { created_by, created_at, updated_at, version } = Payment.properties;

export const Offset = Type.Object(
  {
    id,
    partner_id,
    partner_name,
    date: day(),
    amount: amount({ description: 'Of each side' }),
    currency,
    reference,
    notes,
    linked_documents,
    created_by,
    created_at,
    updated_at,
    version,
  },
  { title: 'Offset' },
);

export const ReconciliationStatus = Type.Object(
  {
    document_id: uuid(),
    document_total: amount(),
    total_applied: amount({ description: 'With what was withheld, discounted and written off' }),
    remaining: amount(),
    status,
    payments: Type.Array(
      Type.Object({
        payment_id: uuid(),
        payment_date: day(),
        amount_applied: amount(),
        payment_method: choice(SETTLED_BY, { description: 'offset: set off without money' }),
        withholding: amount(),
        discount: amount(),
        write_off: amount(),
      }),
    ),
  },
  { title: 'ReconciliationStatus' },
);
