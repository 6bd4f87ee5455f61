/**
 * Ownership of accounts. Until its e-mail is verified, an account belongs to the company that created it, because nobody knows yet whose
 * address it is; afterwards it belongs to the person. Ownership decides which accounts a company may change. A change never affects another
 * company where the account works, unless the caller runs that company too.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Membership, type User } from '../../../db/models/access/access.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { HeldRole } from '../../../domain/grants.ts';

interface CompanyRole {
  readonly tenantId: string;
  readonly role: HeldRole;
  readonly active: boolean;
}

/** Lists a user's memberships in companies other than that of `ctx`. Needs the system role. */
export async function listOtherMemberships(trx: Db, ctx: Context, userId: string): Promise<CompanyRole[]> {
  const found = await Membership.query(trx).where({ user_id: userId }).whereNot({ tenant_id: ctx.tenantId });
  return found as unknown as CompanyRole[];
}

type Belonging = Pick<User, 'id' | 'homeTenantId' | 'emailVerifiedAt'>;

/** A stand-in for accounts that do not exist, so that response times do not reveal which ones do. */
export const NO_ACCOUNT: Belonging = {
  id: '00000000-0000-0000-0000-000000000000',
  homeTenantId: null,
  emailVerifiedAt: null,
};

/**
 * Whether the caller may add an account to the company of `ctx` without an invitation: they must also run the company that owns the
 * account. People who have verified their e-mail and left that company are always invited. Needs the system role.
 */
export async function mayAddDirectly(trx: Db, ctx: Context, account: Belonging): Promise<boolean> {
  const { homeTenantId: home, emailVerifiedAt } = account;
  const there = { tenant_id: home ?? ctx.tenantId, user_id: account.id, active: true };
  const isThere = (await Membership.query(trx).where(there).resultSize()) > 0;
  const run = await findCompaniesRunBy(trx, ctx.userId);
  if (home === null || (emailVerifiedAt !== null && !isThere)) return false;
  return home === ctx.tenantId || run.has(home);
}

/**
 * Asserts that the company of `ctx` may change an account. Needs the system role.
 * @param elsewhere the account's memberships in other companies
 * @throws ServiceError forbidden
 */
export async function assertOwnAccount(
  trx: Db,
  ctx: Context,
  user: User,
  elsewhere: readonly CompanyRole[],
): Promise<void> {
  if (user.emailVerifiedAt !== null && user.id !== ctx.userId) {
    throw new ServiceError(
      'forbidden',
      'They have verified their e-mail, so only they can change the account; change or end their membership instead',
    );
  }
  if (user.emailVerifiedAt === null && user.homeTenantId !== ctx.tenantId) {
    throw new ServiceError(
      'forbidden',
      'Only the company that created the account can change it; change or end their membership instead',
    );
  }
  const run = elsewhere.length === 0 ? new Map<string, HeldRole>() : await findCompaniesRunBy(trx, ctx.userId);
  const mayAll = elsewhere.every(({ tenantId, role }) => {
    const mine = run.get(tenantId);
    return mine === 'owner' || (mine === 'admin' && role !== 'owner');
  });
  if (!mayAll) {
    throw new ServiceError(
      'forbidden',
      'The user also works in other companies, which the change would affect; change the membership instead',
    );
  }
}

/** Finds the companies where a user is owner or admin, with the role. Needs the system role. */
export async function findCompaniesRunBy(trx: Db, userId: string | null): Promise<ReadonlyMap<string, HeldRole>> {
  if (userId === null) return new Map();
  const places = await Membership.query(trx)
    .where({ user_id: userId, active: true })
    .whereIn('role', ['owner', 'admin']);
  return new Map((places as unknown as CompanyRole[]).map(({ tenantId, role }) => [tenantId, role]));
}
