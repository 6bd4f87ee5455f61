/** Stock levels: place by place, or totals. */
import { Type } from 'typebox';
import { filterConditions } from '../../../db/queries/conditions.ts';
import { fragment, joined, where } from '../../../db/queries/fragments.ts';
import { type ListDefinition, parseListQuery } from '../../../db/queries/list.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Decimal, toNumber } from '../../../domain/money.ts';
import { choice, day, nullable, quantity, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { type ListRows, listRoute } from '../../lists/list-route.ts';
import type { Route } from '../../route.ts';

const GROUPINGS = ['item', 'item,warehouse'];
const BATCH_STATUSES = ['pending', 'confirmed'] as const;

/** Fields of places; filters on them choose the places that totals add up. */
const PLACE_FIELDS: ListDefinition['fields'] = {
  warehouseId: { type: 'uuid' },
  zoneId: { type: 'uuid' },
  zoneCode: { type: 'text' },
  batchId: { type: 'uuid' },
  batchNum: { type: 'text', searchable: true },
  batchStatus: { type: 'choice', choices: BATCH_STATUSES },
  expiryDate: { type: 'date' },
};

const list: ListDefinition = {
  defaultSort: 'itemCode',
  key: 'row_key',
  fields: {
    itemId: { type: 'uuid' },
    itemCode: { type: 'text', searchable: true },
    itemName: { type: 'text', searchable: true },
    ...PLACE_FIELDS,
    onHand: { type: 'number' },
    reserved: { type: 'number' },
    available: { type: 'number' },
    incoming: { type: 'number' },
  },
};

/**
 * One row per place. The general place of an item in a warehouse is always listed, since it holds the reservations;
 * other places only if they hold goods.
 */
const PLACES_SQL = `
  select l.item_id, i.code as item_code, i.name as item_name, l.warehouse_id, l.zone_id, z.code as zone_code, l.batch_id, b.batch_num,
    b.status as batch_status, b.expiry_date, l.on_hand, l.reserved, l.on_hand - l.reserved as available, l.incoming, l.id as row_key
  from stock_levels l join items i on i.id = l.item_id left join zones z on z.id = l.zone_id left join batches b on b.id = l.batch_id
  where l.on_hand <> 0 or (l.zone_id is null and l.batch_id is null)`;
const PLACES = `(${PLACES_SQL}) as levels`;

interface LevelRow {
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly warehouse_id: string | null;
  readonly zone_id: string | null;
  readonly zone_code: string | null;
  readonly batch_id: string | null;
  readonly batch_num: string | null;
  readonly batch_status: string | null;
  readonly expiry_date: string | null;
  readonly on_hand: Decimal;
  readonly reserved: Decimal;
  readonly available: Decimal;
  readonly incoming: Decimal;
}

const StockLevel = Type.Object(
  {
    itemId: uuid(),
    itemCode: text(),
    itemName: text(),
    warehouseId: nullable(uuid({ description: 'null when grouped by item' })),
    zoneId: nullable(uuid({ description: 'null for goods outside zones, and in totals' })),
    zoneCode: nullable(text()),
    batchId: nullable(uuid()),
    batchNum: nullable(text()),
    batchStatus: nullable(choice(BATCH_STATUSES, { description: 'pending: not for sale' })),
    expiryDate: nullable(day({ description: 'Last date on which the batch may be delivered' })),
    onHand: quantity(),
    reserved: quantity({ description: 'Reserved by open sales orders; on the row without zone and batch' }),
    available: quantity({ description: 'onHand − reserved' }),
    incoming: quantity({ description: 'Incoming by open purchase orders; on the row without zone and batch' }),
  },
  { title: 'StockLevel' },
);

export const routes: Route[] = [
  listRoute({
    path: '/api/stock',
    id: 'listStock',
    summary: 'Stock by item, warehouse, zone and batch, or totals',
    description:
      'Rows do not overlap, so they add up to the totals. Filters by place (warehouse, zone, batch, expiry) choose the places to add up.',
    tag: 'Stock',
    access: 'stock:read',
    list,
    parameters: { groupBy: choice(GROUPINGS, { description: 'Totals by item, or by item and warehouse' }) },
    row: StockLevel,
    rows: ({ query: { groupBy, ...parameters } }) => levelRows(groupBy, parameters),
  }),
];

function levelRows(groupBy: string | undefined, parameters: Readonly<Record<string, string>>): ListRows<LevelRow> {
  if (groupBy === undefined) return { from: PLACES, parameters, toJson };
  if (!GROUPINGS.includes(groupBy)) {
    throw new ServiceError('invalid_parameter', `groupBy must be one of ${GROUPINGS.join(' or ')}`);
  }
  const { filters } = parseListQuery(list, parameters);
  const chosen = where(
    filterConditions(
      list,
      filters.filter(({ field }) => Object.hasOwn(PLACE_FIELDS, field)),
    ),
  );
  const [warehouse, by] = groupBy === 'item' ? ['null::uuid', ''] : ['warehouse_id', ', warehouse_id'];
  const totals = `select item_id, item_code, item_name, ${warehouse} as warehouse_id, null::uuid as zone_id, null::text as zone_code,
    null::uuid as batch_id, null::text as batch_num, null::text as batch_status, null::date as expiry_date,
    sum(on_hand) as on_hand, sum(reserved) as reserved, sum(available) as available, sum(incoming) as incoming,
    min(row_key::text) as row_key from ${PLACES}`;
  const others = Object.entries(parameters).filter(([name]) => !Object.hasOwn(PLACE_FIELDS, name.replace(/\[.*/, '')));
  return {
    from: joined([fragment(`(${totals}`), chosen, fragment(` group by item_id, item_code, item_name${by}) as levels`)]),
    parameters: Object.fromEntries(others),
    toJson,
  };
}

function toJson(row: LevelRow) {
  return {
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    warehouseId: row.warehouse_id,
    zoneId: row.zone_id,
    zoneCode: row.zone_code,
    batchId: row.batch_id,
    batchNum: row.batch_num,
    batchStatus: row.batch_status,
    expiryDate: row.expiry_date,
    onHand: toNumber(row.on_hand),
    reserved: toNumber(row.reserved),
    available: toNumber(row.available),
    incoming: toNumber(row.incoming),
  };
}
