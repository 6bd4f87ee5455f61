/** Model 420: each figure from its rule. */
import assert from 'node:assert/strict';
import { computeReturns } from '../../../../domain/ledger/tax-returns/credits.ts';
import { model420, PERCENTS_420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import type { TaxTotal } from '../../../../domain/ledger/tax-returns/totals.ts';
import { filled, taxTotal } from '../../../helpers/tax-totals.ts';

const igic = (kind: TaxTotal['kind'], base: number, more: Partial<TaxTotal> = {}) =>
  taxTotal(kind, base, { rate: '7', ...more });
/** Boxes that are not zero, without the percentages that the form prints. */
const computeBoxes = (totals: readonly TaxTotal[], more: Partial<Parameters<typeof model420>[0]> = {}) => {
  const { boxes } = model420({ totals, carried: '0', refund: false, ...more });
  return Object.fromEntries(Object.entries(filled(boxes)).filter(([box]) => !PERCENTS_420.has(box)));
};

describe('model 420', () => {
  it('assigns each rate to its line', () => {
    // 100 at each: 25 = 3 + 5 + 7 + 9.5 + 15 + 20 = 59.5.
    const rates = ['0', '3', '5', '7', '9.5', '15', '20'] as const;
    assert.deepEqual(computeBoxes(rates.map((rate) => igic('output', 100, { rate }))), {
      ...{
        '01': 100,
        '04': 100,
        '06': 3,
        '16b': 100,
        '18b': 5,
        '07': 100,
        '09': 7,
        '10': 100,
        '12': 9.5,
        '13': 100,
        '15': 15,
      },
      ...{ '16': 100, '18': 20, '25': 59.5, '41': 59.5, '45': 59.5 },
    });
    const { boxes } = model420({ totals: [], carried: '0', refund: false });
    assert.deepEqual([boxes['05'], boxes['17b']], ['3', '5']);
  });

  it('adds up sales, purchases, imports, rectifications and what buyers owe', () => {
    // 09 = 70, 20 = 14, 22 = −7: 25 = 77. 27 = 28 + 14 (its own tax, deducted), 29 = 3.5, 31 = 2.1, 35 = −0.7: 40 = 46.9.
    const totals = [
      igic('output', 1000),
      igic('output', -100, { rectifying: true }),
      igic('output', 200, { operation: 'services_from_abroad' }),
      igic('input', 200, { operation: 'services_from_abroad' }),
      igic('input', 400),
      igic('input', 50, { use: 'investment' }),
      igic('input', 30, { operation: 'import' }),
      igic('input', -10, { rectifying: true }),
      igic('input', 99, { use: 'none' }),
    ];
    assert.deepEqual(computeBoxes(totals), {
      ...{ '07': 1000, '09': 70, '19': 200, '20': 14, '21': -100, '22': -7, '25': 77 },
      ...{ '26': 600, '27': 42, '28': 50, '29': 3.5, '30': 30, '31': 2.1, '34': -10, '35': -0.7, '40': 46.9 },
      ...{ '41': 30.1, '45': 30.1 },
    });
  });

  it('tells bases without tax, the cash basis, compensations and the regularisation of the pro rata', () => {
    const free = (base: number, operation: TaxTotal['operation']) => igic('output', base, { operation, rate: '0' });
    const totals = [
      free(500, 'export'),
      free(40, 'services_abroad'),
      free(60, 'reverse_charge'),
      free(7, 'exempt'),
      igic('pending_output', 100, { operation: 'cash_basis' }),
      igic('pending_input', 10, { operation: 'cash_basis' }),
      igic('input', 0, { groupId: null, rate: '0', amount: '3' }),
      igic('input', 50, { operation: 'agricultural', rate: '10' }),
    ];
    assert.deepEqual(computeBoxes(totals), {
      ...{ '36': 5, '39': 3, '40': 8, '41': -8, '45': -8, '46': 500, '47': 100 },
      ...{ '48': 100, '49': 7, '50': 10, '51': 0.7 },
    });
  });

  it('names what the form has no box for, and leaves it out of the sums', () => {
    const strange = [igic('output', 100, { rate: '21' }), igic('output', 9, { operation: 'import' })];
    const { boxes, unmapped, type } = model420({ totals: strange, carried: '0', refund: false });
    assert.deepEqual([unmapped, boxes['25'], type], [strange, '0', 'N']);
  });

  it('compensates credits of earlier quarters', () => {
    const month = (day: string, total: TaxTotal) => ({ ...total, month: day });
    const quarters = ['1T', '2T', '3T'].map((period) => ({ year: 2026, period }));
    const taxes = [
      month('2026-02-01', igic('input', 1000)),
      month('2026-04-01', igic('output', 600)),
      month('2026-09-01', igic('output', 900)),
    ];
    const options = { compute: model420, carried: '0', filed: new Map(), last: { refund: false } } as const;
    const made = computeReturns(quarters, taxes, options);
    // 70 of credit, of which 42 and then 28 are used: 63 − 28 = 35 to pay.
    assert.deepEqual(
      made.map(({ type, result, left, boxes }) => [type, result, left, boxes['43']]),
      [
        ['C', '-70', '70', '0'],
        ['C', '-28', '28', '70'],
        ['I', '35', '0', '28'],
      ],
    );
  });

  it('takes what a person states, and leaves no credit that is to be refunded', () => {
    const totals = [igic('output', 1000)];
    const overrides = { '23': '100', '24': '7', '38': '2', '42': '4', '43': '90', '44': '5' } as const;
    // 70 − 7 charged, 2 deducted, 4 to pay back: 65, less 90 and 5.
    assert.deepEqual(computeBoxes(totals, { overrides, carried: '50' }), {
      ...{ '07': 1000, '09': 70, '23': 100, '24': 7, '25': 63, '38': 2, '40': 2, '41': 61, '42': 4, '43': 90, '44': 5 },
      '45': -30,
    });
    const left = (refund: boolean) => model420({ totals, carried: '90', refund });
    assert.deepEqual([left(false).type, left(false).left, left(true).type, left(true).left], ['C', '20', 'D', '0']);
    assert.equal(model420({ totals, carried: '0', refund: true }).type, 'I');
  });
});
