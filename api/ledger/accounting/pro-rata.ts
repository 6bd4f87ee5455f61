/** Routes of the pro rata of a year's VAT on purchases, and its regularisation. */
import { Type } from 'typebox';
import {
  disposeOfGood,
  readInvestmentGoods,
  undoDisposal,
} from '../../../services/ledger/accounting/investment-goods.ts';
import { readProRata, regulariseProRata } from '../../../services/ledger/accounting/pro-rata.ts';
import { YEAR } from '../../../services/ledger/tax-returns/schemas.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/pro-rata/:year';
const Year = Type.Object({ year: YEAR });
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

const GOODS = '/api/investment-goods';
const GoodId = Type.Object({ id: uuid() });
const Disposal = Type.Object(
  {
    date: day({ description: 'Day of the sale' }),
    taxed: flag({ description: 'Whether the sale is taxed, or exempt with the right to deduct' }),
    outputTax: Type.Optional(amount({ minimum: 0, description: 'VAT of a taxed sale, the most that is deducted' })),
  },
  { additionalProperties: false },
);
const Good = Type.Object(
  {
    id: uuid({ description: 'Line of the purchase invoice' }),
    documentId: uuid(),
    documentCode: text(),
    description: text({ max: 2000 }),
    date: day({ description: 'Day on which it was bought' }),
    base: money('Price without tax, less what was credited'),
    tax: money('VAT borne to which the pro rata applies'),
    percent: money('Percentage by which it was deducted'),
    years: integer({ description: 'Years of regularisation, with that of the purchase' }),
    lastYear: integer({ description: 'The last of them' }),
    soldOn: nullable(day({ description: 'Day of its sale' })),
    regularisations: Type.Array(
      Type.Object({
        year: integer(),
        date: day(),
        reason: choice(['yearly', 'disposal'], { description: 'disposal: its sale' }),
        percent: money('Percentage that counts instead'),
        amount: money('Additional deduction; negative to pay back'),
        entryId: nullable(uuid({ description: 'The entry; null if there was no difference' })),
      }),
      { description: 'Differences that were entered, in order' },
    ),
  },
  { title: 'InvestmentGood' },
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
  defineRoute({
    method: 'GET',
    path: GOODS,
    id: 'listInvestmentGoods',
    summary: 'Investment goods whose deduction is regularised',
    description:
      'Lines of purchases with `vatUse` `investment` of more than 3,005.06 each, in their years of regularisation: 5, or 10 of land and ' +
      'buildings. Regularising the pro rata of a year regularises them as well, where its percentage differs by more than 10 points.',
    tag: 'Accounting',
    access: 'journal_entries:read',
    query: Year,
    responses: { 200: dataBody(Type.Array(Good)) },
    async handler({ reader, query }) {
      return ok(await readInvestmentGoods(reader, query.year));
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${GOODS}/:id/disposal`,
    id: 'disposeOfInvestmentGood',
    summary: 'Regularise an investment good that is sold',
    description:
      'For the rest of its years at once, by an entry on the day of the sale: a taxed sale deducts wholly, up to its own tax, and any ' +
      'other nothing (LIVA, art. 110).',
    tag: 'Accounting',
    access: 'journal_entries:create',
    problems: ['invalid_transition', 'period_closed'],
    params: GoodId,
    body: Disposal,
    responses: { 200: dataBody(Good) },
    handler: async ({ db, ctx, params, body }) => ok(await disposeOfGood(db, ctx, params.id, body)),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${GOODS}/:id/disposal`,
    id: 'undoDisposalOfInvestmentGood',
    summary: 'Undo the sale of an investment good',
    description: 'Reverses its entry on its own day.',
    tag: 'Accounting',
    access: 'journal_entries:create',
    problems: ['period_closed'],
    params: GoodId,
    responses: { 204: null },
    async handler({ db, ctx, params }) {
      await undoDisposal(db, ctx, params.id);
      return noContent();
    },
  }),
];
