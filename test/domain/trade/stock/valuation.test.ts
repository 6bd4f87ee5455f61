import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import type { CostedMovement, Costing, CostState } from '../../../../domain/trade/stock/costing.ts';
import type { OpenLayer } from '../../../../domain/trade/stock/fifo-layers.ts';
import type { BookedMovement } from '../../../../domain/trade/stock/movement-remainders.ts';
import { CostLedger } from '../../../../domain/trade/stock/valuation.ts';
import { WORKED, WORKED_COST_OF_SALES } from '../../../helpers/worked-valuation.ts';

const EMPTY: CostState = { quantity: '0', averageValue: '0', fifoValue: '0', lastCost: '0', lastAverage: '0' };
const run = (movements: readonly [quantity: Decimal, unitCost: Decimal | null][], state = EMPTY): Costing[] => {
  const ledger = new CostLedger(state, []);
  return movements.map(([quantity, unitCost], index) => ledger.apply({ id: `m${index}`, quantity, unitCost }));
};
/** Returns the remaining quantity of each layer that has any. */
const left = (ledger: CostLedger) => [...ledger.remaining()].filter(([, remaining]) => remaining !== '0');
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
      {
        quantity: at(costings, 2).quantity,
        fifoValue: at(costings, 2).fifoValue,
        averageValue: at(costings, 2).averageValue,
      },
      { quantity: '5', fifoValue: '10', averageValue: '7.5' },
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
    assert.deepEqual(
      { quantity: last.quantity, fifoValue: last.fifoValue, averageValue: last.averageValue },
      { quantity: '0', fifoValue: '0', averageValue: '0' },
    );
  });

  it('values what is sold before it came by the last cost, and what is there afterwards by its own', () => {
    const costings = run([
      ['5', '2'],
      ['-8', null],
      ['10', '3'],
    ]);
    assert.deepEqual([at(costings, 1).quantity, at(costings, 1).averageValue], ['-3', '-6']);
    assert.deepEqual(
      {
        quantity: at(costings, 2).quantity,
        averageValue: at(costings, 2).averageValue,
        fifoValue: at(costings, 2).fifoValue,
      },
      { quantity: '7', averageValue: '21', fifoValue: '21' },
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

  const worked = WORKED.map(({ name, quantity, unitCost, takesBack = null }): CostedMovement => {
    return {
      id: name,
      quantity: `${quantity}`,
      unitCost: unitCost === undefined ? null : `${unitCost}`,
      source: takesBack,
    };
  });

  it('values returns to customer and supplier, cancellations and what is sold before it came, to the cent', () => {
    const ledger = new CostLedger(EMPTY, []);
    let sales = decimal(0);
    worked.forEach((movement, index) => {
      const { quantity, averageValue, averageChange, fifoValue, fifoChange } = ledger.apply(movement);
      const { name, after, fifo, average, unitCost } = at(WORKED, index);
      assert.deepEqual(
        [name, quantity, fifoChange, fifoValue, averageChange, averageValue].map(String),
        [name, after, fifo[0], fifo[1], average[0], average[1]].map(String),
      );
      if (name === 'PR1') return;
      const cost = unitCost === undefined ? decimal(0) : decimal(movement.quantity).times(unitCost);
      sales = sales.plus(cost).minus(averageChange);
    });
    assert.equal(sales.toFixed(), String(WORKED_COST_OF_SALES));
  });

  it('takes from the oldest what is not there any more of what goes back to the supplier', () => {
    const ledger = new CostLedger(EMPTY, []);
    const moves: [string, Decimal, Decimal | null, string | null][] = [
      ['a', '10', '1', null],
      ['b', '10', '3', null],
      ['sold', '-15', null, null],
      ['back', '-5', null, 'a'],
    ];
    const last = at(
      moves.map(([id, quantity, unitCost, source]) => ledger.apply({ id, quantity, unitCost, source })),
      -1,
    );
    assert.deepEqual(
      { fifoChange: last.fifoChange, fifoValue: last.fifoValue, averageValue: last.averageValue, parts: last.parts },
      { fifoChange: '-15', fifoValue: '0', averageValue: '0', parts: { b: '-5' } },
    );
  });

  it('never lets what stays be worth less than nothing', () => {
    const ledger = new CostLedger(EMPTY, []);
    ledger.apply({ id: 'dear', quantity: '10', unitCost: '9' });
    ledger.apply({ id: 'cheap', quantity: '10', unitCost: '1' });
    ledger.apply({ id: 'sold', quantity: '-15', unitCost: null });
    const { averageValue, averageChange } = ledger.apply({
      id: 'back',
      quantity: '-4',
      unitCost: null,
      source: 'dear',
    });
    assert.deepEqual([averageChange, averageValue], ['-25', '0']);
  });

  it('gives back in parts exactly what left, and takes a return that is cancelled as if it had not been', () => {
    const ledger = new CostLedger(EMPTY, []);
    ledger.apply({ id: 'in', quantity: '3', unitCost: '3.333333' });
    ledger.apply({ id: 'out', quantity: '-3', unitCost: null });
    const back = (id: string, quantity: Decimal = '1', source = 'out') =>
      ledger.apply({ id, quantity, unitCost: null, source }).averageChange;
    assert.deepEqual(
      [back('one'), back('two'), back('undone', '-1', 'two'), back('again'), back('last')],
      ['3.33', '3.33', '-3.33', '3.33', '3.339999'],
    );
    assert.deepEqual(ledger.remaining(), new Map([['in', '3']]));
  });

  const quantity = fc.integer({ min: -2_000, max: 2_000 }).filter((value) => value !== 0);
  const cost = fc.integer({ min: 0, max: 99_999 });
  const sequence = fc.array(fc.tuple(quantity, cost), { maxLength: 40 });

  it('keeps values as the sum of the changes, and layers as what is on hand', () => {
    fc.assert(
      fc.property(sequence, (moves) => {
        const ledger = new CostLedger(EMPTY, []);
        let [average, fifo, onHand] = [decimal(0), decimal(0), decimal(0)];
        const came: { id: string; unitCost: Decimal }[] = [];
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
        const rests = ledger.remaining();
        for (const { id, unitCost } of came) {
          const remaining = decimal(rests.get(id) ?? 0);
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
          const out = moved.apply({ id: 'out', quantity: decimal(quantity).neg().toFixed(), unitCost: null });
          const back = moved.apply({ id: 'in', quantity, unitCost: null, source: 'out' });
          assert.deepEqual(
            [decimal(back.averageChange).neg().toFixed(), decimal(back.fifoChange).neg().toFixed(), back.remaining],
            [out.averageChange, out.fifoChange, '0'],
          );
          assert.deepEqual(left(moved), left(still));
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
          whole.apply({ id: `m${index}`, quantity: `${quantity}`, unitCost: decimal(cents).div(100).toFixed() }),
        );
        const open = costings.map(({ id, remaining, unitCost }) => ({ id, remaining, unitCost }));
        const resumed = new CostLedger(at(costings, -1), open);
        const leaving = { id: 'out', quantity: decimal(-out).toFixed(), unitCost: null };
        assert.deepEqual(resumed.apply(leaving), whole.apply(leaving));
        assert.deepEqual(resumed.taken, whole.taken);
      }),
    );
  });

  describe('of which something is taken back', () => {
    interface Step {
      readonly hundredths: number;
      readonly cents: number;
      /** The earlier step that it takes back and the percentage; null for none. */
      readonly takesBack: [which: number, percent: number] | null;
    }
    const step: fc.Arbitrary<Step> = fc.record({
      hundredths: quantity,
      cents: cost,
      takesBack: fc.option(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 100 })), { nil: null }),
    });

    function stepMovement({ hundredths, cents, takesBack }: Step, id: string, done: readonly BookedMovement[]) {
      const source = takesBack === null ? undefined : done[takesBack[0] % Math.max(done.length, 1)];
      const size =
        source &&
        decimal(source.quantity)
          .times(takesBack?.[1] ?? 0)
          .div(-100)
          .round(2);
      const moved = size && !size.eq(0) ? size.toFixed() : decimal(hundredths).div(100).toFixed();
      return { id, quantity: moved, unitCost: decimal(cents).div(100).toFixed(), source: source?.id ?? null };
    }
    function doneBy(
      { id, source, quantity: moved }: ReturnType<typeof stepMovement>,
      costing: Costing,
    ): BookedMovement {
      const out = decimal(moved).lt(0);
      const worth = (unit: Decimal) => decimal(decimal(moved).times(unit).toFixed(6)).toFixed();
      return {
        id,
        source,
        quantity: moved,
        averageWorth: out ? costing.averageChange : worth(costing.unitCost),
        fifoWorth: out ? costing.fifoChange : worth(costing.fifoUnitCost),
        parts: costing.parts,
        settles: costing.settles,
      };
    }

    /** The state before a movement, its changes, and the state afterwards. */
    interface Moment {
      readonly ledger: CostLedger;
      readonly costing: Costing;
      /** Unit costs of each layer. */
      readonly layers: ReadonlyMap<string, Pick<OpenLayer, 'unitCost' | 'averageCost'>>;
      /** The same movement by a ledger that starts with what was stored before it. */
      resumed(): { readonly ledger: CostLedger; readonly costing: Costing };
    }
    /** Shows each moment of many sequences. */
    const ever = (check: (moment: Moment) => void) =>
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
          const ledger = new CostLedger(EMPTY, []);
          const done: BookedMovement[] = [];
          const layers = new Map<string, Pick<OpenLayer, 'unitCost' | 'averageCost'>>();
          let state: CostState = EMPTY;
          for (const [index, one] of steps.entries()) {
            const movement = stepMovement(one, `m${index}`, done);
            const before = state;
            const open = [...ledger.remaining()].map(([id, remaining]) => {
              return { id, remaining, unitCost: '0' as const, ...layers.get(id) };
            });
            const earlier = [...done];
            const costing = ledger.apply(movement);
            done.push(doneBy(movement, costing));
            const { id, quantity: moved } = movement;
            if (decimal(moved).gt(0)) layers.set(id, { unitCost: costing.fifoUnitCost });
            else if (costing.parts[id])
              layers.set(id, { unitCost: costing.lastCost, averageCost: costing.lastAverage });
            state = costing;
            const resumed = () => {
              const other = new CostLedger(before, open, earlier);
              return { ledger: other, costing: other.apply(movement) };
            };
            check({ ledger, costing, layers, resumed });
          }
        }),
        { numRuns: 500 },
      );

    it('goes on from a stored state the same', () => {
      ever(({ ledger, costing, resumed }) => {
        const other = resumed();
        assert.deepEqual(other.costing, costing);
        assert.deepEqual(left(other.ledger), left(ledger));
      });
    });

    it('has layers of what is on hand, or owes what had left before it came', () => {
      ever(({ ledger, costing: { quantity: onHand } }) => {
        const rest = [...ledger.remaining().values()];
        const signs = new Set(rest.map((remaining) => decimal(remaining).cmp(0)));
        assert.ok(!(signs.has(1) && signs.has(-1)), 'nothing is owed while something is there');
        assert.equal(sum(rest).toFixed(), onHand);
      });
    });

    it('is worth nothing when nothing is there, else no less than that, and by FIFO what its layers cost', () => {
      ever(({ ledger, layers, costing: { quantity: onHand, averageValue, fifoValue } }) => {
        if (decimal(onHand).eq(0)) assert.deepEqual([averageValue, fifoValue], ['0', '0']);
        if (!decimal(onHand).gt(0)) return;
        assert.ok(decimal(averageValue).gte(0), `average of ${averageValue}`);
        const worthOfLayers = [...ledger.remaining()].reduce(
          (sum, [layer, remaining]) => sum.plus(decimal(remaining).times(layers.get(layer)?.unitCost ?? 0)),
          decimal(0),
        );
        assert.ok(worthOfLayers.minus(fifoValue).abs().lt('0.001'), `${worthOfLayers} against ${fifoValue}`);
      });
    });
  });
});
