import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal } from '../../../domain/money.ts';
import { type Costing, CostLedger, type CostState } from '../../../domain/stock/valuation.ts';

const EMPTY: CostState = { quantity: '0', averageValue: '0', fifoValue: '0', lastCost: '0' };
const run = (movements: readonly [quantity: string, unitCost: string | null][], state = EMPTY): Costing[] => {
  const ledger = new CostLedger(state, []);
  return movements.map(([quantity, unitCost], index) => ledger.apply({ id: `m${index}`, quantity, unitCost }));
};
const at = <T>(list: readonly T[], index: number): T => list.at(index) as T;

describe('valuation of stock', () => {
  it('takes the oldest layers by FIFO and the mean by average', () => {
    const costings = run([
      ['10', '1'],
      ['10', '2'],
      ['-15', null],
    ]);
    assert.equal(at(costings, 2).fifoChange, '-20');
    assert.equal(at(costings, 2).averageChange, '-22.5');
    assert.deepEqual(
      [at(costings, 2).quantity, at(costings, 2).fifoValue, at(costings, 2).averageValue],
      ['5', '10', '7.5'],
    );
  });

  it('leaves nothing behind when all is gone, whatever was rounded', () => {
    const last = at(
      run([
        ['3', '0.333333'],
        ['4', '1.1'],
        ['-1', null],
        ['-1', null],
        ['-5', null],
      ]),
      -1,
    );
    assert.deepEqual([last.quantity, last.fifoValue, last.averageValue], ['0', '0', '0']);
  });

  it('values what is sold before it came by the last cost, and what is there afterwards by its own', () => {
    const costings = run([
      ['5', '2'],
      ['-8', null],
      ['10', '3'],
    ]);
    assert.deepEqual([at(costings, 1).quantity, at(costings, 1).averageValue], ['-3', '-6']);
    assert.deepEqual(
      [at(costings, 2).quantity, at(costings, 2).averageValue, at(costings, 2).fifoValue],
      ['7', '21', '21'],
    );
    assert.equal(at(costings, 2).remaining, '7');
  });

  it('values a find by the present average, and by the last cost when nothing is there', () => {
    const costings = run([
      ['10', '1'],
      ['10', '2'],
      ['2', null],
      ['-22', null],
      ['1', null],
    ]);
    assert.equal(at(costings, 2).averageChange, '3');
    assert.equal(at(costings, 4).averageValue, '1.5');
  });

  const quantity = fc.integer({ min: -2_000, max: 2_000 }).filter((value) => value !== 0);
  const cost = fc.integer({ min: 0, max: 99_999 });
  const sequence = fc.array(fc.tuple(quantity, cost), { maxLength: 40 });

  it('keeps values as the sum of the changes, and layers as what is on hand', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        const ledger = new CostLedger(EMPTY, []);
        let [average, fifo, onHand] = [decimal(0), decimal(0), decimal(0)];
        const came: { id: string; unitCost: string }[] = [];
        for (const [index, [hundredths, cents]] of moves.entries()) {
          const id = `m${index}`;
          const moved = decimal(hundredths).div(100).toFixed();
          const unitCost = decimal(cents).div(100).toFixed();
          const costing = ledger.apply({ id, quantity: moved, unitCost });
          if (hundredths > 0) came.push({ id, unitCost });
          average = average.plus(costing.averageChange);
          fifo = fifo.plus(costing.fifoChange);
          onHand = onHand.plus(moved);
          assert.equal(costing.quantity, onHand.toFixed());
          assert.equal(costing.averageValue, average.toFixed());
          assert.equal(costing.fifoValue, fifo.toFixed());
          if (onHand.eq(0)) assert.deepEqual([costing.averageValue, costing.fifoValue], ['0', '0']);
        }
        let [rest, worth] = [decimal(0), decimal(0)];
        const left = ledger.remaining();
        for (const { id, unitCost } of came) {
          const remaining = decimal(left.get(id) ?? 0);
          rest = rest.plus(remaining);
          worth = worth.plus(remaining.times(unitCost));
        }
        assert.equal(rest.toFixed(), (onHand.gt(0) ? onHand : decimal(0)).toFixed());
        // By FIFO the stock is worth exactly what its layers cost.
        if (onHand.gte(0)) assert.equal(worth.minus(fifo).abs().lt('0.0001'), true, `${worth} against ${fifo}`);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same after goods were put elsewhere, whatever had happened before and happens afterwards', () => {
    fc.assert(
      fc.property(
        sequence,
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 2_000 }),
        (moves, put, sold) => {
          const [still, moved] = [new CostLedger(EMPTY, []), new CostLedger(EMPTY, [])];
          for (const ledger of [still, moved]) {
            for (const [index, [hundredths, cents]] of moves.entries()) {
              const unitCost = decimal(cents).div(100).toFixed();
              ledger.apply({ id: `m${index}`, quantity: decimal(hundredths).div(100).toFixed(), unitCost });
            }
          }
          const quantity = decimal(put).div(100).toFixed();
          const out = moved.apply({ id: 'out', quantity: `-${quantity}`, unitCost: null });
          const back = moved.apply({ id: 'in', quantity, unitCost: null, movedFrom: 'out' });
          assert.deepEqual(
            [decimal(back.averageChange).neg().toFixed(), decimal(back.fifoChange).neg().toFixed(), back.remaining],
            [out.averageChange, out.fifoChange, '0'],
          );
          assert.deepEqual(moved.remaining(), still.remaining());
          const next = { id: 'next', quantity: decimal(-sold).div(100).toFixed(), unitCost: null };
          assert.deepEqual(moved.apply(next), still.apply(next));
        },
      ),
    );
  });

  it('goes on from a stored state exactly as if it had never stopped', () => {
    const ins = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), cost), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(ins, fc.integer({ min: 1, max: 800 }), (moves, out) => {
        const whole = new CostLedger(EMPTY, []);
        const costings = moves.map(([quantity, cents], index) =>
          whole.apply({ id: `m${index}`, quantity: String(quantity), unitCost: decimal(cents).div(100).toFixed() }),
        );
        const open = costings.map(({ id, remaining, unitCost }) => ({ id, remaining, unitCost }));
        const resumed = new CostLedger(at(costings, -1), open);
        const leaving = { id: 'out', quantity: String(-out), unitCost: null };
        assert.deepEqual(resumed.apply(leaving), whole.apply(leaving));
        assert.deepEqual(resumed.taken, whole.taken);
      }),
    );
  });
});
