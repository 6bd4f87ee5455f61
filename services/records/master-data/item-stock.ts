import type { Db } from '../../../db/database.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { invalidMember } from '../../../domain/errors.ts';

/** Asserts that an item has stock, as `itemId` of a body. @throws ServiceError validation_failed */
export async function assertStocked(trx: Db, itemId: unknown): Promise<void> {
  const item = await Item.query(trx).findById(String(itemId));
  if (item?.stockTracked === false) throw invalidMember('/itemId', 'not_applicable', 'refers to an item without stock');
}
