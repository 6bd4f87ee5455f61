/** Routes of exchange rates from files, and of revaluations. */
import { Type } from 'typebox';

import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { ExchangeRevaluation } from '../../../db/models/ledger/exchange.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { importRates, MAX_RATES } from '../../../services/ledger/exchange/import-rates.ts';
import { readRevaluation, revaluationHead } from '../../../services/ledger/exchange/read.ts';
import { addRevaluation, cancelRevaluation } from '../../../services/ledger/exchange/revalue.ts';
import { RevaluationBody } from '../../../services/ledger/exchange/schemas.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Currencies';
const COLLECTION = '/api/exchange-revaluations';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const MAX_BYTES = 4 * 1024 * 1024;

const head = {
  id: uuid(),
  code: text(),
  date: day({ description: 'The day at whose rates everything open was valued' }),
  reverseOn: nullable(day({ description: 'When its entry is reversed; null: it stands' })),
  status: choice(['posted', 'cancelled']),
  rates: Type.Record(Type.String(), Type.Number(), { description: 'Rates by currency' }),
  gain: amount({ description: 'Sum of the gains (768)' }),
  loss: amount({ description: 'Sum of the losses (668)' }),
  entryId: nullable(uuid({ description: 'Its entry' })),
  reversalId: nullable(uuid({ description: 'The entry that reverses it' })),
  cancelledAt: nullable(instant()),
  createdBy: nullable(uuid()),
  createdAt: instant(),
  updatedAt: instant(),
  version: integer(),
};
const Head = Type.Object(head, { title: 'ListedExchangeRevaluation' });
const Answer = Type.Object(
  {
    ...head,
    lines: Type.Array(
      Type.Object({
        accountId: uuid(),
        accountCode: text(),
        partnerId: nullable(uuid()),
        partnerName: nullable(text()),
        currency: text(),
        amount: amount({ description: 'What was open in the currency; positive for debits' }),
        value: amount({ description: 'Its value in the books before' }),
        newValue: amount({ description: 'Its value at the rate' }),
        difference: amount({ description: 'Gain, or negative loss' }),
      }),
      { description: 'What was open, by account and partner' },
    ),
  },
  { title: 'ExchangeRevaluation' },
);

const RatesImport = Type.Object(
  {
    created: integer(),
    changed: integer({ description: 'Rates of an earlier file that had another value' }),
    unchanged: integer({ description: 'Rates that were there already' }),
    kept: integer({ description: 'Rates that people entered, which stay' }),
    from: nullable(day()),
    to: nullable(day()),
  },
  { title: 'ExchangeRatesImport' },
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', searchable: true },
    date: { type: 'date', notNull: true },
    gain: { type: 'number' },
    loss: { type: 'number' },
    createdBy: { type: 'uuid' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-date',
};

export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    access: 'exchange_rates:create',
    method: 'POST',
    path: '/api/exchange-rates/import',
    id: 'importExchangeRates',
    summary: 'Import exchange rates of the ECB',
    description: `A file of the European Central Bank (eurofxref, XML or CSV). For a company whose currency is not the euro, rates are
converted by the euro's. Rates that people entered stay, and the same file again changes nothing. At most
${MAX_RATES.toLocaleString('en-US')} rates at once.`,
    query: Type.Object({
      from: Type.Optional(day({ description: 'Only rates of this day and later' })),
      currencies: Type.Optional(
        Type.String({ pattern: '^[A-Z]{3}(,[A-Z]{3})*$', description: 'Only these, such as USD,GBP' }),
      ),
    }),
    upload: {
      mediaTypes: ['application/octet-stream', 'application/xml', 'text/xml', 'text/csv'],
      limit: MAX_BYTES,
    },
    responses: { 200: dataBody(RatesImport) },
    handler: async ({ db, ctx, query, body }) =>
      ok(
        await importRates(db, ctx, {
          content: body.content,
          from: query.from,
          currencies: query.currencies?.split(','),
        }),
      ),
  }),
  listRoute({
    tag: TAG,
    access: 'journal_entries:read',
    path: COLLECTION,
    id: 'listExchangeRevaluations',
    summary: 'Revaluations, newest first',
    list,
    row: Head,
    rows: () => ({
      from: 'exchange_revaluations',
      toJson: (row: JsonRow) => revaluationHead(fromRow(ExchangeRevaluation, row)),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:create',
    method: 'POST',
    path: COLLECTION,
    id: 'createExchangeRevaluation',
    summary: 'Revalue what is open in other currencies',
    description:
      'Values invoices, and bank accounts in other currencies, at the rates of a day, and enters the difference as a gain (768) or ' +
      'a loss (668). By default it is reversed on the day after, so that what is paid later realises its difference from the invoice. ' +
      'Advances are not revalued.',
    problems: ['period_closed', 'nothing_open'],
    body: RevaluationBody,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const id = await addRevaluation(db, ctx, body);
      return created(`${COLLECTION}/${id}`, await readRevaluation(db, id));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:read',
    method: 'GET',
    path: ONE,
    id: 'getExchangeRevaluation',
    summary: 'One revaluation',
    description: 'With what was open, and its value before and after.',
    params: Id,
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => ok(await readRevaluation(reader, params.id)),
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:create',
    method: 'POST',
    path: `${ONE}/cancel`,
    id: 'cancelExchangeRevaluation',
    summary: 'Cancel a revaluation',
    description: 'Its entry and its reversal are taken back on their own days.',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, params, ifMatch }) {
      await cancelRevaluation(db, ctx, params.id, ifMatch);
      return ok(await readRevaluation(db, params.id));
    },
  }),
];
