import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { type PayLine, type PayslipInput, payslip } from '../../../../domain/staff/payroll/payslip.ts';
import { ratesOn } from '../../../../domain/staff/payroll/rates.ts';

/** An administrator with 1,500 of salary, a complement of 200, and two extra pays a year of 1,700. */
const ADMINISTRATOR: PayslipInput = {
  contract: 'indefinite',
  group: 5,
  accidentRate: '1.50',
  workingShare: '1',
  days: 30,
  lines: [
    { kind: 'earning', amount: '1500.00' },
    { kind: 'earning', amount: '200.00' },
  ],
  yearlyExtras: '3400.00',
  irpfRate: '12',
};

const PARTS = ['common', 'mei', 'unemployment', 'training', 'accidents', 'fogasa', 'overtime', 'solidarity'] as const;

function on(day: string, changes: Partial<PayslipInput> = {}) {
  const rates = ratesOn(day);
  assert.ok(rates);
  return payslip({ ...ADMINISTRATOR, ...changes }, rates);
}

const same = (actual: Decimal, expected: string) => assert.equal(decimal(actual).toFixed(2), expected);

describe('payslip', () => {
  it('matches a payslip of January 2026 to the cent', () => {
    const { gross, bases, employeeContributions, employerContributions, irpf, deductions, net } = on('2026-01-31');
    same(gross, '1700.00');
    assert.deepEqual(bases, { common: '1983.33', professional: '1983.33', irpf: gross });
    const of = (amounts: typeof employeeContributions) => PARTS.map((part) => decimal(amounts[part]).toFixed(2));
    assert.deepEqual(of(employeeContributions), ['93.22', '2.97', '30.74', '1.98', '0.00', '0.00', '0.00', '0.00']);
    assert.deepEqual(of(employerContributions), [
      '468.07',
      '14.87',
      '109.08',
      '11.90',
      '29.75',
      '3.97',
      '0.00',
      '0.00',
    ]);
    same(employeeContributions.total, '128.91');
    same(employerContributions.total, '637.64');
    same(irpf, '204.00');
    same(deductions, '332.91');
    same(net, '1367.09');
  });

  it('follows the rates of the year and the contract', () => {
    const earlier = on('2025-01-31');
    same(earlier.employeeContributions.total, '128.52');
    same(earlier.employerContributions.total, '636.06');
    same(earlier.net, '1367.48');
    const temporary = on('2026-01-31', { contract: 'temporary' });
    same(temporary.employeeContributions.total, '129.90');
    same(temporary.employerContributions.total, '661.44');
    same(temporary.net, '1366.10');
  });

  it('withholds only income tax from an extra pay', () => {
    const june = on('2026-06-30', { lines: [...ADMINISTRATOR.lines, { kind: 'extra_pay', amount: '1700.00' }] });
    same(june.gross, '3400.00');
    same(june.employeeContributions.total, '128.91');
    same(june.irpf, '408.00');
  });

  it('includes overtime in the professional base, with contributions of its own', () => {
    const lines: PayLine[] = [
      ...ADMINISTRATOR.lines,
      { kind: 'overtime', amount: '100' },
      { kind: 'force_majeure', amount: '50' },
    ];
    const { bases, employeeContributions, employerContributions } = on('2026-01-31', { lines });
    assert.deepEqual([bases.common, bases.professional], ['1983.33', '2133.33']);
    same(employeeContributions.overtime, '5.70');
    same(employerContributions.overtime, '29.60');
  });

  it('includes benefits in kind, and deducts them from the payment', () => {
    const { gross, bases, net, irpf, employeeContributions } = on('2026-01-31', {
      lines: [...ADMINISTRATOR.lines, { kind: 'in_kind', amount: '100' }, { kind: 'deduction', amount: '30' }],
    });
    same(gross, '1800.00');
    assert.equal(bases.common, '2083.33');
    same(net, decimal('1670').minus(irpf).minus(employeeContributions.total).toFixed(2));
  });

  it('pays expenses and severance without contributions and income tax', () => {
    const plain = on('2026-01-31', {});
    const more = on('2026-01-31', {
      lines: [...ADMINISTRATOR.lines, { kind: 'expenses', amount: '85.40' }, { kind: 'severance', amount: '4200' }],
    });
    assert.deepEqual({ ...more, net: plain.net }, plain);
    same(more.net, decimal(plain.net).plus('4285.40').toFixed(2));
  });

  it('adds up for any pay', () => {
    const amount = fc.integer({ min: 0, max: 2_000_000 }).map((cents): Decimal => decimal(cents).div(100).toFixed(2));
    const kind = fc.constantFrom<PayLine['kind'][]>(
      'earning',
      'overtime',
      'force_majeure',
      'extra_pay',
      'in_kind',
      'expenses',
      'severance',
      'deduction',
    );
    const lines = fc.array(fc.record({ kind, amount }), { maxLength: 8 });
    const group = fc.integer({ min: 1, max: 11 });
    fc.assert(
      fc.property(lines, group, fc.integer({ min: 0, max: 30 }), amount, (pay, of, days, yearlyExtras) => {
        const { gross, deductions, net, ...slip } = on('2026-03-31', { lines: pay, group: of, days, yearlyExtras });
        const free = sum(
          pay.filter((line) => line.kind === 'expenses' || line.kind === 'severance').map((line) => line.amount),
        );
        assert.ok(free.plus(gross).minus(deductions).eq(net));
        const taken = sum(
          pay.filter((line) => line.kind === 'in_kind' || line.kind === 'deduction').map((line) => line.amount),
        );
        assert.ok(taken.plus(slip.irpf).plus(slip.employeeContributions.total).eq(deductions));
        for (const amounts of [slip.employeeContributions, slip.employerContributions]) {
          assert.ok(sum(PARTS.map((part) => amounts[part])).eq(amounts.total));
        }
        assert.ok(decimal(slip.bases.professional).lte('5101.20'));
      }),
    );
  });
});
