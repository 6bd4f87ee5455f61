/** The hourly comparison: missing lifecycles and submissions are restarted, other work is only counted, for the log and /metrics. */
import type { Logger } from 'pino';
import type { WorkKind } from '../../services/operation/missing-work/work.ts';
import { setGauges } from '../../services/platform/counters/work-counts.ts';
import type { ComparisonState } from '../../workflows/operation/contract.ts';
import { type CompareDeps, comparePage } from './compare.ts';

/** Duration of one run before other work of the queue gets its slot. */
const TURN_MS = 10_000;
/** Younger work may still be in flight; deliveries by the default policy end within the second limit. */
const SETTLED_MS = 60_000;
const LOOKED_BACK_MS = 48 * 3_600_000;
/** Records of invoices must be sent, at least tried once an hour (Orden HAC/1177/2024, art. 16); and nobody else would follow invoices. */
const RESTARTED: ReadonlySet<WorkKind> = new Set(['lifecycles', 'verifactu', 'face']);

/** Builds a function that compares some pages, and reports after the last. */
export function hourlyComparison({ logger, ...deps }: CompareDeps & { readonly logger: Logger }) {
  return async (state: ComparisonState, alive: () => void): Promise<ComparisonState> => {
    const begun = performance.now();
    const begunAt = state.begunAt ?? new Date().toISOString();
    const [since, until] = [LOOKED_BACK_MS, SETTLED_MS].map((ms) => new Date(Date.parse(begunAt) - ms));
    const options = {
      time: { since: since as Date, until: until as Date },
      starts: (kind: WorkKind) => RESTARTED.has(kind),
      share: Number.POSITIVE_INFINITY,
    };
    let { open, started, source = 0, after: cursor, missing = {} } = state;
    while (performance.now() - begun < TURN_MS) {
      const { next, found } = await comparePage(deps, options, { source, cursor: cursor === '' ? null : cursor });
      const { lifecycles, ...others } = found;
      open += lifecycles.due;
      started += lifecycles.started;
      missing = Object.fromEntries(
        Object.entries(others).map(([kind, counts]) => [kind, (missing[kind] ?? 0) + counts.missing - counts.started]),
      );
      if (next === null) {
        await report(missing);
        return { after: null, open, started, missing };
      }
      ({ source, cursor } = next);
      alive();
    }
    // The beginning of a source has no cursor; a non-null one continues.
    return { after: cursor ?? '', source, begunAt, open, started, missing };
  };

  async function report(missing: Readonly<Record<string, number>>): Promise<void> {
    const gauges = Object.entries(missing).map(([kind, value]) => ({
      name: 'work_missing' as const,
      labels: { kind },
      value,
    }));
    await deps.database.withSystem((trx) => setGauges(trx, gauges));
    if (Object.values(missing).every((count) => count === 0)) return;
    logger.warn({ missing }, 'Work that should be running is unknown to Temporal; npm run reconcile restarts it');
  }
}
