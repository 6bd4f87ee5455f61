/** Readiness: checks which parts of the service respond. */
import { LAG_LIMIT_SECONDS } from '../../../domain/messages/incidents.ts';
import { isWorkerAlive } from '../../../services/access/setup/status.ts';
import type { WriteProbe } from '../../../services/operation/metrics/write-probe.ts';
import { outboxLagSeconds } from '../../../services/platform/outbox/lag.ts';
import type { Deps } from '../../route.ts';

export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'down' | 'stopping';
  readonly checks: {
    readonly database: 'ok' | 'down';
    readonly temporal: 'ok' | 'down';
    readonly worker: 'ok' | 'down';
    /** Age of the oldest waiting event; null while the database does not answer. */
    readonly outbox_lag_seconds: number | null;
  };
}

/**
 * Checks all parts concurrently. Down without a database that accepts writes; degraded without Temporal or a worker, or if events pile up.
 * @param probe reused between calls
 */
export async function checkReadiness(
  { database, workflows, draining }: Pick<Deps, 'database' | 'workflows' | 'draining'>,
  probe: WriteProbe,
): Promise<Readiness> {
  const [databaseUp, temporalUp] = await Promise.all([probe.canWrite(), workflows.isUp()]);
  const [workerUp, lag] = databaseUp
    ? await Promise.all([isWorkerAlive(database), outboxLagSeconds(database)])
    : [false, null];
  const well = temporalUp && workerUp && lag !== null && lag <= LAG_LIMIT_SECONDS;
  const shown = (up: boolean) => (up ? 'ok' : 'down');
  return {
    status: draining.begun ? 'stopping' : databaseUp ? (well ? 'ok' : 'degraded') : 'down',
    checks: {
      database: shown(databaseUp),
      temporal: shown(temporalUp),
      worker: shown(workerUp),
      outbox_lag_seconds: lag,
    },
  };
}
