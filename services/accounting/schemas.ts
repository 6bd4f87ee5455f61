/** What clients send of journal entries, declared once: it validates and describes requests, and is the type of what services take. */
import { Type } from 'typebox';
import { TAX_KINDS } from '../../domain/accounting/entered-tax.ts';
import type { EntryKind } from '../../domain/accounting/entries.ts';
import { TAX_OPERATIONS } from '../../domain/accounting/operations.ts';
import { amount, choice, day, flag, type Input, nullable, text, uuid } from '../validation/schemas.ts';

/** The kinds of entries that people make. */
export const KINDS_BY_HAND = ['normal', 'opening'] as const satisfies readonly EntryKind[];

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

export type EntryLineInput = Input<typeof LineInput>;

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
export type EntryInput = Input<typeof EntryCreate>;

export const EntryPatch = Type.Partial(Type.Object(input, { title: 'JournalEntryPatch', additionalProperties: false }));
export type EntryChange = Input<typeof EntryPatch>;

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
