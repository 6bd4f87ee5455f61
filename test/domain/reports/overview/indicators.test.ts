import assert from 'node:assert/strict';
import { ES_PGC_PYMES } from '../../../../domain/ledger/accounting/charts/es-pgc-pymes.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { type AccountFigures, indicators } from '../../../../domain/reports/overview/indicators.ts';

const moved = (code: string, type: string, balance: Decimal): AccountFigures => ({
  code,
  type,
  moved: balance,
  standing: '0',
});
const standing = (code: string, balance: Decimal): AccountFigures => ({
  code,
  type: 'asset',
  moved: '0',
  standing: balance,
});

describe('key figures', () => {
  const now = [
    moved('700', 'income', '-1200'),
    moved('708', 'income', '200'),
    moved('759', 'income', '-10'),
    moved('600', 'expense', '500'),
    moved('610', 'expense', '-100'),
    moved('640', 'expense', '300'),
    moved('621', 'expense', '90'),
    standing('572', '700'),
    standing('430', '121'),
    standing('438', '-21'),
    standing('400', '-60'),
    standing('410', '-40'),
    standing('477', '-210'),
    standing('472', '84'),
  ];

  /** Figures of a company that keeps no stock. */
  const without = (accounts: readonly AccountFigures[]) => ({ accounts, soldGoods: null });

  it('take the cost of the goods sold and work by others from the turnover, if there is stock', () => {
    const books = [...now, moved('607', 'expense', '50')];
    const found = indicators({ accounts: books, soldGoods: '350' }, without([]), ES_PGC_PYMES);
    const margin = found.filter(({ code }) => code.startsWith('gross_margin'));
    // 1000 − 350 − 50; the purchases of 500 and the variation of 100 do not matter.
    assert.deepEqual(
      margin.map(({ value }) => value),
      ['600', '60'],
    );
  });

  it('add up accounts by their groups', () => {
    const found = indicators(without(now), without([]), ES_PGC_PYMES);
    assert.deepEqual(Object.fromEntries(found.map(({ code, value }) => [code, value])), {
      revenue: '1000', // 1200 − 200
      gross_margin: '600', // 1000 − (500 − 100)
      gross_margin_percent: '60',
      personnel: '300',
      other_expense: '90', // 790 − 500 + 100 − 300
      result: '220', // 1010 − 790
      cash: '700',
      receivables: '100', // 121 − 21
      payables: '100', // 60 + 40
      vat: '126', // 210 − 84
    });
    assert.ok(
      found.every(({ changePercent }) => changePercent === null),
      'from nothing there is no change',
    );
  });

  it('say by how much they changed, also from a loss', () => {
    const change = (code: string, before: readonly AccountFigures[]) =>
      indicators(without(now), without(before), ES_PGC_PYMES).find((found) => found.code === code)?.changePercent;
    // 1000 after 800 is a quarter more; 220 after −110 is three times 110 more.
    assert.equal(change('revenue', [moved('705', 'income', '-800')]), '25');
    assert.equal(change('result', [moved('640', 'expense', '110')]), '300');
  });

  it('of nothing are nothing', () => {
    assert.ok(
      indicators(without([]), without([]), ES_PGC_PYMES).every(
        ({ value, previous }) => value === '0' && previous === '0',
      ),
    );
  });
});
