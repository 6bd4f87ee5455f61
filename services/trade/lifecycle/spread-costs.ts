/** Purchase invoices whose costs landed costs spread over goods (decision 0311). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { leftOfCharge } from '../../../db/queries/landed-costs.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { DocumentRow } from '../documents/stored.ts';

const LANDED = `
  select t.code from document_lines l join landed_cost_charges c on c.document_line_id = l.id
    join landed_costs t on t.id = c.landed_cost_id and t.status = 'posted'
  where l.document_id = :id::uuid`;

/** Only lines of which more was spread than is left. */
const BEYOND = ` and ${leftOfCharge('l')} < 0`;

/** Refuses to cancel an invoice whose costs were spread over goods. @throws ServiceError in_use naming the landed cost */
export async function assertNotSpread(trx: Db, { id, code }: DocumentRow): Promise<void> {
  const [landed] = await query<{ code: string }>(trx, LANDED, { id });
  if (landed === undefined) return;
  const message = `${code} cannot be cancelled because ${landed.code} spreads its costs; cancel that first`;
  throw new ServiceError('in_use', message);
}

/**
 * Refuses to take back more of an invoice than landed costs have left of its lines. Call it when the rectification is written.
 * @throws ServiceError in_use naming the landed cost
 */
export async function assertSpreadLeft(trx: Db, ctx: Context, { rectifies: id }: DocumentRow): Promise<void> {
  if (id === null) return;
  await lockName(trx, `landed_costs:${ctx.tenantId}`);
  const [landed] = await query<{ code: string }>(trx, LANDED + BEYOND, { id });
  if (landed === undefined) return;
  throw new ServiceError('in_use', `It cannot be posted because ${landed.code} spreads its costs; cancel that first`);
}
