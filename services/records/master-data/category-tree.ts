/** Maintains the tree of categories. Changes are serialized per tenant, since two concurrent ones could create a cycle. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Category } from '../../../db/models/records/catalogue.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';

/** Serializes changes of the tenant's tree until the transaction ends; call it before locking rows. */
export async function lockTree(trx: Db, { tenantId }: Context): Promise<void> {
  await lockName(trx, `categories:${tenantId}`);
}

/** Depth of a category below this parent; 0 without a parent. The tree must be locked. */
export async function depthBelow(trx: Db, parentId: string | null): Promise<number> {
  if (parentId === null) return 0;
  const parent = (await Category.query(trx).findById(parentId)) as Category | undefined;
  if (!parent) throw invalidMember('/parentId', 'invalid_reference', 'refers to a record that does not exist');
  return parent.depth + 1;
}

/**
 * Checks that a category may move below the parent, and updates the depth of its descendants.
 * @returns the new depth of the category itself
 * @throws ServiceError validation_failed if the parent is the category itself or a descendant
 */
export async function moveBelow(trx: Db, ctx: Context, current: Category, parentId: string | null): Promise<number> {
  const below = await query<{ id: string }>(
    trx,
    `with recursive below as (
       select id from categories where id = :id::uuid
       union select c.id from categories c join below on c.parent_id = below.id
     ) select id from below`,
    { id: current.id },
  );
  if (below.some(({ id }) => id === parentId)) {
    throw invalidMember('/parentId', 'cycle', 'is the category itself or a category below it');
  }
  const depth = await depthBelow(trx, parentId);
  const moved = depth - current.depth;
  if (moved !== 0) {
    const ids = below.map(({ id }) => id).filter((id) => id !== current.id);
    const descendants = (await Category.query(trx).findByIds(ids).forUpdate()) as Category[];
    const changes = new Changes(ctx);
    for (const row of descendants) changes.change(Category, row, { depth: row.depth + moved });
    await changes.write(trx);
  }
  return depth;
}
