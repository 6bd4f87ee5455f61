import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../../../domain/errors.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { generalPlace, type Level, type LevelChanges, placeKey } from '../../../../domain/trade/stock/levels.ts';
import { GENERAL_PLACE, type Move, type Movement } from '../../../../domain/trade/stock/movement.ts';
import { type GeneralLevel, type PlaceLevel, StockPlan } from '../../../../domain/trade/stock/plan.ts';

const DAY = '2026-05-31';
const STOCK = { itemId: 'item', warehouseId: 'warehouse' };
const EMPTY = { onHand: '0', reserved: '0', incoming: '0', mayBeNegative: false } as const;

const general = (onHand: Decimal, given: Partial<GeneralLevel> = {}): GeneralLevel => {
  const place = generalPlace({ ...STOCK, ...given });
  const level = { ...EMPTY, onHand, mayBeNegative: decimal(onHand).lt(0), code: 'ITEM', decimals: 3 };
  return { id: placeKey(place), ...place, ...level, ...given };
};
const other = (zoneId: string | null, batchNum: string | null, onHand: Decimal): PlaceLevel => {
  const place = { ...STOCK, zoneId, batchId: batchNum };
  const level = { ...EMPTY, onHand, mayBeNegative: decimal(onHand).lt(0) };
  return { id: placeKey(place), ...place, ...level, zoneCode: zoneId, batchNum, expiryDate: null, confirmed: true };
};
const move = (quantity: Decimal, given: Partial<Move> = {}): Move => ({
  ...GENERAL_PLACE,
  ...STOCK,
  lineId: 'line',
  quantity,
  ...given,
});

function open(stocks: readonly GeneralLevel[], places?: readonly PlaceLevel[], allowsNegative = false): StockPlan {
  let made = 0;
  const plan = new StockPlan(stocks, { allowsNegative, newId: () => `new ${made++}` });
  if (places !== undefined) plan.addPlaces(places);
  return plan;
}

const shown = (movements: readonly Movement[]) =>
  movements.map(
    ({ zoneId, batchId, quantity, balance, rounding }) =>
      `${zoneId ?? '-'}/${batchId ?? '-'} ${quantity} → ${balance}${rounding ? ' dust' : ''}`,
  );
const written = ({ updated, inserted }: LevelChanges) => ({
  updated: updated.map(({ before, after }) => `${before.zoneId ?? '-'} ${before.onHand} → ${after.onHand}`),
  inserted: inserted.map(({ zoneId, onHand }) => `${zoneId ?? '-'} ${onHand}`),
});
const refusal = (plan: StockPlan, moves: readonly Move[]): readonly string[] => {
  try {
    plan.move(moves, [], DAY);
  } catch (error) {
    if (error instanceof ServiceError) return error.errors.map(({ pointer, message }) => `${pointer} ${message}`);
    throw error;
  }
  return [];
};

