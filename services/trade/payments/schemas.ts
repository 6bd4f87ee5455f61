/**
 * Schemas of what clients send about payments and offsets, declared once: they validate and describe requests, and provide the types of
 * services.
 */
import { type TSchema, Type } from 'typebox';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import {
  DEBT_NAMES,
  debtName,
  FEE_BEARERS,
  invoiceType,
  OPEN_ITEM,
  PAYMENT_METHODS,
  type PaymentDirection,
  RECONCILIATION_MODES,
} from '../../../domain/trade/payments/types.ts';
import {
  amount,
  choice,
  currencyCode,
  day,
  exchangeRate,
  flag,
  type Input,
  integer,
  nullable,
  text,
  uuid,
} from '../../platform/validation/schemas.ts';

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const invoiceName = (direction: PaymentDirection) => DOCUMENT_TYPES[invoiceType(direction)].name;

export const PaymentLink = Type.Object(
  {
    document_type: choice([...DEBT_NAMES, ...DOC_TYPES], {
      description:
        'open_item: of an entry. Of sales for payments received, of purchases for payments issued; for credits also vice versa',
    }),
    document_id: uuid(),
    instalment: optional(
      nullable(
        integer({ minimum: 1, description: 'Instalment of the invoice; without one, the earliest are paid first' }),
      ),
    ),
    amount_applied: optional(
      amount({
        description:
          'Defaults to what is outstanding, as far as the payment reaches. Negative for credits, unless they are refunded',
      }),
    ),
    withholding: optional(
      amount({ minimum: 0, description: 'Income tax withheld, which settles the document as well' }),
    ),
    discount: optional(
      amount({ minimum: 0, description: 'Prompt payment discount: how much less is owed, VAT included' }),
    ),
    prompt_discount: optional(
      flag({
        description:
          'Whether it takes the `promptDiscount` of the invoice; by default it does when the payment has just what is owed without it',
      }),
    ),
    keep_withholding: optional(
      flag({
        description:
          'Whether the discount leaves the tax withheld on the invoice as it was; by default it lowers its base like that of VAT',
      }),
    ),
    write_off: optional(
      amount({ description: 'A small difference that is written off (config/payments); negative when more was paid' }),
    ),
  },
  { title: 'PaymentLink', additionalProperties: false },
);
export type LinkInput = Input<typeof PaymentLink>;
const links = Type.Array(PaymentLink, { maxItems: 500 });

const { prompt_discount: _, ...CHANGED_LINK } = PaymentLink.properties;

const LinkChange = Type.Object(
  {
    id: optional(uuid({ description: 'An existing link; without it the first one of the document, or a new one' })),
    ...CHANGED_LINK,
    amount_applied: optional(
      amount({
        description: 'Defaults to the current amount, for a new link to what is outstanding; 0 removes the link',
      }),
    ),
  },
  { title: 'PaymentLinkChange', additionalProperties: false },
);
export type LinkChange = Input<typeof LinkChange>;

const range = {
  mode: choice(RECONCILIATION_MODES, { description: 'manual: the documents in linked_documents' }),
  from: optional(day({ description: 'Invoices of this date and later' })),
  to: optional(day({ description: 'Invoices of this date and earlier' })),
  allow_combination: optional(
    flag({ description: 'by_amount: also the only combination of up to 6 invoices that adds up to the amount' }),
  ),
};

export const PaymentBody = Type.Object(
  {
    partner_id: uuid(),
    amount: amount({ exclusiveMinimum: 0, description: 'Greater than zero, in `currency`' }),
    currency: optional(
      currencyCode("Defaults to that of the linked documents, then to the bank account's, then to the company's"),
    ),
    exchange_rate: optional(
      exchangeRate({
        description:
          "What one unit of the company's currency was worth in the payment's; defaults to the rate of the day. Only in another currency",
      }),
    ),
    company_amount: optional(
      amount({
        exclusiveMinimum: 0,
        description: "Instead of the rate: what reached the bank account in the company's currency",
      }),
    ),
    payment_date: day(),
    payment_method: choice(PAYMENT_METHODS),
    bank_account_id: optional(
      nullable(uuid({ description: "The company's bank account; defaults to its default one" })),
    ),
    reference: optional(nullable(text({ description: 'Number of the transfer, cheque …' }))),
    notes: optional(nullable(text({ min: 0, max: 2000 }))),
    linked_documents: optional(links),
    auto_reconcile: optional(
      flag({
        description:
          "Link it to the only open invoice of the partner with the payment's `reference` whose outstanding amount equals the rest of " +
          'the payment',
      }),
    ),
    reconciliation: optional(
      Type.Object(range, { additionalProperties: false, description: 'Match the rest in this mode' }),
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
          description: 'All applications afterwards: missing ones are removed and become credit again',
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
      day({
        description: 'Date of the entry; defaults to the latest of payment and documents, or today if that is closed',
      }),
    ),
  },
  { title: 'PaymentApplication', additionalProperties: false },
);

export type ApplyInput = Input<typeof ApplyBody>;

export const ReturnBody = Type.Object(
  {
    date: day({ description: 'When it came back, not before the payment' }),
    bank_account_id: optional(nullable(uuid({ description: "Defaults to the payment's" }))),
    fees: optional(amount({ minimum: 0, description: "The bank's charge, in addition to the amount" })),
    fees_borne_by: optional(
      choice(FEE_BEARERS, {
        description: 'company: an expense (626), the default; partner: an open item of the partner',
      }),
    ),
    reference: optional(nullable(text({ description: "Defaults to the payment's" }))),
    notes: optional(nullable(text({ min: 0, max: 2000, description: "Such as the bank's reason" }))),
  },
  { title: 'PaymentReturn', additionalProperties: false },
);

export type ReturnInput = Input<typeof ReturnBody>;

export const RunBody = Type.Object(
  {
    ...range,
    mode: choice(['by_reference', 'by_amount', 'by_date']),
    direction: optional(choice(['in', 'out'], { description: 'Payments received or issued; defaults to both' })),
    partner_id: optional(uuid()),
  },
  { title: 'ReconciliationRun', additionalProperties: false },
);

export type RunInput = Input<typeof RunBody>;

const OffsetLink = Type.Object(
  {
    document_type: choice([invoiceName('in'), invoiceName('out'), debtName(OPEN_ITEM), 'SINV', 'PINV'], {
      description: 'All of the same side',
    }),
    document_id: uuid(),
    amount_applied: optional(
      amount({ description: 'Defaults to as much as the other side allows; negative for credits' }),
    ),
  },
  { title: 'OffsetLink', additionalProperties: false },
);

export type OffsetLink = Input<typeof OffsetLink>;

export const OffsetBody = Type.Object(
  {
    partner_id: uuid(),
    date: optional(day({ description: 'Defaults to the latest date of the documents, or today if that is closed' })),
    reference: optional(nullable(text())),
    notes: optional(nullable(text({ min: 0, max: 2000 }))),
    linked_documents: Type.Array(OffsetLink, { minItems: 2, maxItems: 500 }),
  },
  { title: 'OffsetInput', additionalProperties: false },
);
export type OffsetInput = Input<typeof OffsetBody>;
