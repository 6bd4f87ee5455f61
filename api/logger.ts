import type { Logger as PinoLogger } from 'pino';

/** Structured log; children carry request id, tenant and user. */
export type Logger = PinoLogger;
