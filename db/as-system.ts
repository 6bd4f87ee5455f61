import { type Db, switchScope } from './database.ts';

/**
 * Runs part of a tenant's transaction as the system role, then returns to the tenant. If `work` throws, the caller must let the transaction
 * roll back.
 */
export async function asSystem<T>(
  trx: Db,
  scope: { readonly tenantId: string },
  work: () => PromiseLike<T>,
): Promise<T> {
  await switchScope(trx, 'system');
  const result = await work();
  await switchScope(trx, scope);
  return result;
}
