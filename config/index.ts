/** The environment, parsed and checked once at start. Every other part receives the result; none reads `process.env`. */

import { type ExchangeConfig, loadExchange } from './exchange.ts';
import { type FaceConfig, loadFace } from './face.ts';
import { type KeepConfig, loadKeep } from './keep.ts';
import { loadMail, type MailConfig } from './mail.ts';
import { loadObjectStore, type ObjectStoreConfig } from './objects.ts';
import { choice, integer, list, type Problems, text, url, uuid } from './parse.ts';
import { proxies } from './proxies.ts';
import { loadTargets, type TargetsConfig } from './targets.ts';
import { loadTemporal, type TemporalConfig } from './temporal.ts';
import { loadTracing, type TracingConfig } from './tracing.ts';
import { loadVerifactu, type VerifactuConfig } from './verifactu.ts';

export interface Config {
  readonly production: boolean;
  readonly logLevel: string;
  /** Folder of the embedded servers, keys and mails. */
  readonly dataDir: string;
  /** Public address of the service, the base of links in mails. */
  readonly appUrl: string;
  /**
   * Percentage of the time of an API's main thread for a company's large requests while others are there. Five times that of a processor,
   * while processors are busy, is for all its requests, and for what its events start. 0 = no limit.
   */
  readonly companyPercent: number;
  readonly api: {
    readonly host: string;
    readonly port: number;
    /** How many processes share the port. */
    readonly processes: number;
    /** Requests per minute for each session, API key or address, of all processes together; 0 = no limit. */
    readonly rateLimitPerMinute: number;
    /** Maximum connections of all processes, and of those from one address; 0 = no limit. */
    readonly connections: number;
    readonly connectionsPerAddress: number;
    /** Origins that browsers may call from; empty = none. */
    readonly corsOrigins: readonly string[];
    /** Bearer token for /metrics; without one only this machine has access, and in production nobody. */
    readonly metricsToken: string | undefined;
    /** The number of trusted proxies that set X-Forwarded-For, or their networks. */
    readonly trustProxy: number | readonly string[];
    /** Time limit for a request to arrive completely. */
    readonly requestMs: number;
    /** How long an answer may go unread, and how long reading it completely may take. */
    readonly answerIdleMs: number;
    readonly answerMs: number;
    /** How long it answers on after it has said that it is stopping. */
    readonly stopDelayMs: number;
    /** How long running requests may then take. */
    readonly stopMs: number;
  };
  readonly database: {
    /** Login of API and worker; undefined = the embedded server. */
    readonly url: string | undefined;
    /** Login that owns the schema and runs the migrations; defaults to `url`. */
    readonly migrationUrl: string | undefined;
    /** The address of PostgreSQL itself: `url`, unless that leads through a pooler in transaction mode. */
    readonly directUrl: string | undefined;
    readonly isPooled: boolean;
    readonly poolSize: number;
    /** How long requests wait while the database is away. */
    readonly patienceMs: number;
    /** A standby for reads that may be old, and how many seconds it may be behind; undefined = none. */
    readonly standbyUrl: string | undefined;
    readonly standbySeconds: number;
  };
  readonly temporal: TemporalConfig;
  readonly embedded: {
    readonly postgresPort: number;
    readonly temporalPort: number;
    /** 0 = no UI; by default there is one only where nobody else can reach the service, since it asks for no password. */
    readonly temporalUiPort: number;
  };
  readonly auth: {
    /** Signs access tokens; undefined = generated once in `dataDir` (embedded only). */
    readonly jwtSecret: string | undefined;
    /** Verifies access tokens signed before the secret was changed. */
    readonly jwtSecretPrevious: string | undefined;
    readonly tokenTtlSeconds: number;
  };
  /** Encrypts stored secrets; undefined = generated once in `dataDir` (embedded only). */
  readonly encryptionKey: string | undefined;
  /** Decrypts secrets that were encrypted before the key was changed. */
  readonly encryptionKeyPrevious: string | undefined;
  /** Retention periods. */
  readonly keep: KeepConfig;
  readonly mail: MailConfig;
  readonly alerts: {
    /** The operators' company; undefined = the only company. */
    readonly operatorTenantId: string | undefined;
    /** Free disk space below which operators are notified. */
    readonly diskLowBytes: number;
  };
  /** The addresses that the service may call on a customer's behalf. */
  readonly webhooks: { readonly targets: TargetsConfig };
  readonly verifactu: VerifactuConfig;
  readonly face: FaceConfig;
  readonly exchange: ExchangeConfig;
  /** Where traces are sent; undefined = nowhere. */
  readonly tracing: TracingConfig | undefined;
  readonly companies: {
    /** Maximum companies that one person can create; 0 = no limit. */
    readonly perAccount: number;
    /** Maximum companies of the service; 0 = no limit. */
    readonly perService: number;
  };
  readonly storage: {
    /** Maximum bytes that a company may store in all; 0 = no limit. */
    readonly perCompanyBytes: number;
  };
  readonly attachments: {
    /** The object store for their bytes; undefined = in the database. */
    readonly store: ObjectStoreConfig | undefined;
    /** Maximum bytes of all attachments of a company. */
    readonly maxBytes: number;
  };
  /** Identifies the start of the service to which this process belongs; undefined = the service starts if no other worker is alive. */
  readonly startId: string | undefined;
  readonly chromiumPath: string | undefined;
}

