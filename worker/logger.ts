/** Structured log of a worker process; Temporal's own messages go into the same stream. */
import { type LogLevel, Runtime } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { PinoPretty as pinoPretty } from 'pino-pretty';

export function createWorkerLogger(level: string, pretty: boolean): Logger {
  const base = { service: 'worker' };
  if (!pretty) return pino({ level, base });
  // Written at once: the last lines before an exit are those that matter.
  return pino({ level, base }, pinoPretty({ sync: true, ignore: 'pid,hostname,service' }));
}

/** Sends what Temporal's runtime, workflows and activities log through `logger`. Once for each process. */
export function installRuntime(logger: Logger): void {
  const temporal = logger.child({ part: 'temporal' });
  type Metadata = Record<string | symbol, unknown>;
  // The runtime's "info" is about its own comings and goings.
  const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  const to = (level: LogLevel) => (message: string, metadata?: Metadata) => {
    temporal[LEVELS[level]](plain(metadata), message);
  };
  Runtime.install({
    logger: {
      log: (level, message, metadata) => to(level)(message, metadata),
      trace: to('TRACE'),
      debug: to('DEBUG'),
      info: to('INFO'),
      warn: to('WARN'),
      error: to('ERROR'),
    },
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
    // The process decides itself when to stop: the relay has to stop before the workers do.
    shutdownSignals: [],
  });
}

function plain(metadata: Record<string | symbol, unknown> | undefined): Record<string, unknown> {
  const { error, ...rest } = (metadata ?? {}) as Record<string, unknown>;
  return error instanceof Error ? { ...rest, err: error } : rest;
}
