/** Journal entries as they are sent, answered and listed. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../db/queries/list.ts';
import { TAX_KINDS } from '../../domain/accounting/entered-tax.ts';
import { ENTRY_KINDS } from '../../domain/accounting/entries.ts';
import { TAX_OPERATIONS } from '../../domain/accounting/operations.ts';
import { KINDS_BY_HAND } from '../../services/accounting/entry-input.ts';
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

const MAX_LINES = 1000;

const description = () => nullable(text({ max: 500 }));

const LineTax = Type.Object(
  {
    kind: choice(TAX_KINDS),
    operation: Type.Optional(choice(TAX_OPERATIONS, { description: 'domestic when absent' })),
    use: Type.Optional(choice(['current', 'investment'], { description: 'current when absent' })),
    rectifying: Type.Optional(flag()),
    taxGroupId: Type.Optional(nullable(uuid())),
    rate: Type.Optional(
      nullable(amount({ places: 4, minimum: 0, maximum: 100, description: 'That of the tax group when absent' })),
    ),
    base: amount({ description: 'Of which the amount of the line is the rate; below zero where that is taken back' }),
  },
  { additionalProperties: false },
);

const LineInput = Type.Object(
  {
    accountId: uuid({ description: 'Active, and no heading' }),
    debit: Type.Optional(nullable(amount({ minimum: 0 }))),
    credit: Type.Optional(nullable(amount({ minimum: 0 }))),
    partnerId: Type.Optional(nullable(uuid())),
    projectId: Type.Optional(nullable(uuid())),
    costCenterId: Type.Optional(nullable(uuid())),
    description: Type.Optional(description()),
    tax: Type.Optional(
      nullable({
        ...LineTax,
        description: 'What the line says about taxes where no invoice does, as the VAT of imports that customs charge',
      }),
    ),
  },
  { additionalProperties: false, description: 'A debit or a credit above zero, not both' },
);

const input = {
  date: day(),
  periodId: Type.Optional(nullable(uuid({ description: 'That of the day when absent' }))),
  kind: Type.Optional(
    choice(KINDS_BY_HAND, {
      description:
        'opening: the balances with which the company begins here, on the first day of a fiscal year; normal when absent',
    }),
  ),
  description: Type.Optional(description()),
  lines: Type.Array(LineInput, { minItems: 2, maxItems: MAX_LINES }),
};

export const EntryCreate = Type.Object(
  { ...input, post: Type.Optional(flag({ description: 'Posts it at once, instead of leaving a draft' })) },
  { title: 'JournalEntryCreate', additionalProperties: false },
);
export const EntryPatch = Type.Partial(Type.Object(input, { title: 'JournalEntryPatch', additionalProperties: false }));
export const StockVariation = Type.Object(
  { date: day({ description: 'For example the last of a month' }) },
  { additionalProperties: false },
);
export const ReverseBody = Type.Object(
  {
    date: Type.Optional(
      day({
        description:
          "Of the reversal, not before the entry's; when absent today in the company's time zone, or the entry's own where that is later",
      }),
    ),
  },
  { additionalProperties: false },
);

const head = {
  id: uuid(),
  number: nullable(integer({ description: 'Within its fiscal year, given right after posting; null in a draft' })),
  fiscalYear: integer({ description: 'The calendar year in which it begins' }),
  date: day(),
  periodId: uuid(),
  kind: choice(ENTRY_KINDS),
  status: choice(['draft', 'posted']),
  description: nullable(text()),
  sourceType: nullable(text({ description: 'What entered it, for example sales_invoice; null when a person did' })),
  sourceId: nullable(uuid()),
  reversalOf: nullable(uuid({ description: 'The entry that it undoes' })),
  reversedBy: nullable(uuid({ description: 'The entry that undoes it' })),
  total: amount({ description: 'Of the debits, and of the credits' }),
  createdBy: nullable(uuid()),
  postedAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

const Line = Type.Object({
  lineNumber: integer(),
  accountId: uuid(),
  accountCode: text(),
  accountName: text(),
  debit: amount(),
  credit: amount(),
  partnerId: nullable(uuid()),
  projectId: nullable(uuid()),
  costCenterId: nullable(uuid()),
  description: nullable(text()),
  tax: nullable(
    Type.Object({
      kind: text({ description: 'output, input, surcharge or withholding' }),
      operation: text(),
      use: text(),
      rectifying: flag(),
      taxGroupId: nullable(uuid()),
      rate: amount(),
      base: amount(),
      amount: amount(),
    }),
  ),
});
export const JournalEntryHead = Type.Object(head, { title: 'JournalEntryHead' });
export const JournalEntry = Type.Object({ ...head, lines: Type.Array(Line) }, { title: 'JournalEntry' });

export const entryList: ListDefinition = {
  defaultSort: '-date',
  key: 'e.id',
  fields: {
    number: { type: 'integer', column: 'e.number' },
    fiscalYear: { type: 'integer', column: 'e.fiscal_year' },
    date: { type: 'date', column: 'e.date' },
    periodId: { type: 'uuid', column: 'e.period_id' },
    kind: { type: 'choice', column: 'e.kind', choices: ENTRY_KINDS },
    status: { type: 'choice', column: 'e.status', choices: ['draft', 'posted'] },
    description: { type: 'text', column: 'e.description', searchable: true },
    sourceType: { type: 'text', column: 'e.source_type' },
    sourceId: { type: 'uuid', column: 'e.source_id' },
    reversalOf: { type: 'uuid', column: 'e.reversal_of' },
    total: { type: 'number', column: 'e.total' },
    createdBy: { type: 'uuid', column: 'e.created_by' },
    postedAt: { type: 'instant', column: 'e.posted_at' },
    createdAt: { type: 'instant', column: 'e.created_at' },
    updatedAt: { type: 'instant', column: 'e.updated_at' },
    accountId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.account_id = ?::uuid)',
      sortable: false,
    },
    partnerId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.partner_id = ?::uuid)',
      sortable: false,
    },
  },
};
