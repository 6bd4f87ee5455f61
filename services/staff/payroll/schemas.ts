/** Schemas of requests and responses about payrolls. */
import { Type } from 'typebox';
import { TRANSFER_VERSIONS } from '../../../domain/bank/sepa/credit-transfer.ts';
import { LINE_KINDS, MAX_PAY } from '../../../domain/staff/payroll/types.ts';
import {
  amount,
  choice,
  day,
  flag,
  type Input,
  integer,
  label,
  nullable,
  uuid,
} from '../../platform/validation/schemas.ts';

const MAX_LINES = 100;

/** A line as clients send and see it. */
export const PayrollLineBody = Type.Object(
  {
    description: label(),
    kind: choice(LINE_KINDS, {
      description:
        'earning, overtime, force_majeure (overtime), extra_pay and in_kind are earned; expenses and severance are paid without ' +
        'contributions and income tax, up to what the law leaves free; deduction is subtracted from the pay, such as advances',
    }),
    amount: amount({
      places: 2,
      minimum: -MAX_PAY,
      maximum: MAX_PAY,
      description: 'A negative amount corrects other lines',
    }),
  },
  { title: 'PayrollLine', additionalProperties: false },
);

export const PayrollPatch = Type.Object(
  {
    lines: Type.Optional(
      Type.Array(PayrollLineBody, { minItems: 1, maxItems: MAX_LINES, description: 'Replaces the lines of a draft' }),
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
      flag({ default: false, description: 'Also posts the drafts, including earlier ones of the month' }),
    ),
  },
  { title: 'PayrollMonth', additionalProperties: false },
);

export const PayrollCancel = Type.Object(
  {
    date: Type.Optional(
      day({ description: "Date of the reversal; defaults to the later of today and the entry's date" }),
    ),
  },
  { title: 'PayrollCancel', additionalProperties: false },
);

const MAX_PAID = 5000;
const ids = () =>
  Type.Array(uuid(), { minItems: 1, maxItems: MAX_PAID, description: 'The payrolls; each may occur only once' });
const BANK_ACCOUNT = { description: "The company's bank account; defaults to its default account" };

export const PayrollPaymentBody = Type.Object(
  {
    ids: ids(),
    date: day({ description: 'Date of the payments' }),
    bankAccountId: Type.Optional(nullable(uuid(BANK_ACCOUNT))),
  },
  { title: 'PayrollPayment', additionalProperties: false },
);

export const PayrollTransfersBody = Type.Object(
  {
    ids: ids(),
    date: day({ description: 'Execution date; must not be in the past' }),
    bankAccountId: Type.Optional(nullable(uuid(BANK_ACCOUNT))),
    version: Type.Optional(
      choice(TRANSFER_VERSIONS, { default: '03', description: 'Version of the message pain.001.001' }),
    ),
    repeat: Type.Optional(flag({ default: false, description: 'Allows payrolls that an earlier order contains' })),
  },
  { title: 'PayrollTransfers', additionalProperties: false },
);

export type PayrollPayment = Input<typeof PayrollPaymentBody>;
export type PayrollTransfers = Input<typeof PayrollTransfersBody>;
export type PayrollChange = Input<typeof PayrollPatch>;
export type Generation = Input<typeof PayrollMonth>;
