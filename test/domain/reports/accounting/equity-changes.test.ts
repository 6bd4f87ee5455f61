/** The statement of changes in equity: what an entry is, and that balances follow from each other whatever is entered. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ES_PGC } from '../../../../domain/ledger/accounting/charts/es-pgc.ts';
import { CHARTS } from '../../../../domain/ledger/accounting/charts/index.ts';
import { type Decimal, sum } from '../../../../domain/money.ts';
import { balanceSheet } from '../../../../domain/reports/accounting/balance-sheet.ts';
import { type EquityEntry, equityChanges } from '../../../../domain/reports/accounting/equity-changes.ts';
import { formFor } from '../../../../domain/reports/accounting/forms/index.ts';
import { type AccountBalance, descendants, headingNamed } from '../../../../domain/reports/accounting/headings.ts';

const TYPES = new Map(ES_PGC.accounts.map(({ code, type }) => [code, type]));
const YEARS = ['2024', '2025', '2026'];

/** An entry by amounts of codes, debit − credit. */
function entry(year: 1 | 2, amounts: Readonly<Record<string, number>>): EquityEntry {
  const lines = Object.entries(amounts).map(([code, amount]) => {
    return { id: code, code, name: code, type: TYPES.get(code) ?? 'equity', balance: `${amount}` as Decimal };
  });
  return { year, lines };
}

/** The statement of entries, with the balances that follow from them. */
function statement(entries: readonly EquityEntry[], result: readonly Decimal[] = ['0', '0', '0']) {
  const accounts = new Map<string, AccountBalance>();
  for (const { year, lines } of entries)
    for (const { id, code, name, type, balance } of lines) {
      if (type === 'income' || type === 'expense') continue;
      const before = accounts.get(id)?.amounts ?? (['0', '0', '0'] as const);
      const amounts = before.map((amount, end) => (end < year ? amount : sum([amount, balance]).toFixed()));
      accounts.set(id, { id, code, name, type, amounts });
    }
  const sheets = {
    accounts: [...accounts.values()],
    result,
    earlier: ['0', result[0], sum(result.slice(0, 2)).toFixed()] as Decimal[],
  };
  return { sheets, ...equityChanges({ sheets, entries, years: YEARS }, ES_PGC, 'es') };
}

/** Figures of a row that are not zero, by the codes of columns. */
function figures({ columns, rows }: ReturnType<typeof statement>, code: string): Record<string, number> {
  const { amounts = [] } = rows.find((row) => row.code === code) ?? {};
  return Object.fromEntries(
    columns.map((column, at) => [column.code, Number(amounts[at])]).filter(([, one]) => one !== 0),
  );
}

const ACCOUNTS = '100 110 112 113 118 120 121 129 130 557 108 526 572 400 746 111'.split(' ');
const ENTRIES = fc.array(
  fc.record({
    year: fc.constantFrom(1 as const, 2 as const),
    amounts: fc.dictionary(fc.constantFrom(...ACCOUNTS), fc.integer({ min: -900, max: 900 }), { maxKeys: 5 }),
  }),
  { maxLength: 8 },
);
const RESULTS = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 3, maxLength: 3 });

describe('the statement of changes in equity', () => {
  it('tells entries apart by their accounts', () => {
    const shown = statement([
      entry(1, { '100': -3000, '572': 3000 }),
      entry(1, { '129': 1000, '112': -100, '120': -400, '526': -500 }),
      entry(2, { '100': -1000, '110': -200, '572': 1200 }),
      entry(2, { '113': 500, '100': -500 }),
      entry(2, { '100': 300, '572': -300 }),
      entry(2, { '113': 70, '400': -70 }),
      entry(2, { '118': -80, '572': 80 }),
      entry(2, { '557': 60, '4751': -10, '572': -50 }),
      entry(2, { '4708': 900, '130': -675, '479': -225 }),
      entry(2, { '130': 75, '746': -100, '479': 25 }),
    ]);
    assert.deepEqual(figures(shown, 'B.III.1'), { 'A-1.I.1': 3000 });
    assert.deepEqual(figures(shown, 'B.III.3'), { 'A-1.VII': -500 });
    assert.deepEqual(figures(shown, 'B.IV'), { 'A-1.III': 100, 'A-1.V': 400, 'A-1.VII': -500 });
    assert.deepEqual(figures(shown, 'C.I'), { 'A-1.III': -70 });
    assert.deepEqual(figures(shown, 'D.III.1'), { 'A-1.I.1': 1500, 'A-1.II': 200, 'A-1.III': -500 });
    assert.deepEqual(figures(shown, 'D.III.2'), { 'A-1.I.1': -300 });
    assert.deepEqual(figures(shown, 'D.III.3'), { 'A-1.VI': 80, 'A-1.VIII': -60 });
    assert.deepEqual(figures(shown, 'D.II'), { 'A-3': 600 });
    assert.deepEqual(figures(shown, 'D.IV'), {});
  });

  it('has the result, and moves that of a year that is not closed', () => {
    const shown = statement([], ['50', '70', '20']);
    assert.deepEqual(figures(shown, 'B.I'), { 'A-1.VII': 70 });
    assert.deepEqual(figures(shown, 'B.IV'), { 'A-1.V': 50, 'A-1.VII': -50 });
    assert.deepEqual(figures(shown, 'E'), { 'A-1.V': 120, 'A-1.VII': 20 });
  });

  it('adds up row by row, to the equity of each balance sheet', () => {
    fc.assert(
      fc.property(ENTRIES, RESULTS, (made, result) => {
        const shown = statement(
          made.map((one) => entry(one.year, { ...one.amounts, '551': -sum(Object.values(one.amounts)).toNumber() })),
          result.map((one) => `${one}` as Decimal),
        );
        const [, liabilities] = balanceSheet(shown.sheets, ES_PGC, 'es');
        const ends = shown.rows.filter(({ kind }) => kind === 'end').map((row) => sum(row.amounts).toFixed());
        assert.deepEqual(ends, headingNamed(liabilities, 'A').amounts);
        for (const { amounts, parts } of shown.rows.filter((row) => row.parts.length > 0)) {
          const part = (index: number, at: number) => shown.rows[index]?.amounts[at] ?? '0';
          const added = amounts.map((_, at) => sum(parts.map((index) => part(index, at))).toFixed());
          assert.deepEqual(amounts, added);
        }
      }),
    );
  });

  it('has columns that the form of each chart declares', () => {
    for (const chart of Object.values(CHARTS)) {
      const { equity, equityAndLiabilities } = formFor(chart);
      const codes = descendants(headingNamed(equityAndLiabilities, equity.heading)).map(({ code }) => code);
      for (const code of [...equity.capital, ...equity.partners, ...equity.recognised])
        assert.ok(codes.includes(code), code);
    }
  });
});
