/** Five years of a company's ledger, created by SQL: sales and purchases with VAT, on accounts, projects and cost centres. */
import { Database } from '../db/database.ts';
import { sumEntries } from '../services/ledger/accounting/balances/sum-entries.ts';
import type { Stage } from './stage.ts';

const YEARS = 5;
const LINES = 4;
/** Numbers of entries that wait for the worker: not in balances, or without a number. */
const WAITING = { unsummed: 50, unnumbered: 20 };

/** Fills the ledger of a new stage, and its balances like the worker. @param lines number of lines */
export async function fillLedger({ fill, tenantId, databaseUrl }: Stage, lines: number): Promise<void> {
  const count = lines / LINES;
  await fill(
    [WITHOUT_TRIGGERS, heads(tenantId, count), journalLines(tenantId), numbers(tenantId, WAITING.unsummed)].join(';\n'),
  );
  await sumLedger({ tenantId, databaseUrl });
  await fill(numbers(tenantId, 0));
  await fill('vacuum (analyze) partners, journal_entries, journal_lines, journal_balances');
}

/** Adds new entries to the balances, as the worker does. */
export async function sumLedger({ tenantId, databaseUrl }: Pick<Stage, 'tenantId' | 'databaseUrl'>): Promise<void> {
  const database = new Database({ url: databaseUrl, poolSize: 1, applicationName: 'bench' });
  try {
    await sumEntries(database, { tenantId });
  } finally {
    await database.close();
  }
}

/** For rows that are built to satisfy the triggers. */
export const WITHOUT_TRIGGERS = `set session_replication_role = replica; set timezone = 'UTC'; set work_mem = '256MB'`;

const heads = (tenant: string, count: number) => `
  insert into periods (id, tenant_id, code, name, "from", "to", created_at, updated_at)
    select gen_random_uuid(), tenant_id, to_char(day, 'YYYY-MM'), name, day, (day + interval '1 month - 1 day')::date, now(), now()
    from generate_series(1, ${YEARS}) y, periods, lateral (select ("from" - make_interval(years => y))::date as day) d
    where tenant_id = '${tenant}';
  insert into projects (id, tenant_id, code, name, created_at, updated_at)
    select gen_random_uuid(), '${tenant}', 'P' || n, 'Proyecto ' || n, now(), now() from generate_series(1, 10) n;
  insert into cost_centers (id, tenant_id, code, name, created_at, updated_at)
    select gen_random_uuid(), '${tenant}', 'C' || n, 'Centro ' || n, now(), now() from generate_series(1, 5) n;
  insert into partners (id, tenant_id, code, name, group_id, country_code, created_at, updated_at)
    select gen_random_uuid(), '${tenant}', 'K' || n, 'Tercero ' || n, g.id, 'ES', now(), now()
    from generate_series(1, 1000) n, (select id from partner_groups where tenant_id = '${tenant}' limit 1) g;
  create temp table made as
    select n, date, (lpad(to_hex(extract(epoch from date)::bigint * 1000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid as id,
      100 + n % 900 as amount, n % 3 <> 0 as sale, n % 30 = 0 as withheld,
      row_number() over (partition by extract(year from date) order by n) as number,
      n > ${count} - ${WAITING.unnumbered} as unnumbered
    from (select n, (current_date - interval '${YEARS} years')::date + (n * (365 * ${YEARS}) / ${count})::integer as date
      from generate_series(1, ${count}::bigint) n) spread;
  insert into journal_entries (id, tenant_id, number, fiscal_year, date, period_id, kind, status, description, line_count, total, posted_at,
      created_at, updated_at)
    select m.id, '${tenant}', case when not unnumbered then number end, extract(year from date), date, p.id, 'normal', 'posted',
      'Factura ' || n, ${LINES} + case when withheld then 1 else 0 end, amount * 1.21, date, date, date
    from made m join periods p on p.tenant_id = '${tenant}' and m.date between p."from" and p."to" order by n`;

/**
 * A sale is D 430, H two of 70, H 477; a purchase D two of 6, D 472, H 400, and a tenth of them H 4751. A tenth has a project, a tenth a
 * cost centre.
 */
const journalLines = (tenant: string) => `
  create temp table of_kind as select id, left(code, 1) as kind, row_number() over (partition by left(code, 1) order by code) - 1 as nth,
      count(*) over (partition by left(code, 1)) as many
    from accounts where tenant_id = '${tenant}' and not is_heading and (code like '70%' or code like '60%' or code like '62%');
  create function pg_temp.named(wanted text) returns uuid language sql stable as
    $$ select id from accounts where tenant_id = '${tenant}' and code = wanted and not is_heading $$;
  insert into journal_lines (tenant_id, entry_id, line_number, date, kind, account_id, partner_id, debit, credit, money, project_id,
      cost_center_id, tax_kind, tax_operation, tax_use, tax_rectifying, tax_group_id, tax_rate, tax_base, tax_amount)
    select '${tenant}', m.id, line, m.date, 'normal',
      case when line = 1 then case when sale then customers else suppliers end when line = 4 then case when sale then output else input end
        when line = 5 then withholding else a.id end,
      case when line = 1 then partners[1 + n % cardinality(partners)] end,
      case when debit then value else 0 end, case when debit then 0 else value end, false,
      case when line in (2, 3) and n % 10 = 1 then project end, case when line in (2, 3) and n % 10 = 2 then center end,
      case line when 4 then case when sale then 'output' else 'input' end when 5 then 'withholding' end,
      case when line >= 4 then 'domestic' end, case when line >= 4 then 'current' end, case when line >= 4 then false end,
      case when line = 4 then tax end, rate, case when line >= 4 then amount end, amount * rate / 100
    from made m
    join (values (1, null), (2, null), (3, null), (4, 21.0), (5, 19.0)) lines (line, rate) on line <= 4 or withheld
    cross join (select pg_temp.named('430') as customers, pg_temp.named('400') as suppliers, pg_temp.named('47700021') as output,
      pg_temp.named('47200021') as input, pg_temp.named('4751') as withholding,
      (select id from taxes where tenant_id = '${tenant}' and code = 'IVA21') as tax,
      (select array_agg(id) from partners where tenant_id = '${tenant}') as partners,
      (select array_agg(id) from projects where tenant_id = '${tenant}') as projects,
      (select array_agg(id) from cost_centers where tenant_id = '${tenant}') as centers) known
    cross join lateral (select case line when 1 then amount * case when withheld then 1.02 else 1.21 end when 4 then amount * 0.21
        when 5 then amount * 0.19 else amount * 0.5 end as value,
      case when sale then line = 1 else line not in (1, 5) end as debit,
      projects[1 + n / 10 % 10] as project, centers[1 + n / 10 % 5] as center) v
    left join of_kind a on line in (2, 3) and a.kind = case when sale then '7' else '6' end and a.nth = (n * line) % a.many
    order by n, line`;

/** Sets the counters of numbers, leaving the last entries of the latest year without one. */
export const numbers = (tenant: string, without: number) => `
  insert into counters as c (tenant_id, name, next)
    select tenant_id, 'journal_entries:' || fiscal_year, max(number) + 1 - case when fiscal_year = max(max(fiscal_year)) over ()
      then ${without} else 0 end
    from journal_entries where tenant_id = '${tenant}' and number is not null group by tenant_id, fiscal_year
  on conflict (tenant_id, name) do update set next = excluded.next`;
