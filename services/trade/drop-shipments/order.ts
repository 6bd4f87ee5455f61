/** Orders goods of a sales order from a supplier who sends them to the customer (decision 0320). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { DropShipmentLine } from '../../../db/models/trade/drop-shipments.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { openQuantity } from '../../../domain/trade/documents/progress.ts';
import { assertAllowed, loadDocument } from '../documents/read.ts';
import type { DocumentInput } from '../documents/schemas.ts';
import type { LineRow, LoadedDocument } from '../documents/stored.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import { createDocument } from '../lifecycle/create.ts';
import { carriedHead, toLineInput, withoutUndefined } from '../lifecycle/document-input.ts';
import { droppedLines } from './lines.ts';

export interface DropShipInput {
  /** The supplier. */
  readonly partnerId: string;
  readonly date?: string;
  readonly deliveryDate?: string;
  /** The place of delivery; defaults to the order's. */
  readonly shippingAddress?: DocumentInput['shippingAddress'];
  /** Through which the goods are booked; defaults to that of the lines. */
  readonly warehouseId?: string;
  /** All that is open and not yet ordered by default. */
  readonly lines?: readonly { readonly baseLineId: string; readonly quantity?: number; readonly price?: number }[];
}

interface Wanted {
  readonly line: LineRow;
  readonly quantity: Decimal;
  readonly price: number | undefined;
}

/**
 * Makes a purchase order of goods of a sales order, to be sent to its customer. What two order at once is ordered once.
 * @returns the purchase order as its GET returns it
 * @throws ServiceError not_found, invalid_transition, nothing_open, validation_failed, and as `createDocument`
 */
export async function dropShip(trx: Db, ctx: Context, id: string, input: DropShipInput): Promise<DocumentAnswer> {
  await lockName(trx, `drop-ship:${id}`);
  const order = await loadDocument(trx, id, 'SO');
  assertAllowed(order.row, 'deliver');
  const left = await leftToOrder(trx, order);
  const wanted = input.lines === undefined ? all(order, left) : named(order, left, input.lines);
  if (wanted.length === 0) {
    throw new ServiceError('nothing_open', `Nothing of ${order.row.code} is left to order from a supplier`);
  }
  const { lines: _lines, ...given } = input;
  const head = purchaseHead(order);
  const shippingAddress = given.shippingAddress ?? head.shippingAddress;
  if (shippingAddress === undefined) {
    throw invalidMember('/shippingAddress', 'required', `is required because ${order.row.code} has no address`);
  }
  const made = await createDocument(trx, ctx, 'PO', {
    ...head,
    ...given,
    shippingAddress,
    lines: wanted.map((one) => purchaseLine(order, one, input.warehouseId)),
  });
  const changes = new Changes(ctx);
  const links = wanted.map(({ line }, index) => ({
    id: newId(),
    purchaseLineId: made.lines[index]?.id as string,
    salesLineId: line.id,
  }));
  changes.insert(DropShipmentLine, links);
  await changes.write(trx);
  return made;
}

/** Members of the purchase order's head: it goes to the customer, and costs what their order's project bears. */
function purchaseHead(order: LoadedDocument) {
  const { projectId, costCenterId, warehouseId, shippingAddress, billingAddress } = carriedHead(order);
  const reference = order.row.code ?? undefined;
  return withoutUndefined({
    ...{ projectId, costCenterId, warehouseId, reference },
    shippingAddress: shippingAddress ?? billingAddress,
  });
}

function purchaseLine(order: LoadedDocument, { line, quantity, price }: Wanted, warehouse: string | undefined) {
  const { itemId, description, uomId, uomFactor, projectId, costCenterId } = toLineInput(order.row, line);
  const warehouseId = warehouse ?? line.warehouseId ?? undefined;
  const known = { itemId, description, uomId, uomFactor, projectId, costCenterId, price, warehouseId };
  return { ...withoutUndefined(known), quantity: toNumber(quantity) };
}

/** The open quantity of each line with goods that is not yet ordered for it, in its own unit. */
async function leftToOrder(trx: Db, { row, lines }: LoadedDocument): Promise<ReadonlyMap<string, Decimal>> {
  const dropped = await droppedLines(trx, row.id);
  const goods = lines.filter(
    ({ itemId, warehouseId, components }) => itemId !== null && warehouseId !== null && components === null,
  );
  return new Map(
    goods.map((line) => {
      const expected = sum(dropped.filter(({ salesLineId }) => salesLineId === line.id).map((each) => each.expected));
      return [line.id, decimal(openQuantity('order', line)).minus(expected).toFixed()];
    }),
  );
}

function all({ lines }: LoadedDocument, left: ReadonlyMap<string, Decimal>): Wanted[] {
  return lines
    .map((line) => ({ line, quantity: left.get(line.id) ?? '0', price: undefined }))
    .filter(({ quantity }) => decimal(quantity).gt(0));
}

/** @throws ServiceError validation_failed with pointers into `lines` */
function named(
  { lines }: LoadedDocument,
  left: ReadonlyMap<string, Decimal>,
  given: NonNullable<DropShipInput['lines']>,
): Wanted[] {
  const faults = new Faults();
  const seen = new Set<string>();
  const wanted = given.flatMap(({ baseLineId, quantity, price }, index): Wanted[] => {
    const line = lines.find(({ id }) => id === baseLineId);
    const most = left.get(baseLineId);
    const at = (member: string) => `/lines/${index}/${member}`;
    if (seen.has(baseLineId)) faults.add(at('baseLineId'), 'duplicate', 'must not be named twice');
    seen.add(baseLineId);
    if (line === undefined || most === undefined) {
      faults.add(at('baseLineId'), 'invalid_reference', 'refers to no line of the order with goods');
      return [];
    }
    const amount = quantity === undefined ? most : decimal(quantity).toFixed();
    if (decimal(amount).gt(most) || !decimal(amount).gt(0)) {
      const rest = decimal(most).gt(0) ? decimal(most).toFixed() : '0';
      faults.add(at('quantity'), 'out_of_range', `must be at most ${rest}, which is left to order`);
    }
    return [{ line, quantity: amount, price }];
  });
  faults.throwIfAny();
  return wanted;
}
