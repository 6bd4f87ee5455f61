import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0103-below-zero-again.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { replaceSettings } from '../../../services/settings/settings.ts';
import { revalueByEvent } from '../../../services/stock/revalue.ts';
import { useTrade } from '../../services/trade/follow-helpers.ts';

/** As a worker of the release before leaves it that handles the event of 0080: nothing is owed, nothing settled. */
const BY_OLD_RULES = `
  update stock_layers set remaining = greatest(remaining, 0), average_settled = 0, fifo_settled = 0, settles = null,
    parts = case when quantity < 0 then '{}' else jsonb_build_object(id, greatest(remaining, 0)::text) end`;
const LAYERS = `select date::text, quantity::float, remaining::float, average_after::float, fifo_after::float, fifo_settled::float
  from stock_layers order by date, seq`;
const EVENTS = `select id, payload->>'date' as date, locked_until > now() + interval '9 minutes' as later from outbox
  where event = 'internal.stock_revaluation_due'`;

describe('migration 0103', () => {
  const trade = useTrade();

  it('works out once more what was sold below zero, when processes of the previous release have ended', async () => {
    const { company } = trade;
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', { allowNegativeStock: true }));
    const [below, above] = [(await company.item()).id, (await company.item()).id];
    const move = (docType: 'PDN' | 'SDN', itemId: string, quantity: number, price: number, day: string) =>
      trade.create(docType, { date: `2026-${day}`, lines: [{ itemId, quantity, price }] });
    // 5 of the 7 that leave are owed, and 3 of them come; the other item was never below zero.
    await move('PDN', below, 2, 30, '03-01');
    await move('SDN', below, 7, 100, '03-02');
    await move('PDN', below, 3, 40, '03-03');
    await move('PDN', above, 2, 30, '03-01');
    const layers = await company.rows(LAYERS);
    await connect(company.url, (client) => client.query(BY_OLD_RULES), 30_000);
    for (const name of ['x-once', 'x-again']) await migrate(company.url, [{ name, up }]);
    const events = await company.rows(EVENTS);
    assert.deepEqual(
      events.map(({ date, later }) => [date, later]),
      [['2026-03-01', true]],
    );
    await company.run((trx) => revalueByEvent(trx, company.ctx, String(events[0]?.id)));
    assert.deepEqual(await company.rows(LAYERS), layers);
  });
});
