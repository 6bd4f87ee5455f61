/** Payments of a filled ledger through one bank account, with the bank's statements, nearly all of whose lines are matched. */
import { numbers, sumLedger, WITHOUT_TRIGGERS } from './fill-ledger.ts';
import type { Stage } from './stage.ts';

/** Each so manieth sale is paid. */
const EACH = 7;
/** Numbers of payments that no statement has yet, and of lines of the bank without payment. */
const OPEN = 50;

/** Fills the bank. @returns id of the bank account */
export async function fillBank(stage: Stage): Promise<string> {
  const { client, fill, tenantId } = stage;
  const account = { name: 'Bench', iban: 'ES9121000418450200051332', bic: 'CAIXESBBXXX' };
  const { status, body } = await client.post('/api/config/bank-accounts', account);
  if (status !== 201) throw new Error(`The bank account was answered ${status}: ${JSON.stringify(body)}`);
  const { id } = body.data;
  await fill([WITHOUT_TRIGGERS, payments(tenantId), statements(tenantId, id), numbers(tenantId, 0)].join(';\n'));
  await sumLedger(stage);
  await fill(
    'vacuum (analyze) payments, bank_statement_lines, bank_line_payments, journal_entries, journal_lines, journal_balances',
  );
  return id;
}

/** Each payment comes a month after its sale, with an entry of its own. */
const payments = (tenant: string) => `
  create function pg_temp.account(wanted text) returns uuid language sql stable as
    $$ select id from accounts where tenant_id = '${tenant}' and code = wanted and not is_heading $$;
  create temp table paid as
    select gen_random_uuid() as id, gen_random_uuid() as entry_id, s.partner_id, s.amount, s.date, p.id as period_id,
      row_number() over (order by s.date, s.nth) as nth, row_number() over (partition by year order by s.date, s.nth) as in_year, year
    from (
      select l.partner_id, l.debit as amount, l.date + 30 as date, extract(year from l.date + 30)::integer as year,
        row_number() over (order by l.date, l.entry_id) as nth
      from journal_lines l where l.tenant_id = '${tenant}' and l.account_id = pg_temp.account('430') and l.debit > 0
    ) s
    join periods p on p.tenant_id = '${tenant}' and s.date between p."from" and p."to"
    where s.nth % ${EACH} = 0 and s.date <= current_date;
  create temp table taken as
    select fiscal_year, max(number) as number from journal_entries where tenant_id = '${tenant}' group by fiscal_year;
  insert into payments (id, tenant_id, direction, partner_id, amount, applied_total, currency, date, period_id, payment_method, created_at,
      updated_at)
    select id, '${tenant}', 'in', partner_id, amount, 0, 'EUR', date, period_id, 'transfer', date, date from paid;
  insert into journal_entries (id, tenant_id, number, fiscal_year, date, period_id, kind, status, description, line_count, total,
      source_type, source_id, posted_at, created_at, updated_at)
    select p.entry_id, '${tenant}', t.number + in_year, year, date, period_id, 'normal', 'posted', 'Cobro ' || nth, 2, amount, 'payment',
      p.id, date, date, date
    from paid p join taken t on t.fiscal_year = p.year;
  insert into journal_lines (tenant_id, entry_id, line_number, date, kind, account_id, partner_id, debit, credit, money)
    select '${tenant}', entry_id, line, date, 'normal', pg_temp.account(code), case line when 2 then partner_id end,
      case line when 1 then amount else 0 end, case line when 2 then amount else 0 end, line = 1
    from paid, (values (1, '572'), (2, '430')) lines (line, code)`;

/** A statement for each month. */
const statements = (tenant: string, bank: string) => `
  create temp table months as
    select gen_random_uuid() as id, date_trunc('month', date)::date as month, count(*) as lines from paid group by 2;
  insert into bank_statements (id, tenant_id, bank_account_id, format, currency, from_date, to_date, fingerprint, line_count,
      new_line_count, created_at, updated_at)
    select id, '${tenant}', '${bank}', 'camt053', 'EUR', month, (month + interval '1 month - 1 day')::date, 'F' || month, lines, lines,
      month, month
    from months;
  create temp table shown as
    select gen_random_uuid() as line_id, p.*, m.id as statement_id, nth > (select max(nth) from paid) - ${OPEN} as open
    from paid p join months m on m.month = date_trunc('month', p.date);
  insert into bank_statement_lines (id, tenant_id, bank_account_id, statement_id, position, key, date, amount, text, reversal, status,
      created_at, updated_at)
    select line_id, '${tenant}', '${bank}', statement_id, nth, 'K' || nth, date, amount, 'Transferencia ' || nth, false,
      case when open then 'open' else 'matched' end, date, date
    from shown;
  insert into bank_line_payments (id, tenant_id, line_id, position, payment_id, created_at, updated_at)
    select gen_random_uuid(), '${tenant}', line_id, 1, id, date, date from shown where not open`;
