/**
 * Has PostgreSQL plan prepared statements once for each connection, and all others for the values of each run. By itself it plans a
 * prepared one for its values five times, and some with every run: those whose plan for all values it takes to be costlier.
 */
import type pg from 'pg';
import type { Statement } from './statement.ts';

type PlanMode = 'force_generic_plan' | 'auto';

/** Of a new session. */
export const FIRST_PLAN_MODE: PlanMode = 'force_generic_plan';

/** Of each connection; null where it is unknown. */
const modes = new WeakMap<pg.PoolClient, PlanMode | null>();

export function currentPlanMode(client: pg.PoolClient): PlanMode | null {
  const mode = modes.get(client);
  return mode === undefined ? FIRST_PLAN_MODE : mode;
}

/** Must be called when PostgreSQL has taken back what was set in a transaction. */
export function planModeBecame(client: pg.PoolClient, mode: PlanMode | null): void {
  modes.set(client, mode);
}

/** Sets the mode for a statement that is sent next, if it differs. */
export function planFor(client: pg.PoolClient, { name, values = [] }: Statement): void {
  // Without values there is only one plan.
  if (values.length === 0) return;
  const mode = name === undefined ? 'auto' : 'force_generic_plan';
  if (currentPlanMode(client) === mode) return;
  modes.set(client, mode);
  // If it fails, then with the transaction or the connection, and so does the statement.
  client.query(`set plan_cache_mode = ${mode}`).then(undefined, () => undefined);
}
