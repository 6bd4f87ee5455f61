/** Model 130: figures since 1 January, quarter by quarter. */
import assert from 'node:assert/strict';
import {
  model130,
  type Return130,
  type Settings130,
  type YearToDate,
} from '../../../../domain/ledger/tax-returns/model130.ts';
import { filled } from '../../../helpers/tax-totals.ts';

const SETTINGS: Settings130 = { simplified: true, priorYearNetIncome: '30000', homeLoan: false };

/** The returns of a year's quarters, each from the sums since 1 January. */
function quarters(found: readonly YearToDate[], settings = SETTINGS, year = 2026): Return130[] {
  const made: Return130[] = [];
  for (const sums of found) made.push(model130({ year, quarter: made.length + 1 }, sums, settings, [...made]));
  return made;
}

describe('model 130', () => {
  it('deducts the payments of earlier quarters', () => {
    const [first, second] = quarters([
      { income: '10000', expense: '4000', withheld: '500' },
      { income: '25000', expense: '9000', withheld: '500' },
    ]);
    // 02 = 4,000 + 5 % of 6,000 = 4,300; 03 = 5,700; 04 = 20 % = 1,140; 07 = 1,140 − 500 = 640.
    assert.deepEqual(filled(first?.boxes ?? {}), {
      ...{
        '01': 10000,
        '02': 4300,
        '03': 5700,
        '04': 1140,
        '06': 500,
        '07': 640,
        '12': 640,
        '14': 640,
        '17': 640,
        '19': 640,
      },
    });
    // 02 = 9,000 + 5 % of 16,000 = 9,800; 03 = 15,200; 04 = 3,040; 05 = 640; 07 = 3,040 − 640 − 500 = 1,900.
    assert.deepEqual(filled(second?.boxes ?? {}), {
      ...{ '01': 25000, '02': 9800, '03': 15200, '04': 3040, '05': 640, '06': 500, '07': 1900 },
      ...{ '12': 1900, '14': 1900, '17': 1900, '19': 1900 },
    });
  });

  it('deducts at most 2,000 a year for expenses hard to prove, 7 % in 2023 only, nothing by normal assessment', () => {
    const sums: YearToDate = { income: '60000', expense: '10000', withheld: '0' };
    const expenses = (settings: Settings130, year: number) => quarters([sums], settings, year)[0]?.boxes['02'];
    // 5 % of 50,000 would be 2,500.
    assert.equal(expenses(SETTINGS, 2026), '12000');
    assert.equal(expenses({ ...SETTINGS, simplified: false }, 2026), '10000');
    const small: YearToDate = { income: '11000', expense: '1000', withheld: '0' };
    // 7 % of 10,000, against 5 %.
    assert.equal(quarters([small], SETTINGS, 2023)[0]?.boxes['02'], '1700');
    assert.equal(quarters([small], SETTINGS, 2024)[0]?.boxes['02'], '1500');
  });

  it("reduces the result by the previous year's net income", () => {
    const reduction = (priorYearNetIncome: Settings130['priorYearNetIncome']) =>
      quarters([{ income: '0', expense: '0', withheld: '0' }], { ...SETTINGS, priorYearNetIncome })[0]?.boxes['13'];
    const nets = ['0', '9000', '9000.01', '10000.01', '11000.01', '12000', '12000.01'] as const;
    assert.deepEqual(nets.map(reduction), ['100', '100', '75', '50', '25', '25', '0']);
  });

  it('deducts negative results in later quarters of the year, up to the amount due', () => {
    const [first, second, third] = quarters(
      [
        { income: '0', expense: '0', withheld: '0' },
        { income: '421.06', expense: '0', withheld: '0' },
        { income: '2000', expense: '0', withheld: '0' },
      ],
      { ...SETTINGS, priorYearNetIncome: '0' },
    );
    // 13 = 100, so that the first quarter ends with −100.
    assert.deepEqual([first?.result, first?.type], ['-100', 'B']);
    // 04 = 20 % of (421.06 − 21.05) = 80.00; 12 − 13 = −20: nothing to deduct from, and 20 more for later.
    assert.deepEqual([second?.boxes['14'], second?.boxes['15'], second?.result], ['-20', '0', '-20']);
    // 04 = 20 % of 1,900 = 380; 05 = 80; 14 = 300 − 100 = 200; 15 = 120: 19 = 80.
    assert.deepEqual([third?.boxes['05'], third?.boxes['15'], third?.result, third?.type], ['80', '120', '80', 'I']);
  });

  it('carries nothing over the end of the year', () => {
    const nothing: YearToDate = { income: '0', expense: '0', withheld: '0' };
    const all = quarters([nothing, nothing, nothing, nothing]);
    assert.deepEqual(
      all.map(({ type }) => type),
      ['N', 'N', 'N', 'N'],
    );
    const loss = quarters([nothing, nothing, nothing, { ...nothing, withheld: '50' }], SETTINGS);
    assert.deepEqual([loss[3]?.boxes['07'], loss[3]?.boxes['12'], loss[3]?.type], ['-50', '0', 'N']);
  });

  it('deducts home loans up to a limit, and subtracts them from earlier payments', () => {
    const sums = { income: '50000', expense: '0', withheld: '0' } as const;
    const [first, second] = quarters([sums, sums], { ...SETTINGS, homeLoan: true });
    // 03 = 48,000, of which 2 % would be 960; the next quarter's 05 = 07 − 16 = 9,600 − 660.14.
    assert.deepEqual([first?.boxes['16'], first?.result, second?.boxes['05']], ['660.14', '8939.86', '8939.86']);
  });
});
