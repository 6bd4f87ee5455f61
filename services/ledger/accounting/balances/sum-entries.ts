/** Sums numbered entries into balances, in batches, in the order of their numbers (decision 0171). */
import type { Context } from '../../../../db/context.ts';
import type { Database, Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { KEY, KEY_COLUMNS, SUM_COLUMNS, SUMMED, SUMS, YEARS_SQL } from './columns.ts';

/** Unsummed entries that are tolerated; reports read them in addition to the balances. */
export const MAX_UNSUMMED = 100;
/** Batch limits of one statement: entries, and lines of all entries but the last. */
const BATCH = { entries: 1000, lines: 20_000 };

type Tenant = Pick<Context, 'tenantId'>;

const key = KEY_COLUMNS.join(', ');

const SUM_SQL = `
  with taken as materialized (
    select id, number, fiscal_year from (
      select e.id, e.number, e.fiscal_year, sum(e.line_count) over (order by e.number) - e.line_count as before
      from journal_entries e where e.fiscal_year = :year::integer and e.number >= :next::integer
        and e.number < :next::integer + ${BATCH.entries}) numbered
    where before < ${BATCH.lines}
  ), kept as (
    insert into journal_balances as b (tenant_id, ${key}, ${SUM_COLUMNS.join(', ')})
    select l.tenant_id, ${Object.values(KEY).join(', ')}, ${Object.values(SUMS)
      .map((value) => `sum(${value})`)
      .join(', ')}
    from taken e join journal_lines l on l.entry_id = e.id
    group by ${['l.tenant_id', ...Object.values(KEY)].join(', ')}
    on conflict (tenant_id, ${key}) do update set ${SUM_COLUMNS.map(
      (name) => `${name} = b.${name} + excluded.${name}`,
    ).join(', ')}
  )
  update counters set next = (select max(number) + 1 from taken)
  where tenant_id = :tenant::uuid and name = :counter and exists (select from taken)
  returning next`;

/**
 * Sums all numbered entries of a fiscal year in the caller's transaction. Waits for concurrent summing and blocks it
 * until the end.
 */
export async function sumYear(trx: Db, { tenantId }: Tenant, year: number): Promise<void> {
  let next: number | undefined = await lockYear(trx, tenantId, year);
  while (next !== undefined) next = await sumBatch(trx, tenantId, { year, next });
}

export interface Summing {
  /** How long to wait for other summing, or the closing, of the same year; unlimited if missing. */
  readonly lockTimeout?: string;
  /** Maximum number of batches; the next call continues. */
  readonly batches?: number;
}

/**
 * Sums numbered entries, each batch in its own transaction, so that writers never wait.
 * @throws Error after `lockTimeout`
 */
export async function sumEntries(
  database: Database,
  scope: Tenant,
  { lockTimeout = '0', batches = Number.POSITIVE_INFINITY }: Summing = {},
): Promise<void> {
  for (let batch = 0; batch < batches; batch++) {
    const [due] = await database.readTenant(scope, (db) => query<{ year: number }>(db, DUE_SQL, {}));
    if (due === undefined) return;
    await database.withTenant(scope, async (trx) => {
      await query(trx, `select set_config('lock_timeout', :lockTimeout, true)`, { lockTimeout });
      const next = await lockYear(trx, scope.tenantId, due.year);
      await sumBatch(trx, scope.tenantId, { year: due.year, next });
    });
  }
}

const DUE_SQL = `select fiscal_year as year from (${YEARS_SQL}) years where next < "end" order by 1 limit 1`;

/** Drops and rebuilds all balances; meanwhile reports read the entries. Can be repeated, even after an interruption. */
export async function rebuildBalances(database: Database, scope: Tenant): Promise<void> {
  const years = await database.readTenant(scope, (db) => query<{ year: number }>(db, ALL_YEARS_SQL, {}));
  for (const { year } of years) {
    await database.withTenant(scope, async (trx) => {
      await lockYear(trx, scope.tenantId, year);
      const which = { tenant: scope.tenantId, counter: SUMMED + year, year };
      await query(trx, 'delete from journal_balances where fiscal_year = :year::integer', which);
      await query(trx, 'update counters set next = 1 where tenant_id = :tenant::uuid and name = :counter', which);
    });
  }
  await sumEntries(database, scope);
}

const ALL_YEARS_SQL = `select fiscal_year as year from (${YEARS_SQL}) years union select fiscal_year from journal_balances order by 1`;

/** Locks a year's balances until the transaction ends. @returns the first number that is not in them */
async function lockYear(trx: Db, tenantId: string, year: number): Promise<number> {
  const [counter] = await query<{ next: number }>(
    trx,
    `insert into counters as c (tenant_id, name, next) values (:tenantId::uuid, :counter, 1)
     on conflict (tenant_id, name) do update set next = c.next returning next`,
    { tenantId, counter: SUMMED + year },
  );
  return Number(counter?.next);
}

/** Sums a batch. @returns the number at which the next begins; undefined if there was nothing to sum */
async function sumBatch(
  trx: Db,
  tenantId: string,
  { year, next }: { readonly year: number; readonly next: number },
): Promise<number | undefined> {
  const [done] = await query<{ next: number }>(trx, SUM_SQL, { tenant: tenantId, counter: SUMMED + year, year, next });
  return done?.next;
}
