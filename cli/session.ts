/** The session of a command: requests as the person of a profile. */
import { randomUUID } from 'node:crypto';
import { Session, type Tokens } from '../clients/typescript/src/session.ts';
import { type RequestOptions, Transport } from '../clients/typescript/src/transport.ts';
import { type Profile, Profiles, profilesPath } from './profiles.ts';

const RETRIES = 3;
const TIMEOUT_MS = 60_000;

export const profiles = new Profiles(profilesPath(process.env));

/** A connection to a service. @param onTokens told of new tokens */
export function connect(
  profile: Omit<Profile, 'credentials'> & Pick<ConstructorParameters<typeof Session>[0], 'credentials'>,
  onTokens?: (tokens: Tokens) => void,
): Transport {
  const baseUrl = profile.url.replace(/\/+$/, '');
  const session = new Session({ baseUrl, credentials: profile.credentials, fetch, onTokens });
  const headers: Record<string, string> = { 'User-Agent': 'bms' };
  if (profile.tenantId !== undefined) headers['X-Tenant-Id'] = profile.tenantId;
  return new Transport({ baseUrl, session, fetch, headers, retries: RETRIES, timeout: TIMEOUT_MS });
}

/** The service of a profile, or of BMS_URL and BMS_API_KEY. New tokens are kept. @throws UsageError if nobody is logged in */
export function current(name?: string): Transport {
  const { BMS_URL: url, BMS_API_KEY: apiKey, BMS_TENANT_ID: tenantId } = process.env;
  // An empty variable counts as absent.
  if (name === undefined && url && apiKey) {
    return connect({ url, credentials: { apiKey }, ...(tenantId ? { tenantId } : {}) });
  }
  const found = profiles.find(name);
  return connect(found.profile, (tokens) =>
    profiles.keep(found.name, { ...found.profile, credentials: tokens }, { current: false }),
  );
}

/** Sends a request. @returns the answer's JSON; null without one */
export async function ask(
  transport: Transport,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<unknown> {
  const key = method === 'POST' ? { idempotencyKey: randomUUID() } : {};
  const response = await transport.send(method, path, { ...key, ...options });
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}
