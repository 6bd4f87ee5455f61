import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { ItemComponent } from '../../../db/models/records/catalogue.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { amount, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** The parts that an item is assembled of. */
export const itemComponents = declareResource({
  name: 'ItemComponent',
  plural: 'ItemComponents',
  path: '/api/items/:id/components',
  idParameter: 'componentLineId',
  parent: { member: 'itemId', table: 'items', phrase: 'This item' },
  tag: 'Items',
  model: ItemComponent,
  defaultSort: 'createdAt',
  fields: {
    itemId: { schema: uuid(), filled: true, write: 'never' },
    componentId: {
      schema: uuid({ description: 'The part; with stock, and not made of this item' }),
      required: true,
      write: 'create',
      reference: { table: 'items' },
    },
    quantity: {
      schema: amount({ minimum: 0.000001, description: 'In one of the item; both in their own units' }),
      required: true,
    },
  },
  lock: ({ trx, ctx }) => lockName(trx, `components:${ctx.tenantId}`),
  async onCreate({ trx }, values) {
    await checkComponent(trx, String(values.itemId), String(values.componentId));
    return values;
  },
});

/** @throws ServiceError validation_failed for a part without stock, or one that the item is a part of */
async function checkComponent(trx: Db, itemId: string, componentId: string): Promise<void> {
  const [found] = await query<{ tracked: boolean | null; within: boolean }>(
    trx,
    `with recursive parts as (
       select :componentId::uuid as id union select c.component_id from parts p join item_components c on c.item_id = p.id)
     select (select stock_tracked from items where id = :componentId::uuid) as tracked,
       exists (select from parts where id = :itemId::uuid) as within`,
    { itemId, componentId },
  );
  if (found?.within) throw invalidMember('/componentId', 'cycle', 'cannot be a part because this item is a part of it');
  if (found?.tracked === false)
    throw invalidMember('/componentId', 'not_applicable', 'refers to an item without stock');
}
