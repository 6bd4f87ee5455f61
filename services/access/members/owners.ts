/** Rules about owners: only owners change them, and one always remains. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Membership, Tenant } from '../../../db/models/access/access.ts';
import { ServiceError } from '../../../domain/errors.ts';

/** The caller's role, as needed by the rules about owners. */
export interface Actor {
  readonly role: string;
}

/** Requires the actor to be an owner if one of the roles is. @throws ServiceError forbidden */
export function requireOwnerFor(actor: Actor, ...roles: readonly (string | undefined)[]): void {
  if (roles.includes('owner') && actor.role !== 'owner') {
    throw new ServiceError('forbidden', 'Only an owner can create, change or remove owners');
  }
}

/**
 * Serializes changes of a company's owners until the transaction ends. Call it before reading the owners. It does not block inserts that
 * reference the company.
 */
export async function lockOwners(trx: Db, ctx: Context): Promise<void> {
  await Tenant.query(trx).findById(ctx.tenantId).forNoKeyUpdate().select('id');
}

/** Asserts that another active owner remains. Call lockOwners first. @throws ServiceError last_owner */
export async function assertNotLastOwner(trx: Db, userId: string): Promise<void> {
  const other = await Membership.query(trx)
    .alias('m')
    .select('m.id')
    .join('users as u', 'u.id', 'm.user_id')
    .where({ 'm.role': 'owner', 'm.active': true, 'u.active': true })
    .whereNot('m.user_id', userId)
    .first();
  if (other === undefined) {
    throw new ServiceError(
      'last_owner',
      'They cannot be removed because they are the last owner of the company; make another user owner first',
    );
  }
}
