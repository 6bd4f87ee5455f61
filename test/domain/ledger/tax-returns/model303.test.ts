/** Model 303: each figure from its rule. */
import assert from 'node:assert/strict';
import type { CreditReturn } from '../../../../domain/ledger/tax-returns/credits.ts';
import { type Input303, model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { filled, taxTotal } from '../../../helpers/tax-totals.ts';

const PERIOD = { year: 2026, period: '1T' };
const made = (totals: Input303['totals'], more: Partial<Input303> = {}): CreditReturn =>
  model303({ period: PERIOD, totals, carried: '0', refund: false, stateShare: '100', ...more });
/** Boxes that are not zero, without the percentages that the form prints. */
const computeBoxes = (totals: Input303['totals'], more: Partial<Input303> = {}) => {
  const printed = new Set(['02', '05', '08', '154', '157', '166', '169', '17', '20', '23', '65']);
  return Object.fromEntries(Object.entries(filled(made(totals, more).boxes)).filter(([box]) => !printed.has(box)));
};

describe('model 303', () => {
  it('adds up sales, purchases, a credit note and an intra-community purchase', () => {
    // Sale 8,000 at 21 % = 1,680; credit note 500 = 105 (14/15); intra-community goods 1,000 = 210, owed (10/11) and deducted (36/37);
    // purchases 5,000 + 1,000 = 6,000 at 21 % = 1,260. 27 = 1,680 + 210 − 105 = 1,785; 45 = 1,260 + 210 = 1,470; 46 = 315.
    const totals = [
      taxTotal('output', 8000),
      taxTotal('output', -500, { rectifying: true }),
      taxTotal('output', 1000, { operation: 'intra_eu_goods' }),
      taxTotal('input', 1000, { operation: 'intra_eu_goods' }),
      taxTotal('input', 6000),
    ];
    assert.deepEqual(computeBoxes(totals), {
      ...{ '07': 8000, '09': 1680, '10': 1000, '11': 210, '14': -500, '15': -105, '27': 1785 },
      ...{ '28': 6000, '29': 1260, '36': 1000, '37': 210, '45': 1470 },
      ...{ '46': 315, '64': 315, '66': 315, '69': 315, '71': 315 },
    });
    assert.equal(made(totals).type, 'I');
  });

  it('assigns each rate of tax and surcharge to its own boxes', () => {
    // 100 at each rate: 0, 4, 10 and 21; surcharges of 0.5 (boxes 168 and 170 since 2024), 1.4, 1.75 and 5.2 % of 100.
    const rates = ['0', '4', '10', '21'] as const;
    const surcharges = ['0.5', '1.4', '1.75', '5.2'] as const;
    const boxes = computeBoxes([
      ...rates.map((rate) => taxTotal('output', 100, { rate })),
      ...surcharges.map((rate) => taxTotal('surcharge', 100, { rate, operation: 'surcharge' })),
      taxTotal('surcharge', -10, { rate: '5.2', operation: 'surcharge', rectifying: true }),
    ]);
    // 27 = 4 + 10 + 21 + 0.5 + 1.4 + 1.75 + 5.2 − 0.52 = 43.33
    assert.deepEqual(boxes, {
      ...{ '150': 100, '01': 100, '03': 4, '04': 100, '06': 10, '07': 100, '09': 21 },
      ...{ '168': 100, '170': 0.5, '19': 100, '21': 1.4, '156': 100, '158': 1.75, '22': 100, '24': 5.2 },
      ...{ '25': -10, '26': -0.52, '27': 43.33, '46': 43.33, '64': 43.33, '66': 43.33, '69': 43.33, '71': 43.33 },
    });
  });

  it('deducts the compensation of suppliers under the farming scheme in box 42, and rectifies it as all deductions', () => {
    // 12 % of 1,000 and 10.5 % of 200 = 141, less 12 % of 100 taken back.
    const paid = (base: number, rate: '12' | '10.5', rectifying = false) =>
      taxTotal('input', base, { operation: 'agricultural', rate, rectifying });
    assert.deepEqual(computeBoxes([paid(1000, '12'), paid(200, '10.5'), paid(-100, '12', true)]), {
      ...{ '42': 141, '40': -100, '41': -12, '45': 129, '46': -129, '64': -129, '66': -129, '69': -129, '71': -129 },
    });
  });

  it('declares only the bases of untaxed sales, net of rectifications', () => {
    const sale = (
      base: number,
      operation: 'intra_eu_goods' | 'intra_eu_services' | 'export' | 'exempt',
      rectifying = false,
    ) => taxTotal('output', base, { operation, rate: '0', rectifying });
    const boxes = computeBoxes([
      sale(700, 'intra_eu_goods'),
      sale(-100, 'intra_eu_goods', true),
      sale(50, 'intra_eu_services'),
      sale(300, 'export'),
      sale(900, 'exempt'),
      taxTotal('output', 20, { operation: 'services_abroad', rate: '0' }),
      taxTotal('output', 30, { operation: 'reverse_charge', rate: '0' }),
      taxTotal('output', 40, { operation: 'not_subject', rate: '0' }),
    ]);
    // 59 = 700 − 100 + 50; exempt sales (LIVA, art. 20) have no box in the quarter.
    assert.deepEqual(boxes, { '59': 650, '60': 300, '120': 20, '122': 30 });
  });

  it('separates current purchases, investment goods, imports and corrections, and excludes lost tax', () => {
    const boxes = computeBoxes([
      taxTotal('input', 100, { use: 'investment' }),
      taxTotal('input', 200, { operation: 'import' }),
      taxTotal('input', 300, { operation: 'import', use: 'investment' }),
      taxTotal('input', 400, { operation: 'intra_eu_services' }),
      taxTotal('input', 500, { operation: 'intra_eu_goods', use: 'investment' }),
      taxTotal('input', 600, { operation: 'reverse_charge' }),
      taxTotal('input', -50, { rectifying: true }),
      taxTotal('input', 1000, { use: 'none' }),
      taxTotal('input', 70, { operation: 'exempt', rate: '0' }),
      taxTotal('input', 0, { rate: '0', groupId: null, amount: '-12.34' }),
    ]);
    // 45 = 21 + 42 + 63 + 84 + 105 + 126 − 10.50 − 12.34 (pro rata of the year) = 418.16
    assert.deepEqual(boxes, {
      ...{ '28': 600, '29': 126, '30': 100, '31': 21, '32': 200, '33': 42, '34': 300, '35': 63 },
      ...{ '36': 400, '37': 84, '38': 500, '39': 105, '40': -50, '41': -10.5, '44': -12.34, '45': 418.16 },
      ...{ '46': -418.16, '64': -418.16, '66': -418.16, '69': -418.16, '71': -418.16 },
    });
  });

  it('declares other reverse charge separately, and import VAT paid with the return', () => {
    const boxes = computeBoxes([
      taxTotal('output', 100, { operation: 'reverse_charge' }),
      taxTotal('output', 200, { operation: 'services_from_abroad' }),
      taxTotal('output', 300, { operation: 'import' }),
    ]);
    // 12/13: 300 at 21 % = 63. Box 77 (LIVA, art. 167) is outside of 27: 69 = 63 + 63 = 126.
    assert.deepEqual(boxes, {
      '12': 300,
      '13': 63,
      '27': 63,
      '46': 63,
      '64': 63,
      '66': 63,
      '77': 63,
      '69': 126,
      '71': 126,
    });
  });

  it('applies earlier credit only up to the amount due', () => {
    // 110 = 500, due 315: 78 = 315, 87 = 185.
    const part = made([taxTotal('output', 1500)], { carried: '500' });
    assert.deepEqual(
      [part.boxes['78'], part.boxes['87'], part.result, part.type, part.left],
      ['315', '185', '0', 'N', '185'],
    );
    // Nothing is due: the carried credits remain, and those of the period are added: 500 + 210.
    const more = made([taxTotal('input', 1000)], { carried: '500' });
    assert.deepEqual([more.boxes['78'], more.boxes['71'], more.type, more.left], ['0', '-210', 'C', '710']);
  });

  it('requests a refund of all credit', () => {
    const refund = made([taxTotal('input', 1000)], {
      carried: '500',
      refund: true,
      period: { year: 2026, period: '4T' },
    });
    // 71 = −210 − 500
    assert.deepEqual([refund.boxes['78'], refund.result, refund.type, refund.left], ['500', '-710', 'D', '0']);
  });

  it('rectifies what earlier returns of the period had to pay', () => {
    const rectified = (base: number, paid: `${number}`, more: object = {}) => {
      const overrides = { '70': paid, ...more };
      const { boxes, type, left } = made([taxTotal('output', base)], { rectifies: true, overrides });
      return [boxes['69'], boxes['71'], boxes['111'], type, left];
    };
    // 210 are due: more than was paid, as much, or less; what was paid unduly is refunded.
    assert.deepEqual(rectified(1000, '150'), ['210', '60', '0', 'I', '0']);
    assert.deepEqual(rectified(1000, '210'), ['210', '0', '0', 'N', '0']);
    assert.deepEqual(rectified(1000, '250'), ['210', '-40', '40', 'D', '0']);
    assert.deepEqual(rectified(0, '43.52'), ['0', '-43.52', '43.52', 'D', '0']);
    // Beyond what was paid there is a credit to compensate: −210 − 300.
    assert.deepEqual(rectified(-1000, '300'), ['-210', '-510', '300', 'C', '210']);
    assert.deepEqual(rectified(-1000, '300', { '111': '100' }), ['-210', '-510', '100', 'C', '410']);
    assert.deepEqual(rectified(-1000, '0'), ['-210', '-210', '0', 'C', '210']);
    // 63 were refunded already, of which 13 are to be paid back.
    assert.deepEqual(rectified(0, '0', { '28': '1', '29': '50', '109': '63' }), ['-50', '13', '0', 'I', '0']);
  });

  it('computes the boxes that depend on stated amounts', () => {
    // 46 = 210; 43 = −10 raises it to 220; 65 = 50 % of the state: 66 = 110; 70 = 30 was paid already: 71 = 80.
    const { boxes } = made([taxTotal('output', 1000)], { stateShare: '50', overrides: { '43': '-10', '70': '30' } });
    assert.deepEqual([boxes['45'], boxes['46'], boxes['66'], boxes['71']], ['-10', '220', '110', '80']);
  });

  it('lists taxes without a box instead of dropping them', () => {
    const { unmapped, boxes } = made([taxTotal('output', 100, { rate: '7' })]);
    assert.deepEqual([unmapped.length, boxes['27']], [1, '0']);
  });
});
