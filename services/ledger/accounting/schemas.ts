/**
 * Schemas of requests about journal entries: they validate and document requests, and provide the types that services
 * use.
 */
import { Type } from 'typebox';
import { TAX_KINDS } from '../../../domain/ledger/accounting/entered-tax.ts';
import type { EntryKind } from '../../../domain/ledger/accounting/entries.ts';
import { TAX_OPERATIONS } from '../../../domain/trade/documents/operations.ts';
import {
  amount,
  choice,
  currencyCode,
  day,
  flag,
  type Input,
  nullable,
  text,
  uuid,
} from '../../platform/validation/schemas.ts';

/** Kinds of entries that can be made by hand. */
export const MANUAL_KINDS = ['normal', 'opening'] as const satisfies readonly EntryKind[];

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
      nullable(amount({ places: 4, minimum: 0, maximum: 100, description: 'Defaults to the rate of the tax group' })),
    ),
    base: amount({ description: 'Base of the tax on the line; negative if the tax is taken back' }),
  },
  { additionalProperties: false },
);

export const LineInput = Type.Object(
  {
    accountId: uuid({ description: 'An active account that is not a heading' }),
    debit: Type.Optional(nullable(amount({ minimum: 0 }))),
    credit: Type.Optional(nullable(amount({ minimum: 0 }))),
    partnerId: Type.Optional(nullable(uuid())),
    projectId: Type.Optional(nullable(uuid())),
    costCenterId: Type.Optional(nullable(uuid())),
    description: Type.Optional(description()),
    currency: Type.Optional(nullable(currencyCode('Currency of currencyAmount'))),
    currencyAmount: Type.Optional(
      nullable(amount({ minimum: 0, description: 'The amount in that currency, on the side of the line' })),
    ),
    dueDate: Type.Optional(nullable(day({ description: "Due date of the open item; defaults to the entry's date" }))),
    reference: Type.Optional(
      nullable(
        text({ description: 'Reference of the open item, such as the number of an invoice from an earlier program' }),
      ),
    ),
    settlesId: Type.Optional(
      nullable(
        uuid({
          description:
            "The partner's invoice or open item that the line settles; without it, the line creates an open item",
        }),
      ),
    ),
    serviceFrom: Type.Optional(
      nullable(
        day({
          description:
            'Of income and expense: the first day of the service. What belongs to months after that of the entry waits on 485 and 480 ' +
            'until then',
        }),
      ),
    ),
    serviceTo: Type.Optional(nullable(day({ description: 'Last day of the service' }))),
    tax: Type.Optional(
      nullable({
        ...LineTax,
        description: "The line's tax, if no invoice declares it, such as import VAT charged by customs",
      }),
    ),
  },
  { additionalProperties: false, description: 'Either a debit or a credit, greater than zero' },
);

export type EntryLineInput = Input<typeof LineInput>;

const input = {
  date: day(),
  periodId: Type.Optional(nullable(uuid({ description: 'Defaults to the period of the date' }))),
  kind: Type.Optional(
    choice(MANUAL_KINDS, {
      description: "opening: the company's initial balances, on the first day of a fiscal year; defaults to normal",
    }),
  ),
  description: Type.Optional(description()),
  reversesOn: Type.Optional(
    nullable(
      day({
        description:
          "The day on which the service reverses it, on or after the entry's date, such as the first of the next month; null for none. " +
          'Of a posted entry it is the one member that can be changed',
      }),
    ),
  ),
  lines: Type.Array(LineInput, { minItems: 2, maxItems: MAX_LINES }),
};

export const EntryCreate = Type.Object(
  { ...input, post: Type.Optional(flag({ description: 'Posts the entry immediately instead of leaving a draft' })) },
  { title: 'JournalEntryCreate', additionalProperties: false },
);
export type EntryInput = Input<typeof EntryCreate>;

export const EntryPatch = Type.Partial(Type.Object(input, { title: 'JournalEntryPatch', additionalProperties: false }));
export type EntryChange = Input<typeof EntryPatch>;

export const StockVariation = Type.Object(
  { date: day({ description: 'Usually the last day of a month' }) },
  { additionalProperties: false },
);
export const ReverseBody = Type.Object(
  {
    date: Type.Optional(
      day({
        description:
          "Date of the reversal, on or after the entry's date; defaults to the later of today, in the " +
          "company's time zone, and the entry's date",
      }),
    ),
  },
  { additionalProperties: false },
);
