import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { Shelf, type StockPlace, type Take } from '../../../../domain/trade/stock/allocate.ts';

const place = (given: Partial<StockPlace>): StockPlace => ({
  zoneId: null,
  zoneCode: null,
  batchId: given.batchNum ?? null,
  batchNum: null,
  expiryDate: null,
  confirmed: true,
  onHand: '10',
  ...given,
});
const take = (given: Partial<Take>): Take => ({
  quantity: '1',
  zoneId: null,
  batches: [],
  allowExpired: false,
  ...given,
});
const picked = (picks: readonly { place: StockPlace; quantity: Decimal }[]) =>
  picks.map(({ place: { batchNum, zoneId }, quantity }) => `${zoneId ?? '-'}/${batchNum ?? '-'}:${quantity}`);

describe('allocation of stock', () => {
  const may = place({ batchNum: 'MAY', expiryDate: '2026-05-31' });
  const june = place({ batchNum: 'JUNE', expiryDate: '2026-06-30' });
  const never = place({ batchNum: 'NEVER' });

  it('takes the first to expire first, and what never expires last', () => {
    const shelf = new Shelf([never, june, may], '2026-05-31');
    assert.deepEqual(picked(shelf.take(take({ quantity: '12' })).picks), ['-/MAY:10', '-/JUNE:2']);
    assert.deepEqual(picked(shelf.take(take({ quantity: '12' })).picks), ['-/JUNE:8', '-/NEVER:4']);
  });

  it('leaves expired batches alone unless one is named with leave to take it', () => {
    const shelf = new Shelf([may, june], '2026-06-01');
    assert.deepEqual(picked(shelf.take(take({ quantity: '1' })).picks), ['-/JUNE:1']);
    const named = take({ quantity: '2', batches: [{ batchNum: 'MAY', quantity: '2' }] });
    assert.equal(shelf.take(named).expiredBatch, 'MAY');
    assert.deepEqual(picked(shelf.take({ ...named, allowExpired: true }).picks), ['-/MAY:2']);
    // If none of the batch is left, the shortage is reported rather than the expiry.
    const gone = new Shelf([{ ...may, onHand: '0' }], '2026-06-01').take(named);
    assert.deepEqual([gone.missing, gone.expiredBatch], ['2', null]);
    assert.equal(shelf.take(take({ quantity: '10' })).missing, '1');
  });

  it('does not sell pending batches', () => {
    const shelf = new Shelf([place({ batchNum: 'NEW', confirmed: false })], '2026-01-01');
    assert.equal(shelf.take(take({ quantity: '1' })).missing, '1');
    const named = take({ quantity: '1', batches: [{ batchNum: 'NEW', quantity: '1' }] });
    assert.equal(shelf.take(named).missing, '1');
    assert.deepEqual(picked(shelf.take({ ...named, allowPending: true }).picks), ['-/NEW:1']);
    // Leave to take what is pending is for batches that are named.
    assert.equal(shelf.take(take({ quantity: '1', allowPending: true })).missing, '1');
  });

  it('tells what lies within reach and is not for sale', () => {
    const pending = place({ batchNum: 'NEW', confirmed: false, expiryDate: '2026-01-01' });
    const shelf = new Shelf([may, june, pending, { ...may, zoneId: 'z', onHand: '3' }], '2026-06-01');
    assert.deepEqual(shelf.notForSale(take({})), { pending: '10', expired: '13' });
    assert.deepEqual(shelf.notForSale(take({ zoneId: 'z' })), { pending: '0', expired: '3' });
    assert.deepEqual(shelf.notForSale(take({ outsideZones: true })), { pending: '10', expired: '10' });
    const named = take({ batches: [{ batchNum: 'NEW', quantity: '1' }] });
    assert.deepEqual(shelf.notForSale(named), { pending: '10', expired: '0' });
  });

  it('keeps to the zone that is named, and starts at the general place otherwise', () => {
    const shelf = new Shelf([place({ zoneId: 'z', zoneCode: 'A-01' }), place({})], '2026-01-01');
    assert.deepEqual(picked(shelf.take(take({ quantity: '4', zoneId: 'z' })).picks), ['z/-:4']);
    assert.deepEqual(picked(shelf.take(take({ quantity: '4', outsideZones: true })).picks), ['-/-:4']);
    assert.deepEqual(picked(shelf.take(take({ quantity: '8' })).picks), ['-/-:6', 'z/-:2']);
  });

  it('never takes more than is there, and never less than it could', () => {
    const stock = fc.array(
      fc.record({ onHand: fc.integer({ min: 0, max: 50 }), month: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(stock, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), (places, wanted) => {
        const shelf = new Shelf(
          places.map(({ onHand, month }, index) =>
            place({ batchNum: `B${index}`, expiryDate: `2026-0${month}-15`, onHand: `${onHand}` }),
          ),
          '2026-04-01',
        );
        const sellable = places.filter(({ month }) => month >= 4).reduce((total, { onHand }) => total + onHand, 0);
        let left = sellable;
        for (const quantity of wanted) {
          const { picks, missing } = shelf.take(take({ quantity: `${quantity}` }));
          const got = sum(picks.map((pick) => pick.quantity));
          assert.equal(got.plus(missing).toFixed(), String(quantity));
          assert.equal(got.toFixed(), String(Math.min(quantity, left)));
          left -= decimal(got).toNumber();
        }
      }),
    );
  });
});
