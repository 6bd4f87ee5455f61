/** Model 390 is what the year's returns say together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Overrides } from '../../../../domain/ledger/tax-returns/boxes.ts';
import {
  type CreditInput,
  computeReturns,
  type MonthTotal,
  type PeriodReturn,
  periodKey,
} from '../../../../domain/ledger/tax-returns/credits.ts';
import { model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { model390, type Return390 } from '../../../../domain/ledger/tax-returns/model390.ts';
import { periodsOfYear } from '../../../../domain/ledger/tax-returns/periods.ts';
import type { TaxTotal } from '../../../../domain/ledger/tax-returns/totals.ts';
import { decimal, sum } from '../../../../domain/money.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const QUARTERS = periodsOfYear({ year: 2026, period: '4T' });

interface Year {
  readonly returns: PeriodReturn[];
  readonly annual: Return390;
}

function makeYear(
  byMonth: Readonly<Record<string, readonly TaxTotal[]>>,
  {
    carried = '0',
    refund = false,
    stated = {},
  }: { carried?: string; refund?: boolean; stated?: Readonly<Record<number, Overrides>> } = {},
): Year {
  const months = Object.entries(byMonth).flatMap(([month, totals]) =>
    totals.map((total): MonthTotal => ({ ...total, month: `2026-${month}-01` })),
  );
  const left = carried as '0';
  const filed = new Map<string, PeriodReturn>();
  const compute = (input: CreditInput) => model303({ ...input, stateShare: '100' });
  const options = { compute, carried: left, filed };
  // What a return states is known once it is filed.
  for (const [index, period] of QUARTERS.entries()) {
    const last = { refund: refund && index === 3, overrides: stated[index] ?? {} };
    const own = computeReturns(QUARTERS.slice(0, index + 1), months, { ...options, last }).at(-1) as PeriodReturn;
    filed.set(periodKey(period), own);
  }
  const returns = [...filed.values()];
  return { returns, annual: model390({ totals: months, returns, retailer: false }) };
}

/** A year with everything that the form tells apart. */
const FULL: Readonly<Record<string, readonly TaxTotal[]>> = {
  '01': [
    taxTotal('output', 1000),
    taxTotal('output', 500, { rate: '10' }),
    taxTotal('input', 9000, { use: 'investment' }),
  ],
  '04': [
    taxTotal('output', 2000, { rate: '4' }),
    taxTotal('surcharge', 2000, { rate: '0.5', operation: 'surcharge' }),
    taxTotal('output', 300, { operation: 'intra_eu_goods' }),
    taxTotal('input', 300, { operation: 'intra_eu_goods' }),
    taxTotal('output', 400, { operation: 'intra_eu_services', rate: '10' }),
    taxTotal('input', 400, { operation: 'intra_eu_services', rate: '10' }),
  ],
  '07': [
    taxTotal('output', 20000),
    taxTotal('output', -100, { rectifying: true }),
    taxTotal('input', -50, { rectifying: true }),
    taxTotal('output', 600, { operation: 'export', rate: '0' }),
    taxTotal('output', 700, { operation: 'exempt', rate: '0' }),
    taxTotal('output', 800, { operation: 'intra_eu_goods', rate: '0' }),
  ],
  '12': [
    taxTotal('input', 3000, { operation: 'import', rate: '4' }),
    taxTotal('input', 0, { rate: '0', groupId: null, amount: '5' }),
    taxTotal('input', 10, { use: 'none' }),
    taxTotal('output', 60, { operation: 'reverse_charge' }),
    taxTotal('input', 60, { operation: 'reverse_charge' }),
  ],
};

/** Boxes of the year, and of the quarters that add up to them. */
const SAME: readonly (readonly [annual: readonly string[], quarterly: string])[] = [
  [['01'], '01'],
  [['02'], '03'],
  [['03'], '04'],
  [['04'], '06'],
  [['05'], '07'],
  [['06'], '09'],
  [['25', '547'], '10'],
  [['26', '548'], '11'],
  [['27'], '12'],
  [['28'], '13'],
  [['29'], '14'],
  [['30'], '15'],
  [['35'], '168'],
  [['36'], '170'],
  [['47'], '27'],
  [['48'], '28'],
  [['49'], '29'],
  [['50'], '30'],
  [['51'], '31'],
  [['52'], '32'],
  [['53'], '33'],
  [['56', '597'], '36'],
  [['57', '598'], '37'],
  [['639'], '40'],
  [['62'], '41'],
  [['522'], '44'],
  [['64'], '45'],
  [['65'], '46'],
  [['103'], '59'],
  [['104'], '60'],
];

/** 95 − 97 − 98 − 662 = 86, which the form checks. */
function assertAgrees({ boxes }: Return390): void {
  const of = (box: string) => Number(boxes[box]);
  assert.equal(Math.round((of('95') - of('97') - of('98') - of('662')) * 100), Math.round(of('86') * 100));
}

