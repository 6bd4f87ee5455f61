import assert from 'node:assert/strict';
import { up } from '../../../db/migrations/0080-valuation-movements.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { replaceSettings } from '../../../services/settings/settings.ts';
import { revalueByEvent } from '../../../services/stock/revalue.ts';
import { assertSound } from '../../helpers/hooks.ts';
import { useTrade } from '../../services/trade/follow-helpers.ts';

/** As the release before wrote it: nothing is owed, nothing settled. */
const BEFORE = `
  update periods set status = 'C' where "to" < '2026-03-01';
  alter table stock_movements add constraint stock_movements_quantity_check check (quantity <> 0);
  update stock_layers l set remaining = greatest(remaining, 0), parts = (
    select coalesce(jsonb_object_agg(p.key, p.value), '{}') from jsonb_each(l.parts) p
    join stock_layers o on o.id = p.key::uuid and (o.quantity > 0 or o.id <> l.id and l.quantity < 0));
  update stock_layers l set parts = jsonb_build_object(l.id, l.remaining::text) where l.quantity > 0;
  alter table stock_layers drop column adjusts_id, drop column given_value, drop column given_fifo_value, drop column follows_id,
    drop column settles, drop column average_settled, drop column fifo_settled`;
const LAYERS = `select item_id, date::text, quantity::float, quantity_after::float, remaining::float, average_after::float,
    fifo_after::float from stock_layers order by item_id, date, seq`;
const EVENTS = `select id, payload->>'date' as date from outbox where event = 'internal.stock_revaluation_due'`;

describe('migration 0080', () => {
  const trade = useTrade();

  it('works out what was below zero from the first open day on, with what is owed then', async () => {
    const { company } = trade;
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', { allowNegativeStock: true }));
    const [one, two] = [(await company.item()).id, (await company.item()).id];
    const move = (docType: 'PDN' | 'SDN', itemId: string, quantity: number, price: number, day: string) =>
      trade.create(docType, { date: `2026-${day}`, lines: [{ itemId, quantity, price }] });
    await move('SDN', one, 5, 100, '02-10');
    await move('PDN', one, 10, 40, '03-10');
    // 5 are owed, 3 of them come, and 4 more leave: 2 and 4 are owed when March begins. Of 10 that come then 4 are left.
    await move('SDN', two, 5, 100, '02-10');
    await move('PDN', two, 3, 40, '02-20');
    await move('SDN', two, 4, 100, '02-22');
    await move('PDN', two, 10, 50, '03-10');
    const layers = await company.rows(LAYERS);
    await connect(
      company.url,
      async (client) => {
        await client.query(`begin; ${BEFORE}; commit;`);
        await client.query(`begin; ${up} commit;`);
      },
      30_000,
    );
    const events = await company.rows(EVENTS);
    assert.deepEqual(
      events.map(({ date }) => date),
      ['2026-03-01', '2026-03-01'],
    );
    for (const { id } of events) await company.run((trx) => revalueByEvent(trx, company.ctx, String(id)));
    assert.deepEqual(await company.rows(LAYERS), layers);
    // The sale of February was guessed at 5 × 1.20; what came in March says 5 × 40: 194 more.
    const [sale] = await company.rows(
      'select -fifo_settled::float as more from stock_layers where item_id = ? and quantity < 0',
      [one],
    );
    assert.equal(sale?.more, 194);
    await assertSound(company.url);
  });
});
