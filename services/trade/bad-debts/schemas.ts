/** Schemas of requests about bad debts. */
import { Type } from 'typebox';
import { amount, day, flag, type Input, uuid } from '../../platform/validation/schemas.ts';

const CLOSED = { additionalProperties: false } as const;

const date = day({ description: 'The day on which it counts' });
const percentage = (description: string) => Type.Optional(amount({ places: 2, minimum: 0, maximum: 100, description }));
const doubtful = Type.Optional(
  flag({
    description:
      'Whether what is outstanding stands on the account of doubtful customers (436); by default it stays where it is',
  }),
);

export const ProvisionBody = Type.Object(
  {
    documentId: uuid({ description: 'The posted sales invoice' }),
    date,
    percentage: percentage('What is provided in all, as a percentage of what is outstanding'),
    amount: Type.Optional(
      amount({
        minimum: 0,
        description: "What is provided in all, in the company's currency; instead of a percentage",
      }),
    ),
    doubtful,
  },
  { ...CLOSED, title: 'BadDebtProvision' },
);
export type ProvisionInput = Input<typeof ProvisionBody>;

export const GenerateBody = Type.Object(
  {
    date,
    partnerId: Type.Optional(uuid({ description: 'Only invoices of this customer' })),
    percentage: percentage(
      'Percentage of what is overdue of the customer; by default the percentages by age of /api/config/payments',
    ),
    doubtful,
  },
  { ...CLOSED, title: 'BadDebtGeneration' },
);
export type GenerateInput = Input<typeof GenerateBody>;

export const WriteOffBody = Type.Object({ date }, { ...CLOSED, title: 'BadDebtWriteOff' });
export type WriteOffInput = Input<typeof WriteOffBody>;

export const UndoBadDebtBody = Type.Object(
  { date: Type.Optional(day({ description: 'Of the reversal; by default the day of what is undone' })) },
  { ...CLOSED, title: 'BadDebtUndo' },
);