describe('model 390', () => {
  it("sums the year's four returns in each box", () => {
    const { returns, annual } = makeYear(FULL);
    for (const [boxes, quarterly] of SAME) {
      const year = sum(boxes.map((box) => annual.boxes[box] as '0')).toFixed();
      const quarters = sum(returns.map((each) => each.boxes[quarterly] as '0')).toFixed();
      assert.equal(year, quarters, `${boxes.join(' + ')} = ${quarterly}`);
    }
    assert.deepEqual(annual.unmapped, []);
    assertAgrees(annual);
  });

  it('adds up the turnover net of credit notes', () => {
    const { boxes } = makeYear(FULL).annual;
    // 99 = 1,000 + 500 + 2,000 + 20,000 − 100 = 23,400; with 600 exported, 700 exempt and 800 to the Union: 25,500.
    assert.deepEqual(
      [boxes['99'], boxes['103'], boxes['104'], boxes['105'], boxes['108']],
      ['23400', '800', '600', '700', '25500'],
    );
    assert.equal(boxes['232'], '10');
  });

  it('separates credits of the year from earlier ones', () => {
    // 1T: 210 to compensate on top of 100 carried; 2T: 250 due, all of it compensated (100 of last year, 150 of this one); 4T: 42 more.
    const { returns, annual } = makeYear(
      {
        '01': [taxTotal('input', 1000)],
        '05': [taxTotal('output', 1190.48, { amount: '250' })],
        '11': [taxTotal('input', 200)],
      },
      { carried: '100' },
    );
    assert.deepEqual(
      returns.map(({ result }) => result),
      ['-210', '0', '0', '-42'],
    );
    const { boxes } = annual;
    // 84 = 250 − 252 = −2; 85 = 100; 86 = −102 = 0 − 42 (97) − 60 (662: 210 − 150).
    assert.deepEqual(
      [boxes['84'], boxes['85'], boxes['86'], boxes['97'], boxes['662']],
      ['-2', '100', '-102', '42', '60'],
    );
    assertAgrees(annual);
  });

  it('deducts payments, and the refund requested by the last return', () => {
    // 1T pays 420; 4T has 210 of its own to be refunded, and nothing was carried.
    const { annual } = makeYear(
      { '02': [taxTotal('output', 2000)], '10': [taxTotal('input', 1000)] },
      { refund: true },
    );
    const { boxes } = annual;
    assert.deepEqual([boxes['95'], boxes['97'], boxes['98'], boxes['86']], ['420', '0', '210', '210']);
    assertAgrees(annual);
  });

  it('counts a stated credit as one of earlier years, whichever return states it', () => {
    // 1T: 210 due, less 50 stated: 160; 4T: 404 to compensate.
    const byMonth = {
      '02': [taxTotal('output', 1000)],
      '10': [taxTotal('input', 1923.81, { amount: '404' })],
    };
    for (const quarter of [0, 3]) {
      const { returns, annual } = makeYear(byMonth, { stated: { [quarter]: { '110': '50' } } });
      const { boxes } = annual;
      // 84 = 210 − 404. Only the first quarter has tax due that the credit reduces.
      assert.deepEqual(
        [boxes['84'], boxes['85'], boxes['86'], boxes['97'], boxes['662']],
        quarter === 0 ? ['-194', '50', '-244', '404', '0'] : ['-194', '0', '-194', '404', '0'],
      );
      assert.equal(returns.at(-1)?.boxes['110'], quarter === 0 ? '0' : '50');
      assertAgrees(annual);
    }
  });

  it('agrees with the returns whatever these find and state', () => {
    const cents = fc.integer({ min: -100_000, max: 100_000 });
    const credit = fc.option(fc.nat({ max: 50_000 }), { nil: undefined, freq: 1 });
    const quarter = fc.record({
      output: fc.nat({ max: 300_000 }),
      input: fc.nat({ max: 300_000 }),
      stated: fc.record({ '42': cents, '43': cents, '44': cents, '58': cents, '76': cents, '77': cents }),
      credit,
    });
    const money = (value: number) => decimal(value).div(100).toFixed();
    fc.assert(
      fc.property(fc.array(quarter, { minLength: 4, maxLength: 4 }), fc.nat({ max: 50_000 }), (found, carried) => {
        const byMonth = Object.fromEntries(
          found.map(({ output, input }, index) => [
            ['01', '04', '07', '10'][index] as string,
            [taxTotal('output', output / 100), taxTotal('input', input / 100)],
          ]),
        );
        const stated = found.map(({ stated: boxes, credit: claimed }) => ({
          ...Object.fromEntries(Object.entries(boxes).map(([box, value]) => [box, money(value)])),
          ...(claimed === undefined ? {} : { '110': money(claimed) }),
        }));
        const { returns, annual } = makeYear(byMonth, { carried: money(carried), stated });
        assertAgrees(annual);
        const total = (box: string) => sum(returns.map(({ boxes }) => boxes[box] ?? '0')).toFixed();
        for (const [boxes, quarterly] of SAME) {
          assert.equal(sum(boxes.map((box) => annual.boxes[box] as '0')).toFixed(), total(quarterly), quarterly);
        }
        assert.ok(Number(annual.boxes['662']) >= 0, `662 = ${annual.boxes['662']}`);
        assert.ok(Number(annual.boxes['85']) >= 0, `85 = ${annual.boxes['85']}`);
      }),
    );
  });
});
