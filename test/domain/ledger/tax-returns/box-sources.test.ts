/** The taxes behind the boxes of returns add up to them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { boxSources } from '../../../../domain/ledger/tax-returns/box-sources.ts';
import { type Boxes, compareBoxes } from '../../../../domain/ledger/tax-returns/boxes.ts';
import { enter303, model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { enter390, model390 } from '../../../../domain/ledger/tax-returns/model390.ts';
import { enter420, model420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import { enter425, model425 } from '../../../../domain/ledger/tax-returns/model425.ts';
import type { TaxTotal } from '../../../../domain/ledger/tax-returns/totals.ts';
import { decimal, sum } from '../../../../domain/money.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const TOTAL = fc
  .record({
    kind: fc.constantFrom('output', 'input', 'surcharge', 'pending_output', 'pending_input', 'withholding'),
    operation: fc.constantFrom(
      'domestic',
      'intra_eu_goods',
      'import',
      'export',
      'reverse_charge',
      'agricultural',
      'margin',
      'oss_goods',
      'exempt',
    ),
    use: fc.constantFrom('current', 'investment', 'none'),
    rectifying: fc.boolean(),
    rate: fc.constantFrom('0', '3', '4', '7', '10', '21', '5.2'),
    base: fc.integer({ min: -5000, max: 5000 }),
  })
  .map(({ kind, base, ...more }) => taxTotal(kind as TaxTotal['kind'], base, more as Partial<TaxTotal>));

const MODELS = {
  '303': {
    enter: enter303,
    boxes: (totals: readonly TaxTotal[]) =>
      model303({ period: { year: 2026, period: '1T' }, totals, carried: '0', refund: false, stateShare: '100' }).boxes,
    others: [],
  },
  '390': {
    enter: (boxes: Boxes, total: TaxTotal) => enter390(boxes, total, false),
    boxes: (totals: readonly TaxTotal[]) => model390({ totals, returns: [], retailer: false }).boxes,
    // Boxes that the year's returns fill too.
    others: ['522', '62'],
  },
  '420': {
    enter: enter420,
    boxes: (totals: readonly TaxTotal[]) => model420({ totals, carried: '0', refund: false }).boxes,
    others: [],
  },
  '425': {
    enter: enter425,
    boxes: (totals: readonly TaxTotal[]) => model425({ totals, returns: [] }).boxes,
    others: [],
  },
} as const;

describe('the taxes behind the boxes of returns', () => {
  for (const [name, { enter, boxes, others }] of Object.entries(MODELS)) {
    it(`add up to the boxes of model ${name}`, () => {
      fc.assert(
        fc.property(fc.array(TOTAL, { maxLength: 12 }), (totals) => {
          const sources = boxSources(totals, enter);
          const known = boxes(totals);
          for (const box of new Set(sources.map((source) => source.box))) {
            if ((others as readonly string[]).includes(box)) continue;
            const added = sum(sources.filter((source) => source.box === box).map(({ amount }) => amount));
            assert.ok(added.eq(known[box] ?? '0'), `box ${box}: ${added.toFixed()}, not ${known[box]}`);
          }
        }),
      );
    });
  }

  it('leave no box of the taxes of model 303 without its source', () => {
    const totals = [taxTotal('output', 100), taxTotal('output', -20, { rectifying: true }), taxTotal('input', 50)];
    const sources = boxSources([...totals, taxTotal('output', 30)], enter303);
    assert.deepEqual(
      sources.map(({ box, amount, rectifying }) => [box, amount, rectifying]),
      [
        ...[
          ['07', '130', false],
          ['09', '27.3', false],
        ],
        ...[
          ['14', '-20', true],
          ['15', '-4.2', true],
        ],
        ...[
          ['28', '50', false],
          ['29', '10.5', false],
        ],
      ],
    );
    assert.ok(sources.every(({ rate }) => decimal(rate).eq(21)));
  });

  it('stand in the order of their numbers, with those of a letter behind the one without', () => {
    assert.deepEqual(['100', '16b', '8N', '07', '16', '8'].sort(compareBoxes), ['07', '8', '8N', '16', '16b', '100']);
  });
});
