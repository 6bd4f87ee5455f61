/** A full invoice in exchange for a simplified one. */
import { Type } from 'typebox';
import { dataBody, day, uuid } from '../../../services/platform/validation/schemas.ts';
import { Address } from '../../../services/trade/documents/schemas.ts';
import { issueFullInvoice } from '../../../services/trade/lifecycle/full-invoice.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { documentBody } from './answer-schemas.ts';
import { documentExample } from './examples.ts';

const FullInvoiceInput = Type.Object(
  {
    partnerId: uuid({
      description: 'To whom it is issued: a partner with a tax id; may be another than that of the sale',
    }),
    seriesId: Type.Optional(uuid({ description: 'Series of its number; that of the simplified invoice by default' })),
    date: Type.Optional(day({ description: 'Date of issue; today by default' })),
    billingAddress: Type.Optional(Address),
  },
  { title: 'FullInvoiceInput', additionalProperties: false },
);

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/sales/invoices/:id/full-invoice',
    id: 'issueFullSalesInvoice',
    summary: 'Give a full invoice in exchange for a simplified one',
    description:
      'A posted invoice to a customer without tax id is a simplified one. Its customer may ask for a full one: it gets a number and a ' +
      'date of its own, and is reported as F3. The sale stays as it is, with entry, goods and payments, so that nothing counts twice; ' +
      '`fullInvoice` names it, and PDF, Facturae, UBL and CII are those of the full invoice from then on.',
    problems: ['not_found', 'invalid_transition', 'stale_version'],
    tag: 'Sales',
    access: 'sales_invoices:create',
    params: Type.Object({ id: uuid() }),
    body: FullInvoiceInput,
    examples: { answer: documentExample('SINV', 'posted') },
    responses: { 200: dataBody(documentBody('SINV')) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(await issueFullInvoice(db, ctx, params.id, { ...body, ifMatch })),
  }),
];
