/** Keeps the chart of accounts a tree: only headings have accounts below them, and no account is its own ancestor. */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { JournalLine } from '../../../db/models/ledger/accounting.ts';
import { Account } from '../../../db/models/records/master-data.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';

type Row = Record<string, unknown>;

/**
 * Checks the position of a new or changed account in the tree.
 * @param current the account before the change, locked; null for a new one
 * @throws ServiceError validation_failed (the parent is not a heading, or is below the account), in_use (a heading with accounts below it
 * must stay one)
 */
export async function checkAccount(trx: Db, ctx: Context, values: Row, current: Account | null): Promise<void> {
  const moves = typeof values.parentId === 'string' && values.parentId !== current?.parentId;
  const demoted = values.isHeading === false && current?.isHeading === true;
  if (!moves && !demoted) return;
  await lockAccounts(trx, ctx);
  if (moves) await checkParent(trx, values.parentId as string, current);
  if (demoted) await assertNoChildren(trx, current as Account);
}

/** Locks the tree until the end of the transaction: two concurrent moves could create a cycle that neither of them sees. */
export async function lockAccounts(trx: Db, ctx: Context): Promise<void> {
  await lockName(trx, `accounts:${ctx.tenantId}`);
}

/**
 * Asserts that entries stay on an account of the same type.
 * @throws ServiceError in_use if an account with entries would become a heading, or change between income, expense and other types
 */
export async function assertNoEntries(trx: Db, values: Row, current: Account): Promise<void> {
  const heading = values.isHeading === true && !current.isHeading;
  const changed = values.type !== undefined && values.type !== current.type;
  if (!heading && !changed) return;
  const used = await JournalLine.query(trx).select('entry_id').findOne({ account_id: current.id });
  if (used === undefined) return;
  const refused = heading ? 'cannot become a heading' : 'cannot change its type';
  throw new ServiceError('in_use', `Account ${current.code} ${refused} because it has entries`);
}

async function checkParent(trx: Db, parentId: string, current: Account | null): Promise<void> {
  const parent = await Account.query(trx).findById(parentId);
  if (parent?.isHeading !== true) throw invalidMember('/parentId', 'invalid_reference', 'must be a heading account');
  if (current === null) return;
  const { rows } = (await trx.raw(
    `with recursive above as (
       select id, parent_id from accounts where id = ?
       union select a.id, a.parent_id from accounts a join above on a.id = above.parent_id
     ) select 1 from above where id = ?`,
    [parentId, current.id],
  )) as { rows: unknown[] };
  if (rows.length > 0) throw invalidMember('/parentId', 'cycle', 'is the account itself or below it');
}

async function assertNoChildren(trx: Db, account: Account): Promise<void> {
  const count = await Account.query(trx).where('parent_id', account.id).resultSize();
  if (count > 0)
    throw new ServiceError('in_use', `The heading has ${count === 1 ? '1 account' : `${count} accounts`} below it`);
}
