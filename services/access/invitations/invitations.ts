/**
 * Invitations from the inviting company's point of view. Nothing here checks whether the e-mail has an account, so neither answers nor
 * response times can reveal it.
 */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Invitation } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { emitUserEvent } from '../accounts/accounts.ts';
import { type Actor, requireOwnerFor } from '../members/owners.ts';
import type { Held } from '../roles/held.ts';
import { queueInvitation } from './invitation-mail.ts';

const DAY_MS = 86_400_000;
/** Time to accept an invitation after its latest mail. */
const VALID_MS = 7 * DAY_MS;
/** Maximum mails of a company per day: to one address, and in total. */
const MAX_MAILS = { address: 5, company: 500 } as const;

/** Statuses of invitations that clients see. */
export const INVITATION_STATUSES = ['pending', 'expired', 'accepted', 'declined', 'withdrawn'] as const;

/** Query of the tenant's invitations with their status at a time, which must be bound. */
export const INVITATIONS_SQL = `
  select id, user_id, email, name, locale, role, role_id, permissions, invited_by, last_mail_at, expires_at, version, created_at,
    updated_at,
    case when status = 'pending' and expires_at <= ?::timestamptz then 'expired' else status end as status
  from invitations`;

/** Converts an invitation to the form that clients see. */
export function invitationToJson(invitation: object, now: Date) {
  const shown = Invitation.toJson({ ...invitation });
  const over = shown.status === 'pending' && isExpired({ expiresAt: String(shown.expiresAt) }, now);
  return over ? { ...shown, status: 'expired' } : shown;
}

