/** What clients send of payments and offsets, declared once: it validates and describes requests, and is the type of what services take. */
import { type TSchema, Type } from 'typebox';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import {
  invoiceType,
  PAYMENT_METHODS,
  type PaymentDirection,
  RECONCILIATION_MODES,
} from '../../domain/payments/types.ts';
import { amount, choice, day, flag, type Input, nullable, text, uuid } from '../validation/schemas.ts';

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
    discount: optional(amount({ minimum: 0, description: 'Prompt payment discount, VAT included' })),
    write_off: optional(
      amount({ description: 'A small difference that is given up (config/payments); below zero when more was paid' }),
    ),
  },
  { title: 'PaymentLink', additionalProperties: false },
);
export type LinkInput = Input<typeof PaymentLink>;
const links = Type.Array(PaymentLink, { maxItems: 500 });

const LinkChange = Type.Object(
  {
    id: optional(
      uuid({ description: 'Of a link that is there; without it the first one of the document, or a new one' }),
    ),
    ...PaymentLink.properties,
    amount_applied: optional(
      amount({ description: 'As it is when absent, of a new link what is outstanding; 0 takes the link off' }),
    ),
  },
  { title: 'PaymentLinkChange', additionalProperties: false },
);
export type LinkChange = Input<typeof LinkChange>;

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

export type PaymentInput = Input<typeof PaymentBody>;

export const ChangeBody = Type.Object(
  {
    reference: optional(nullable(text({ description: 'Number of the transfer, cheque …' }))),
    notes: optional(nullable(text({ min: 0, max: 2000 }))),
    linked_documents: optional(
      nullable(
        Type.Array(LinkChange, {
          maxItems: 500,
          description:
            'All that the payment is applied to afterwards: what is not there is taken off, and is credit again',
        }),
      ),
    ),
  },
  { title: 'PaymentChange', additionalProperties: false },
);

export type PaymentChange = Input<typeof ChangeBody>;

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

export type ApplyInput = Input<typeof ApplyBody>;

export const RunBody = Type.Object(
  {
    ...range,
    mode: choice(['by_reference', 'by_amount', 'by_date']),
    direction: optional(choice(['in', 'out'], { description: 'Payments received or issued; both when absent' })),
    partner_id: optional(uuid()),
  },
  { title: 'ReconciliationRun', additionalProperties: false },
);

export type RunInput = Input<typeof RunBody>;

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

export type OffsetLink = Input<typeof OffsetLink>;

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
export type OffsetInput = Input<typeof OffsetBody>;
