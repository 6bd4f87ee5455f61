/** A sequence in which each thing happens that random ones may leave out. */
import { Act, Patch } from './changes.ts';
import { Create, Follow, GoOn, type Step, TakeBack } from './commands.ts';
import { isInvoice, isOrder } from './paper.ts';
import { Count, Transfer } from './stock-commands.ts';
import type { Way, Wish } from './wishes.ts';

const anyWay: Way = { spot: null, named: null, allowExpired: false };
const some: Wish = { item: 0, quarters: 8, price: null, discount: 0, way: anyWay };
const expired: Wish = { ...some, item: 1, quarters: 4, way: { ...anyWay, named: [0, 0] } };

export const EVERYTHING: readonly Step[] = [
  // A draft changes and goes.
  new Create('PINV', [some], false),
  new Patch(4, [{ quarters: null, price: 100 }], [], anyWay),
  new Act('remove', 0),
  // An order is delivered and invoiced; both documents are taken back in part.
  new Create('SO', [some], false),
  new Follow('SDN', 1, 5, anyWay, false),
  new Follow('SDN', 1, 4, anyWay, false),
  new Follow('SINV', 1, 5, anyWay, false),
  new GoOn(1, false, false),
  new Act('post', 0, isInvoice),
  new TakeBack('return', 2, 1, false, false),
  new TakeBack('rectify', 2, 1, false, false),
  new TakeBack('rectify', 2, 1, true, false),
  // Purchases; an order changes, is copied, closed and cancelled.
  new Create('PO', [some], false),
  new Patch(1, [{ quarters: 12, price: null }], [], anyWay),
  new Act('duplicate', 1, isOrder),
  new Act('close', 1, isOrder),
  new Act('cancel', 2, isOrder),
  new Create('PDN', [some], false),
  new Create('PDN', [some], false),
  new GoOn(2, true, true),
  // Further steps that are refused.
  new Act('post', 0),
  new Create('SDN', [{ ...some, quarters: 400 }], false),
  new Create('SDN', [expired], false),
  new Transfer(0, 1, 0, false),
  // Goods on other shelves.
  new Count(0, 40, 0, 0),
  new Transfer(0, 1, 3, false),
];
