/** Deletes data past its retention, one batch of each kind per turn: kinds do not wait for each other, and fail independently. */
import { setTimeout as delay } from 'node:timers/promises';
import { cancellationSignal, heartbeat, log } from '@temporalio/activity';
import { isUnavailable } from '../../db/errors.ts';
import { KINDS, type PrunedKind } from '../../services/operation/pruning/kinds.ts';
import { type PruneDeps, pruneBatch, recordPruning } from '../../services/operation/pruning/prune.ts';
import type { KindProgress, PruningState } from '../../workflows/operation/contract.ts';
import { loggedReason } from '../failures.ts';

export interface PruningActivities {
  /** Deletes some batches of each kind. @param state null at the start of a run */
  prune(state: PruningState | null): Promise<PruningState>;
}

export interface PruningDeps extends PruneDeps {
  readonly now: () => Date;
}

/** Turns per activity: a few minutes when there is much to delete. */
const TURNS = 500;

export function createPruningActivities(deps: PruningDeps): PruningActivities {
  const { database, now } = deps;
  return {
    async prune(state) {
      const begunAt = state?.begunAt ?? now().toISOString();
      let kinds: readonly KindProgress[] = state?.kinds ?? Object.keys(KINDS).map(begin);
      for (let turn = 0; turn < TURNS && kinds.some(({ over }) => !over); turn++) {
        const turned: KindProgress[] = [];
        for (const one of kinds) {
          cancellationSignal().throwIfAborted();
          heartbeat();
          turned.push(one.over ? one : await advance(one, new Date(begunAt)));
        }
        kinds = turned;
      }
      return { begunAt, kinds };
    },
  };

  async function advance(progress: KindProgress, begunAt: Date): Promise<KindProgress> {
    const kind = progress.kind as PrunedKind;
    const started = performance.now();
    try {
      const { deleted, after } = await pruneBatch(deps, kind, { now: begunAt, after: progress.after });
      if (after === null) await recordPruning(database, kind, begunAt, null);
      // Pausing as long as the batch took leaves half of the time to other work.
      else await delay(performance.now() - started);
      return { ...progress, after, deleted: progress.deleted + deleted, over: after === null };
    } catch (error) {
      // An outage affects all kinds, so the activity is retried.
      if (isUnavailable(error)) throw error;
      const reason = loggedReason(error);
      log.error('Data past its retention could not be deleted', { kind, error: reason });
      await recordPruning(database, kind, begunAt, reason);
      return { ...progress, over: true, error: reason };
    }
  }
}

function begin(kind: string): KindProgress {
  return { kind, after: null, deleted: 0, over: false, error: null };
}
