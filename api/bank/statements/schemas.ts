/** Schemas of bank statements, and of requests about their lines. */
import { Type } from 'typebox';
import { ORDER_KINDS } from '../../../db/models/bank/sepa.ts';
import { LINE_STATUSES } from '../../../db/models/bank/statements.ts';
import { STATEMENT_FORMATS } from '../../../domain/bank/statements/format.ts';
import { debtName, FEE_BEARERS, OPEN_ITEM } from '../../../domain/trade/payments/types.ts';
import { AUTO_ACCEPT_SCORE } from '../../../services/bank/statements/auto-accept.ts';
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
} from '../../../services/platform/validation/schemas.ts';
import { PaymentLink } from '../../../services/trade/payments/schemas.ts';

export const Statement = Type.Object(
  {
    id: uuid(),
    bank_account_id: uuid(),
    format: choice(STATEMENT_FORMATS),
    file_name: nullable(text()),
    reference: nullable(text({ description: "The bank's number for the statement" })),
    currency: text(),
    from_date: day(),
    to_date: day(),
    opening_balance: nullable(amount()),
    closing_balance: nullable(amount()),
    line_count: integer(),
    new_line_count: integer({ description: 'Lines that no earlier statement had; only these belong to it' }),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'BankStatement' },
);

const line = {
  id: uuid(),
  bank_account_id: uuid(),
  statement_id: uuid(),
  position: integer({ description: 'Number in the statement, from 1' }),
  date: day(),
  value_date: nullable(day()),
  amount: amount({ description: 'Positive for incoming money' }),
  reference: nullable(text()),
  bank_reference: nullable(text()),
  end_to_end_id: nullable(text()),
  counterparty_name: nullable(text()),
  counterparty_iban: nullable(text()),
  text: nullable(text({ max: 1000 })),
  reversal: flag({ description: 'Whether it reverses an earlier line' }),
  return_reason: nullable(
    text({ description: "The bank's reason for a return (ISO 20022): AM04 for insufficient funds" }),
  ),
  status: choice(LINE_STATUSES),
  entry_id: nullable(uuid({ description: 'The entry linked to the line, in addition to or instead of payments' })),
  rule_id: nullable(uuid({ description: 'The rule that accepted the line' })),
  payment_ids: Type.Array(uuid(), { description: 'The payments linked to the line, once it is matched' }),
  version: integer(),
  created_at: instant(),
  updated_at: instant(),
};

export const Line = Type.Object(line, { title: 'BankStatementLine' });

const Suggestion = Type.Object(
  {
    score: integer({ description: '0 to 100, best first' }),
    reason: text({ max: 5000 }),
    partner_id: nullable(uuid()),
    partner_name: nullable(text()),
    payment_id: nullable(uuid({ description: 'An existing payment to link' })),
    return_of: nullable(uuid({ description: 'A payment that the line returns' })),
    documents: Type.Array(
      Type.Object({
        document_type: choice(['sales_invoice', 'purchase_invoice', debtName(OPEN_ITEM)]),
        document_id: uuid(),
        document_code: text(),
        instalment: nullable(integer({ description: 'The instalment with this amount, if any' })),
        outstanding: amount({ description: 'Negative for credits' }),
      }),
    ),
    order: nullable(
      Type.Object(
        {
          order_id: uuid(),
          batch: nullable(integer({ description: 'null for the whole order' })),
          kind: choice(ORDER_KINDS),
          message_id: text(),
          date: day(),
          count: integer(),
          total: amount(),
          items: Type.Array(
            Type.Object({
              payment_id: nullable(uuid()),
              document_id: nullable(uuid()),
              document_code: nullable(text()),
              partner_name: text(),
              amount: amount(),
            }),
            { description: 'The first 100 items; GET of the order lists all' },
          ),
        },
        { description: 'An order to the bank that was booked as one sum' },
      ),
    ),
    rule: nullable(
      Type.Object(
        {
          rule_id: uuid({ description: 'The rule' }),
          name: text(),
          account_id: uuid(),
          account_code: text(),
          tax_group_id: nullable(uuid()),
        },
        { description: 'The company rule that the line matches (/api/bank-rules)' },
      ),
    ),
  },
  { title: 'BankLineSuggestion' },
);

export const SuggestedLine = Type.Object(
  { ...line, suggestions: Type.Array(Suggestion) },
  { title: 'SuggestedBankStatementLine' },
);

