import type { Logger as PinoLogger } from 'pino';
import { destination, pino } from 'pino';
import type { Config } from '../config/index.ts';

/** Structured log; children carry request id, tenant and user. */
export type Logger = PinoLogger;

/** Members never logged, at any depth at which they occur. */
const SECRETS = [
  'authorization',
  'password',
  'currentPassword',
  'newPassword',
  'secret',
  'token',
  'refresh_token',
  'key',
];

interface LoggerOptions {
  readonly level: string;
  readonly name: string;
  readonly pretty: boolean;
}

export function loggerOptions({ logLevel }: Config): LoggerOptions {
  return { name: 'api', level: logLevel, pretty: process.stdout.isTTY === true };
}

/** A logger that writes JSON lines to standard output, or readable ones to a terminal. */
export function createLogger(options: LoggerOptions): Logger {
  return pino({
    name: options.name,
    level: options.level,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    ...(options.pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : {}),
  });
}

/** How many bytes are written at once at most: a pipe keeps so many together, whoever else writes to it. */
const MOST_BYTES = 4096;
/** How many bytes of the access log wait until they are written, and how long they wait at most. */
const ACCESS_BYTES = MOST_BYTES - 1;
const ACCESS_MS = 500;

/**
 * A logger for the lines of requests, whose members are all known and hold no secret. It writes many lines at once: a crash may lose the
 * last of them, but never what the other logger has been told.
 */
export function createAccessLog(options: LoggerOptions): { readonly logger: Logger; flush(): void } {
  if (options.pretty) return { logger: createLogger(options), flush() {} };
  const output = destination({
    dest: 1,
    sync: false,
    minLength: ACCESS_BYTES,
    maxWrite: MOST_BYTES,
    periodicFlush: ACCESS_MS,
  });
  return { logger: pino({ name: options.name, level: options.level }, output), flush: () => output.flushSync() };
}
