import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { vacationBalance } from '../../../../domain/records/people/vacation.ts';

const whole = { from: '2020-01-01', to: null, vacationDays: 30 };

describe('vacation', () => {
  it('is 30 days of a whole year, and by days of a part', () => {
    const entitled = (contract: object) =>
      vacationBalance(2026, '2026-06-15', [{ ...whole, ...contract }], []).entitled;
    assert.equal(entitled({}), '30');
    assert.equal(entitled({ from: '2026-07-01' }), '15.1'); // 184 of 365 days
    assert.equal(entitled({ to: '2026-01-31' }), '2.5'); // 31 days
    assert.equal(entitled({ vacationDays: 23 }), '23');
    assert.equal(entitled({ from: '2027-01-01' }), '0');
  });

  it('adds up contracts that follow each other', () => {
    const contracts = [
      { ...whole, to: '2026-06-30' },
      { from: '2026-07-01', to: null, vacationDays: 35 },
    ];
    assert.equal(vacationBalance(2026, '2026-06-15', contracts, []).entitled, '32.5');
  });

  it('is taken up to today and planned after it, in the year in which the days lie', () => {
    const vacations = [
      { from: '2026-06-10', to: '2026-06-19', days: '10' as const },
      { from: '2026-12-27', to: '2027-01-05', days: '5' as const },
      { from: '2025-08-01', to: '2025-08-31', days: '31' as const },
    ];
    const balance = { entitled: '30', taken: '6', planned: '6.5', remaining: '17.5' };
    assert.deepEqual(vacationBalance(2026, '2026-06-15', [whole], vacations), balance);
    assert.deepEqual(vacationBalance(2027, '2026-06-15', [whole], vacations).planned, '2.5');
    // Days count for the year in which they lie, also when that year is over or has just begun.
    const over = { entitled: '30', taken: '12.5', planned: '0', remaining: '17.5' };
    for (const today of ['2026-12-31', '2027-01-01', '2027-06-15']) {
      assert.deepEqual(vacationBalance(2026, today, [whole], vacations), over, today);
    }
    const begun = { entitled: '30', taken: '0.5', planned: '2', remaining: '27.5' };
    assert.deepEqual(vacationBalance(2027, '2027-01-01', [whole], vacations), begun);
    assert.deepEqual(vacationBalance(2027, '2026-12-31', [whole], vacations).taken, '0');
  });

  it('falls below zero where more is taken', () => {
    const vacations = [{ from: '2026-03-01', to: '2026-04-09', days: '40' as const }];
    assert.equal(vacationBalance(2026, '2026-06-15', [whole], vacations).remaining, '-10');
  });
});