/** Ways to explain a line, or a part of it. */
const part = {
  payment_id: Type.Optional(uuid({ description: 'An existing payment' })),
  partner_id: Type.Optional(
    uuid({
      description:
        'Registers a payment for the partner; any amount not applied to documents becomes credit. With an ' +
        'account: the partner of the entry',
    }),
  ),
  documents: Type.Optional(Type.Array(PaymentLink, { maxItems: 500, description: 'Documents of the partner' })),
  account_id: Type.Optional(uuid({ description: 'The ledger account to post the amount to' })),
  account_code: Type.Optional(text({ description: 'The account by its code, e.g. 626' })),
  tax_group_id: Type.Optional(
    uuid({ description: 'With an expense account: the tax included in the amount, which is deducted' }),
  ),
  project_id: Type.Optional(uuid({ description: 'Only with an account' })),
  cost_center_id: Type.Optional(uuid({ description: 'Only with an account' })),
  text: Type.Optional(text({ max: 500, description: "Text of the entry or payment; defaults to the line's" })),
};

export const AcceptBody = Type.Object(
  {
    lines: Type.Array(
      Type.Object(
        {
          line_id: uuid(),
          suggestion: Type.Optional(
            Type.Literal(true, { description: 'Accepts the best suggestion, if its score is high enough' }),
          ),
          entry_id: Type.Optional(
            uuid({ description: 'A manual entry, or the other side of a transfer between own accounts' }),
          ),
          order_id: Type.Optional(uuid({ description: 'A SEPA order that the bank booked as one sum' })),
          return_of: Type.Optional(
            uuid({ description: 'A payment that the line returns; the difference from its amount is fees' }),
          ),
          fees_borne_by: Type.Optional(
            choice(FEE_BEARERS, {
              description: 'company (default): fees are an expense; partner: they become an open item of the partner',
            }),
          ),
          batch: Type.Optional(
            integer({ minimum: 1, description: 'Batch of the order; found by its amount if omitted' }),
          ),
          parts: Type.Optional(
            Type.Array(
              Type.Object(
                {
                  ...part,
                  amount: Type.Optional(
                    amount({ description: "Signed like the line's; one part may omit it and gets the remainder" }),
                  ),
                },
                { additionalProperties: false },
              ),
              { minItems: 1, maxItems: 500, description: 'Several parts whose amounts add up to the line' },
            ),
          ),
          ...part,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 500 },
    ),
    partial: Type.Optional(flag({ description: 'Accepts the valid lines even if others are refused' })),
    least_score: Type.Optional(
      integer({
        minimum: 1,
        maximum: 100,
        default: AUTO_ACCEPT_SCORE,
        description: 'Minimum score of accepted suggestions',
      }),
    ),
  },
  { title: 'BankLineAcceptance', additionalProperties: false },
);

export const AcceptReport = Type.Object(
  {
    accepted: Type.Array(Type.Object({ line_id: uuid(), payment_ids: Type.Array(uuid()), entry_id: nullable(uuid()) })),
    refused: Type.Array(Type.Object({ line_id: uuid(), code: text(), message: text({ max: 5000 }) })),
    warnings: Type.Array(Type.Object({ pointer: text(), code: text(), message: text({ max: 1000 }) }), {
      description: 'Accepted lines that exceed the current budget, if it warns (`budget_exceeded`)',
    }),
  },
  { title: 'BankLineAcceptanceReport' },
);

export const ImportReport = Type.Object(
  {
    format: choice(STATEMENT_FORMATS),
    new_lines: integer(),
    duplicates: integer({ description: 'Lines that already existed' }),
    accepted: integer({ description: 'New lines accepted by rules' }),
    statements: Type.Array(
      Type.Object({
        id: uuid(),
        created: flag({ description: 'False for a statement that already existed' }),
        bank_account_id: uuid(),
        from_date: day(),
        to_date: day(),
        lines: integer(),
        new_lines: integer(),
        duplicates: integer(),
        accepted: integer(),
      }),
    ),
    warnings: Type.Array(
      Type.Object({ line: integer(), column: nullable(text()), code: text(), message: text({ max: 1000 }) }),
      {
        description:
          'Inconsistencies in spite of which the file was imported (counts, the balance of a card), and ' +
          'columns that were left out',
      },
    ),
  },
  { title: 'BankStatementImport' },
);
