/** An initialised system in a database of its own, for tests of access. */
import type { Context } from '../../../../db/context.ts';
import { Database, type Db } from '../../../../db/database.ts';
import { ROLES, type Role } from '../../../../domain/permissions.ts';
import type { Member } from '../../../../services/access/members/members.ts';
import { login } from '../../../../services/access/sessions/login.ts';
import { hashPassword } from '../../../../services/access/sessions/passwords.ts';
import type { AuthEnv, Session } from '../../../../services/access/sessions/tokens.ts';
import { initialize } from '../../../../services/access/setup/initialize.ts';
import { createUser } from '../../../../services/access/users/users.ts';
import { closeSound, use, type When } from '../../../helpers/hooks.ts';
import { createTestDatabase } from '../../../helpers/servers.ts';

export const PASSWORD = 'correct horse battery';
export const NOW = new Date('2026-06-15T10:00:00.000Z');
export const SECRET = 'test-secret-test-secret-test-secret!';
export const COMPANY = { name: 'Frutas García', taxId: 'B12345674' };
export const OWNER = { email: 'Ana@example.com', name: 'Ana', password: PASSWORD };
/** Limits of companies that nobody reaches. */
export const UNLIMITED = { perAccount: 0, perService: 0 };
/** A caller with a role, as services see it. */
export const as = (role: Role) => ({ role, permissions: ROLES[role].permissions });

export interface TestSystem {
  readonly env: AuthEnv;
  readonly url: string;
  /** The same system at another time. */
  at(now: Date): AuthEnv;
  readonly owner: Session;
  readonly ctx: Context;
  run<T>(work: (trx: Db) => Promise<T>, ctx?: Context): Promise<T>;
  addUser(email: string, role: Role): Promise<Member>;
  logIn(email: string, password?: string, address?: string): Promise<Session>;
  /** Reads rows as the system role or as the tenant. */
  rows(sql: string, tenantId?: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function emptySystem(): Promise<{ env: AuthEnv; url: string; close(): Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  const database = new Database({ url, poolSize: 30, applicationName: 'test' });
  const env: AuthEnv = { database, jwtSecret: SECRET, tokenTtlSeconds: 900, now: NOW };
  return {
    env,
    url,
    async close() {
      await database.close();
      await drop();
    },
  };
}

export function useSystem({ each }: When = {}): TestSystem {
  return use(testSystem, { each, close: (system) => closeSound(system.url, () => system.close()) });
}

export async function testSystem(): Promise<TestSystem> {
  const { env, url, close } = await emptySystem();
  const { tenant, ...owner } = await initialize(env, { company: COMPANY, admin: OWNER }, 'test');
  const ctx: Context = {
    tenantId: String(tenant.id),
    userId: String(owner.user.id),
    actor: null,
    requestId: 'test',
    now: NOW,
  };
  const run: TestSystem['run'] = (work, scope = ctx) => env.database.withTenant(scope, work);
  return {
    env,
    url,
    at: (now) => ({ ...env, now }),
    owner,
    ctx,
    run,
    addUser: async (email, role) => {
      const passwordHash = await hashPassword(PASSWORD, ctx.tenantId);
      const user = { email, name: email.split('@')[0] ?? '', passwordHash, role };
      return await run((trx) => createUser(trx, ctx, as('owner'), user));
    },
    logIn: (email, password = PASSWORD, address = '192.0.2.1') => login(env, { email, password }, address),
    rows: async (sql, tenantId) => {
      const query = async (trx: Db) => ((await trx.raw(sql)) as { rows: Record<string, unknown>[] }).rows;
      return tenantId === undefined ? env.database.withSystem(query) : env.database.withTenant({ tenantId }, query);
    },
    close,
  };
}

/** Matches a ServiceError of the code, for assert.rejects. */
export const refusedWith = (code: string) => (error: unknown) => (error as { code?: unknown }).code === code;
