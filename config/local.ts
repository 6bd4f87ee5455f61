/** Lets programs join the service that `npm start` runs on this machine without setting variables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from './parse.ts';

type Env = Record<string, string | undefined>;

const KEYS = {
  JWT_SECRET: 'jwt-secret',
  JWT_SECRET_PREVIOUS: 'jwt-secret-previous',
  ENCRYPTION_KEY: 'encryption-key',
  ENCRYPTION_KEY_PREVIOUS: 'encryption-key-previous',
};

/**
 * Completes an environment from DATA_DIR while `npm start` runs: the addresses and the webhook settings in `connections.env`, and the keys.
 * Given variables stay; if the environment names another database, or production, only SERVICE_ADDRESSES is added.
 */
export function withLocalService(env: Env): Env {
  const dataDir = text(env, 'DATA_DIR') ?? '.data';
  const connections = parseVariables(readIfThere(join(dataDir, 'connections.env')) ?? '');
  const runs = connections.DATABASE_URL !== undefined;
  const elsewhere = ['DATABASE_URL', 'MIGRATION_DATABASE_URL'].some((name) => {
    const url = text(env, name);
    return url !== undefined && url !== connections[name];
  });
  if (!runs || elsewhere || text(env, 'NODE_ENV') === 'production') return withAddresses(env, connections);
  const keys = Object.entries(KEYS).map(([name, file]) => [name, readIfThere(join(dataDir, 'keys', file))?.trim()]);
  const found: Env = { ...connections, ...Object.fromEntries(keys) };
  const named = Object.entries(env).filter(([name]) => text(env, name) !== undefined);
  return withAddresses({ ...found, ...Object.fromEntries(named) }, connections);
}

/** Adds the servers that `npm start` has on this machine, which no webhook may reach, to those that the environment names. */
function withAddresses(env: Env, connections: Env): Env {
  const started = text(connections, 'SERVICE_ADDRESSES');
  if (started === undefined) return env;
  const named = text(env, 'SERVICE_ADDRESSES');
  return { ...env, SERVICE_ADDRESSES: named === undefined || named === started ? started : `${named},${started}` };
}

function parseVariables(file: string): Env {
  return Object.fromEntries([...file.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
