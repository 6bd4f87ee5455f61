/** Who may change owners, and the rule that one always remains. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Membership, Tenant } from '../../db/models/identity.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';

/** The caller, as far as the rules about owners need it. */
export interface Actor {
  readonly role: string;
}

/** @throws ServiceError forbidden when one of the roles is owner and the actor is not an owner */
export function requireOwnerFor(actor: Actor, ...roles: readonly (Role | undefined)[]): void {
  if (roles.includes('owner') && actor.role !== 'owner') {
    throw new ServiceError('forbidden', 'Only an owner can create, change or remove owners');
  }
}

/**
 * Serializes changes of a company's owners until the transaction ends. Call it before reading the owners. References to the company (any
 * other insert) are not held up.
 */
export async function lockOwners(trx: Db, ctx: Context): Promise<void> {
  await Tenant.query(trx).findById(ctx.tenantId).forNoKeyUpdate().select('id');
}

/** @throws ServiceError last_owner when this user is the only active owner left. Call lockOwners first. */
export async function assertNotLastOwner(trx: Db, userId: string): Promise<void> {
  const other = await Membership.query(trx)
    .alias('m')
    .select('m.id')
    .join('users as u', 'u.id', 'm.user_id')
    .where({ 'm.role': 'owner', 'm.active': true, 'u.active': true })
    .whereNot('m.user_id', userId)
    .first();
  if (other === undefined) {
    throw new ServiceError('last_owner', 'They are the last owner of the company; make another user owner first');
  }
}
