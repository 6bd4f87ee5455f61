import assert from 'node:assert/strict';
import type { Decimal } from '../../../../../domain/money.ts';
import { type Debt, expectedFlows } from '../../../../../domain/reports/payments/cash-flow/expected.ts';
import { recurringFlows, vatFlows } from '../../../../../domain/reports/payments/cash-flow/guesses.ts';
import { buildWeeks, largestFlows, mondayBefore } from '../../../../../domain/reports/payments/cash-flow/weeks.ts';

const TODAY = '2026-06-17'; // a Wednesday

const debt = (id: string, dueDate: string, amount: Decimal, more: Partial<Debt> = {}): Debt => ({
  ...{ direction: 'in', partnerId: 'shop', partnerName: 'Shop', id, source: 'invoice', dueDate, amount, habitDays: 0 },
  ...more,
});
const short = (debts: readonly Debt[]) =>
  expectedFlows(debts, TODAY).map(({ id, date, amount }) => `${id} ${date} ${amount}`);

describe('money that is expected', () => {
  it('comes on its due date, later or earlier by habit, and not before today', () => {
    assert.deepEqual(
      short([
        debt('overdue', '2026-05-01', '10'),
        debt('late', '2026-07-01', '20', { habitDays: 12 }),
        debt('early', '2026-07-01', '30', { habitDays: -3, partnerId: 'other' }),
        debt('bill', '2026-07-01', '40', { direction: 'out' }),
      ]),
      ['overdue 2026-06-17 10', 'late 2026-07-13 20', 'early 2026-06-28 30', 'bill 2026-07-01 -40'],
    );
  });

  it('comes on the last day of all where a habit would move it beyond', () => {
    assert.deepEqual(short([debt('never', '9999-12-20', '10', { habitDays: 30 })]), ['never 9999-12-31 10']);
  });

  it('is less by what the partner has to their credit, which is paid back where they owe nothing', () => {
    // 25 of credit take 10 off the first debt and 15 off the second; another's 5 are owed to them.
    assert.deepEqual(
      short([
        debt('first', '2026-07-01', '10'),
        debt('second', '2026-08-01', '20'),
        debt('credit', '2026-05-01', '-25', { source: 'credit' }),
        debt('alone', '2026-05-01', '-5', { source: 'credit', partnerId: 'other' }),
        debt('from supplier', '2026-05-01', '-7', { source: 'credit', direction: 'out' }),
      ]),
      [
        'first 2026-07-01 10',
        'second 2026-08-01 20',
        'credit 2026-07-01 -10',
        'credit 2026-08-01 -15',
        'alone 2026-06-17 -5',
        'from supplier 2026-06-17 7',
      ],
    );
  });
});

