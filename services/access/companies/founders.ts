/** Limits the companies of a person and of the service: each has a share of every pool and queue (decision 0226). */

import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';

export interface CompanyLimits {
  /** Maximum companies that one person can create; 0 = no limit. */
  readonly perAccount: number;
  /** Maximum companies of the service; 0 = no limit. */
  readonly perService: number;
}

/** The person answering for a company of 1.0.0, which did not record its founder: its first owner. */
const FIRST_OWNER = `(
  select m.user_id from memberships m where m.tenant_id = t.id and m.role = 'owner' order by m.created_at, m.id limit 1
)`;

/**
 * Reserves the creation of one company by a user, in the scope `system`, until the transaction ends.
 *
 * An account that nobody has verified is no person: it may be one of many that a company made. It counts with the founder of the company
 * that it belongs to.
 * @returns the account among whose companies the new one counts
 * @throws ServiceError company_limit, too_many_requests while another company of the same founder is being created
 */
export async function reserveFounding(
  trx: Db,
  userId: string,
  { perAccount, perService }: CompanyLimits,
): Promise<string> {
  const [found] = await query<{ founder: string; free: boolean }>(
    trx,
    `with founder as (
       select case when u.email_verified_at is null then coalesce(t.founder_id, ${FIRST_OWNER}, u.id) else u.id end as id
       from users u left join tenants t on t.id = u.home_tenant_id where u.id = :userId
     )
     select id as founder, pg_try_advisory_xact_lock(hashtextextended('founder:' || id, 0)) as free from founder`,
    { userId },
  );
  // A user cannot vanish while their request is answered: accounts are deactivated, never deleted.
  const founder = found?.founder ?? userId;
  if (found?.free === false) {
    const message = 'Another company of yours is being created: wait until it is, then try again';
    throw new ServiceError('too_many_requests', message, { retryAfter: 1 });
  }
  // After the lock, so that it sees what the transaction that held it has written.
  const [count] = await query<{ own: number; all: number }>(
    trx,
    `select count(*)::int as all, count(*) filter (where coalesce(t.founder_id, ${FIRST_OWNER}) = :founder)::int as own from tenants t`,
    { founder },
  );
  const { own = 0, all = 0 } = count ?? {};
  assertBelow(own, perAccount, `You have created ${own} companies`, 'COMPANIES_PER_ACCOUNT');
  assertBelow(all, perService, 'The service has all the companies that it can have', 'COMPANIES_PER_SERVICE');
  return founder;
}

function assertBelow(count: number, most: number, state: string, setting: string): void {
  if (most === 0 || count < most) return;
  throw new ServiceError('company_limit', `${state}: its operator can raise the limit (${setting})`);
}
