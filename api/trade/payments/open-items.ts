/** Open items: amounts that manual entries leave open with partners. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { PAYMENT_STATUSES } from '../../../domain/trade/payments/types.ts';
import {
  amount,
  choice,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { loadItems } from '../../../services/trade/payments/debts.ts';
import { ITEM_COLUMNS, ITEM_FROM, itemToJson, type ShownItem } from '../../../services/trade/payments/open-items.ts';
import { reconciliationStatus } from '../../../services/trade/payments/status.ts';
import { listRoute } from '../../lists/list-route.ts';
import { compared, defineRoute, type Route } from '../../route.ts';
import { ReconciliationStatus } from './schemas.ts';

const TAG = 'Payments';
const PATH = '/api/open-items';
const DIRECTIONS = ['in', 'out'] as const;

const OpenItem = compared(
  Type.Object(
    {
      id: uuid(),
      code: text({ description: 'Its reference, or else the date and line of the entry' }),
      direction: choice(DIRECTIONS, { description: 'in: owed by the partner; out: owed to the partner' }),
      partner_id: uuid(),
      partner_name: text(),
      account_code: text(),
      date: day(),
      due_date: day(),
      reference: nullable(text()),
      currency: text(),
      total: amount({ description: 'Negative for a credit' }),
      outstanding: amount(),
      status: choice(PAYMENT_STATUSES),
      entry_id: uuid(),
      line_number: integer({ description: 'Line number in the entry' }),
      created_at: instant(),
      updated_at: instant(),
      version: integer(),
    },
    { title: 'OpenItem' },
  ),
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', column: 'i.code', searchable: true },
    direction: { type: 'choice', column: 'i.direction', choices: DIRECTIONS },
    partner_id: { type: 'uuid', column: 'i.partner_id' },
    partner_name: { type: 'text', column: 'p.name', searchable: true },
    account_code: { type: 'text', column: 'a.code' },
    date: { type: 'date', column: 'i.date', notNull: true },
    due_date: { type: 'date', column: 'i.due_date', notNull: true },
    reference: { type: 'text', column: 'i.reference', searchable: true },
    total: { type: 'number', column: 'i.total' },
    outstanding: { type: 'number', column: '(i.total - i.paid_total)' },
    entry_id: { type: 'uuid', column: 'i.entry_id' },
    created_at: { type: 'instant', column: 'i.created_at' },
    updated_at: { type: 'instant', column: 'i.updated_at' },
  },
  defaultSort: '-date',
  key: 'i.id',
};

export const routes: Route[] = [
  listRoute<never, ShownItem>({
    path: PATH,
    id: 'listOpenItems',
    summary: 'Open items, newest first',
    description:
      'Amounts that lines of journal entries leave open with partners, including settled ones (`outstanding[ne]=0` for those that are ' +
      'not settled). Payments and offsets link to them as `open_item`.',
    tag: TAG,
    access: 'payments:read',
    list,
    row: OpenItem,
    rows: () => ({ from: ITEM_FROM, columns: [ITEM_COLUMNS], toJson: itemToJson }),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id/reconciliation`,
    id: 'getOpenItemReconciliation',
    summary: 'Payments and entries that settle an open item',
    description: 'Same as the reconciliation of a document.',
    tag: TAG,
    access: 'payments:read',
    params: Type.Object({ id: uuid() }),
    responses: { 200: ReconciliationStatus },
    async handler({ reader, params }) {
      const [item] = await loadItems(reader, [params.id]);
      if (item === undefined) throw notFound('The open item');
      return { status: 200, body: await reconciliationStatus(reader, item.row.direction, item.row.id) };
    },
  }),
];
