import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  dueUntil,
  type Instalment,
  LOAN_METHODS,
  type LoanMethod,
  monthlyPayment,
  monthsToFirst,
  schedule,
} from '../../../../domain/ledger/loans/schedule.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';

function planned(
  method: LoanMethod,
  principal: Decimal,
  annualRate: Decimal,
  instalments: number,
  dueDay = 31,
): Instalment[] {
  const terms = { method, annualRate, dueDay };
  const payment = monthlyPayment(terms, principal, instalments, 2);
  return schedule(terms, { outstanding: principal, instalments, payment, nextDueOn: '2026-01-31' }, 2);
}
const whole = ({ interest, principal }: Instalment) => decimal(interest).plus(principal).toFixed();

describe('the schedule of a loan', () => {
  it('has constant instalments in the French method, but the last', () => {
    const rows = planned('french', '10000', '6', 12);
    assert.deepEqual(
      [rows[0], rows[11]].map((row) => row && [row.date, row.interest, row.principal, whole(row)]),
      [
        ['2026-01-31', '50', '810.66', '860.66'],
        ['2026-12-31', '4.28', '856.42', '860.7'],
      ],
    );
    assert.equal(new Set(rows.slice(0, -1).map(whole)).size, 1);
  });

  it('pays the interest since the drawing with the first instalment', () => {
    for (const [from, to, months] of [
      ['2026-01-10', '2026-02-10', '1'],
      ['2026-01-31', '2026-02-28', '1'],
      ['2026-01-10', '2026-01-25', '0.5'],
      ['2026-01-10', '2026-04-25', '3.5'],
    ] as const)
      assert.equal(monthsToFirst(from, to), months, `${from} ${to}`);
    const terms = { method: 'french', annualRate: '6', dueDay: 31 } as const;
    const payment = monthlyPayment(terms, '10000', 12, 2);
    const left = { outstanding: '10000', instalments: 12, payment, nextDueOn: '2026-01-31' } as const;
    const [usual, late] = [schedule(terms, left, 2), schedule(terms, { ...left, interestMonths: '3.5' }, 2)];
    assert.deepEqual([usual[0]?.interest, late[0]?.interest, late[0]?.principal], ['50', '175', '810.66']);
    assert.deepEqual(usual.slice(1), late.slice(1));
  });

  it('has constant principal in the linear method, and all of it at the end of a bullet loan', () => {
    const linear = planned('linear', '1000', '12', 3);
    assert.deepEqual(
      linear.map(({ principal, interest }) => [principal, interest]),
      [
        ['333.33', '10'],
        ['333.33', '6.67'],
        ['333.34', '3.33'],
      ],
    );
    const bullet = planned('bullet', '1000', '12', 3);
    assert.deepEqual(
      bullet.map(({ principal, interest }) => [principal, interest]),
      [
        ['0', '10'],
        ['0', '10'],
        ['1000', '10'],
      ],
    );
  });

  it('is due on the same day of each month, or its last', () => {
    assert.deepEqual(
      planned('linear', '300', '0', 3, 30).map(({ date }) => date),
      ['2026-01-31', '2026-02-28', '2026-03-30'],
    );
    assert.equal(dueUntil(planned('linear', '300', '0', 3), '2026-02-28'), '200');
  });

  it('pays back the principal exactly, whatever the terms', () => {
    const cents = fc.integer({ min: 1, max: 1_000_000_000 });
    const rates = fc.integer({ min: 0, max: 3000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...LOAN_METHODS),
        cents,
        rates,
        fc.integer({ min: 1, max: 480 }),
        (method, amount, rate, months) => {
          const principal = decimal(amount).div(100).toFixed();
          const rows = planned(method, principal, decimal(rate).div(100).toFixed(), months);
          assert.ok(sum(rows.map((row) => row.principal)).eq(principal));
          assert.ok(rows.every((row) => decimal(row.principal).gte(0) && decimal(row.outstanding).gte(0)));
          assert.equal(rows.at(-1)?.outstanding, '0');
          if (method === 'french') assert.ok(new Set(rows.slice(0, -1).map(whole)).size <= 1);
        },
      ),
      { numRuns: 200 },
    );
  });
});
