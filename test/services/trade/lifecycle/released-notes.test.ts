/** Notes of invoices that were credited in full (decision 0260): invoiced again, at their cost. */
import assert from 'node:assert/strict';
import { SOLD_LINES } from '../../../../services/trade/lines/sold.ts';
import { assertSound } from '../../../helpers/hooks.ts';
import { type Doc, lineProgress, useTrade } from './follow-helpers.ts';

describe('notes of an invoice that is credited in full', () => {
  const trade = useTrade();
  const credit = async (invoice: Doc, quantity?: number, more: object = {}) => {
    const [line] = invoice.lines as [Doc['lines'][number]];
    const part = quantity === undefined ? {} : { lines: [{ baseLineId: line.id, quantity }] };
    return trade.post(await trade.follow(invoice, 'rectify', { reason: 'Wrong address', ...part, ...more }));
  };
  const sold = async (quantity: number) => {
    const { id: itemId } = await trade.company.item();
    await trade.create('PDN', { lines: [{ itemId, quantity, price: 2 }] });
    const note = await trade.create('SDN', { lines: [{ itemId, quantity, price: 5 }] });
    return { itemId, note, invoice: await trade.post(await trade.follow(note, 'invoice')) };
  };
  const progress = async (note: Doc) => {
    const now = await trade.read(note);
    return [now.status, ...lineProgress(now)];
  };
  /** Cost of what was sold of an item, by document. */
  const costs = async (itemId: string) => {
    const days = { from: '2000-01-01', to: '2100-01-01' };
    const sql = `select cost::float from (${SOLD_LINES}) s where item_id = :item::uuid order by document_id`;
    const { query } = await import('../../../../db/sql.ts');
    const rows = await trade.company.run((trx) => query<{ cost: number }>(trx, sql, { ...days, item: itemId }));
    return rows.map(({ cost }) => cost);
  };

  it('are invoiced again, and cost once', async () => {
    const { itemId, note, invoice } = await sold(8);
    await credit(invoice, 3);
    assert.deepEqual(await progress(note), ['C', { quantity: 8, invoiced: 8 }]);
    await trade.refused(() => trade.follow(note, 'invoice'), 'nothing_open');
    await credit(invoice);
    assert.deepEqual(await progress(note), ['O', { quantity: 8, open: 8 }]);
    assert.deepEqual(await costs(itemId), [16, -6, -10]);
    const again = await trade.post(await trade.follow(note, 'invoice'));
    assert.deepEqual(lineProgress(again), [{ quantity: 8 }]);
    assert.deepEqual(await progress(note), ['C', { quantity: 8, invoiced: 8 }]);
    assert.deepEqual(await costs(itemId), [16, -6, -10, 16]);
    await assertSound(trade.company.url);
  });

  it('are invoiced by the first one again if a credit is cancelled, unless they were invoiced meanwhile', async () => {
    const { itemId, note, invoice } = await sold(4);
    const first = await credit(invoice, 1);
    await credit(invoice);
    const again = await trade.follow(note, 'invoice');
    await trade.refused(() => trade.cancel(first), 'over_invoicing');
    await trade.cancel(again);
    await trade.cancel(first);
    assert.deepEqual(await progress(note), ['C', { quantity: 4, invoiced: 4 }]);
    await assertSound(trade.company.url);
    await credit(invoice);
    assert.deepEqual(await progress(note), ['O', { quantity: 4, open: 4 }]);
    await trade.cancel(note);
    await trade.refused(() => trade.cancel(first), 'invalid_transition');
    assert.equal(await trade.onHand(itemId), 4);
    await assertSound(trade.company.url);
  });

  it('are released once by credits that are posted at the same moment', async () => {
    const { note, invoice } = await sold(4);
    const [line] = invoice.lines as [Doc['lines'][number]];
    const half = { reason: 'Wrong address', lines: [{ baseLineId: line.id, quantity: 2 }] };
    const drafts = [await trade.follow(invoice, 'rectify', half), await trade.follow(invoice, 'rectify', half)];
    await Promise.all(drafts.map((draft) => trade.post(draft)));
    assert.deepEqual(await progress(note), ['O', { quantity: 4, open: 4 }]);
    await assertSound(trade.company.url);
  });

  it('stay invoiced if goods came back with a credit, or it credits another price', async () => {
    const { note, invoice } = await sold(4);
    await credit(invoice, 1, { returnStock: true });
    await credit(invoice);
    assert.deepEqual(await progress(note), ['C', { quantity: 4, invoiced: 4, returned: 1 }]);
    const other = await sold(4);
    const [line] = other.invoice.lines as [Doc['lines'][number]];
    await credit(other.invoice, undefined, { lines: [{ baseLineId: line.id, quantity: 4, price: 1 }] });
    assert.deepEqual(await progress(other.note), ['C', { quantity: 4, invoiced: 4 }]);
    await assertSound(trade.company.url);
  });

  it('cost what they did on receipt, and then what the next invoice says', async () => {
    const { id: itemId } = await trade.company.item();
    const note = await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 2 }] });
    const value = async () => {
      const sql = `select average_after::float as value from stock_layers where item_id = ? order by date desc, seq desc limit 1`;
      return (await trade.company.rows(sql, [itemId]))[0]?.value;
    };
    const bill = async (price: number, supplierReference: string) => {
      const [line] = note.lines as [Doc['lines'][number]];
      const lines = [{ itemId, quantity: 10, price, baseType: 'PDN' as const, baseId: note.id, baseLineId: line.id }];
      return trade.post(await trade.create('PINV', { lines, supplierReference }));
    };
    const first = await bill(3, 'A-1');
    assert.equal(await value(), 30);
    const whole = await credit(first, undefined, { supplierReference: 'A-2' });
    assert.equal(await value(), 20);
    const second = await bill(2.5, 'A-3');
    assert.equal(await value(), 25);
    await trade.cancel(second);
    assert.equal(await value(), 20);
    await trade.cancel(whole);
    assert.equal(await value(), 30);
    const part = await credit(first, 4, { supplierReference: 'A-4' });
    assert.equal(await value(), 30);
    await credit(first, undefined, { supplierReference: 'A-5' });
    assert.equal(await value(), 20);
    await trade.cancel(part);
    assert.equal(await value(), 30);
    await credit(first, undefined, { supplierReference: 'A-6' });
    assert.equal(await value(), 20);
    await assertSound(trade.company.url);
  });
});
