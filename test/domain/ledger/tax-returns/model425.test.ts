/** Model 425 is what the year's taxes and its returns 420 say together. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeReturns, type MonthTotal } from '../../../../domain/ledger/tax-returns/credits.ts';
import { model420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import { model425 } from '../../../../domain/ledger/tax-returns/model425.ts';
import { PERCENTS_425 } from '../../../../domain/ledger/tax-returns/model425-boxes.ts';
import { periodsOfYear } from '../../../../domain/ledger/tax-returns/periods.ts';
import type { TaxTotal } from '../../../../domain/ledger/tax-returns/totals.ts';
import { decimal, sum } from '../../../../domain/money.ts';
import { filled, taxTotal } from '../../../helpers/tax-totals.ts';

const QUARTERS = periodsOfYear({ year: 2026, period: '4T' });

const igic = (kind: TaxTotal['kind'], base: number, more: Partial<TaxTotal> = {}) =>
  taxTotal(kind, base, { rate: '7', ...more });

/** A year of taxes by month. */
function makeYear(months: readonly MonthTotal[], { carried = '0', refund = false } = {}) {
  const last = { refund };
  const options = { compute: model420, carried: carried as '0', filed: new Map(), last };
  const returns = computeReturns(QUARTERS, months, options);
  return { returns, annual: model425({ totals: months, returns }) };
}

/** Boxes that are not zero, without the percentages that the form prints. */
const shown = (boxes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filled(boxes)).filter(([box]) => !PERCENTS_425.has(box)));