describe('a plan of moves', () => {
  it('takes goods from the general place first, and asks for other places only if it has too few', () => {
    const plan = open([general('5')]);
    assert.equal(plan.needsPlaces([move('-5')]), false);
    assert.equal(plan.needsPlaces([move('-6')]), true);
    assert.equal(plan.needsPlaces([move('1', { zoneId: 'A' })]), true);
    plan.addPlaces([other('A', null, '7')]);
    assert.deepEqual(shown(plan.move([move('-4')], [], DAY)), ['-/- -4 → 1']);
    assert.deepEqual(shown(plan.move([move('-6')], [], DAY)), ['-/- -1 → 0', 'A/- -5 → 2']);
    assert.deepEqual(written(plan.changes()), { updated: ['- 5 → 0', 'A 7 → 2'], inserted: [] });
  });

  it('lists a level that is reached for the first time once, with all that reaches it', () => {
    const plan = open([general('5')], []);
    plan.move([move('-3')], [], DAY);
    plan.move([move('1', { zoneId: 'A' }), move('2', { zoneId: 'A' })], [], DAY);
    assert.deepEqual(written(plan.changes()), { updated: ['- 5 → 2'], inserted: ['A 3'] });
  });

  it('lists nothing where nothing changes in the end', () => {
    const plan = open([general('5')], [other('A', null, '1')]);
    plan.move([], [{ ...STOCK, reserved: '0', incoming: '0' }], DAY);
    assert.deepEqual(plan.changes(), { updated: [], inserted: [] });
  });

  it('changes what orders hold together with what is on hand', () => {
    const plan = open([general('5', { reserved: '4', incoming: '1' })]);
    plan.move([move('-3')], [{ ...STOCK, reserved: '-3', incoming: '2' }], DAY);
    const [changed] = plan.changes().updated;
    assert.deepEqual(changed?.after, { ...changed?.before, onHand: '2', reserved: '1', incoming: '3' });
  });

  it('names each line with a shortage and what is on hand, and plans nothing', () => {
    const plan = open([general('5'), general('9', { itemId: 'sufficient' })], [other('A', null, '1')]);
    const taking = [
      move('-4', { pointer: '/lines/0' }),
      move('-3', { pointer: '/lines/1' }),
      move('-9', { itemId: 'sufficient' }),
    ];
    assert.deepEqual(refusal(plan, taking), ['/lines/1 ITEM: 2 on hand, 3 needed']);
    const named = (quantity: Decimal, ...batchNums: string[]) =>
      move(quantity, { pointer: '/lines/0', batches: batchNums.map((batchNum) => ({ batchNum, quantity: '1' })) });
    assert.deepEqual(refusal(plan, [named('-2', 'N', 'O')]), ['/lines/0 ITEM: 0 on hand of its 2 batches, 2 needed']);
    assert.deepEqual(refusal(plan, [named('-1', 'N')]), ['/lines/0 ITEM: 0 on hand of batch N, 1 needed']);
    assert.deepEqual(plan.changes(), { updated: [], inserted: [] });
  });

  it('fills up a level below zero even where the company allows none', () => {
    const plan = open([general('-5')]);
    assert.deepEqual(shown(plan.move([move('2')], [], DAY)), ['-/- 2 → -3']);
    assert.equal(plan.changes().updated[0]?.after.mayBeNegative, true);
    assert.deepEqual(shown(plan.move([move('3')], [], DAY)), ['-/- 3 → 0']);
    assert.equal(plan.changes().updated[0]?.after.mayBeNegative, false);
  });

  it('takes the place that a move names below zero where the company allows it', () => {
    const plan = open([general('0')], [other('A', null, '1')], true);
    assert.deepEqual(shown(plan.move([move('-3', { zoneId: 'B' })], [], DAY)), ['B/- -3 → -3']);
    assert.deepEqual(written(plan.changes()), { updated: [], inserted: ['B -3'] });
    assert.equal(plan.changes().inserted[0]?.mayBeNegative, true);
  });

  it('removes the dust that goods leave, unless they were counted', () => {
    const sold = open([general('1')]);
    assert.deepEqual(shown(sold.move([move('-0.999999')], [], DAY)), [
      '-/- -0.999999 → 0.000001',
      '-/- -0.000001 → 0 dust',
    ]);
    const counted = open([general('1')]);
    assert.deepEqual(shown(counted.move([move('-0.999999', { counted: true })], [], DAY)), [
      '-/- -0.999999 → 0.000001',
    ]);
  });
});