describe('guesses', () => {
  const rent = (month: string, amount: Decimal = '-900', day = '31') => {
    return { key: 'rent', month: `${month}-01`, lastDate: `${month}-${day}`, amount };
  };
  const dates = (flows: ReturnType<typeof recurringFlows>) => flows.map(({ date, amount }) => `${date} ${amount}`);

  it('repeat what came in each of the last three months, on its day', () => {
    const entries = [rent('2026-03'), rent('2026-04', '-900', '30'), rent('2026-05', '-950')];
    assert.deepEqual(dates(recurringFlows(entries, TODAY, '2026-08-31')), [
      '2026-06-30 -950',
      '2026-07-31 -950',
      '2026-08-31 -950',
    ]);
    // A payment that has come this month is expected again next month.
    assert.deepEqual(dates(recurringFlows([...entries, rent('2026-06', '-950', '10')], TODAY, '2026-07-31')), [
      '2026-07-31 -950',
    ]);
  });

  it('repeat amounts that differ by exactly a tenth, and what is due today or was due before', () => {
    const entries = (april: Decimal, day: string) => [
      rent('2026-03', '-900', day),
      rent('2026-04', april, day),
      rent('2026-05', '-900', day),
    ];
    assert.deepEqual(dates(recurringFlows(entries('-990', '17'), TODAY, TODAY)), ['2026-06-17 -900']);
    assert.deepEqual(dates(recurringFlows(entries('-810', '16'), TODAY, TODAY)), ['2026-06-17 -900']);
    assert.deepEqual(recurringFlows(entries('-900', '18'), TODAY, TODAY), []);
    for (const beyond of ['-990.01', '-809.99'] as const) {
      assert.deepEqual(recurringFlows(entries(beyond, '17'), TODAY, TODAY), [], beyond);
    }
  });

  it('reach back over the turn of the year', () => {
    const entries = [rent('2025-11', '-900', '30'), rent('2025-12'), rent('2026-01')];
    assert.deepEqual(dates(recurringFlows(entries, '2026-02-10', '2026-03-31')), [
      '2026-02-28 -900',
      '2026-03-31 -900',
    ]);
  });

  it('leave alone what missed a month, differs by more than a tenth, or changes its direction', () => {
    for (const april of [[], [rent('2026-04', '-800')], [rent('2026-04', '900')]]) {
      assert.deepEqual(recurringFlows([rent('2026-03'), ...april, rent('2026-05')], TODAY, '2026-12-31'), []);
    }
  });

  it('of VAT are due on the 20th after their quarter, on 30 January after the last one', () => {
    const quarters = [
      { quarter: '2026-01-01', amount: '100' },
      { quarter: '2026-04-01', amount: '210' },
      { quarter: '2026-10-01', amount: '30' },
      { quarter: '2026-07-01', amount: '-5' },
    ] as const;
    // The first quarter was due in April; the third one is negative and carried forward.
    assert.deepEqual(dates(vatFlows(quarters, TODAY)), ['2026-07-20 -210', '2027-01-30 -30']);
    // Until the end of the day on which it is due.
    assert.deepEqual(dates(vatFlows(quarters, '2026-07-20')), ['2026-07-20 -210', '2027-01-30 -30']);
    assert.deepEqual(dates(vatFlows(quarters, '2026-07-21')), ['2027-01-30 -30']);
    assert.deepEqual(vatFlows([{ quarter: '2026-04-01', amount: '0' }], TODAY), []);
  });
});

describe('weeks', () => {
  it('begin on Mondays, and go on from the balance before', () => {
    assert.deepEqual(['2026-06-15', '2026-06-21', '2026-06-22'].map(mondayBefore), [
      '2026-06-15',
      '2026-06-15',
      '2026-06-22',
    ]);
    const guess = { source: 'vat', id: null, direction: 'out', partnerName: null, guess: true } as const;
    const flows = [
      ...expectedFlows([debt('a', '2026-06-20', '50'), debt('b', '2026-06-23', '30', { direction: 'out' })], TODAY),
      { ...guess, date: '2026-06-18', amount: '-8' as const },
    ];
    const settled = [{ date: '2026-06-15', inflow: '4', outflow: '1' }] as const;
    const weeks = buildWeeks({ from: '2026-06-15', to: '2026-07-01' }, '100', settled, flows);
    // 100 + 4 + 50 − 1 = 153, − 30 = 123; with the guess 8 less each.
    assert.deepEqual(
      weeks.map(({ start, inflow, outflow, balance, guessed, balanceWithGuesses }) => [
        ...[start, inflow, outflow, balance, guessed, balanceWithGuesses],
      ]),
      [
        ['2026-06-15', '54', '1', '153', '-8', '145'],
        ['2026-06-22', '0', '30', '123', '0', '115'],
        ['2026-06-29', '0', '0', '123', '0', '115'],
      ],
    );
  });

  it('list their largest flows by day, and put together the others that are owed', () => {
    const flow = (id: string, date: string, amount: Decimal, guess = false) => ({
      ...({ id, date, amount, guess, source: guess ? 'vat' : 'invoice', direction: 'in', partnerName: null } as const),
    });
    const flows = [
      flow('large', '2026-06-19', '-90'),
      flow('guess', '2026-06-18', '-5', true),
      flow('small', '2026-06-17', '10'),
      flow('smallest', '2026-06-16', '-4'),
      flow('larger', '2026-06-18', '95'),
    ];
    const ids = (most: number) => {
      const { listed, others } = largestFlows(flows, most);
      return [listed, others].map((some) => some.map(({ id }) => id));
    };
    assert.deepEqual(ids(2), [
      ['larger', 'large'],
      ['small', 'smallest'],
    ]);
    assert.deepEqual(ids(4), [['small', 'larger', 'guess', 'large'], ['smallest']]);
    assert.deepEqual(ids(5)[1], []);
  });
});