/** Whether the invitation has expired. */
export function isExpired({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime();
}

/** Reads an invitation of the tenant, in any state. @throws ServiceError not_found */
export async function getInvitation(reader: Reader, id: string): Promise<Invitation> {
  const invitation = await findRow(reader, Invitation, { id });
  if (invitation === undefined) throw notFound('The invitation');
  return invitation;
}

/**
 * Invites somebody and queues the mail. They are listed among the company's users from now on.
 * @throws ServiceError duplicate (already invited), too_many_requests
 */
export async function invite(
  trx: Db,
  ctx: Context,
  input: { readonly email: string; readonly name?: string; readonly locale?: string | null; readonly held: Held },
): Promise<Invitation> {
  const { email, name = email, locale = null, held } = input;
  await assertNotInvited(trx, email);
  await assertBelowMailLimit(trx, ctx, email);
  const who = { userId: newId(), email, name, locale, ...held, invitedBy: ctx.userId };
  const mail = newMail(ctx);
  const values = { ...who, status: 'pending' as const, mails: 1, ...mail };
  const invitation = await insertRow(trx, ctx, Invitation, values);
  await queueInvitation(trx, ctx, invitation);
  await emitUserEvent(trx, ctx, 'user.created', { id: invitation.userId, email, name }, held.role);
  return invitation;
}

/** Asserts that the e-mail is not invited to the company yet. @throws ServiceError duplicate */
export async function assertNotInvited(trx: Db, email: string): Promise<void> {
  const pending = await Invitation.query(trx)
    .whereRaw('lower(email) = lower(?)', [email])
    .findOne({ status: 'pending' });
  if (pending === undefined) return;
  throw new ServiceError(
    'duplicate',
    `They are already invited; POST /api/invitations/${pending.id}/resend sends the mail again`,
    { errors: [{ pointer: '/email', code: 'duplicate', message: 'is already invited' }] },
  );
}

/** Sends the mail again with a new token; the previous token is void. @throws ServiceError as getOpenInvitation, too_many_requests */
export async function resendInvitation(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<Invitation> {
  const invitation = await getOpenInvitation(trx, actor, id, expectedVersion);
  await assertBelowMailLimit(trx, ctx, invitation.email);
  const isRecent = Date.parse(invitation.lastMailAt) > ctx.now.getTime() - DAY_MS;
  const mail = newMail(ctx);
  const changes = { ...mail, tokenHash: null, mailedAt: null, mails: isRecent ? invitation.mails + 1 : 1 };
  const again = await patchRow(trx, ctx, Invitation, invitation, changes);
  await queueInvitation(trx, ctx, again);
  return again;
}

/** Withdraws an invitation; its token is void. @throws ServiceError as getOpenInvitation */
export async function withdrawInvitation(
  trx: Db,
  ctx: Context,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<void> {
  await endUnaccepted(trx, ctx, await getOpenInvitation(trx, actor, id, expectedVersion), 'withdrawn');
}

/** Changes the name, role or locale given for an invitee. @throws ServiceError stale_version, forbidden, invalid_transition */
export async function changeInvitation(
  trx: Db,
  ctx: Context,
  actor: Actor,
  invitation: Invitation,
  changes: Readonly<Record<string, unknown>>,
  expectedVersion: number | null,
): Promise<Invitation> {
  assertVersion(invitation, expectedVersion);
  const {
    name: _name,
    locale: _locale,
    role,
    roleId: _id,
    permissions: _its,
    ...others
  } = changes as Partial<Invitation>;
  requireOwnerFor(actor, invitation.role, role);
  const [refused] = Object.keys(others);
  if (refused !== undefined) {
    throw new ServiceError(
      'invalid_transition',
      `${refused} cannot be changed because the invitation is not accepted yet; to use another e-mail, withdraw it and invite again`,
    );
  }
  return await patchRow(trx, ctx, Invitation, invitation, changes);
}

/** Ends an invitation that led to no membership. The transaction is in the scope of its company. */
export async function endUnaccepted(
  trx: Db,
  ctx: Context,
  invitation: Invitation,
  status: 'declined' | 'withdrawn',
): Promise<void> {
  await settleInvitation(trx, ctx, invitation, status);
  await emitUserEvent(trx, ctx, 'user.deleted', { ...invitation, id: invitation.userId }, invitation.role);
}

/** Ends an invitation and voids its token. */
export async function settleInvitation(
  trx: Db,
  ctx: Context,
  invitation: Invitation,
  status: Invitation['status'],
): Promise<Invitation> {
  return await patchRow(trx, ctx, Invitation, invitation, {
    status,
    tokenHash: null,
    settledAt: ctx.now.toISOString(),
  });
}

/** Finds an open invitation. @throws ServiceError not_found, stale_version, forbidden (an owner's), invalid_transition (settled) */
async function getOpenInvitation(
  trx: Db,
  actor: Actor,
  id: string,
  expectedVersion: number | null,
): Promise<Invitation> {
  const invitation = await getInvitation(trx, id);
  assertVersion(invitation, expectedVersion);
  requireOwnerFor(actor, invitation.role);
  if (invitation.status === 'pending') return invitation;
  throw new ServiceError(
    'invalid_transition',
    `The invitation was ${invitation.status}; POST /api/memberships creates a new one`,
  );
}

function newMail({ now }: Context) {
  const expiresAt = new Date(now.getTime() + VALID_MS).toISOString();
  return { mailId: newId(), lastMailAt: now.toISOString(), expiresAt };
}

/** Limits the company's mails per day, to the address and in total. @throws ServiceError too_many_requests */
async function assertBelowMailLimit(trx: Db, { now }: Context, email: string): Promise<void> {
  const [sent] = await query<{ address: number; company: number; first: string; firstThere: string }>(
    trx,
    `select coalesce(sum(mails), 0)::int as company, min(last_mail_at) as first,
       coalesce(sum(mails) filter (where lower(email) = lower(:email)), 0)::int as address,
       min(last_mail_at) filter (where lower(email) = lower(:email)) as "firstThere"
     from invitations where last_mail_at > :since::timestamptz`,
    { email, since: new Date(now.getTime() - DAY_MS).toISOString() },
  );
  if (sent === undefined) return;
  const [reached, since] =
    sent.address >= MAX_MAILS.address
      ? [`${MAX_MAILS.address} mails to this address`, sent.firstThere]
      : sent.company >= MAX_MAILS.company
        ? [`${MAX_MAILS.company} mails`, sent.first]
        : [null, ''];
  if (reached === null) return;
  const retryAfter = Math.max(1, Math.ceil((Date.parse(since) + DAY_MS - now.getTime()) / 1000));
  throw new ServiceError('too_many_requests', `The company has sent ${reached} within a day; wait before the next`, {
    retryAfter,
  });
}
