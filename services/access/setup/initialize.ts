import type { Context } from '../../../db/context.ts';
import { type Database, switchScope } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { Tenant } from '../../../db/models/access/access.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { checkedCompany, type NewCompany } from '../../platform/settings/company.ts';
import { createAccount, emitUserEvent } from '../accounts/accounts.ts';
import { addFirstOwner, createCompany } from '../companies/companies.ts';
import { checkNewPassword, hashPassword } from '../sessions/passwords.ts';
import { type AuthEnv, beginSession, type Session } from '../sessions/tokens.ts';

export interface SetupInput {
  readonly company: NewCompany;
  readonly admin: { readonly email: string; readonly name: string; readonly password: string };
}

/** Whether set-up is done, that is, a company exists. */
export async function isInitialized(database: Database): Promise<boolean> {
  return await database.withSystem(async (trx) => (await Tenant.query(trx).select('id').first()) !== undefined);
}

/**
 * Creates the first company with its owner and logs them in. Works once, even under concurrent calls.
 * @throws ServiceError already_initialized, validation_failed
 */
export async function initialize(
  env: AuthEnv,
  input: SetupInput,
  requestId: string,
): Promise<Session & { readonly tenant: Record<string, unknown> }> {
  const company = checkedCompany(input.company, '/company');
  checkNewPassword(input.admin.password, '/admin/password');
  if (await isInitialized(env.database)) throw alreadyInitialized();
  const passwordHash = await hashPassword(input.admin.password, 'setup');
  return await env.database.withSystem(async (trx) => {
    await lockName(trx, 'setup');
    if ((await Tenant.query(trx).select('id').first()) !== undefined) throw alreadyInitialized();
    const ctx: Context = { tenantId: newId(), userId: newId(), actor: null, requestId, now: env.now };
    const tenant = await createCompany(trx, ctx, company, { at: '/company' });
    const { email, name } = input.admin;
    const user = await createAccount(trx, ctx, { id: ctx.userId as string, email, name, passwordHash });
    await emitUserEvent(trx, ctx, 'user.created', user, 'owner');
    await addFirstOwner(trx, ctx, user);
    await switchScope(trx, 'system');
    return { ...(await beginSession(trx, env, user)), tenant: Tenant.toJson({ ...tenant }) };
  });
}

function alreadyInitialized(): ServiceError {
  return new ServiceError('already_initialized', 'The service is already set up; log in at POST /api/auth/login');
}
