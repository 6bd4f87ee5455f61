/**
 * What clients send to order transfers and debits, declared once: it validates and describes requests, and is the type of what services
 * take.
 */
import { Type } from 'typebox';
import { TRANSFER_VERSIONS } from '../../domain/sepa/credit-transfer.ts';
import { DEBIT_VERSIONS } from '../../domain/sepa/direct-debit.ts';
import { choice, day, flag, type Input, text, uuid } from '../validation/schemas.ts';

export const MAX_ITEMS = 5000;

const ids = () => Type.Array(uuid(), { minItems: 1, maxItems: MAX_ITEMS, uniqueItems: true });
const shared = {
  date: day({ description: 'On which it is to be done; not past' }),
  bank_account_id: Type.Optional(uuid({ description: 'The default one when absent' })),
  repeat: Type.Optional(flag({ description: 'Also what an earlier order has' })),
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
      text({ pattern: '^[A-Z0-9]{3}$', description: 'In the creditor identifier; 000 when absent' }),
    ),
    ...shared,
  },
  closed,
);
export type DirectDebitInput = Input<typeof DirectDebitBody>;
