/** Offsets: credits set off against invoices of the same partner, without money. */

import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { paymentList } from '../../../services/trade/payments/list.ts';
import { offsetToJson, setOff } from '../../../services/trade/payments/offsets.ts';
import {
  loadPayments,
  onlyPayment,
  PAYMENT_COLUMNS,
  PAYMENT_FROM,
  type PaymentRow,
} from '../../../services/trade/payments/payment.ts';
import { removePayment } from '../../../services/trade/payments/remove.ts';
import { OffsetBody } from '../../../services/trade/payments/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { Offset } from './schemas.ts';

const TAG = 'Payments';
const PATH = '/api/payments/offsets';
const Id = Type.Object({ id: uuid() });

const { partner_id, partner_name, payment_date, reference, notes, document_id, created_by, created_at, updated_at } =
  paymentList.fields as Required<typeof paymentList.fields>;
const list = {
  fields: {
    partner_id,
    partner_name,
    date: payment_date,
    reference,
    notes,
    document_id,
    created_by,
    created_at,
    updated_at,
  },
  defaultSort: '-date',
  key: 'p.id',
} as ListDefinition;

export const routes: Route[] = [
  listRoute<never, PaymentRow>({
    path: PATH,
    id: 'listOffsets',
    summary: 'Offsets, newest first',
    tag: TAG,
    access: 'payments:read',
    list,
    row: Offset,
    rows: () => ({
      from: PAYMENT_FROM,
      where: { 'p.payment_method': 'offset' },
      columns: [PAYMENT_COLUMNS],
      toJson: offsetToJson,
    }),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    id: 'createOffset',
    summary: 'Offset credits against invoices of the same partner',
    problems: ['period_closed', 'invalid_transition', 'nothing_open'],
    description:
      'Settles both sides up to the smaller total, without money. An entry is made only if the accounts differ.',
    tag: TAG,
    access: 'payments:create',
    body: OffsetBody,
    responses: { 201: dataBody(Offset) },
    async handler({ db, ctx, body }) {
      const offset = await setOff(db, ctx, body);
      return created(`${PATH}/${offset.id}`, offsetToJson(offset));
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getOffset',
    summary: 'One offset',
    description: 'With the documents of both sides and their amounts.',
    tag: TAG,
    access: 'payments:read',
    params: Id,
    responses: { 200: dataBody(Offset) },
    async handler({ reader, params }) {
      return ok(offsetToJson(onlyPayment(await loadPayments(reader, [params.id]), 'offset')));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deleteOffset',
    summary: 'Undo an offset',
    problems: ['period_closed', 'in_use', 'invalid_transition'],
    description: 'Its documents are outstanding again, and its entries are reversed.',
    tag: TAG,
    access: 'payments:delete',
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removePayment(db, ctx, 'offset', params.id, ifMatch);
      return noContent();
    },
  }),
];
