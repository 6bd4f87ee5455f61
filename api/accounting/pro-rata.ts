/** The pro rata of the VAT paid in a year, and its regularisation. */
import { Type } from 'typebox';
import { readProRata, regulariseProRata } from '../../services/accounting/pro-rata.ts';
import { amount, dataOf, flag, instant, integer, nullable, uuid } from '../../services/validation/schemas.ts';
import { ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const PATH = '/api/pro-rata/:year';
const Year = Type.Object({ year: integer({ minimum: 1900, maximum: 9997, description: 'A calendar year' }) });
const money = (description: string) => amount({ description });
const TAXES = {
  subjectTax: money('VAT paid that the pro rata applies to'),
  deductedTax: money('What of it is deducted'),
  difference: money('What is to be deducted besides; below zero, what was deducted too much'),
};
const Adjustment = Type.Object(
  {
    id: uuid(),
    percent: money('The percentage by which the year was regularised'),
    ...TAXES,
    entryId: nullable(uuid({ description: 'Its entry; null if there was no difference' })),
    createdAt: instant(),
  },
  { title: 'ProRataAdjustment' },
);
const Answer = Type.Object(
  {
    year: integer(),
    percent: money('The percentage that applies to the year'),
    definitive: flag({ description: 'Whether the year was regularised' }),
    computedPercent: money('What the sales of the year make it, rounded up to a whole percentage'),
    operations: money('Net sales that count'),
    operationsWithRight: money('Those of them that give the right to deduct'),
    ...TAXES,
    adjustments: Type.Array(Adjustment, { description: 'Its regularisations, in order' }),
  },
  { title: 'ProRata' },
);
const Body = Type.Object(
  {
    percent: Type.Optional(
      amount({
        places: 2,
        minimum: 0,
        maximum: 100,
        description: 'The definitive percentage; defaults to the computed one',
      }),
    ),
  },
  { additionalProperties: false },
);

const shared = { tag: 'Accounting', path: PATH, params: Year, responses: { 200: dataOf(Answer) } } as const;

export const routes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    id: 'getProRata',
    summary: 'The pro rata of a year',
    description: 'From the sales and purchases of a calendar year; the difference is that at the computed percentage.',
    access: 'journal_entries:read',
    async handler({ reader, ctx, params }) {
      return ok(await readProRata(reader, ctx, params.year));
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    id: 'regulariseProRata',
    summary: 'Regularise the pro rata of a year',
    description:
      'Brings what was deducted in the year to the definitive percentage, by an entry of 31 December (472 against 639 or 634), and makes ' +
      'that percentage the provisional one of `config/tax`. Repeated, it enters what has changed since.',
    problems: ['period_closed'],
    access: 'journal_entries:create',
    body: Body,
    bodyOptional: true,
    async handler({ db, ctx, params, body }) {
      return ok(await regulariseProRata(db, ctx, params.year, body?.percent));
    },
  }),
];
