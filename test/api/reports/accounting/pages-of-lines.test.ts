import assert from 'node:assert/strict';
import { sumEntries } from '../../../../services/ledger/accounting/balances/sum-entries.ts';
import { numberEntries } from '../../../../services/ledger/accounting/numbers.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

type Row = Record<string, unknown>;

/** Some months have several entries, others none. */
const DAYS = ['01-01', '01-15', '01-15', '01-31', '03-09', '03-10', '03-10', '03-31', '05-02', '05-20', '05-30'];
const SUMMED = 7;

describe('pages of ledger and journal', () => {
  const app = useApp({ clock: { now: new Date('2026-06-15T10:00:00Z') } });
  const books = use(() => openBooks(app));
  let partnerId: string;

  const read = async (path: string) => {
    const { status, body } = await app.client.get(`/api/reports/${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as { rows: Row[]; pagination: { total: number; has_more: boolean } };
  };
  const pages = async (path: string, limit: number) => {
    const rows: Row[] = [];
    for (let page = 1; ; page++) {
      const { rows: more, pagination } = await read(`${path}&limit=${limit}&page=${page}`);
      rows.push(...more);
      assert.equal(more.length, Math.min(limit, Math.max(0, pagination.total - (page - 1) * limit)));
      if (!pagination.has_more) return rows;
    }
  };
  const ledger = (days: string, more = '') => `ledger?account_id=${books.account('430')}&${days}${more}`;

  before(async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    partnerId = (await app.client.post('/api/partners', { name: 'Café Central', groupId: group.id })).body.data.id;
    for (const [index, day] of DAYS.entries()) {
      if (index === SUMMED) {
        await app.database.withTenant(app, (trx) => numberEntries(trx, app));
        await sumEntries(app.database, app);
      }
      const customer = { accountId: books.account('430'), debit: 2 ** index };
      const lines = [
        index % 2 ? customer : { ...customer, partnerId },
        { accountId: books.account('700'), credit: 2 ** index },
      ];
      await books.make('/api/journal-entries', { date: `2026-${day}`, description: day, post: true, lines });
    }
  });

  for (const [days, first, last] of [
    ['from=2026-01-01&to=2026-12-31', 0, 11],
    ['from=2026-01-15&to=2026-05-20', 1, 10],
    ['from=2026-03-10&to=2026-03-10', 5, 7],
  ] as const) {
    it(`have all lines once, with the balance after each: ${days}`, async () => {
      const wanted = DAYS.slice(first, last);
      for (const limit of [1, 2, 3, 5, 500]) {
        const rows = await pages(ledger(days), limit);
        assert.deepEqual(
          rows.map(({ description }) => description),
          wanted,
        );
        // 1 + 2 + 4 + … + 2^n = 2^(n+1) − 1, of all entries up to the line.
        assert.deepEqual(
          rows.map(({ balance }) => balance),
          wanted.map((_, index) => 2 ** (first + index + 1) - 1),
        );
        const journal = await pages(`journal?${days}`, limit);
        assert.deepEqual(
          journal.map(({ description, debit, credit }) => [description, debit, credit]),
          wanted.flatMap((day, index) => [
            [day, 2 ** (first + index), 0],
            [day, 0, 2 ** (first + index)],
          ]),
        );
      }
    });
  }

  it('are those of one partner where they are asked for', async () => {
    // The entries 1, 4, 16 … of even index; 1 is before 15 January: 1 + 4 = 5, + 16 = 21, + 64 = 85, + 256 = 341.
    const rows = await pages(ledger('from=2026-01-15&to=2026-05-20', `&partner_id=${partnerId}`), 2);
    assert.deepEqual(
      rows.map(({ balance }) => balance),
      [5, 21, 85, 341],
    );
  });
});