/** Thrown by `loadConfig`: its message lists every problem with the variable's name and the remedy, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the configuration from environment variables.
 * @param env usually `process.env`
 * @returns a frozen configuration
 * @throws ConfigError naming all bad variables at once
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const problems: Problems = [];
  const production =
    choice(env, 'NODE_ENV', ['production', 'development', 'test'], 'development', problems) === 'production';
  const host = text(env, 'HOST') ?? '127.0.0.1';
  const port = integer(env, 'PORT', { default: 3000, min: 0, max: 65535 }, problems);
  const trustProxy = proxies(env, 'TRUST_PROXY', problems);
  const publicUrl = appUrl(env, localUrl(host, port), problems);
  const mayServeOthers = production || trustProxy !== 0 || ![host, new URL(publicUrl).hostname].every(isLoopback);
  const known: Omit<Config, 'webhooks'> = {
    production,
    logLevel: choice(
      env,
      'LOG_LEVEL',
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
      problems,
    ),
    dataDir: text(env, 'DATA_DIR') ?? '.data',
    appUrl: publicUrl,
    companyPercent: integer(env, 'COMPANY_PERCENT', { default: 5, min: 0, max: 100 }, problems),
    api: {
      host,
      port,
      processes: integer(env, 'API_PROCESSES', { default: 1, min: 1, max: 64 }, problems),
      rateLimitPerMinute: integer(env, 'RATE_LIMIT_PER_MINUTE', { default: 6000, min: 0, max: 10_000_000 }, problems),
      connections: integer(env, 'CONNECTIONS', { default: 10_000, min: 0, max: 1_000_000 }, problems),
      connectionsPerAddress: integer(
        env,
        'CONNECTIONS_PER_ADDRESS',
        { default: 1000, min: 0, max: 1_000_000 },
        problems,
      ),
      corsOrigins: list(env, 'CORS_ORIGINS'),
      metricsToken: text(env, 'METRICS_TOKEN'),
      trustProxy,
      requestMs: 1000 * integer(env, 'REQUEST_SECONDS', { default: 300, min: 1, max: 3600 }, problems),
      answerIdleMs: 1000 * integer(env, 'ANSWER_IDLE_SECONDS', { default: 30, min: 1, max: 3600 }, problems),
      answerMs: 1000 * integer(env, 'ANSWER_SECONDS', { default: 900, min: 1, max: 86_400 }, problems),
      stopDelayMs: 1000 * integer(env, 'STOP_DELAY_SECONDS', { default: 0, min: 0, max: 300 }, problems),
      stopMs: 1000 * integer(env, 'STOP_SECONDS', { default: 7, min: 1, max: 300 }, problems),
    },
    database: {
      url: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], problems),
      migrationUrl:
        url(env, 'MIGRATION_DATABASE_URL', ['postgres:', 'postgresql:'], problems) ??
        text(env, 'DATABASE_DIRECT_URL') ??
        text(env, 'DATABASE_URL'),
      directUrl: url(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'], problems) ?? text(env, 'DATABASE_URL'),
      isPooled: text(env, 'DATABASE_DIRECT_URL') !== undefined,
      poolSize: integer(env, 'DATABASE_POOL_SIZE', { default: 20, min: 2, max: 500 }, problems),
      patienceMs: 1000 * integer(env, 'DATABASE_PATIENCE_SECONDS', { default: 10, min: 0, max: 60 }, problems),
      standbyUrl: url(env, 'DATABASE_STANDBY_URL', ['postgres:', 'postgresql:'], problems),
      standbySeconds: integer(env, 'DATABASE_STANDBY_SECONDS', { default: 15, min: 1, max: 3600 }, problems),
    },
    temporal: loadTemporal(env, problems),
    embedded: {
      postgresPort: integer(env, 'POSTGRES_PORT', { default: 5433, min: 1, max: 65535 }, problems),
      temporalPort: integer(env, 'TEMPORAL_PORT', { default: 7233, min: 1, max: 65535 }, problems),
      temporalUiPort: integer(
        env,
        'TEMPORAL_UI_PORT',
        { default: mayServeOthers ? 0 : 8233, min: 0, max: 65535 },
        problems,
      ),
    },
    auth: {
      jwtSecret: secret(env, 'JWT_SECRET', production, problems),
      jwtSecretPrevious: secret(env, 'JWT_SECRET_PREVIOUS', false, problems),
      tokenTtlSeconds: integer(env, 'TOKEN_TTL_SECONDS', { default: 900, min: 10, max: 86_400 }, problems),
    },
    encryptionKey: secret(env, 'ENCRYPTION_KEY', production, problems),
    encryptionKeyPrevious: secret(env, 'ENCRYPTION_KEY_PREVIOUS', false, problems),
    keep: loadKeep(env, problems),
    mail: loadMail(env, problems),
    alerts: {
      operatorTenantId: uuid(env, 'OPERATOR_TENANT_ID', problems),
      diskLowBytes: 1024 ** 2 * integer(env, 'DISK_LOW_MIB', { default: 2048, min: 0, max: 100_000_000 }, problems),
    },
    verifactu: loadVerifactu(env, problems),
    face: loadFace(env, problems),
    exchange: loadExchange(env, problems),
    tracing: loadTracing(env, problems),
    companies: {
      perAccount: integer(env, 'COMPANIES_PER_ACCOUNT', { default: 10, min: 0, max: 1_000_000 }, problems),
      perService: integer(env, 'COMPANIES_PER_SERVICE', { default: 1000, min: 0, max: 1_000_000 }, problems),
    },
    storage: {
      perCompanyBytes:
        1024 ** 2 * integer(env, 'STORAGE_MIB_PER_COMPANY', { default: 10_240, min: 0, max: 100_000_000 }, problems),
    },
    attachments: {
      store: loadObjectStore(env, problems),
      maxBytes:
        1024 ** 2 *
        integer(env, 'ATTACHMENTS_MIB_PER_COMPANY', { default: 10_240, min: 1, max: 100_000_000 }, problems),
    },
    startId: text(env, 'SERVICE_START_ID'),
    chromiumPath: text(env, 'PUPPETEER_EXECUTABLE_PATH'),
  };
  const config: Config = { ...known, webhooks: { targets: loadTargets(env, known, problems) } };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return Object.freeze(config);
}

function appUrl(env: Record<string, string | undefined>, fallback: string, problems: Problems): string {
  const value = text(env, 'APP_URL') ?? fallback;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, '');
  problems.push(`APP_URL is "${value}": give an address such as https://erp.example.com`);
  return fallback;
}

/** The address by which this machine reaches itself. */
function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function secret(
  env: Record<string, string | undefined>,
  name: string,
  required: boolean,
  problems: Problems,
): string | undefined {
  const value = text(env, name);
  if (value === undefined && required) {
    problems.push(`${name} is missing: with NODE_ENV=production set it to at least 32 random characters`);
  }
  if (value !== undefined && value.length < 32)
    problems.push(`${name} is too short: give at least 32 random characters`);
  return value;
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
