/** The connection to Temporal: its address and credentials. The variables are those of the Temporal CLI. */
import { existsSync, readFileSync } from 'node:fs';
import { choice, type Problems, text } from './parse.ts';

type Env = Record<string, string | undefined>;

export interface TemporalConfig {
  /** undefined = the embedded dev server. */
  readonly address: string | undefined;
  readonly namespace: string;
  readonly cli: string | undefined;
  /** undefined = unencrypted. */
  readonly tls: TemporalTls | undefined;
  readonly apiKey: string | undefined;
  /** Whether workers tell their version, so that those of two releases can run side by side. */
  readonly versioned: boolean;
  /** Address of the UI for people, without a slash at the end; undefined = not known. */
  readonly uiUrl: string | undefined;
}

/** A server that can be reached. */
export type TemporalServer = Omit<TemporalConfig, 'address' | 'versioned' | 'uiUrl'> & { readonly address: string };

/** Paths of PEM files, read when a connection is made. */
export interface TemporalTls {
  /** Certificate authority of the server; undefined = the system's. */
  readonly ca: string | undefined;
  /** Client certificate. */
  readonly client: { readonly cert: string; readonly key: string } | undefined;
  /** The expected name in the server's certificate; undefined = the name in the address. */
  readonly serverName: string | undefined;
}

const CA = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH';
const CERT = 'TEMPORAL_TLS_CLIENT_CERT_PATH';
const KEY = 'TEMPORAL_TLS_CLIENT_KEY_PATH';
const SERVER_NAME = 'TEMPORAL_TLS_SERVER_NAME';
const API_KEY = 'TEMPORAL_API_KEY';

export function loadTemporal(env: Env, problems: Problems): TemporalConfig {
  const address = serverAddress(env, problems);
  const apiKey = text(env, API_KEY);
  const files = { ca: file(env, CA, problems), cert: file(env, CERT, problems), key: file(env, KEY, problems) };
  const serverName = text(env, SERVER_NAME);
  const given = [CA, CERT, KEY, SERVER_NAME, API_KEY].filter((name) => text(env, name) !== undefined);
  if ((files.cert === undefined) !== (files.key === undefined)) {
    const [there, missing] = files.key === undefined ? [CERT, KEY] : [KEY, CERT];
    problems.push(`${missing} is missing: give it with ${there}, or neither`);
  }
  // An unencrypted API key could be read by anybody on the network.
  const wanted = choice(env, 'TEMPORAL_TLS', ['true', 'false'], String(given.length > 0), problems) === 'true';
  if (!wanted && given.length > 0) {
    problems.push(`TEMPORAL_TLS is "false": give true, or leave out ${given.join(', ')}, which need it`);
  }
  if (wanted && address === undefined) {
    const why = given.length > 0 ? given.join(', ') : 'TEMPORAL_TLS';
    problems.push(`TEMPORAL_ADDRESS is missing: ${why} cannot be used for the embedded server`);
  }
  const client = files.cert !== undefined && files.key !== undefined ? { cert: files.cert, key: files.key } : undefined;
  return {
    address,
    namespace: text(env, 'TEMPORAL_NAMESPACE') ?? 'default',
    cli: text(env, 'TEMPORAL_CLI'),
    tls: wanted ? { ca: files.ca, client, serverName } : undefined,
    apiKey,
    uiUrl: uiUrl(env, problems),
    versioned: choice(env, 'WORKER_VERSIONING', ['true', 'false'], 'false', problems) === 'true',
  };
}

function uiUrl(env: Env, problems: Problems): string | undefined {
  const value = text(env, 'TEMPORAL_UI_URL');
  if (value === undefined) return undefined;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  problems.push(`TEMPORAL_UI_URL is "${value}": give an address such as https://temporal.example.com`);
  return undefined;
}

/**
 * Options of every connection to Temporal: those of the SDK's client and its native ones.
 * @throws Error when a configured file has become unreadable
 */
export function temporalConnection({ address, namespace, tls, apiKey }: TemporalServer) {
  const secured = tls && {
    ...(tls.ca === undefined ? {} : { serverRootCACertificate: readFileSync(tls.ca) }),
    ...(tls.client === undefined
      ? {}
      : { clientCertPair: { crt: readFileSync(tls.client.cert), key: readFileSync(tls.client.key) } }),
    ...(tls.serverName === undefined ? {} : { serverNameOverride: tls.serverName }),
  };
  return {
    address,
    ...(secured === undefined ? {} : { tls: secured }),
    // Servers with several namespaces use the header to find the key's owner.
    ...(apiKey === undefined ? {} : { apiKey, metadata: { 'temporal-namespace': namespace } }),
  };
}

function serverAddress(env: Env, problems: Problems): string | undefined {
  const value = text(env, 'TEMPORAL_ADDRESS');
  if (value !== undefined && !/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/.test(value)) {
    problems.push(`TEMPORAL_ADDRESS is "${value}": give host:port, for example 127.0.0.1:7233`);
  }
  return value;
}

function file(env: Env, name: string, problems: Problems): string | undefined {
  const path = text(env, name);
  if (path !== undefined && !existsSync(path))
    problems.push(`${name} is "${path}": give the path of a file that exists`);
  return path;
}
