/**
 * Has PostgreSQL plan prepared statements once per connection, and all others for the values of each run. By default it plans a prepared
 * statement for its values five times, and with every run if it estimates the generic plan to be costlier.
 */
import type pg from 'pg';
import type { Statement } from './statement.ts';

type PlanMode = 'force_generic_plan' | 'auto';

/** The plan mode of a new session. */
export const FIRST_PLAN_MODE: PlanMode = 'force_generic_plan';

/** Plan mode of each connection; null if unknown. */
const modes = new WeakMap<pg.PoolClient, PlanMode | null>();

export function currentPlanMode(client: pg.PoolClient): PlanMode | null {
  const mode = modes.get(client);
  return mode === undefined ? FIRST_PLAN_MODE : mode;
}

/** Records the mode after PostgreSQL has undone the settings of a transaction. */
export function planModeBecame(client: pg.PoolClient, mode: PlanMode | null): void {
  modes.set(client, mode);
}

/** Sets the mode for the next statement, if it differs. @param isLocal whether only for the transaction */
export function planFor(client: pg.PoolClient, { name, values = [] }: Statement, isLocal: boolean): void {
  // Without values there is only one plan.
  if (values.length === 0) return;
  const mode = name === undefined ? 'auto' : 'force_generic_plan';
  if (currentPlanMode(client) === mode) return;
  modes.set(client, mode);
  // It fails only with the transaction or connection, and then the statement fails too.
  client.query(`set ${isLocal ? 'local ' : ''}plan_cache_mode = ${mode}`).then(undefined, () => undefined);
}
