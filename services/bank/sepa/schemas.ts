/**
 * Schemas of requests for transfers and debits: they validate and document requests, and provide the types that
 * services use.
 */
import { Type } from 'typebox';
import { TRANSFER_VERSIONS } from '../../../domain/bank/sepa/credit-transfer.ts';
import { DEBIT_VERSIONS } from '../../../domain/bank/sepa/direct-debit.ts';
import { choice, day, flag, type Input, text, uuid } from '../../platform/validation/schemas.ts';

export const MAX_ITEMS = 5000;

const ids = () => Type.Array(uuid(), { minItems: 1, maxItems: MAX_ITEMS, uniqueItems: true });
const shared = {
  date: day({ description: 'Execution date; must not be in the past' }),
  bank_account_id: Type.Optional(uuid({ description: "Defaults to the company's default account" })),
  repeat: Type.Optional(flag({ description: 'Allows items that an earlier order contains' })),
};
const closed = { additionalProperties: false };

export const CreditTransferBody = Type.Object(
  { payment_ids: ids(), version: Type.Optional(choice(TRANSFER_VERSIONS, { default: '03' })), ...shared },
  closed,
);
export type CreditTransferInput = Input<typeof CreditTransferBody>;

export const DirectDebitBody = Type.Object(
  {
    document_ids: ids(),
    version: Type.Optional(choice(DEBIT_VERSIONS, { default: '02' })),
    creditor_suffix: Type.Optional(
      text({ pattern: '^[A-Z0-9]{3}$', description: 'Suffix of the creditor identifier; defaults to 000' }),
    ),
    ...shared,
  },
  closed,
);
export type DirectDebitInput = Input<typeof DirectDebitBody>;
