/** Has the workflow that sends records look for them, once something has changed that kept it from sending. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { VERIFACTU_DUE } from '../../../../domain/platform/internal-events.ts';

/** Forgets what kept records from being sent, and the wait after failures (not the one that the agency states), and wakes the workflow. */
export async function wakeSender(trx: Db, ctx: Context): Promise<void> {
  const waiting = await query<{ id: string }>(
    trx,
    `update verifactu_chains c set awake = true, problem = null, failures = 0,
       next_send_at = case when failures > 0 then null else next_send_at end
     where seq > sent_seq returning id`,
    {},
  );
  const changes = new Changes(ctx);
  for (const { id } of waiting) changes.emit({ type: 'VerifactuChain', id }, { name: VERIFACTU_DUE, payload: {} });
  await changes.write(trx);
}
