import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import { type Family, regularisedRate, type YearlyPay, yearlyTax } from '../../../../domain/staff/payroll/irpf.ts';
import { type FamilySituation, findIrpfRules } from '../../../../domain/staff/payroll/irpf-rules.ts';

const SINGLE: Family = {
  familySituation: 3,
  children: 0,
  childrenUnderThree: 0,
  childrenInFull: false,
  birthYear: null,
  disability: 0,
  needsHelp: false,
  disabledChildren: [],
  ascendants: [],
  withholding: 'ordinary',
  ceutaOrMelilla: false,
  geographicMobility: false,
};

function rules(year = 2026) {
  const found = findIrpfRules(year);
  assert.ok(found);
  return found;
}

/** A year's pay, of which 6.5 % are contributions. */
function pay(gross: Decimal, isShort = false): YearlyPay {
  return { gross, contributions: round(decimal(gross).times('0.065'), 2), isShort };
}

const terms = (isShort: boolean, family: Partial<Family> = {}) => ({ isShort, family: { ...SINGLE, ...family } });

function shown(yearly: YearlyPay, family: Partial<Family> = {}, year = 2026) {
  const { expenses, reduction, base, taxOfBase, minimum, taxOfMinimum, cap, tax, rate } = yearlyTax(
    yearly,
    { ...SINGLE, ...family },
    rules(year),
  );
  return { expenses, reduction, base, taxOfBase, minimum, taxOfMinimum, cap, tax, rate };
}

describe('yearly income tax', () => {
  it('applies the scale to the base and subtracts that of the minimum', () => {
    // The payslip of decision 0202 twelve times: 14 x 1,700.00, and 12 x 128.91 of contributions.
    // Base: 23,800 - 1,546.92 - 2,000. Scale: 12,450 at 19 % = 2,365.50; 7,750 at 24 % = 1,860.00; 53.08 at 30 % = 15.92.
    // Minimum: 5,550 at 19 %. Limit: 43 % of 23,800 - 15,876. Rate: 3,186.92 / 23,800 = 13.3904 %.
    assert.deepEqual(shown({ gross: '23800', contributions: '1546.92', isShort: false }), {
      expenses: '2000',
      reduction: '0',
      base: '20253.08',
      taxOfBase: '4241.42',
      minimum: '5550',
      taxOfMinimum: '1054.5',
      cap: '3407.32',
      tax: '3186.92',
      rate: '13.39',
    });
  });

  it('reduces low income, and withholds at most 43 % of the pay above the exempt amount', () => {
    // The least wage of 2026. Net: 17,094 - 1,111.11 = 15,982.89; reduction: 7,302 - 1.75 x 1,130.89 = 5,322.94.
    // Base 8,659.95 at 19 % = 1,645.39, less 1,054.50 = 590.89; but 43 % of 17,094 - 15,876 = 523.74, which is 3.0638 %.
    const { reduction, base, taxOfBase, cap, tax, rate } = shown(pay('17094'));
    assert.deepEqual([reduction, base, taxOfBase], ['5322.94', '8659.95', '1645.39']);
    assert.deepEqual([cap, tax, rate], ['523.74', '523.74', '3.06']);
  });

  it('counts children by half, unless nobody else deducts them', () => {
    // Base: 40,000 - 2,600 - 2,000 = 35,400; scale 8,725.50 + 200 x 37 % = 8,799.50. Children: (2,400 + 2,700 + 2,800) / 2 = 3,950.
    const two = { children: 2, childrenUnderThree: 1 };
    const half = shown(pay('40000'), two);
    assert.deepEqual([half.taxOfBase, half.minimum, half.taxOfMinimum, half.cap], ['8799.5', '9500', '1805', null]);
    assert.deepEqual([half.tax, half.rate], ['6994.5', '17.48']);
    // In full: minimum 13,450 = 2,365.50 + 1,000 x 24 % = 2,605.50.
    assert.equal(shown(pay('40000'), { ...two, childrenInFull: true }).tax, '6194');
    assert.equal(shown(pay('40000'), { ...two, familySituation: 1 }).tax, '6194');
  });

  it('deducts 600 for more than two children', () => {
    // Base: 25,000 - 1,625 - 2,000 - 600 = 20,775; scale 4,225.50 + 575 x 30 % = 4,398.00.
    // Minimum: 5,550 + 2,400 + 2,700 + 4,000 = 14,650; scale 2,365.50 + 2,200 x 24 % = 2,893.50.
    const { base, taxOfBase, taxOfMinimum, tax, rate } = shown(pay('25000'), { familySituation: 1, children: 3 });
    assert.deepEqual([base, taxOfBase, taxOfMinimum, tax, rate], ['20775', '4398', '2893.5', '1504.5', '6.01']);
    assert.equal(shown(pay('25000'), { familySituation: 1, children: 5 }).minimum, '23650');
  });

  it('has a higher minimum for people over 65 and over 75', () => {
    const minimum = (birthYear: number) => shown(pay('40000'), { birthYear }).minimum;
    assert.deepEqual([1961, 1960, 1951, 1950].map(minimum), ['5550', '6700', '6700', '8100']);
  });

  it('withholds nothing up to the exempt pay, but 2 % from contracts under a year', () => {
    const cases: [FamilySituation, number, Decimal][] = [
      [1, 1, '17644'],
      [1, 2, '18694'],
      [2, 0, '17197'],
      [2, 1, '18130'],
      [2, 4, '19262'],
      [3, 0, '15876'],
      [3, 1, '16342'],
      [3, 2, '16867'],
    ];
    for (const [situation, children, exempt] of cases) {
      const family = { familySituation: situation, children };
      assert.equal(shown(pay(exempt), family).rate, '0', `${situation} ${children}`);
      assert.equal(shown(pay(exempt, true), family).rate, '2', `${situation} ${children}`);
      assert.equal(shown(pay(decimal(exempt).plus(1).toFixed()), family).cap, '0.43', `${situation} ${children}`);
    }
    assert.equal(shown(pay('0')).rate, '0');
  });

  it('has rules for known years only', () => {
    assert.equal(shown(pay('17094'), {}, 2025).rate, '3.06');
    assert.equal(findIrpfRules(2024), null);
  });

  it('never falls with more pay, nor rises with children', () => {
    const cents = fc.integer({ min: 0, max: 40_000_000 }).map((value) => decimal(value).div(100).toFixed());
    fc.assert(
      fc.property(
        cents,
        cents,
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(1, 2, 3),
        (one, other, children, situation) => {
          const of = (gross: Decimal, more: Partial<Family> = {}) =>
            yearlyTax(pay(gross), { ...SINGLE, familySituation: situation, children, ...more }, rules());
          const [less, more] = decimal(one).lt(other) ? [of(one), of(other)] : [of(other), of(one)];
          assert.ok(decimal(less.tax).lte(more.tax));
          assert.ok(decimal(of(one, { children: children + 1 }).tax).lte(of(one).tax));
          assert.ok(decimal(of(one, { childrenInFull: true }).tax).lte(of(one).tax));
        },
      ),
    );
  });

  it('never exceeds its limits, nor does its percentage withhold more', () => {
    const cents = fc.integer({ min: 1, max: 100_000_000 }).map((value) => decimal(value).div(100).toFixed());
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 6 }), (gross, children) => {
        const { tax, rate, exempt } = yearlyTax(pay(gross), { ...SINGLE, children }, rules());
        const over = decimal(gross).minus(exempt);
        if (over.lte(0)) assert.equal(tax, '0');
        else if (decimal(gross).lte('35200')) assert.ok(decimal(tax).lte(over.times('0.43').plus('0.005')));
        assert.ok(decimal(rate).gte(0) && decimal(rate).lt(47));
        const missing = decimal(tax).times(100).minus(decimal(rate).times(gross)).div(gross);
        assert.ok(missing.gte(0) && missing.lt('0.01'), `${missing.toFixed()} of ${gross}`);
      }),
    );
  });
});

