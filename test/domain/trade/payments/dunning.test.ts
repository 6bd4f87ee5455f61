import assert from 'node:assert/strict';
import type { Decimal } from '../../../../domain/money.ts';
import {
  type Level,
  lessCredit,
  type Overdue,
  overdueInterest,
  remind,
} from '../../../../domain/trade/payments/dunning.ts';

const LEVELS: readonly Level[] = [
  { level: 2, days: 30, fee: '5', interestPercent: '10' },
  { level: 1, days: 10, fee: '0', interestPercent: null },
];
const overdue = (dueDate: string, level = 0, remindedOn: string | null = null): Overdue => ({
  documentId: dueDate,
  code: dueDate,
  dueDate,
  outstanding: '100',
  level,
  remindedOn,
});
const made = (...invoices: readonly Overdue[]) => remind(invoices, LEVELS, '2026-06-30', 2);

describe('reminders', () => {
  it('begin when a level is reached, one after the other', () => {
    assert.equal(made(overdue('2026-06-21')), null);
    assert.equal(made(overdue('2026-06-20'))?.level, 1);
    assert.equal(made(overdue('2026-01-01'))?.level, 1, 'the first one first');
    assert.equal(made(overdue('2026-06-20', 1)), null);
    assert.equal(made(overdue('2026-05-31', 1))?.level, 2);
    assert.equal(made(overdue('2026-01-01', 2)), null);
  });

  it('claim what credits and payments on account leave, the oldest paid first', () => {
    const left = (credit: Decimal) =>
      lessCredit([overdue('2026-01-01'), overdue('2026-02-01')], credit).map(({ outstanding }) => outstanding);
    assert.deepEqual(left('0'), ['100', '100']);
    assert.deepEqual(left('30'), ['70', '100']);
    assert.deepEqual(left('150.5'), ['49.5']);
    assert.deepEqual(left('200'), []);
  });

  it('leave as many days between two levels as the list, at least one', () => {
    assert.equal(made(overdue('2026-01-01', 1, '2026-06-30')), null, 'twice on a day');
    assert.equal(made(overdue('2026-01-01', 1, '2026-06-11')), null, '19 days of 20');
    assert.equal(made(overdue('2026-01-01', 1, '2026-06-10'))?.level, 2);
    const same = LEVELS.map((level) => ({ ...level, days: 10 }));
    assert.equal(remind([overdue('2026-01-01', 1, '2026-06-30')], same, '2026-06-30', 2), null);
    assert.equal(remind([overdue('2026-01-01', 1, '2026-06-29')], same, '2026-06-30', 2)?.level, 2);
  });

  it('claim the fee of a level once', () => {
    const other = made(overdue('2026-01-01', 2, '2026-06-01'), overdue('2026-06-20'));
    assert.deepEqual([other?.level, other?.fee, other?.raised], [2, '0', [{ documentId: '2026-06-20', level: 1 }]]);
    assert.equal(made(overdue('2026-01-01', 1, '2026-06-01'), overdue('2026-06-20'))?.fee, '5');
  });

  it('name all that is overdue, and claim by the highest level', () => {
    const reminder = made(overdue('2026-05-01', 1), overdue('2026-06-29'));
    assert.deepEqual(
      reminder?.invoices.map(({ level, days, interest }) => [level, days, interest]),
      [
        [2, 60, '1.64'],
        [0, 1, '0.03'],
      ],
    );
    assert.deepEqual([reminder?.outstanding, reminder?.interest, reminder?.total], ['200', '1.67', '206.67']);
  });

  it('count interest for days of a year', () => {
    assert.equal(overdueInterest('36500', 1, '10', 2), '10');
    assert.equal(overdueInterest('100', 0, '10', 2), '0');
  });
});
