/** Routes of the pro rata of a year's VAT on purchases, and its regularisation. */
import { Type } from 'typebox';
import { readProRata, regulariseProRata } from '../../../services/ledger/accounting/pro-rata.ts';
import {
  amount,
  dataBody,
  flag,
  instant,
  integer,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/pro-rata/:year';
const Year = Type.Object({ year: integer({ minimum: 1900, maximum: 9997, description: 'A calendar year' }) });
const money = (description: string) => amount({ description });
const TAXES = {
  subjectTax: money('VAT on purchases to which the pro rata applies'),
  deductedTax: money('The part of it deducted so far'),
  difference: money('Additional deduction; negative for excess deduction'),
};
const Adjustment = Type.Object(
  {
    id: uuid(),
    percent: money('The percentage by which the year was regularised'),
    ...TAXES,
    entryId: nullable(uuid({ description: 'The regularisation entry; null if there was no difference' })),
    createdAt: instant(),
  },
  { title: 'ProRataAdjustment' },
);
const Answer = Type.Object(
  {
    year: integer(),
    percent: money('The percentage that applies to the year'),
    definitive: flag({ description: 'Whether the year has been regularised' }),
    computedPercent: money('Computed from the sales of the year, rounded up to a whole percentage'),
    operations: money('Net sales that count'),
    operationsWithRight: money('Net sales with the right to deduct'),
    ...TAXES,
    adjustments: Type.Array(Adjustment, { description: 'Regularisations of the year, in order' }),
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

const shared = { tag: 'Accounting', path: PATH, params: Year, responses: { 200: dataBody(Answer) } } as const;

export const routes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    id: 'getProRata',
    summary: 'The pro rata of a calendar year',
    description:
      'Computed from the sales and purchases of the year; the difference is based on the computed percentage.',
    access: 'journal_entries:read',
    async handler({ reader, ctx, params }) {
      return ok(await readProRata(reader, ctx, params.year));
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    id: 'regulariseProRata',
    summary: 'Regularise the pro rata of a calendar year',
    description:
      'Adjusts the tax deducted in the year to the definitive percentage, by an entry on 31 December (472 against 639 or 634), and makes ' +
      'that percentage the provisional one of `config/tax`. When repeated, it enters changes since the last time.',
    problems: ['period_closed'],
    access: 'journal_entries:create',
    body: Body,
    bodyOptional: true,
    async handler({ db, ctx, params, body }) {
      return ok(await regulariseProRata(db, ctx, params.year, body?.percent));
    },
  }),
];
