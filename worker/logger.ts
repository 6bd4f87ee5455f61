/** The structured log of a worker process; Temporal's own messages go into the same stream. */
import { type LogLevel, Runtime } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { PinoPretty as pinoPretty } from 'pino-pretty';
import { hostName } from '../domain/integrations/webhooks/texts.ts';

export function createWorkerLogger(level: string, pretty: boolean): Logger {
  const base = { service: 'worker' };
  if (!pretty) return pino({ level, base });
  // Synchronous: the last lines before an exit matter most.
  return pino({ level, base }, pinoPretty({ sync: true, ignore: 'pid,hostname,service' }));
}

/** Sends the logs of Temporal's runtime, workflows and activities through `logger`. Once per process. */
export function installRuntime(logger: Logger): void {
  const temporal = logger.child({ part: 'temporal' });
  // The runtime's "info" is about its own starting and stopping.
  const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  const to = (level: LogLevel) => (message: string, metadata?: Metadata) => {
    const line = readable(message, metadata);
    temporal[LEVELS[level]](line.fields, line.message);
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
    // The process itself decides when to stop: the relay has to stop before the workers do.
    shutdownSignals: [],
  });
}

type Metadata = Record<string | symbol, unknown>;

/**
 * Formats the SDK's messages about activities and workflows as one line: expected failures show their reason, unexpected ones keep the
 * stack. Tokens and run ids are left out; the workflow's id leads to the rest.
 */
export function readable(
  message: string,
  metadata: Metadata = {},
): { readonly message: string; readonly fields: Record<string, unknown> } {
  const { error, workflowId, workflowType, activityType, attempt, durationMs, ...others } = metadata;
  if (workflowId === undefined) return { message, fields: withError(others, error) };
  const fields = defined({ workflow_id: workflowId, attempt, ms: durationMs });
  const what = String(activityType ?? workflowType);
  if (!message.endsWith('failed')) return { message: `${what}: ${message}`, fields: withError(fields, error) };
  const reason = error instanceof Error ? error.message : String(error);
  // A workflow's own failure is always expected; an activity's only if it has a type.
  const meant = activityType === undefined || (error as { type?: unknown } | undefined)?.type != null;
  if (!meant) return { message: `${what} failed: ${reason}`, fields: withError(fields, error) };
  return { message: `${what}: ${reason}`, fields };
}

/** One line when a circuit opens because deliveries to an endpoint keep failing, and one when it closes. */
export function logCircuit(
  logger: Logger,
  webhook: { readonly id: string; readonly url: string },
  { open, reason }: { readonly open: boolean; readonly reason: string },
): void {
  const host = hostName(webhook.url);
  const fields = { webhook_id: webhook.id, host };
  if (open) logger.warn(fields, `The circuit of ${host} opened (${reason}): deliveries wait, except for single trials`);
  else logger.info(fields, `The circuit of ${host} closed: deliveries work again`);
}

function withError(fields: Record<string, unknown>, error: unknown): Record<string, unknown> {
  if (error === undefined) return fields;
  return error instanceof Error ? { ...fields, err: error } : { ...fields, error };
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