describe('income tax in special cases', () => {
  const taxed = (family: Partial<Family>) => {
    const { disability, minimum, tax, rate } = yearlyTax(pay('30000'), { ...SINGLE, ...family }, rules());
    return [disability, minimum, tax, rate];
  };
  const person = { disability: 0, needsHelp: false } as const;

  it('is less with a disability: further expenses, and a higher minimum', () => {
    // Base 26,050 - 3,500 = 22,550: 4,225.50 + 2,350 at 30 % = 4,930.50; minimum 5,550 + 3,000 at 19 % = 1,624.50.
    assert.deepEqual(taxed({ disability: 33 }), ['3500', '8550', '3306', '11.02']);
    // Base 26,050 - 7,750 = 18,300: 2,365.50 + 5,850 at 24 % = 3,769.50; minimum 5,550 + 3,000 + 3,000 at 19 % = 2,194.50.
    assert.deepEqual(taxed({ disability: 33, needsHelp: true }), ['7750', '11550', '1575', '5.25']);
    // Minimum 5,550 + 9,000 + 3,000: 2,365.50 + 5,100 at 24 % = 3,589.50. Help makes no difference.
    assert.deepEqual(taxed({ disability: 65 }), ['7750', '17550', '180', '0.6']);
    assert.deepEqual(taxed({ disability: 65, needsHelp: true }), taxed({ disability: 65 }));
    assert.deepEqual(taxed({ needsHelp: true }), taxed({}));
  });

  it('is less for those who moved house for the work', () => {
    const usual = shown(pay('30000'));
    const moved = shown(pay('30000'), { geographicMobility: true });
    assert.deepEqual([usual.expenses, moved.expenses], ['2000', '4000']);
    assert.equal(decimal(usual.base).minus(moved.base).toFixed(), '2000');
  });

  it('is less with old or disabled ascendants, whom brothers and sisters share', () => {
    // 1,150 / 2, and 1,150 + 1,400 + 9,000 + 3,000: minimum 20,675, on it 4,225.50 + 475 at 30 % = 4,368.00.
    const old = { ...person, birthYear: 1956, sharedBy: 2 };
    const veryOld = { birthYear: 1946, disability: 65, needsHelp: false, sharedBy: 1 } as const;
    assert.deepEqual(taxed({ ascendants: [old, veryOld] }), ['0', '20675', '1612.5', '5.37']);
    // Disabled at 50: 1,150 + 3,000.
    const young = { birthYear: 1976, disability: 33, needsHelp: false, sharedBy: 1 } as const;
    assert.deepEqual(taxed({ ascendants: [young] }), ['0', '9700', '4137.5', '13.79']);
    // Not over 65 in this year, nor over 75.
    const [at65, at66, at75] = [1961, 1960, 1951].map((birthYear) => ({ ...person, birthYear, sharedBy: 1 }));
    assert.deepEqual(
      [at65, at66, at75].map((one) => taxed({ ascendants: one === undefined ? [] : [one] })[1]),
      ['5550', '6700', '6700'],
    );
  });

  it('is less with disabled children, by half where the others are', () => {
    const family = { children: 1, disabledChildren: [{ disability: 33, needsHelp: false }] } as const;
    assert.deepEqual(taxed(family), ['0', '8250', '4413', '14.71']);
    assert.deepEqual(taxed({ ...family, childrenInFull: true }), ['0', '10950', '3900', '13']);
  });

  it('is 40 % of that in Ceuta and Melilla, also where there is a minimum', () => {
    assert.deepEqual(taxed({ ceutaOrMelilla: true }).slice(2), ['1970.4', '6.56']);
    const year = yearlyTax(pay('30000'), { ...SINGLE, ceutaOrMelilla: true }, rules());
    const rate = (isShort: boolean, withheld: Decimal, more: Partial<Family> = {}) =>
      regularisedRate(year, { gross: '12000', withheld }, terms(isShort, { ceutaOrMelilla: true, ...more }), rules());
    assert.deepEqual([rate(false, '1970.4'), rate(true, '1970.4')], ['0', '0.8']);
    assert.equal(rate(true, '1970.4', { withholding: 'special_relation' }), '6');
    assert.equal(
      regularisedRate(year, { gross: '29999', withheld: '0' }, terms(false, { ceutaOrMelilla: true }), rules()),
      '18.8',
    );
  });

  it('has a minimum of 15 % in special relations, and fixed percentages that the pay does not change', () => {
    const rate = (withholding: Family['withholding'], gross: Decimal) =>
      yearlyTax(pay(gross), { ...SINGLE, withholding }, rules()).rate;
    assert.deepEqual([rate('special_relation', '17094'), rate('special_relation', '30000')], ['15', '16.42']);
    assert.deepEqual(
      [rate('administrator', '17094'), rate('small_administrator', '90000'), rate('author', '30000')],
      ['35', '19', '15'],
    );
    assert.equal(taxed({ withholding: 'administrator' })[2], '10500');
    const year = yearlyTax(pay('30000'), { ...SINGLE, withholding: 'administrator' }, rules());
    const family = { withholding: 'administrator' } as const;
    assert.equal(regularisedRate(year, { gross: '12000', withheld: '0' }, terms(true, family), rules()), '35');
    assert.equal(taxed({ withholding: 'small_administrator', ceutaOrMelilla: true })[3], '7.6');
  });
});

