/** Changes rows while others work: tenant by tenant, without locking whole tables. */
import type { Client } from 'pg';
import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';

/** A migration that runs for each tenant in a transaction of its own, and again if it is interrupted. */
export interface PerTenant {
  readonly perTenant: string;
}

/** A migration that changes rows of filled tables: `export const up = perTenant(statement)`. */
export function perTenant(statement: string): PerTenant {
  return { perTenant: statement };
}

/** Reads the tenants; those that come later have no rows to change. */
export async function readTenants(client: Client): Promise<string[]> {
  await client.query(`begin; set local role ${SYSTEM_ROLE}`);
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id');
  await client.query('commit');
  return rows.map(({ id }) => id);
}

/** Statements of a transaction that changes the rows of one tenant, with the privileges of the service. */
export function inTenant(id: string, statement: string): string {
  return `set local role ${APP_ROLE}; set local app.tenant_id = '${id}'; ${statement}`;
}
