/**
 * Numbers entries after posting, because a single counter would serialize a company's invoices. Numbers are assigned
 * shortly afterwards, in batches, in order of dates; closing the year puts the whole year in order (decision 0081).
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared, query } from '../../../db/sql.ts';
import { YEARS_SQL } from './balances/columns.ts';

/** Entries numbered by one statement. */
const BATCH_SIZE = 1000;

const NUMBER_SQL = `
  with pending as (
    select id, fiscal_year, date, seq from journal_entries
    where number is null and status = 'posted' and (:year::integer is null or fiscal_year = :year::integer)
    order by fiscal_year, date, seq limit ${BATCH_SIZE} for update skip locked
  ), counted as (
    insert into counters as c (tenant_id, name, next)
    select :tenant::uuid, 'journal_entries:' || fiscal_year, 1 + count(*) from pending group by fiscal_year order by fiscal_year
    on conflict (tenant_id, name) do update set next = c.next + excluded.next - 1
    returning name, next
  ), placed as (
    select p.id, c.next - row_number() over (partition by p.fiscal_year order by p.date desc, p.seq desc) as number
    from pending p join counted c on c.name = 'journal_entries:' || p.fiscal_year
  ), numbered as (
    update journal_entries e set number = placed.number from placed where e.id = placed.id returning e.id
  ) select (select count(*)::integer from numbered) as count, (select coalesce(sum("end" - next), 0)::integer from (${YEARS_SQL}) years)
    as before`;

/**
 * Numbers posted entries. Concurrent calls share the work; entries of open transactions are left to the next call.
 * @param year one fiscal year; null for all
 * @returns number of entries numbered, and of all numbered entries not yet in balances
 */
export async function numberEntries(
  trx: Db,
  ctx: Pick<Context, 'tenantId'>,
  year: number | null = null,
): Promise<{ readonly numbered: number; readonly unsummed: number }> {
  let numbered = 0;
  for (;;) {
    const [done] = await prepared<{ count: number; before: number }>(trx, NUMBER_SQL, { tenant: ctx.tenantId, year });
    const { count = 0, before = 0 } = done ?? {};
    numbered += count;
    if (count < BATCH_SIZE) return { numbered, unsummed: before + count };
  }
}

/**
 * Waits for concurrent numbering of the year and blocks further ones, so that the caller numbers the remaining entries.
 */
export async function lockUnnumbered(trx: Db, year: number): Promise<void> {
  await query(
    trx,
    `select count(*) from (select id from journal_entries
       where fiscal_year = :year and number is null and status = 'posted' for update) held`,
    { year },
  );
}

/**
 * Renumbers a closed year whose entries are all in balances: the opening entry, the others by date, then regularisation
 * and closing.
 */
export async function renumberYear(trx: Db, year: number): Promise<void> {
  await query(
    trx,
    `with placed as (
       select id, row_number() over (order by kind <> 'opening', kind = 'closing', kind = 'regularisation', date, seq) as number
       from journal_entries where fiscal_year = :year and number is not null
     )
     update journal_entries e set number = placed.number from placed where e.id = placed.id and e.number <> placed.number`,
    { year },
  );
}
