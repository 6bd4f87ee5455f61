import type { Logger as PinoLogger } from 'pino';
import { pino } from 'pino';

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

/** A logger that writes JSON lines to standard output, or readable ones to a terminal. */
export function createLogger(options: {
  readonly level: string;
  readonly name: string;
  readonly pretty: boolean;
}): Logger {
  return pino({
    name: options.name,
    level: options.level,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    ...(options.pretty
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } } }
      : {}),
  });
}
