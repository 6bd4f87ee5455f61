/** Routes of SEPA orders: files for the bank, created from outgoing payments and open invoices. */
import { Type } from 'typebox';
import { ORDER_KINDS, SepaOrder } from '../../../db/models/bank/sepa.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { orderCreditTransfers } from '../../../services/bank/sepa/credit-transfers.ts';
import { orderDirectDebits } from '../../../services/bank/sepa/direct-debits.ts';
import { orderFile, readOrder } from '../../../services/bank/sepa/order.ts';
import { CreditTransferBody, DirectDebitBody } from '../../../services/bank/sepa/schemas.ts';
import { applyStatusReport, REPORT_OUTCOMES } from '../../../services/bank/sepa/status-report.ts';
import {
  amount,
  binary,
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

const TAG = 'Payments';
const PATH = '/api/payments/sepa';
const order = {
  id: uuid(),
  kind: choice(ORDER_KINDS, { description: 'salaries: transfers to employees' }),
  message_id: text(),
  message: text({ description: 'Name and version of the message' }),
  bank_account_id: uuid(),
  date: day(),
  count: integer(),
  total: amount(),
  version: integer(),
  created_at: instant(),
  updated_at: instant(),
};
const MAX_REPORT_BYTES = 5 * 1024 * 1024;
const Report = Type.Object(
  {
    date: day({ description: "Date of the bank's report" }),
    transactions: Type.Array(
      Type.Object({
        end_to_end_id: text(),
        reason: nullable(text({ description: 'ISO 20022 code, such as AM04 for insufficient funds' })),
        outcome: choice(REPORT_OUTCOMES, {
          description: 'not_paid: no payment was registered, so there is nothing to undo',
        }),
        payment_id: nullable(uuid()),
        document_id: nullable(uuid()),
        return_id: nullable(uuid({ description: 'The payment that registers the return' })),
      }),
      { description: 'Rejected and returned payments' },
    ),
  },
  { title: 'SepaStatusReport' },
);
const ListedOrder = Type.Object(order, { title: 'ListedSepaOrder' });
/** An order with its items. */
export const Order = Type.Object(
  {
    ...order,
    file_url: text(),
    items: Type.Array(
      Type.Object({
        batch: integer({ description: 'Items with the same number are booked as one sum' }),
        end_to_end_id: text(),
        amount: amount(),
        payment_id: nullable(uuid({ description: 'For debits: the payment, once a statement line shows it' })),
        document_id: nullable(uuid()),
        instalment: nullable(integer({ description: 'Instalment of the document, if it is due in parts' })),
        mandate_id: nullable(uuid()),
      }),
    ),
  },
  { title: 'SepaOrder' },
);

const list: ListDefinition = {
  defaultSort: '-created_at',
  fields: {
    kind: { type: 'choice', choices: ORDER_KINDS },
    message_id: { type: 'text', searchable: true },
    bank_account_id: { type: 'uuid' },
    date: { type: 'date' },
    total: { type: 'number' },
    created_at: { type: 'instant' },
  },
};

const byId = Type.Object({ id: uuid() });

export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/credit-transfers`,
    id: 'orderCreditTransfers',
    summary: 'Create a SEPA credit transfer order from outgoing payments',
    problems: ['duplicate', 'period_closed', 'nothing_open'],
    description: 'Creates a file (pain.001) for the bank. A payment can be ordered only once, unless `repeat` is true.',
    access: 'payments:create',
    body: CreditTransferBody,
    responses: { 201: dataBody(Order) },
    async handler({ db, ctx, body }) {
      const data = await orderCreditTransfers(db, ctx, body);
      return created(`${PATH}/orders/${data.id}`, data);
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/direct-debits`,
    id: 'orderDirectDebits',
    summary: 'Create a SEPA direct debit order from open sales invoices',
    problems: ['duplicate', 'period_closed', 'nothing_open'],
    description: `Creates a file (pain.008) for the bank that collects outstanding amounts, using the latest active mandate of each customer
(\`/api/partners/:id/mandates\`). An invoice can be ordered only once, unless \`repeat\` is true.`,
    access: 'payments:create',
    body: DirectDebitBody,
    responses: { 201: dataBody(Order) },
    async handler({ db, ctx, body }) {
      const data = await orderDirectDebits(db, ctx, body);
      return created(`${PATH}/orders/${data.id}`, data);
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/status-reports`,
    id: 'applyStatusReport',
    summary: 'Register orders that the bank rejected or returned',
    problems: ['period_closed', 'invalid_transition'],
    description:
      'A pain.002 file. Registered payments are returned on the day of the report; amounts not collected yet stay open. Sending the ' +
      'file again changes nothing. An entry that belongs to no order is answered with 422.',
    access: 'payments:create',
    query: Type.Object({ date: Type.Optional(day({ description: "Date of the returns; defaults to the report's" })) }),
    upload: { mediaTypes: ['application/octet-stream', 'application/xml', 'text/xml'], limit: MAX_REPORT_BYTES },
    responses: { 200: dataBody(Report) },
    handler: async ({ db, ctx, query, body }) => ok(await applyStatusReport(db, ctx, body.content, query.date)),
  }),
  listRoute({
    tag: TAG,
    path: `${PATH}/orders`,
    id: 'listSepaOrders',
    summary: 'SEPA orders, newest first',
    access: SepaOrder.access,
    list,
    row: ListedOrder,
    rows: () => ({
      from: 'sepa_orders',
      toJson: (row: Record<string, unknown>) => SepaOrder.toJson(row),
    }),
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/orders/:id`,
    id: 'getSepaOrder',
    summary: 'One SEPA order with its items',
    description: 'Lists each payment or invoice, with account and amount.',
    access: SepaOrder.access,
    params: byId,
    responses: { 200: dataBody(Order) },
    async handler({ reader, params }) {
      return ok(await readOrder(reader, params.id));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/orders/:id/file`,
    id: 'getSepaOrderFile',
    summary: 'Download the file of a SEPA order for the bank',
    description:
      'XML for the bank: pain.001 or pain.008. The file of salaries names employees, and requires `payroll:read`.',
    access: SepaOrder.access,
    problems: ['forbidden'],
    params: byId,
    responses: { 200: binary('application/xml') },
    async handler({ reader, caller, params }) {
      const file = await orderFile(reader, caller, params.id);
      return {
        status: 200,
        body: file.content,
        headers: { 'Content-Type': file.contentType, 'Content-Disposition': `attachment; filename="${file.name}"` },
      };
    },
  }),
];
