/** Goods of sales orders that suppliers send to the customer. */
import { Type } from 'typebox';
import { toNumber } from '../../../domain/money.ts';
import { amount, choice, dataBody, day, quantity, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import { Address } from '../../../services/trade/documents/schemas.ts';
import { droppedLines } from '../../../services/trade/drop-shipments/lines.ts';
import { dropShip } from '../../../services/trade/drop-shipments/order.ts';
import { created } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { documentBody } from '../documents/answer-schemas.ts';
import { documentExample } from '../documents/examples.ts';
import { stepProblems } from '../documents/problems.ts';

const Id = Type.Object({ id: uuid() });
const PATH = '/api/sales/:id';

const Dropped = Type.Object(
  {
    salesLineId: uuid({ description: 'The line of the sales order' }),
    itemId: uuid(),
    purchaseOrderId: uuid({ description: 'The purchase order' }),
    purchaseOrderCode: text({ description: 'Code of the purchase order' }),
    purchaseLineId: uuid({ description: 'Its line' }),
    status: choice(['O', 'P', 'C', 'X'], { description: 'Status of the purchase order' }),
    supplierId: uuid({ description: 'The supplier' }),
    supplierName: text({ description: 'Name of the supplier' }),
    quantity: quantity({ description: 'What was ordered' }),
    receivedQuantity: quantity({ description: 'What of it the supplier has sent' }),
  },
  { title: 'DropShipmentLine' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: `${PATH}/drop-shipments`,
    id: 'listDropShipments',
    summary: 'What suppliers send to the customer of a sales order',
    description: 'The lines of purchase orders that were made for it.',
    tag: 'Sales',
    access: 'purchase_orders:read',
    params: Id,
    responses: { 200: Type.Object({ data: Type.Array(Dropped) }, { title: 'DropShipments' }) },
    async handler({ reader, params }) {
      const { row } = await loadDocument(reader, params.id, 'SO');
      const data = (await droppedLines(reader, row.id)).map(({ expected: _expected, ...line }) => ({
        ...line,
        quantity: toNumber(line.quantity),
        receivedQuantity: toNumber(line.receivedQuantity),
      }));
      return { status: 200, body: { data } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/drop-ship`,
    id: 'dropShipSalesOrder',
    summary: 'Order from a supplier who sends the goods to the customer',
    description:
      "Makes a purchase order with the customer's address. When its goods are entered as received, by a delivery note or an invoice, " +
      'the delivery note of the customer is made with them. Goods of lines that are ordered already are left out.',
    problems: stepProblems('PO', 'follow'),
    examples: { answer: documentExample('PO', 'created') },
    tag: 'Sales',
    access: 'purchase_orders:create',
    params: Id,
    body: Type.Object(
      {
        partnerId: uuid({ description: 'The supplier' }),
        date: Type.Optional(day({ description: "Defaults to today in the company's time zone" })),
        deliveryDate: Type.Optional(day({ description: 'When the goods are expected' })),
        shippingAddress: Type.Optional(Address),
        warehouseId: Type.Optional(
          uuid({ description: "Through which the goods are booked; defaults to that of the order's lines" }),
        ),
        lines: Type.Optional(
          Type.Array(
            Type.Object(
              {
                baseLineId: uuid({ description: 'A line of the sales order' }),
                quantity: Type.Optional(
                  amount({
                    minimum: 0.000001,
                    description: 'In the unit of the line; defaults to what is left to order',
                  }),
                ),
                price: Type.Optional(amount({ minimum: 0, description: "Defaults to the supplier's price" })),
              },
              { additionalProperties: false },
            ),
            { minItems: 1, maxItems: 1000, description: 'Defaults to all that is open and not ordered yet' },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    responses: { 201: dataBody(documentBody('PO')) },
    async handler({ db, ctx, params, body }) {
      const order = await dropShip(db, ctx, params.id, body);
      return created(`/api/purchases/${order.id}`, order);
    },
  }),
];
