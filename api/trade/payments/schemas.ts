/** Schemas of payments. */
import { type TSchema, Type } from 'typebox';
import { RATE_PLACES } from '../../../domain/locale/currencies.ts';
import { UNMATCHED_REASONS } from '../../../domain/trade/payments/match.ts';
import {
  DEBT_NAMES,
  FEE_BEARERS,
  LINK_STATUSES,
  MATCHING_MODES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  SETTLED_BY,
} from '../../../domain/trade/payments/types.ts';
import {
  amount,
  choice,
  day,
  fixed,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { compared } from '../../route.ts';

const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

const status = choice(PAYMENT_STATUSES);

const Matching = Type.Object(
  {
    mode: nullable(choice(MATCHING_MODES)),
    status: choice(LINK_STATUSES, { description: 'unlinked: matching linked nothing' }),
    reason: nullable(choice(UNMATCHED_REASONS, { description: 'Reason why nothing is linked; null if something is' })),
    message: text({ max: 2000, description: 'Explanation of the match, or the reason for having none' }),
  },
  { title: 'PaymentMatching', description: 'Outcome of the last matching', additionalProperties: false },
);

/** Remedy for changes to amount, date, method or partner, which are facts reported by the bank. */
const REGISTER_AGAIN = 'delete the payment and register it again';

export const Payment = compared(
  Type.Object(
    {
      id: uuid(),
      partner_id: fixed(uuid(), REGISTER_AGAIN),
      partner_name: text(),
      amount: fixed(amount(), REGISTER_AGAIN),
      currency: fixed(text(), REGISTER_AGAIN),
      exchange_rate: fixed(
        nullable(
          amount({
            places: RATE_PLACES,
            description: "What one unit of the company's currency was worth in `currency`",
          }),
        ),
        REGISTER_AGAIN,
      ),
      company_amount: fixed(
        nullable(amount({ description: "The amount in the company's currency; null if that is the payment's" })),
        REGISTER_AGAIN,
      ),
      payment_date: fixed(day(), REGISTER_AGAIN),
      payment_method: fixed(choice(PAYMENT_METHODS), REGISTER_AGAIN),
      bank_account_id: fixed(nullable(uuid()), REGISTER_AGAIN),
      reference: nullable(text()),
      notes: nullable(text()),
      status: choice(LINK_STATUSES, { description: 'Progress of its application' }),
      reconciliation: optional(
        Type.Union([choice(['pending'], { description: 'While its workflow is running' }), Matching]),
      ),
      amount_applied: amount(),
      credit: amount({ description: 'The unapplied amount; it can be applied later' }),
      returns: nullable(uuid({ description: 'The payment of the other direction that this one returns' })),
      returned_by: nullable(uuid({ description: 'The payment of the other direction that returns this one' })),
      fees: amount({ description: "The bank's fees for the return, in addition to the amount" }),
      fees_borne_by: nullable(choice(FEE_BEARERS, { description: 'null without fees' })),
      linked_documents: Type.Array(
        Type.Object({
          id: uuid(),
          document_type: choice(DEBT_NAMES),
          document_id: uuid(),
          document_code: nullable(text()),
          instalment: nullable(integer({ description: 'The instalment that it names, if any' })),
          date: day({ description: 'Date of the entry' }),
          amount_applied: amount(),
          withholding: amount(),
          discount: amount(),
          write_off: amount(),
          exchange_difference: nullable(
            amount({ description: "Gain, or negative loss, in the company's currency; null where both are in that" }),
          ),
          keep_withholding: flag(),
          previous_status: status,
          new_status: status,
          advance_on: nullable(uuid({ description: 'The order or note that it was an advance on' })),
          matched_by: nullable(choice(MATCHING_MODES)),
        }),
      ),
      created_by: nullable(uuid()),
      created_at: instant(),
      updated_at: instant(),
      version: integer(),
    },
    { title: 'Payment' },
  ),
);

const { document_type, document_id, document_code, previous_status, new_status } =
  Payment.properties.linked_documents.items.properties;

/** A payment after a change, with the applications that the change removed. */
export const ChangedPayment = compared(
  Type.Object(
    {
      ...Payment.properties,
      unlinked_documents: optional(
        Type.Array(Type.Object({ document_type, document_id, document_code, previous_status, new_status }), {
          description: 'The applications that the change removed, if any',
        }),
      ),
    },
    { title: 'ChangedPayment' },
  ),
);

const { id, partner_id, partner_name, currency, reference, notes, linked_documents } = Payment.properties;
const { created_by, created_at, updated_at, version } = Payment.properties;

export const Offset = compared(
  Type.Object(
    {
      id,
      partner_id,
      partner_name,
      date: day(),
      amount: amount({ description: 'Amount of each side' }),
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
  ),
);

export const ReconciliationStatus = compared(
  Type.Object(
    {
      document_id: uuid(),
      document_total: amount(),
      total_applied: amount({ description: 'Including withholding, discounts and write-offs' }),
      remaining: amount(),
      status,
      payments: Type.Array(
        Type.Object({
          payment_id: uuid(),
          payment_date: day(),
          amount_applied: amount(),
          payment_method: choice(SETTLED_BY, { description: 'offset: settled without money' }),
          withholding: amount(),
          discount: amount(),
          write_off: amount(),
        }),
      ),
      entries: Type.Array(Type.Object({ entry_id: uuid(), date: day(), amount_applied: amount() }), {
        description: 'Journal entries whose lines settle it; negative for a reversed one',
      }),
    },
    { title: 'ReconciliationStatus' },
  ),
);
