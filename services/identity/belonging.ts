/**
 * To whom an account belongs. While its e-mail is not verified, to the company that has made it: nobody knows yet whose address it is.
 * From then on to the person. What a company may do follows from that, and it never reaches into another company where the account
 * works, unless whoever does it runs that one as well.
 */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Membership, type User } from '../../db/models/identity.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Role } from '../../domain/permissions.ts';

interface Place {
  readonly tenantId: string;
  readonly role: Role;
  readonly active: boolean;
}

/** A user's memberships in companies other than that of `ctx`. Needs the system role. */
export async function membershipsElsewhere(trx: Db, ctx: Context, userId: string): Promise<Place[]> {
  const found = await Membership.query(trx).where({ user_id: userId }).whereNot({ tenant_id: ctx.tenantId });
  return found as unknown as Place[];
}

type Belonging = Pick<User, 'id' | 'homeTenantId' | 'emailVerifiedAt'>;

/** What is asked about where there is no account, so that the time does not tell of one. */
export const NOBODY: Belonging = {
  id: '00000000-0000-0000-0000-000000000000',
  homeTenantId: null,
  emailVerifiedAt: null,
};

/**
 * Whether whoever acts may add an account to the company of `ctx` at once: they run the account's company too. Who has verified their
 * e-mail and left that company is asked by everybody. Needs the system role.
 */
export async function mayAddAtOnce(trx: Db, ctx: Context, account: Belonging): Promise<boolean> {
  const { homeTenantId: home, emailVerifiedAt } = account;
  const there = { tenant_id: home ?? ctx.tenantId, user_id: account.id, active: true };
  const isThere = (await Membership.query(trx).where(there).resultSize()) > 0;
  const run = await placesRunBy(trx, ctx.userId);
  if (home === null || (emailVerifiedAt !== null && !isThere)) return false;
  return home === ctx.tenantId || run.has(home);
}

/**
 * @param elsewhere the account's memberships in other companies
 * @throws ServiceError forbidden when the account is not the company's to change. Needs the system role.
 */
export async function refuseForeign(trx: Db, ctx: Context, user: User, elsewhere: readonly Place[]): Promise<void> {
  if (user.emailVerifiedAt !== null && user.id !== ctx.userId) {
    throw new ServiceError(
      'forbidden',
      'They have verified their e-mail, so that the account is theirs to change; change or end their membership instead',
    );
  }
  if (user.emailVerifiedAt === null && user.homeTenantId !== ctx.tenantId) {
    throw new ServiceError(
      'forbidden',
      'The company that has made the account is alone in changing it; change or end their membership instead',
    );
  }
  const run = elsewhere.length === 0 ? new Map<string, Role>() : await placesRunBy(trx, ctx.userId);
  const mayAll = elsewhere.every(({ tenantId, role }) => {
    const mine = run.get(tenantId);
    return mine === 'owner' || (mine === 'admin' && role !== 'owner');
  });
  if (!mayAll) {
    throw new ServiceError(
      'forbidden',
      'The user works in other companies too, which would be changed as well; change the membership instead',
    );
  }
}

/** The companies where a user is owner or admin, and as which. Needs the system role. */
export async function placesRunBy(trx: Db, userId: string | null): Promise<ReadonlyMap<string, Role>> {
  if (userId === null) return new Map();
  const places = await Membership.query(trx)
    .where({ user_id: userId, active: true })
    .whereIn('role', ['owner', 'admin']);
  return new Map((places as unknown as Place[]).map(({ tenantId, role }) => [tenantId, role]));
}
