import assert from 'node:assert/strict';
import { YEAR } from '../helpers/clock.ts';
import { assertSound } from '../helpers/hooks.ts';
import { atOnce, useMarket } from './market.ts';

const INVOICES = '/api/sales/invoices';

describe('closing a period under parallel requests', () => {
  let year: number;
  let lines: object[];
  const market = useMarket();
  before(async () => {
    year = YEAR;
    lines = [{ description: 'Porte', quantity: 1, price: 5, taxGroupId: market.taxGroupId }];
  });
  afterEach(() => assertSound(market.app.databaseUrl));

  const findPeriod = async (month: number) => {
    const date = `${year}-${String(month).padStart(2, '0')}-10`;
    const { body } = await market.app.client.get('/api/periods?limit=200');
    const period = (body.data as { id: string; from: string; to: string }[]).find(
      ({ from, to }) => from <= date && date <= to,
    );
    assert.ok(period, `there is a period with ${date}`);
    return { path: `/api/periods/${period.id}`, date };
  };

  it('posts during the close: it waits for the last draft, or is refused; nothing is posted after it', async () => {
    for (let month = 1; month <= 4; month++) {
      const { path, date } = await findPeriod(month);
      const { id } = await market.make(INVOICES, { partnerId: market.customerId, date, lines });
      const [post, close] = await Promise.all([
        market.app.client.post(`${INVOICES}/${id}/post`),
        market.app.client.patch(path, { status: 'C' }),
      ]);
      assert.equal(post.status, 200, JSON.stringify(post.body));
      assert.ok(close.status === 200 || close.body.code === 'has_drafts', JSON.stringify(close.body));
    }
  });

  it('new documents during the close: each is created before it, or refused as period_closed', async () => {
    for (let month = 5; month <= 7; month++) {
      const { path, date } = await findPeriod(month);
      const creating = atOnce(12, (index) =>
        market.app.client.post(index % 2 === 0 ? '/api/sales' : '/api/sales/invoices', {
          partnerId: market.customerId,
          date,
          lines,
        }),
      );
      const close = await market.app.client.patch(path, { status: 'C' });
      const answers = await creating;
      for (const { status, body } of answers) {
        assert.ok(status === 201 || (status === 409 && body.code === 'period_closed'), JSON.stringify(body));
      }
      const drafts = answers.filter(({ status, body }) => status === 201 && body.data.status === 'D').length;
      if (close.status === 200) assert.equal(drafts, 0);
      else assert.equal(close.body.code, 'has_drafts');
    }
  });

  it('cancelling an order while its period is closed: it is cancelled before, or stays', async () => {
    for (let month = 8; month <= 10; month++) {
      const { path, date } = await findPeriod(month);
      const { id } = await market.make('/api/sales', { partnerId: market.customerId, date, lines });
      const [cancel, close] = await Promise.all([
        market.app.client.post(`/api/sales/${id}/cancel`),
        market.app.client.patch(path, { status: 'C' }),
      ]);
      assert.equal(close.status, 200, JSON.stringify(close.body));
      assert.ok(cancel.status === 200 || cancel.body.code === 'period_closed', JSON.stringify(cancel.body));
      const { status } = await market.read(`/api/sales/${id}`);
      assert.equal(status, cancel.status === 200 ? 'X' : 'O');
    }
  });
});
