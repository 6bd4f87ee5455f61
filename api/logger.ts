import type { Logger as PinoLogger } from 'pino';
import { destination, pino } from 'pino';
import type { Config } from '../config/index.ts';

/** Structured log; child loggers carry request id, tenant and user. */
export type Logger = PinoLogger;

/** Members that are never logged, at the depths at which they occur. */
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

/** Creates a logger that writes JSON lines to standard output, or readable ones to a terminal. */
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

/** Maximum bytes per write: a pipe keeps this many together even with several writers. */
const MAX_WRITE_BYTES = 4096;
/** Maximum number of buffered bytes of the access log, and maximum time in the buffer. */
const ACCESS_BYTES = MAX_WRITE_BYTES - 1;
const ACCESS_MS = 500;

/**
 * Creates a logger for request lines, whose members are all known and hold no secret. It writes many lines at once: a
 * crash may lose the last of them, but nothing from the other logger.
 */
export function createAccessLog(options: LoggerOptions): { readonly logger: Logger; flush(): void } {
  if (options.pretty) return { logger: createLogger(options), flush() {} };
  const output = destination({
    dest: 1,
    sync: false,
    minLength: ACCESS_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    periodicFlush: ACCESS_MS,
  });
  return { logger: pino({ name: options.name, level: options.level }, output), flush: () => output.flushSync() };
}
