/**
 * Password resets by mail. The answer is the same whether or not there is an account. Like an accepted invitation, using the link proves
 * that the address belongs to the person (decision 0189).
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../config/index.ts';
import { asSystem } from '../../../db/as-system.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Tenant, User } from '../../../db/models/access/access.ts';
import { query } from '../../../db/sql.ts';
import { resetText } from '../../../domain/access/accounts/reset-text.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { mailLanguage } from '../../../domain/messages/mail/names.ts';
import type { Content, MailHandler, Prepared } from '../../messages/mail/handlers.ts';
import { queuePacedMail } from '../../messages/mail/queue.ts';
import { textToHtml } from '../../messages/mail/render.ts';
import { findAccount } from '../sessions/login.ts';
import { countReset } from '../sessions/login-limits.ts';
import { mailToken } from '../sessions/mail-tokens.ts';
import { checkNewPassword, hashPassword } from '../sessions/passwords.ts';
import { hashSecret } from '../sessions/secrets.ts';
import { lockUser } from '../sessions/sessions.ts';
import { setPassword, voidResets } from './accounts.ts';

export interface ResetEnv {
  readonly database: Database;
  readonly now: Date;
  readonly requestId: string;
}

/** Validity of a link. */
const VALID_MINUTES = 60;
/** Duration of every request: longer than any work that it does. */
const ANSWER_MS = 400;
const ACTOR = 'password_reset';
const PREFIX = 'pwd_';

/**
 * Mails a link to the owner of an address if they have an active account. Voids earlier links.
 * @param address the client's address, for the limits
 * @throws ServiceError too_many_requests
 */
export async function requestReset(env: ResetEnv, email: string, address: string): Promise<void> {
  const answered = delay(ANSWER_MS);
  try {
    await queueReset(env, email.trim(), address);
  } finally {
    await answered;
  }
}

async function queueReset({ database, now, requestId }: ResetEnv, email: string, address: string): Promise<void> {
  const { found, refusal } = await database.withSystem(async (trx) => {
    const account = await findAccount(trx, email);
    const counted = { email: account?.user.email ?? email, address, now };
    return { refusal: await countReset(trx, counted), found: await chooseCompany(trx, account?.user) };
  });
  if (refusal !== null) throw refusal;
  if (found === undefined) return;
  const { user, tenantId } = found;
  const ctx: Context = { tenantId, userId: null, actor: ACTOR, requestId, now };
  const expiresAt = new Date(now.getTime() + VALID_MINUTES * 60_000);
  const id = newId();
  await database.withTenant(ctx, async (trx) => {
    const isTheirs = await asSystem(trx, ctx, async () => {
      // The address may have changed since it was looked up.
      if ((await lockUser(trx, user.id))?.email !== user.email) return false;
      await voidResets(trx, user.id);
      await query(
        trx,
        `insert into password_resets (id, user_id, company_id, expires_at) values (:id, :userId, :tenantId, :expiresAt)`,
        { id, userId: user.id, tenantId, expiresAt: expiresAt.toISOString() },
      );
      return true;
    });
    if (!isTheirs) return;
    const { subject } = await writeMail(trx, user, tenantId, '', '');
    await queuePacedMail(trx, ctx, { id, kind: 'password_reset', to: user.email, subject, giveUpAt: expiresAt });
  });
}

interface AccountInCompany {
  readonly user: User;
  readonly tenantId: string;
}

/** Chooses the company that sends the mail: the account's own, or else its first. None without an active membership. */
async function chooseCompany(trx: Db, user: User | undefined): Promise<AccountInCompany | undefined> {
  const [place] = await query<{ tenantId: string }>(
    trx,
    `select tenant_id as "tenantId" from memberships where user_id = :userId and active
     order by tenant_id is distinct from :home::uuid, created_at limit 1`,
    { userId: user?.id ?? newId(), home: user?.homeTenantId ?? null },
  );
  return user?.active === true && place !== undefined ? { user, tenantId: place.tenantId } : undefined;
}

/**
 * Sets a new password with the token from the mail, and ends all sessions. The token proves ownership of the address, which is marked as
 * verified.
 * @throws ServiceError invalid_token (unknown, used, void), token_expired, validation_failed (password)
 */
export async function resetPassword(
  env: ResetEnv,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  const { database, now, requestId } = env;
  checkNewPassword(password, '/password');
  const { userId } = await database.withSystem((trx) => openReset(trx, token, now));
  const passwordHash = await hashPassword(password, userId);
  await database.withSystem(async (trx) => {
    // Locked first, as by all code that voids links.
    const user = await lockUser(trx, userId);
    const { id, companyId } = await openReset(trx, token, now);
    if (user === undefined) throw invalidLink();
    await query(trx, 'update password_resets set used_at = :now where id = :id', { id, now: now.toISOString() });
    const ctx: Context = { tenantId: companyId, userId, actor: null, requestId, now };
    const changes = user.emailVerifiedAt === null ? { emailVerifiedAt: now.toISOString() } : {};
    await setPassword(trx, ctx, user, passwordHash, { changes });
  });
}

interface OpenReset {
  readonly id: string;
  readonly userId: string;
  readonly companyId: string;
  readonly expired: boolean;
}

/** Finds an open reset and locks it until the transaction ends. */
async function openReset(trx: Db, token: string, now: Date): Promise<OpenReset> {
  const [reset] = await query<OpenReset>(
    trx,
    `select id, user_id as "userId", company_id as "companyId", expires_at <= :now::timestamptz as expired
     from password_resets where token_hash = :hash and used_at is null for update`,
    { hash: hashSecret(token), now: now.toISOString() },
  );
  if (reset === undefined) throw invalidLink();
  if (reset.expired) throw new ServiceError('token_expired', 'The link has expired; request another');
  return reset;
}

function invalidLink(): ServiceError {
  return new ServiceError(
    'invalid_token',
    'The link cannot be used because it was used before, a later mail replaced it, or the account was changed',
  );
}

/** Handles password reset mails: writes the token into the mail when it is sent. */
export function resetMailHandler({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandler {
  return {
    async prepare(database: Database, ctx: Context, email): Promise<Prepared> {
      const token = mailToken(encryptionKey, PREFIX, email.id);
      const user = await database.withSystem(async (trx) => {
        const [reset] = await query<{ userId: string }>(
          trx,
          `update password_resets set token_hash = :hash where id = :id and used_at is null and expires_at > :now::timestamptz
           returning user_id as "userId"`,
          { id: email.id, hash: hashSecret(token), now: ctx.now.toISOString() },
        );
        return reset === undefined ? undefined : await User.query(trx).findById(reset.userId);
      });
      if (user === undefined) return { goes: false, reason: 'The link was used, has expired, or was requested again' };
      const link = `${appUrl}/reset-password#${token}`;
      return await database.readTenant(ctx, async (db): Promise<Prepared> => {
        return { goes: true, content: await writeMail(db, user, ctx.tenantId, link, token) };
      });
    },
  };
}

async function writeMail(db: Db, { locale }: User, tenantId: string, link: string, token: string): Promise<Content> {
  const { country } = await Tenant.query(db).findById(tenantId).throwIfNotFound();
  const language = mailLanguage(locale, country);
  const { subject, text } = resetText({ link, token, minutes: VALID_MINUTES, language });
  return { subject, text, html: textToHtml(text) };
}
