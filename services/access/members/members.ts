/** The people of a company: members and invitees. Invitees are shown only with the data that the company entered. */

import type { Reader } from '../../../db/database.ts';
import { Invitation, Membership, User } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notFound } from '../../../domain/errors.ts';

/** A user as shown in a company: the account and the role there. */
export interface Member {
  readonly user: User;
  readonly membership: Membership;
}

/** Query of the users of the connection's tenant with their memberships, including invitees. */
export const MEMBERS_SQL = `
  select u.id, u.email, u.name, u.locale, u.active, u.last_login_at, u.email_verified_at, u.version, u.created_at, u.updated_at,
    m.role, m.role_id, m.id as membership_id, case when m.active then 'active' else 'locked' end as status
  from memberships m join users u on u.id = m.user_id
  union all
  select user_id, email, name, locale, false, null, null, version, created_at, updated_at, role, role_id, id, 'invited'
  from invitations where status = 'pending'`;

/** Query of the memberships of the connection's tenant, including those offered by invitations. */
export const MEMBERSHIPS_SQL = `
  select id, tenant_id, user_id, role, role_id, permissions, active, version, created_at, updated_at,
    case when active then 'active' else 'locked' end as status
  from memberships
  union all
  select id, tenant_id, user_id, role, role_id, permissions, false, version, created_at, updated_at, 'invited'
  from invitations where status = 'pending'`;

/** Reads a user with their membership in the tenant, or an invitee. @throws ServiceError not_found */
export async function getMember(reader: Reader, userId: string): Promise<Member> {
  const member = await findMember(reader, userId);
  if (member !== undefined) return member;
  const invitation = await findPendingInvitation(reader, { userId });
  if (invitation === undefined) throw notFound('The user');
  return inviteeAsMember(invitation);
}

/** Finds a user who belongs to the tenant. */
export async function findMember(reader: Reader, userId: string): Promise<Member | undefined> {
  const user = await findRow(reader, User, { id: userId });
  const membership = await findRow(reader, Membership, { userId });
  return user === undefined || membership === undefined ? undefined : { user, membership };
}

/** Reads a membership of the tenant, or the one that an invitation offers. @throws ServiceError not_found */
export async function getMembership(reader: Reader, id: string): Promise<Membership> {
  const membership = await findRow(reader, Membership, { id });
  if (membership !== undefined) return membership;
  const invitation = await findPendingInvitation(reader, { id });
  if (invitation === undefined) throw notFound('The membership');
  return inviteeAsMember(invitation).membership;
}

/** Finds an invitation of the tenant that is neither accepted nor declined nor withdrawn. */
export async function findPendingInvitation(
  reader: Reader,
  which: { readonly id: string } | { readonly userId: string },
): Promise<Invitation | undefined> {
  return await findRow(reader, Invitation, { ...which, status: 'pending' });
}

/** Shows an invitee as the member that they would become. */
export function inviteeAsMember(invitation: Invitation): Member {
  const { id, userId, tenantId, role, roleId, permissions, email, name, locale, version, createdAt, updatedAt } =
    invitation;
  const common = { version, createdAt, updatedAt, active: false };
  const user = { id: userId, email, name, locale, lastLoginAt: null, emailVerifiedAt: null, homeTenantId: null };
  return {
    user: User.fromJson({ ...user, ...common }),
    membership: Membership.fromJson({ id, tenantId, userId, role, roleId, permissions, status: 'invited', ...common }),
  };
}