describe('model 425', () => {
  it('has sales by scheme and rate, and both reduced rates apart', () => {
    const cash = { operation: 'cash_basis' } as const;
    const totals = [
      ...(['0', '3', '5', '7', '9.5', '15', '20'] as const).map((rate) => igic('output', 100, { rate })),
      igic('output', 200, cash),
      igic('output', 10, { ...cash, rate: '5' }),
      igic('pending_output', 300, cash),
      igic('pending_input', 50, cash),
    ];
    // 59.5 of ordinary sales, 14 + 0.5 of those on the cash basis.
    assert.deepEqual(shown(model425({ totals, returns: [] }).boxes), {
      ...{ '01': 100, '04': 100, '06': 3, '16b': 100, '18b': 5, '07': 100, '09': 7, '10': 100, '12': 9.5, '13': 100 },
      ...{ '15': 15, '16': 100, '18': 20, '55': 200, '57': 14, '64b': 10, '66b': 0.5, '74': 910, '79': 74 },
      ...{ '95': 74, '113': 74, '115': 74, '120': 700, '121': 300, '134': 1000 },
      ...{ '138': 300, '139': 21, '140': 50, '141': 3.5 },
    });
  });

  it('has purchases, rectifications, what buyers owe, and sales without tax', () => {
    const free = (base: number, operation: TaxTotal['operation']) => igic('output', base, { operation, rate: '0' });
    const totals = [
      igic('output', 1000),
      igic('output', -100, { rectifying: true }),
      ...[igic('output', 200, { operation: 'reverse_charge' }), igic('input', 200, { operation: 'reverse_charge' })],
      ...[free(500, 'export'), free(40, 'services_abroad'), free(9, 'exempt'), free(3, 'not_subject')],
      ...[igic('input', 50, { use: 'investment' }), igic('input', 30, { operation: 'import' })],
      ...[igic('input', -10, { rectifying: true }), igic('input', 100, { use: 'none' })],
      igic('input', 50, { operation: 'agricultural', rate: '10' }),
      igic('input', 0, { groupId: null, rate: '0', amount: '3' }),
    ];
    // 70 − 7 + 14 charged; 14 + 3.5 + 2.1 − 0.7 + 5 + 3 = 26.9 deducted.
    assert.deepEqual(shown(model425({ totals, returns: [] }).boxes), {
      ...{ '07': 1000, '09': 70, '70': -100, '71': -7, '74': 900, '75': 200, '76': 14, '79': 77 },
      ...{ '80': 200, '81': 14, '82': 50, '83': 3.5, '84': 30, '85': 2.1, '88': -10, '89': -0.7, '90': 5, '93': 3 },
      ...{ '94': 26.9, '95': 50.1, '113': 50.1, '115': 50.1 },
      ...{ '120': 900, '122': 500, '126': 9, '128': 40, '134': 1449, '136': 7 },
    });
  });

  it('has the results of the returns, and the credit with which the year began', () => {
    const month = (name: string, total: TaxTotal): MonthTotal => ({ ...total, month: `2026-${name}-01` });
    const sales = [month('02', igic('output', 1000)), month('05', igic('output', 300))];
    const { boxes } = makeYear([...sales, month('11', igic('input', 400))], { carried: '20' }).annual;
    const of = (...names: string[]) => names.map((name) => Number(boxes[name]));
    // 70 − 20 and 21 were paid, 28 are left; 91 − 28 − 20 = 43.
    assert.deepEqual(of('114', '115', '116', '118', '119'), [20, 43, 71, 28, 0]);
    const { annual } = makeYear([...sales, month('11', igic('input', 400))], { refund: true });
    assert.deepEqual([annual.boxes['118'], annual.boxes['119']], ['0', '28']);
  });

  it('adds up what returns state, and takes what a person states', () => {
    const stated = {
      boxes: { '23': '10', '24': '0.7', '38': '5', '42': '2' },
      type: 'N',
      result: '0',
      left: '0',
    } as const;
    const overrides = { '22': '100', '24': '3', '72': '50', '73': '3.5', '133': '40' } as const;
    const { boxes } = model425({ totals: [igic('output', 100)], returns: [stated, stated], overrides });
    assert.deepEqual(shown(boxes), {
      ...{ '07': 100, '09': 7, '22': 100, '24': 3, '72': 50, '73': 3.5, '74': 150, '77': 20, '78': 1.4, '79': 5.1 },
      ...{ '92': 10, '94': 10, '95': -4.9, '112': 4, '113': -4.9, '115': -0.9, '120': 100, '133': 40, '134': 60 },
    });
  });

  it('comes to what the returns of the year come to', () => {
    const taxes = fc.array(
      fc
        .record({
          kind: fc.constantFrom('output', 'input'),
          rate: fc.constantFrom('0', '3', '5', '7', '9.5', '15', '20', '21'),
          operation: fc.constantFrom('domestic', 'cash_basis', 'reverse_charge', 'import', 'export', 'exempt'),
          rectifying: fc.boolean(),
          base: fc.integer({ min: -900, max: 900 }),
          month: fc.constantFrom('2026-01-01', '2026-05-01', '2026-08-01', '2026-12-01'),
        })
        .map(({ kind, base, month, ...more }) => ({
          ...taxTotal(kind as TaxTotal['kind'], base, more as Partial<TaxTotal>),
          month,
        })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(taxes, fc.integer({ min: 0, max: 90 }), (months, carried) => {
        const { returns, annual } = makeYear(months, { carried: String(carried) });
        const quarterly = (box: string) => sum(returns.map(({ boxes }) => boxes[box] ?? '0'));
        assert.ok(quarterly('25').eq(annual.boxes['79'] ?? '0') && quarterly('40').eq(annual.boxes['94'] ?? '0'));
        const { '116': paid = '0', '118': left = '0', '115': result = '0' } = annual.boxes;
        const credits = returns.slice(0, -1).filter(({ type }) => type === 'C');
        if (credits.length === 0) assert.ok(decimal(paid).minus(left).eq(result), `${paid} − ${left} ≠ ${result}`);
        assert.equal(annual.unmapped.length, returns.flatMap(({ unmapped }) => unmapped).length);
      }),
    );
  });
});