describe('plans of random moves', () => {
  const ITEMS = ['one', 'two'];
  const PLACES: readonly (readonly [zoneId: string | null, batchNum: string | null])[] = [
    ['A', null],
    ['B', null],
    [null, 'L1'],
    ['A', 'L1'],
    ['A', 'L2'],
  ];
  const thousandths = (least: number, most: number) =>
    fc.integer({ min: least, max: most }).map((count) => decimal(count).div(1000).toFixed());

  const levels = fc.record({
    general: fc.tuple(thousandths(-2000, 9000), thousandths(0, 9000)),
    others: fc.array(
      fc.record({
        item: fc.constantFrom(...ITEMS),
        place: fc.constantFrom(...PLACES),
        onHand: thousandths(-1000, 5000),
      }),
      { maxLength: 8 },
    ),
  });
  const moves = fc.array(
    fc.record({
      item: fc.constantFrom(...ITEMS),
      quantity: thousandths(-4000, 4000).filter((quantity) => quantity !== '0'),
      zoneId: fc.constantFrom(null, null, 'A', 'B', 'C'),
      batchNum: fc.constantFrom(null, null, 'L1', 'L2', 'L3'),
      exact: fc.boolean(),
    }),
    { maxLength: 6 },
  );
  type Wanted = typeof moves extends fc.Arbitrary<readonly (infer W)[]> ? W : never;

  const toMove = ({ item, quantity, zoneId, batchNum, exact }: Wanted): Move => {
    const out = decimal(quantity).lt(0);
    const batches =
      batchNum !== null && out && !exact ? [{ batchNum, quantity: decimal(quantity).neg().toFixed() }] : [];
    const batchId = out && !exact ? null : batchNum;
    return move(quantity, { itemId: item, zoneId, batchId, batches, exact });
  };

  function read({ general: onHand, others }: typeof levels extends fc.Arbitrary<infer L> ? L : never) {
    const stocks = ITEMS.map((itemId, index) => general(onHand[index] as Decimal, { itemId }));
    const places = others.map(({ item, place: [zoneId, batchNum], onHand: there }) => {
      const found = { ...other(zoneId, batchNum, there), itemId: item };
      return { ...found, id: placeKey(found) };
    });
    return { stocks, places: [...new Map(places.map((place) => [place.id, place])).values()] };
  }

  /** The moves of each call: what a refused one would have done is not planned. */
  function planned(plan: StockPlan, calls: readonly (readonly Wanted[])[]) {
    return calls.flatMap((wanted) => {
      const asked = wanted.map(toMove);
      try {
        return [{ asked, movements: plan.move(asked, [], DAY) }];
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'insufficient_stock') return [];
        throw error;
      }
    });
  }

  it('levels are those that were read plus the movements, whose balances run up to them', () => {
    fc.assert(
      fc.property(levels, fc.array(moves, { maxLength: 3 }), fc.boolean(), (given, calls, allowsNegative) => {
        const { stocks, places } = read(given);
        const plan = open(stocks, places, allowsNegative);
        const running = new Map([...stocks, ...places].map((level: Level) => [placeKey(level), decimal(level.onHand)]));
        for (const { movements } of planned(plan, calls)) {
          for (const movement of movements) {
            const level = decimal(movement.quantity).plus(running.get(placeKey(movement)) ?? 0);
            assert.equal(movement.balance, level.toFixed());
            running.set(placeKey(movement), level);
          }
        }
        const { updated, inserted } = plan.changes();
        const after = new Map<string, Level>([...stocks, ...places].map((level) => [placeKey(level), level]));
        for (const level of [...updated.map(({ after: next }) => next), ...inserted]) after.set(placeKey(level), level);
        const inNumbers = (entries: Iterable<[string, Decimal]>) =>
          [...entries].map(([key, there]) => [key, Number(there)]).sort();
        assert.deepEqual(
          inNumbers([...after].map(([key, { onHand }]) => [key, onHand])),
          inNumbers([...running].map(([key, onHand]) => [key, onHand.toFixed()])),
        );
        assert.ok(updated.every(({ before }) => [...stocks, ...places].some(({ id }) => id === before.id)));
        assert.ok(inserted.every(({ id }) => id.startsWith('new ')));
      }),
    );
  });

  it('move exactly what is asked for, of each item', () => {
    fc.assert(
      fc.property(levels, fc.array(moves, { maxLength: 3 }), fc.boolean(), (given, calls, allowsNegative) => {
        const { stocks, places } = read(given);
        for (const { asked, movements } of planned(open(stocks, places, allowsNegative), calls)) {
          for (const item of ITEMS) {
            const total = (all: readonly { itemId: string; quantity: Decimal }[]) =>
              sum(all.filter(({ itemId }) => itemId === item).map(({ quantity }) => quantity)).toFixed();
            assert.equal(total(movements), total(asked));
          }
        }
      }),
    );
  });

  it('take no level below zero, nor one that is below zero further down, unless the company allows it', () => {
    fc.assert(
      fc.property(levels, fc.array(moves, { maxLength: 3 }), (given, calls) => {
        const { stocks, places } = read(given);
        const plan = open(stocks, places);
        planned(plan, calls);
        const { updated, inserted } = plan.changes();
        for (const { before, after } of updated) {
          assert.ok(decimal(after.onHand).gte(0) || decimal(after.onHand).gte(before.onHand));
          assert.equal(after.mayBeNegative, decimal(after.onHand).lt(0));
        }
        assert.ok(inserted.every(({ onHand, mayBeNegative }) => decimal(onHand).gte(0) && !mayBeNegative));
      }),
    );
  });

  it('refuse a sale exactly if all places together have too little', () => {
    fc.assert(
      fc.property(levels, thousandths(1, 12_000), (given, wanted) => {
        const { stocks, places } = read(given);
        const lying = [...stocks, ...places].filter(({ itemId, onHand }) => itemId === 'one' && decimal(onHand).gt(0));
        const enough = sum(lying.map(({ onHand }) => onHand)).gte(wanted);
        const sale = move(decimal(wanted).neg().toFixed(), { itemId: 'one' });
        assert.equal(refusal(open(stocks, places), [sale]).length, enough ? 0 : 1);
      }),
    );
  });
});
