import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0094-earlier-open-items.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { openBooks } from '../../api/accounting/books.ts';
import { openTill } from '../../api/payments/till.ts';
import { use, useApp } from '../../helpers/hooks.ts';

const ITEMS = 'select line_number, direction, total::float8 as total from open_items order by line_number';

describe('migration 0094', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));

  it('makes items of earlier entries, also on accounts that the company names for partners', async () => {
    const named = { payableServicesAccountId: books.account('555') };
    assert.equal((await app.client.put('/api/config/accounting', named)).status, 200);
    const lines = [
      { accountId: books.account('430'), debit: 100, partnerId: till.customerId },
      { accountId: books.account('555'), credit: 40, partnerId: till.supplierId },
      { accountId: books.account('572'), credit: 60 },
    ];
    await books.make('/api/journal-entries', { date: till.today, post: true, lines });
    await connect(
      app.databaseUrl,
      async (client) => {
        const { rows } = await client.query(ITEMS);
        await client.query('delete from open_items');
        await migrate(app.databaseUrl, [{ name: 'x-again', up }]);
        // 430: the customer owes 100; 555, named for creditors: 40 are owed.
        assert.deepEqual((await client.query(ITEMS)).rows, rows);
        assert.deepEqual(
          rows.map(({ direction, total }) => [direction, total]),
          [
            ['in', 100],
            ['out', 40],
          ],
        );
      },
      30_000,
    );
  });
});
