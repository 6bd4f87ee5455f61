/** Serial numbers: where each piece is, how it came and where it went. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { choice, dataBody, day, instant, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { readSerial, SERIALS_SQL, serialToJson } from '../../../services/trade/stock/serials.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const STATUSES = ['expected', 'in_stock', 'sold', 'gone'] as const;

const list: ListDefinition = {
  defaultSort: 'serialNumber',
  fields: {
    serialNumber: { type: 'text', searchable: true },
    itemId: { type: 'uuid' },
    itemCode: { type: 'text', searchable: true },
    itemName: { type: 'text', searchable: true },
    status: { type: 'choice', choices: STATUSES },
    warehouseId: { type: 'uuid' },
    receivedOn: { type: 'date' },
    supplierId: { type: 'uuid' },
    soldOn: { type: 'date' },
    customerId: { type: 'uuid' },
    warrantyUntil: { type: 'date' },
    createdAt: { type: 'instant' },
  },
};

const members = {
  id: uuid(),
  serialNumber: text({ description: 'Serial number' }),
  itemId: uuid(),
  itemCode: text(),
  itemName: text(),
  status: choice(STATUSES, {
    description:
      'in_stock; sold: with a customer; gone: returned to the supplier or counted away; expected: never moved',
  }),
  warehouseId: nullable(uuid({ description: 'Where it is; null if it is not in stock' })),
  zoneId: nullable(uuid()),
  receivedOn: nullable(day({ description: 'When it first came in' })),
  receiptId: nullable(uuid({ description: 'The document that it came with' })),
  receiptType: nullable(text({ description: 'Type of that document' })),
  supplierId: nullable(uuid({ description: 'The partner whom it came from' })),
  soldOn: nullable(day({ description: 'When it left for the customer who has it' })),
  saleId: nullable(uuid({ description: 'The document that it left with' })),
  saleType: nullable(text({ description: 'Type of that document' })),
  customerId: nullable(uuid({ description: 'The customer who has it' })),
  warrantyUntil: nullable(day({ description: "Last day of the warranty, by the item's warrantyMonths" })),
  createdAt: instant(),
};
const Serial = Type.Object(members, { title: 'SerialNumber' });
const Detail = Type.Object(
  {
    ...members,
    history: Type.Array(
      Type.Object({
        date: day(),
        direction: choice(['in', 'out'], { description: 'Whether it came in or went out' }),
        warehouseId: uuid(),
        docType: nullable(text({ description: 'Type of the document; null for counts and transfers' })),
        documentId: nullable(uuid({ description: 'The document' })),
        operationId: nullable(uuid({ description: 'The count or transfer' })),
        code: nullable(text({ description: 'Code of the document, count or transfer' })),
        partnerId: nullable(uuid()),
        partnerName: nullable(text()),
      }),
      { description: 'All its ways, the oldest first' },
    ),
  },
  { title: 'SerialNumberWithHistory' },
);

export const routes: Route[] = [
  listRoute({
    path: '/api/serials',
    id: 'listSerialNumbers',
    summary: 'Serial numbers',
    tag: 'Stock',
    access: 'stock:read',
    list,
    row: Serial,
    rows: () => ({ from: `(${SERIALS_SQL}) as serials`, toJson: serialToJson }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/serials/:id',
    id: 'getSerialNumber',
    summary: 'One serial number',
    description: 'With all its ways: receipt, transfers, sale, returns.',
    tag: 'Stock',
    access: 'stock:read',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(Detail) },
    handler: async ({ reader, params }) => ok(await readSerial(reader, params.id)),
  }),
];
