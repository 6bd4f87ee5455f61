/** The people of a company: who belongs to it, and who is invited. Of the latter nothing is shown but what the company has named. */
import type { Db } from '../../db/database.ts';
import { Invitation, Membership, User } from '../../db/models/identity.ts';
import { notFound } from '../../domain/errors.ts';

/** A user as shown in a company: the account and the role there. */
export interface Member {
  readonly user: User;
  readonly membership: Membership;
}

/** The users of the connection's tenant with their memberships, those who are invited among them. */
export const MEMBERS_SQL = `
  select u.id, u.email, u.name, u.locale, u.active, u.last_login_at, u.email_verified_at, u.version, u.created_at, u.updated_at,
    m.role, m.id as membership_id, case when m.active then 'active' else 'locked' end as status
  from memberships m join users u on u.id = m.user_id
  union all
  select user_id, email, name, locale, false, null, null, version, created_at, updated_at, role, id, 'invited'
  from invitations where status = 'pending'`;

/** The memberships of the connection's tenant, those that somebody is invited to among them. */
export const MEMBERSHIPS_SQL = `
  select id, tenant_id, user_id, role, active, version, created_at, updated_at,
    case when active then 'active' else 'locked' end as status
  from memberships
  union all
  select id, tenant_id, user_id, role, false, version, created_at, updated_at, 'invited'
  from invitations where status = 'pending'`;

/** A user with the membership in the tenant, or whoever is invited. @throws ServiceError not_found */
export async function getMember(db: Db, userId: string): Promise<Member> {
  const member = await findMember(db, userId);
  if (member !== undefined) return member;
  const invitation = await pendingOf(db, { user_id: userId });
  if (invitation === undefined) throw notFound('The user');
  return asMember(invitation);
}

/** A user who belongs to the tenant. */
export async function findMember(db: Db, userId: string): Promise<Member | undefined> {
  const [user, membership] = await Promise.all([
    User.query(db).findById(userId),
    Membership.query(db).findOne({ user_id: userId }),
  ]);
  return user === undefined || membership === undefined ? undefined : { user, membership };
}

/** A membership of the tenant, or what somebody is invited to. @throws ServiceError not_found */
export async function getMembership(db: Db, id: string): Promise<Membership> {
  const membership = await Membership.query(db).findById(id);
  if (membership !== undefined) return membership;
  const invitation = await pendingOf(db, { id });
  if (invitation === undefined) throw notFound('The membership');
  return asMember(invitation).membership;
}

/** An invitation of the tenant that is neither accepted nor declined nor withdrawn. */
export async function pendingOf(
  db: Db,
  which: { readonly id: string } | { readonly user_id: string },
): Promise<Invitation | undefined> {
  return await Invitation.query(db).findOne({ ...which, status: 'pending' });
}

/** Whoever is invited, shown as the user of the company that they may become. */
export function asMember(invitation: Invitation): Member {
  const { id, userId, tenantId, role, email, name, locale, version, createdAt, updatedAt } = invitation;
  const common = { version, createdAt, updatedAt, active: false };
  const user = { id: userId, email, name, locale, lastLoginAt: null, emailVerifiedAt: null, homeTenantId: null };
  return {
    user: User.fromJson({ ...user, ...common }),
    membership: Membership.fromJson({ id, tenantId, userId, role, status: 'invited', ...common }),
  };
}
