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

/** Refuses to cancel an invoice whose costs were spread over goods. @throws ServiceError in_use naming the landed cost */
export async function assertNotSpread(trx: Db, { id, code }: DocumentRow): Promise<void> {
  await refuse(trx, `${LANDED} limit 1`, id, `${code} cannot be cancelled`);
}

/**
 * Refuses to take back more of an invoice than landed costs have left of its lines. Call it when the rectification is written.
 * @throws ServiceError in_use naming the landed cost
 */
export async function assertSpreadLeft(trx: Db, ctx: Context, { rectifies }: DocumentRow): Promise<void> {
  if (rectifies === null) return;
  await lockName(trx, `landed_costs:${ctx.tenantId}`);
  await refuse(trx, `${LANDED} and ${leftOfCharge('l')} < 0 limit 1`, rectifies, 'It cannot be posted');
}

async function refuse(trx: Db, sql: string, id: string, what: string): Promise<void> {
  const [landed] = await query<{ code: string }>(trx, sql, { id });
  if (landed === undefined) return;
  throw new ServiceError('in_use', `${what} because ${landed.code} spreads its costs; cancel that first`);
}