describe('regularised income tax', () => {
  const year = yearlyTax(pay('30000'), SINGLE, rules());

  it('withholds the missing tax in the rest of the year', () => {
    // Base: 30,000 - 1,950 - 2,000 = 26,050; scale 4,225.50 + 5,850 x 30 % = 5,980.50; less 1,054.50 = 4,926.00.
    assert.deepEqual([year.tax, year.rate], ['4926', '16.42']);
    // (4,926 - 1,200) / (30,000 - 12,000) = 20.7 %
    assert.equal(regularisedRate(year, { gross: '12000', withheld: '1200' }, terms(false), rules()), '20.7');
    assert.equal(regularisedRate(year, { gross: '0', withheld: '0' }, terms(false), rules()), year.rate);
  });

  it('goes no lower than zero, or 2 % for contracts under a year, and no higher than 47 %', () => {
    assert.equal(regularisedRate(year, { gross: '12000', withheld: '5000' }, terms(false), rules()), '0');
    assert.equal(regularisedRate(year, { gross: '12000', withheld: '5000' }, terms(true), rules()), '2');
    assert.equal(regularisedRate(year, { gross: '29000', withheld: '0' }, terms(false), rules()), '47');
    assert.equal(regularisedRate(year, { gross: '30000', withheld: '0' }, terms(false), rules()), '0');
  });

  it("ends the year with the year's tax, except for truncation", () => {
    const cents = fc.integer({ min: 0, max: 2_500_000 }).map((value) => decimal(value).div(100).toFixed());
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 16 }), (gross, percent) => {
        const withheld = round(decimal(gross).times(percent).div(100), 2);
        const rest = decimal('30000').minus(gross);
        const rate = regularisedRate(year, { gross, withheld }, terms(false), rules());
        if (decimal(rate).gte(47)) return;
        const missing = decimal(year.tax).minus(withheld).minus(rest.times(rate).div(100));
        assert.ok(missing.gte(0) && missing.lt(rest.times('0.0001')));
      }),
    );
  });
});
