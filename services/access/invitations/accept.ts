/**
 * Accepts and declines invitations. The token in the mail proves that the address belongs to the invitee. Somebody else may know the
 * password of an account that was never verified, so it gets a new one and all its sessions end.
 */
import type { Context } from '../../../db/context.ts';
import { type Database, type Db, switchScope } from '../../../db/database.ts';
import { isUuid } from '../../../db/ids.ts';
import { Invitation, Membership, Tenant, User } from '../../../db/models/access/access.ts';
import { insertRow } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import type { HeldRole } from '../../../domain/grants.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { createAccount, emitUserEvent, lockEmail } from '../accounts/accounts.ts';
import { claimAccount, reactivateAccount } from '../accounts/claim.ts';
import { findAccount } from '../sessions/login.ts';
import { checkNewPassword, hashPassword } from '../sessions/passwords.ts';
import { hashSecret } from '../sessions/secrets.ts';
import { endUnaccepted, isExpired, settleInvitation } from './invitations.ts';

export interface AcceptEnv {
  readonly database: Database;
  readonly now: Date;
  readonly requestId: string;
}

/** The membership that accepting an invitation created. */
export interface Accepted {
  readonly membershipId: string;
  readonly userId: string;
  readonly tenantId: string;
  readonly tenantName: string;
  readonly role: HeldRole;
}

