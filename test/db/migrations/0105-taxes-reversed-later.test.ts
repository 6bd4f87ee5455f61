import assert from 'node:assert/strict';
import { APP_ROLE } from '../../../db/database.ts';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0105-taxes-reversed-later.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { sumEntries } from '../../../services/accounting/balances/sum-entries.ts';
import { writeReversal } from '../../../services/accounting/write-entry.ts';
import { use, useCompany } from '../../helpers/hooks.ts';
import { openLedger } from '../../helpers/ledger.ts';

const TAX = {
  kind: 'output',
  operation: 'domestic',
  use: 'current',
  groupId: null,
  rate: '21',
  subject: null,
} as const;
const MARKED = `select e.date::text, l.tax_rectifying from journal_entries e join journal_lines l on l.entry_id = e.id
  where l.tax_kind is not null order by 1`;
const SUMMED = `select month::text, tax_rectifying, tax_amount::float8 from journal_balances where tax_kind is not null
  order by 1, 2`;

describe('migration 0105', () => {
  const company = useCompany();
  const ledger = use(() => openLedger(company));

  it('marks what was reversed in a later quarter, and has its year summed again', async () => {
    for (const [date, on] of [
      ['2026-01-10', '2026-03-31'],
      ['2026-02-10', '2026-04-01'],
    ] as const) {
      const tax = { ...TAX, rectifying: false, base: '-100', amount: '-21' } as const;
      const id = await ledger.enter(date, { 477: '21', 430: '-21' }, { line: { tax } });
      const [period] = await company.rows('select id from periods where ?::date between "from" and "to"', [on]);
      const day = { date: on, periodId: String(period?.id) };
      await company.run((trx) => writeReversal(trx, company.ctx, id, day));
    }
    await connect(company.url, async (client) => {
      const rows = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows;
      // As earlier releases had it; of each entry one line has the tax.
      await client.query(`update journal_lines set tax_kind = null, tax_rectifying = null, tax_operation = null, tax_use = null,
        tax_rate = null, tax_base = null, tax_amount = null where account_id = '${ledger.account('430')}'`);
      await client.query('update journal_lines set tax_rectifying = false where tax_kind is not null');
      await ledger.number();
      await sumEntries(company.database, company.ctx);
      assert.equal((await rows(SUMMED)).length, 4);
      for (const name of ['x-once', 'x-again']) await migrate(company.url, [{ name, up }]);
      assert.deepEqual(await rows(MARKED), [
        ['2026-01-10', false],
        ['2026-02-10', false],
        ['2026-03-31', false],
        ['2026-04-01', true],
      ]);
      assert.deepEqual(await rows(SUMMED), []);
      await sumEntries(company.database, company.ctx);
      assert.deepEqual(await rows(SUMMED), [
        ['2026-01-01', false, -21],
        ['2026-02-01', false, -21],
        ['2026-03-01', false, 21],
        ['2026-04-01', true, 21],
      ]);
      const may = `select has_any_column_privilege('${APP_ROLE}', 'journal_lines', 'update')`;
      assert.deepEqual(await rows(may), [[false]]);
    });
  });
});
