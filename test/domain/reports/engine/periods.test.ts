import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { relativePeriod, resolveSpan, spanName, splitSpan } from '../../../../domain/reports/engine/periods.ts';

/** The days of a relative period, as `from/to`. */
function days(text: string, today: string, fiscalYearStart = '01-01'): string | undefined {
  const period = relativePeriod(text);
  if (period === undefined) return undefined;
  const { from, to } = resolveSpan(period, today, fiscalYearStart);
  return `${from}/${to}`;
}

describe('relative periods', () => {
  it('are days, weeks from Monday, and months of the calendar', () => {
    // 22 November 2026 is a Sunday: its week began on the 16th.
    const expected = {
      today: '2026-11-22/2026-11-22',
      'today-1': '2026-11-21/2026-11-21',
      'today+10': '2026-12-02/2026-12-02',
      week: '2026-11-16/2026-11-22',
      'week-1': '2026-11-09/2026-11-15',
      month: '2026-11-01/2026-11-30',
      'month-1': '2026-10-01/2026-10-31',
      'month-9': '2026-02-01/2026-02-28',
      'month-11': '2025-12-01/2025-12-31',
      'month+2': '2027-01-01/2027-01-31',
    };
    for (const [text, span] of Object.entries(expected)) assert.equal(days(text, '2026-11-22'), span, text);
    assert.equal(days('week', '2026-11-23'), '2026-11-23/2026-11-29');
    assert.equal(days('month', '2028-02-29'), '2028-02-01/2028-02-29');
  });

  it('are quarters and years', () => {
    assert.equal(days('quarter', '2026-11-22'), '2026-10-01/2026-12-31');
    assert.equal(days('quarter-1', '2026-02-10'), '2025-10-01/2025-12-31');
    assert.equal(days('quarter-5', '2026-02-10'), '2024-10-01/2024-12-31');
    assert.equal(days('quarter+1', '2026-11-22'), '2027-01-01/2027-03-31');
    assert.equal(days('year', '2026-11-22'), '2026-01-01/2026-12-31');
    assert.equal(days('year-1', '2026-01-01'), '2025-01-01/2025-12-31');
  });

  it('follow the fiscal year of the company', () => {
    // From 1 September: 22 November 2026 is in the first quarter of 2026/27.
    assert.equal(days('quarter', '2026-11-22', '09-01'), '2026-09-01/2026-11-30');
    assert.equal(days('quarter-1', '2026-11-22', '09-01'), '2026-06-01/2026-08-31');
    assert.equal(days('year', '2026-08-31', '09-01'), '2025-09-01/2026-08-31');
    assert.equal(days('year-1', '2026-11-22', '09-01'), '2025-09-01/2026-08-31');
    // From 6 April, in the middle of a month.
    assert.equal(days('quarter', '2026-04-05', '04-06'), '2026-01-06/2026-04-05');
    assert.equal(days('year+1', '2026-04-05', '04-06'), '2026-04-06/2027-04-05');
  });

  it('are nothing else', () => {
    for (const text of ['', 'Month', 'month-', 'month-1000', 'month -1', 'yesterday', '2026-11-22', 'year1']) {
      assert.equal(relativePeriod(text), undefined, text);
    }
  });
});

describe('periods split into columns', () => {
  const parts = (from: string, to: string, unit: 'month' | 'quarter' | 'year', start = '01-01') =>
    splitSpan({ from, to }, unit, start, 100).map((part) => `${part.from}/${part.to}`);

  it('end with months, quarters and years; the first and last are as long as the period allows', () => {
    assert.deepEqual(parts('2026-01-15', '2026-03-01', 'month'), [
      '2026-01-15/2026-01-31',
      '2026-02-01/2026-02-28',
      '2026-03-01/2026-03-01',
    ]);
    assert.deepEqual(parts('2026-08-31', '2026-12-31', 'quarter', '09-01'), [
      '2026-08-31/2026-08-31',
      '2026-09-01/2026-11-30',
      '2026-12-01/2026-12-31',
    ]);
    assert.deepEqual(parts('2025-12-31', '2026-01-01', 'year'), ['2025-12-31/2025-12-31', '2026-01-01/2026-01-01']);
  });

  it('end with the last day of all, and with the number that is enough', () => {
    assert.deepEqual(parts('9999-11-30', '9999-12-31', 'month'), ['9999-11-30/9999-11-30', '9999-12-01/9999-12-31']);
    assert.equal(splitSpan({ from: '0001-01-01', to: '9999-12-31' }, 'month', '01-01', 37).length, 37);
    for (const start of ['01-01', '09-01']) {
      assert.deepEqual(parts('9999-12-30', '9999-12-31', 'year', start), ['9999-12-30/9999-12-31']);
      assert.deepEqual(parts('9999-12-30', '9999-12-31', 'quarter', start), ['9999-12-30/9999-12-31']);
    }
  });

  it('are named by month, quarter and fiscal year', () => {
    assert.deepEqual(spanName('2026-03-05', 'month', '09-01'), { en: '03/2026', es: '03/2026' });
    assert.deepEqual(spanName('2026-03-05', 'quarter', '01-01'), { en: 'Q1 2026', es: 'T1 2026' });
    assert.deepEqual(spanName('2026-09-01', 'quarter', '09-01'), { en: 'Q1 2026/27', es: 'T1 2026/27' });
    assert.deepEqual(spanName('2100-01-01', 'year', '09-01'), { en: '2099/00', es: '2099/00' });
  });
});
