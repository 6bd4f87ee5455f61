import assert from 'node:assert/strict';
import { up } from '../../../db/migrations/0032-lines-of-several.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { testCompany } from '../../helpers/company.ts';
import { received } from '../../helpers/receivables.ts';

/** The lines as they were before. */
const BEFORE = `
  drop table bank_line_payments;
  alter table bank_statement_lines drop column entry_id, add column payment_id uuid references payments (id),
    add constraint bank_statement_lines_matched check ((status = 'matched') = (payment_id is not null));
  drop index sepa_orders_account;
  alter table sepa_order_items drop column batch`;

/** A statement of two lines, of which the second shows a payment. */
const STATEMENT = `
  with account as (
    insert into bank_accounts (id, tenant_id, name, iban, is_default, version, created_at, updated_at)
    values (gen_random_uuid(), $1, 'Main', 'ES9121000418450200051332', true, 1, now(), now()) returning id
  ), statement as (
    insert into bank_statements (id, tenant_id, bank_account_id, format, currency, from_date, to_date, fingerprint, line_count,
      new_line_count, version, created_at, updated_at)
    select gen_random_uuid(), $1, id, 'csv', 'EUR', $3, $3, 'f', 2, 2, 1, now(), now() from account returning id, bank_account_id
  )
  insert into bank_statement_lines (id, tenant_id, bank_account_id, statement_id, position, key, date, amount, reversal, status,
    payment_id, version, created_at, updated_at)
  select gen_random_uuid(), $1, s.bank_account_id, s.id, l.place, l.place::text, $3, 5, false,
    case when l.payment is null then 'open' else 'matched' end, l.payment, 1, now(), now()
  from statement s, (values (1, null), (2, $2::uuid)) as l(place, payment)`;

const SHOWN = `
  select l.position, p.payment_id from bank_statement_lines l left join bank_line_payments p on p.line_id = l.id order by 1`;

describe('migration 0032', () => {
  it('keeps which payments the lines of statements show', async () => {
    const company = await testCompany();
    const today = company.ctx.now.toISOString().slice(0, 10);
    try {
      const payment = await received(company, 5);
      await connect(
        company.url,
        async (client) => {
          await client.query(BEFORE);
          await client.query(STATEMENT, [company.ctx.tenantId, payment.id, today]);
          await client.query(up);
          const { rows } = await client.query(SHOWN);
          assert.deepEqual(rows, [
            { position: 1, payment_id: null },
            { position: 2, payment_id: payment.id },
          ]);
        },
        30_000,
      );
    } finally {
      await company.close();
    }
  });
});