/** An invitation as the invitee sees it. */
export interface InvitationForMe {
  readonly id: string;
  readonly tenantName: string;
  readonly role: HeldRole;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * Accepts with the token from the mail, which verifies the e-mail.
 * @param input.password required, and stored, unless the account's e-mail was verified before
 * @throws ServiceError invalid_token (unknown, void, used), token_expired, validation_failed (password)
 */
export async function acceptByToken(
  env: AcceptEnv,
  input: { readonly token: string; readonly password?: string },
): Promise<Accepted> {
  const { token, password } = input;
  const { id, isTheirs } = await env.database.withSystem(async (trx) => {
    const invitation = await openInvitation(trx, env, token);
    return { id: invitation.id, isTheirs: isVerified(await findInviteeAccount(trx, invitation.email)) };
  });
  const passwordHash = isTheirs ? null : await newPasswordHash(password, id);
  return await env.database.withSystem(async (trx) => {
    await lockEmail(trx, (await openInvitation(trx, env, token)).email);
    const invitation = await openInvitation(trx, env, token, 'to settle');
    const account = await findInviteeAccount(trx, invitation.email);
    return await becomeMember(trx, env, invitation, account, passwordHash);
  });
}

/** Declines with the token from the mail, whether or not an account exists. @throws ServiceError as acceptByToken */
export async function declineByToken(env: AcceptEnv, token: string): Promise<void> {
  await env.database.withSystem(async (trx) => decline(trx, env, await openInvitation(trx, env, token, 'to settle')));
}

/** Lists the invitations that a user can answer; none until their e-mail is verified. */
export async function invitationsFor(env: AcceptEnv, userId: string): Promise<InvitationForMe[]> {
  return await env.database.withSystem(async (trx) => {
    const user = await User.query(trx).findById(userId);
    if (user === undefined || !isVerified(user)) return [];
    return await trx('invitations as i')
      .join('tenants as t', 't.id', 'i.tenant_id')
      .whereRaw('lower(i.email) = lower(?)', [user.email])
      .where({ 'i.status': 'pending' })
      .where('i.expires_at', '>', env.now.toISOString())
      .orderBy([{ column: 'i.created_at' }, { column: 'i.id' }])
      .select('i.id', 't.name as tenantName', 'i.role', 'i.created_at as createdAt', 'i.expires_at as expiresAt');
  });
}

/** Accepts an invitation to the verified e-mail of a user. @throws ServiceError not_found, forbidden (not verified) */
export async function acceptAsUser(env: AcceptEnv, userId: string, id: string): Promise<Accepted> {
  return await env.database.withSystem(async (trx) => {
    await lockEmail(trx, (await verifiedUser(trx, userId)).email);
    const user = await verifiedUser(trx, userId);
    return await becomeMember(trx, env, await lockInvitation(trx, env, user, id), user, null);
  });
}

/** Declines an invitation to the verified e-mail of a user. @throws ServiceError not_found, forbidden (not verified) */
export async function declineAsUser(env: AcceptEnv, userId: string, id: string): Promise<void> {
  await env.database.withSystem(async (trx) => {
    await decline(trx, env, await lockInvitation(trx, env, await verifiedUser(trx, userId), id));
  });
}

/** Turns the invitation into a membership with the same id. */
async function becomeMember(
  trx: Db,
  env: AcceptEnv,
  invitation: Invitation,
  account: User | undefined,
  passwordHash: string | null,
): Promise<Accepted> {
  const { id, tenantId, role, roleId, permissions, email, name, locale } = invitation;
  const version = invitation.version + 1;
  const userId = account?.id ?? invitation.userId;
  const ctx: Context = { tenantId, userId, actor: null, requestId: env.requestId, now: env.now };
  const tenant = await Tenant.query(trx).findById(tenantId).throwIfNotFound();
  if (!isVerified(account) && passwordHash === null) throw passwordNeeded();
  let user = account;
  if (user !== undefined && !user.active) user = await reactivateAccount(trx, ctx, user);
  if (user === undefined) {
    const known = { id: userId, version, email, name, locale, passwordHash: passwordHash ?? '', verified: true };
    user = await createAccount(trx, ctx, known);
  } else if (!isVerified(user)) {
    user = await claimAccount(trx, ctx, user, passwordHash ?? '');
  }
  await switchScope(trx, ctx);
  await settleInvitation(trx, ctx, invitation, 'accepted');
  if (userId !== invitation.userId) {
    await emitUserEvent(trx, ctx, 'user.deleted', { id: invitation.userId, email, name }, role);
    await emitUserEvent(trx, ctx, 'user.created', user, role);
  }
  await insertRow(trx, ctx, Membership, { id, version, userId, role, roleId, permissions, active: true });
  return { membershipId: id, userId, tenantId, tenantName: tenant.name, role };
}

async function decline(trx: Db, env: AcceptEnv, invitation: Invitation): Promise<void> {
  const { id, tenantId, name, email } = invitation;
  // The user is not named here: it would reveal that an account exists.
  const ctx: Context = { tenantId, userId: null, actor: `invitation:${id}`, requestId: env.requestId, now: env.now };
  await switchScope(trx, ctx);
  await endUnaccepted(trx, ctx, invitation, 'declined');
  await alertAdmins(trx, ctx, {
    title: `${name} has declined the invitation`,
    body: `${email} has declined to join the company.`,
    es: { title: `${name} ha rechazado la invitación`, body: `${email} no quiere unirse a la empresa.` },
    metadata: { invitation_id: id },
  });
}

/**
 * Finds the open invitation of a token. Needs the system role.
 * @param use `to settle` locks the invitation until the transaction ends
 */
async function openInvitation(trx: Db, env: AcceptEnv, token: string, use?: 'to settle'): Promise<Invitation> {
  const query = Invitation.query(trx).findOne({ token_hash: hashSecret(token) });
  const invitation = await (use === undefined ? query : query.forUpdate());
  if (invitation === undefined || invitation.status !== 'pending') {
    throw new ServiceError(
      'invalid_token',
      'The invitation cannot be used because it was answered, withdrawn, or sent again in a later mail',
    );
  }
  if (isExpired(invitation, env.now)) {
    throw new ServiceError('token_expired', 'The invitation has expired; ask the company to send it again');
  }
  return invitation;
}

async function lockInvitation(trx: Db, env: AcceptEnv, user: User, id: string): Promise<Invitation> {
  const invitation = isUuid(id)
    ? await Invitation.query(trx)
        .whereRaw('lower(email) = lower(?)', [user.email])
        .findOne({ id, status: 'pending' })
        .forUpdate()
    : undefined;
  if (invitation === undefined || isExpired(invitation, env.now)) throw notFound('The invitation');
  return invitation;
}

/** Finds a user whose e-mail is verified. @throws ServiceError forbidden if it is not */
async function verifiedUser(trx: Db, userId: string): Promise<User> {
  const user = await User.query(trx).findById(userId);
  if (user !== undefined && isVerified(user)) return user;
  throw new ServiceError(
    'forbidden',
    'Your e-mail is not verified: use the link in the invitation mail, which verifies it',
  );
}

async function findInviteeAccount(trx: Db, email: string): Promise<User | undefined> {
  return (await findAccount(trx, email))?.user;
}

function isVerified(account: User | undefined): boolean {
  return account !== undefined && account.emailVerifiedAt !== null;
}

async function newPasswordHash(password: string | undefined, who: string): Promise<string> {
  if (password === undefined) throw passwordNeeded();
  checkNewPassword(password, '/password');
  return await hashPassword(password, who);
}

function passwordNeeded(): ServiceError {
  return invalidMember('/password', 'required', 'is required: choose one for your account');
}
