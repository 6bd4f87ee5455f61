/** Logs in to the existing company, or creates one and stores its credentials for the next run. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ApiClient, ApiProblem, type Credentials } from './api-client.ts';

export interface SessionOptions {
  readonly url: string;
  /** Folder of demo.json. */
  readonly dataDir: string;
  readonly email: string | undefined;
  readonly password: string | undefined;
}

interface Kept extends Credentials {
  readonly url: string;
  readonly tenantId: string;
}

export interface Session {
  readonly client: ApiClient;
  readonly tenantId: string;
  readonly company: string;
  /** How the session was opened, for the report. */
  readonly how: string;
}

/** A problem that the user must solve; the message says how. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/**
 * Logs in with the given credentials, or else with those of an earlier run; otherwise sets the system up.
 * @throws DemoError if a company exists whose credentials are unknown
 * @throws Unreachable if the service does not run
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const client = new ApiClient(options.url);
  const status = (await client.get('/api/setup/status')) as { initialized: boolean };
  const how = status.initialized ? await logIn(client, options) : await setUp(client, options);
  const { tenantId } = client;
  if (tenantId === undefined) throw new DemoError('The user belongs to no company; give another with --email');
  const company = (await client.get('/api/tenants/mine')) as { data?: { name: string } };
  return { client, tenantId, company: company.data?.name ?? tenantId, how };
}

async function logIn(client: ApiClient, options: SessionOptions): Promise<string> {
  if (options.email !== undefined && options.password !== undefined) {
    await client.login({ email: options.email, password: options.password });
    return `logged in as ${options.email}`;
  }
  const kept = await readKept(options);
  if (!kept) {
    throw new DemoError(
      `${client.url} already has a company. Give the demo one of its users: npm run demo -- --email you@example.com --password …`,
    );
  }
  try {
    await client.login({ email: kept.email, password: kept.password }, kept.tenantId);
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error;
    throw new DemoError(
      `${keptFile(options)} has the user ${kept.email}, who can no longer log in; give --email and --password`,
    );
  }
  return `logged in as ${kept.email} (kept in ${keptFile(options)})`;
}

async function setUp(client: ApiClient, options: SessionOptions): Promise<string> {
  const credentials = {
    email: options.email ?? 'demo@example.com',
    password: options.password ?? randomBytes(18).toString('base64url'),
  };
  const answer = (await client.post('/api/setup/init', {
    company: { name: 'Mayorista Demo SL', taxId: 'B12345674', country: 'ES' },
    admin: { ...credentials, name: 'Demo' },
  })) as { token: string; tenant: { id: string } };
  client.useToken(answer.token, answer.tenant.id, credentials);
  await mkdir(options.dataDir, { recursive: true });
  const kept: Kept = { url: client.url, tenantId: answer.tenant.id, ...credentials };
  await writeFile(keptFile(options), `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  return `set up the company; user ${credentials.email}, password in ${keptFile(options)}`;
}

async function readKept(options: SessionOptions): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(keptFile(options), 'utf8')) as Kept;
    return kept.url === options.url.replace(/\/+$/, '') ? kept : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new DemoError(`${keptFile(options)} cannot be read: ${(error as Error).message}`);
  }
}

function keptFile(options: SessionOptions): string {
  return path.join(options.dataDir, 'demo.json');
}
