/**
 * Schemas of what clients send about journal entries, declared once: they validate and describe requests, and provide the types of
 * services.
 */
import { Type } from 'typebox';
import { TAX_KINDS } from '../../domain/accounting/entered-tax.ts';
import type { EntryKind } from '../../domain/accounting/entries.ts';
import { TAX_OPERATIONS } from '../../domain/accounting/operations.ts';
import { amount, choice, day, flag, type Input, nullable, text, uuid } from '../validation/schemas.ts';

/** The kinds of manual entries. */
export const KINDS_BY_HAND = ['normal', 'opening'] as const satisfies readonly EntryKind[];

const MAX_LINES = 1000;

const description = () => nullable(text({ max: 500 }));

const LineTax = Type.Object(
  {
    kind: choice(TAX_KINDS),
    operation: Type.Optional(choice(TAX_OPERATIONS, { description: 'Defaults to domestic' })),
    use: Type.Optional(choice(['current', 'investment'], { description: 'Defaults to current' })),
    rectifying: Type.Optional(flag()),
    taxGroupId: Type.Optional(nullable(uuid())),
    rate: Type.Optional(
      nullable(amount({ places: 4, minimum: 0, maximum: 100, description: 'Defaults to that of the tax group' })),
    ),
    base: amount({ description: 'The base whose tax the line is; negative where it is taken back' }),
  },
  { additionalProperties: false },
);

export const LineInput = Type.Object(
  {
    accountId: uuid({ description: 'Active, and not a heading' }),
    debit: Type.Optional(nullable(amount({ minimum: 0 }))),
    credit: Type.Optional(nullable(amount({ minimum: 0 }))),
    partnerId: Type.Optional(nullable(uuid())),
    projectId: Type.Optional(nullable(uuid())),
    costCenterId: Type.Optional(nullable(uuid())),
    description: Type.Optional(description()),
    dueDate: Type.Optional(nullable(day({ description: "Of the open item; defaults to the entry's date" }))),
    reference: Type.Optional(
      nullable(text({ description: "Of the open item, such as an earlier program's invoice number" })),
    ),
    settlesId: Type.Optional(
      nullable(
        uuid({
          description:
            'The invoice or open item of the partner that the line settles; without it, it opens an item of its own',
        }),
      ),
    ),
    tax: Type.Optional(
      nullable({
        ...LineTax,
        description: 'The tax of the line when no invoice declares it, such as import VAT charged by customs',
      }),
    ),
  },
  { additionalProperties: false, description: 'Either a debit or a credit, greater than zero' },
);

export type EntryLineInput = Input<typeof LineInput>;

const input = {
  date: day(),
  periodId: Type.Optional(nullable(uuid({ description: 'Defaults to that of the date' }))),
  kind: Type.Optional(
    choice(KINDS_BY_HAND, {
      description:
        'opening: the balances with which the company starts, on the first day of a fiscal year; defaults to normal',
    }),
  ),
  description: Type.Optional(description()),
  lines: Type.Array(LineInput, { minItems: 2, maxItems: MAX_LINES }),
};

export const EntryCreate = Type.Object(
  { ...input, post: Type.Optional(flag({ description: 'Posts it at once instead of leaving a draft' })) },
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
          "Date of the reversal, not before the entry's; defaults to today in the company's time zone, or the entry's own if that is later",
      }),
    ),
  },
  { additionalProperties: false },
);
