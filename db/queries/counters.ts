import type { Db } from '../database.ts';
import { query } from '../sql.ts';

/**
 * Takes the next number of a counter, starting at 1. Others wait until the transaction ends, and a rollback returns the number, so that
 * none is lost or assigned twice.
 */
export async function nextNumber(trx: Db, tenantId: string, name: string): Promise<number> {
  const rows = await query<{ number: number }>(
    trx,
    `insert into counters as c (tenant_id, name, next) values (:tenantId::uuid, :name, 2)
     on conflict (tenant_id, name) do update set next = c.next + 1 returning next - 1 as number`,
    { tenantId, name },
  );
  return Number(rows[0]?.number);
}

/**
 * Takes the next code of a counter that no row of the table has yet, e.g. CLI00017: codes may also be entered manually.
 * @param table a table with a column `code`
 */
export async function nextCode(
  trx: Db,
  tenantId: string,
  table: 'partners' | 'items' | 'warehouses' | 'employees' | 'departments' | 'assets',
  form: { readonly prefix: string; readonly digits: number },
): Promise<string> {
  for (;;) {
    const number = await nextNumber(trx, tenantId, `${table}:${form.prefix}`);
    const code = `${form.prefix}${String(number).padStart(form.digits, '0')}`;
    const taken: unknown = await trx(table).where({ code }).first('id');
    if (taken === undefined) return code;
  }
}
