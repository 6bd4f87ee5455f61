/** Bodies and answers of payrolls. */
import { Type } from 'typebox';
import { LINE_KINDS, MOST_PAY } from '../../domain/payroll/types.ts';
import { TRANSFER_VERSIONS } from '../../domain/sepa/credit-transfer.ts';
import { amount, choice, day, flag, type Input, integer, label, nullable, uuid } from '../validation/schemas.ts';

const MOST_LINES = 100;

/** A line as clients write and see it. */
export const PayrollLineBody = Type.Object(
  {
    description: label(),
    kind: choice(LINE_KINDS, {
      description:
        'earning, overtime, force_majeure (overtime), extra_pay and in_kind are earned; deduction is taken from the pay, such as advances',
    }),
    amount: amount({
      places: 2,
      minimum: -MOST_PAY,
      maximum: MOST_PAY,
      description: 'Below zero it corrects other lines',
    }),
  },
  { title: 'PayrollLine', additionalProperties: false },
);

export const PayrollPatch = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(PayrollLineBody, { minItems: 1, maxItems: MOST_LINES, description: 'Replaces the lines of a draft' }),
    ),
    irpfRate: Type.Optional(amount({ places: 2, minimum: 0, maximum: 47 })),
  },
  { title: 'PayrollPatch', additionalProperties: false },
);

export const PayrollMonth = Type.Object(
  {
    year: integer({ minimum: 1900, maximum: 9998 }),
    month: integer({ minimum: 1, maximum: 12 }),
    post: Type.Optional(
      flag({ default: false, description: 'Posts what it makes, and drafts of the month that were there' }),
    ),
  },
  { title: 'PayrollMonth', additionalProperties: false },
);

export const PayrollCancel = Type.Object(
  { date: Type.Optional(day({ description: 'Of the reversal; today unless that is before the entry' })) },
  { title: 'PayrollCancel', additionalProperties: false },
);

const MOST_PAID = 5000;
const ids = () => Type.Array(uuid(), { minItems: 1, maxItems: MOST_PAID, description: 'The payrolls, each once' });
const BANK_ACCOUNT = { description: "The company's bank account; its default one when absent" };

export const PayrollPaymentBody = Type.Object(
  {
    ids: ids(),
    date: day({ description: 'Of the payments' }),
    bankAccountId: Type.Optional(nullable(uuid(BANK_ACCOUNT))),
  },
  { title: 'PayrollPayment', additionalProperties: false },
);

export const PayrollTransfersBody = Type.Object(
  {
    ids: ids(),
    date: day({ description: 'On which the bank is to pay; not past' }),
    bankAccountId: Type.Optional(nullable(uuid(BANK_ACCOUNT))),
    version: Type.Optional(choice(TRANSFER_VERSIONS, { default: '03', description: 'Of the message pain.001.001' })),
    repeat: Type.Optional(flag({ default: false, description: 'Also what an earlier order has' })),
  },
  { title: 'PayrollTransfers', additionalProperties: false },
);

export type PayrollPayment = Input<typeof PayrollPaymentBody>;
export type PayrollTransfers = Input<typeof PayrollTransfersBody>;
export type PayrollChange = Input<typeof PayrollPatch>;
export type Generation = Input<typeof PayrollMonth>;
