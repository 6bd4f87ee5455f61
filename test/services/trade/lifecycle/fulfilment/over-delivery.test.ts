import assert from 'node:assert/strict';
import { Changes } from '../../../../../db/changes/changes.ts';
import { closeOrder } from '../../../../../services/trade/lifecycle/close.ts';
import { takeFromBases } from '../../../../../services/trade/lifecycle/fulfilment/take-from-bases.ts';
import { type Doc, useTrade } from '../follow-helpers.ts';

describe('over-delivery switched on', () => {
  const trade = useTrade();
  before(async () => {
    await trade.company.run((trx) =>
      trx.raw(`insert into settings (id, tenant_id, name, value, version, created_at, updated_at)
        values (gen_random_uuid(), current_setting('app.tenant_id')::uuid, 'flags', '{"allowOverDelivery": true}', 1, now(), now())`),
    );
  });

  const close = ({ id }: Doc) => trade.company.run((trx) => closeOrder(trx, trade.company.ctx, id, { ifMatch: null }));
  const ordered = async () => {
    const { id: itemId } = await trade.company.item();
    await trade.company.stockUp(itemId, 20);
    return await trade.create('SO', { lines: [{ itemId, quantity: 10 }] });
  };
  const deliver = (order: Doc, quantity: number) =>
    trade.create('SDN', { lines: [{ baseId: order.id, baseLineId: order.lines[0]?.id ?? '', quantity }] });
  /** Acts like a delivery that read the order before somebody else closed or cancelled it. */
  const takeLate = (order: Doc) => {
    const takes = [
      { baseId: order.id, baseLineId: order.lines[0]?.id ?? '', quantity: '1' as const, pointer: '/lines/0/quantity' },
    ];
    return trade.company.run((trx) =>
      takeFromBases(trx, new Changes(trade.company.ctx), { step: 'deliver', takes, allowOver: true }),
    );
  };
  /** A line that keeps no stock, so that no commitment has to be released. */
  const service = async () => {
    const { id: itemId } = await trade.company.item({ type: 'service', stockTracked: false });
    return await trade.create('SO', { lines: [{ itemId, quantity: 10 }] });
  };

  it('delivers more than was ordered', async () => {
    const order = await ordered();
    const note = await deliver(order, 12);
    assert.equal(note.lines[0]?.quantity, 12);
    assert.equal((await trade.read(order)).status, 'C');
    await takeLate(await service());
  });

  it('delivers nothing of an order that was closed by hand', async () => {
    const order = await ordered();
    await deliver(order, 4);
    await close(order);
    await trade.refused(() => deliver(order, 1), 'over_delivery', '/lines/0/baseId');
    const late = await service();
    await close(late);
    await trade.refused(() => takeLate(late), 'over_delivery', '/lines/0/quantity');
  });

  it('delivers nothing of a cancelled order', async () => {
    const order = await ordered();
    await trade.cancel(order);
    await trade.refused(() => deliver(order, 1), 'validation_failed', '/lines/0/baseId');
    const late = await service();
    await trade.cancel(late);
    await trade.refused(() => takeLate(late), 'invalid_transition');
  });
});
