/** The profit and loss account by its headings. */
import assert from 'node:assert/strict';
import { ES_PGC_PYMES } from '../../../../domain/ledger/accounting/charts/es-pgc-pymes.ts';
import { sum } from '../../../../domain/money.ts';
import type { AccountBalance } from '../../../../domain/reports/accounting/headings.ts';
import { expenseCategories, profitAndLoss } from '../../../../domain/reports/accounting/profit-and-loss.ts';
import { account, amounts } from '../../../helpers/headings.ts';

describe('The profit and loss account', () => {
  it('goes from turnover to the result', () => {
    const sections = profitAndLoss(
      [
        ...[account('700', -8000, 'income'), account('708', 500, 'income'), account('600', 6000, 'expense')],
        ...[account('610', -2400, 'expense'), account('621', 1000, 'expense'), account('640', 1700, 'expense')],
        ...[account('642', 637.64, 'expense'), account('662', 12, 'expense'), account('6300', 50, 'expense')],
      ],
      2,
      ES_PGC_PYMES,
      'es',
    );
    // 1 = 8,000 − 500; 4 = −6,000 + 2,400; 6 = −1,700 − 637.64; A = 562.36; C = A − 12; D = C − 50.
    assert.deepEqual(amounts(sections), {
      ...{
        A: 562.36,
        '1': 7500,
        '4': -3600,
        '6': -2337.64,
        '7': -1000,
        B: -12,
        '14': -12,
        C: 550.36,
        '19': -50,
        D: 500.36,
      },
    });
  });

  it('has a heading for each account of income and expense of the chart', () => {
    const accounts = ES_PGC_PYMES.accounts
      .filter(({ type }) => type === 'income' || type === 'expense')
      .map(
        ({ code, type }, index): AccountBalance => account(code, type === 'income' ? -(index + 1) : index + 1, type),
      );
    const posted = accounts.filter(({ code }) => code.length >= 3);
    const sections = profitAndLoss(posted, 2, ES_PGC_PYMES, 'en');
    assert.equal(amounts(sections)['0'], undefined);
    assert.equal(
      sections.at(-1)?.amounts[0],
      sum(posted.map(({ amounts: [amount = '0'] }) => amount))
        .neg()
        .toFixed(),
    );
  });

  it('counts accounts without a heading, apart', () => {
    const sections = profitAndLoss(
      [account('999', -10, 'income'), account('700', -5, 'income')],
      2,
      ES_PGC_PYMES,
      'es',
    );
    assert.deepEqual(amounts(sections), { A: 15, '1': 5, '0': 10, C: 15, D: 15 });
  });

  it('lists expenses by account, largest first', () => {
    const categories = expenseCategories([
      ...[account('600', 10, 'expense'), account('640', 20, 'expense'), account('700', -9, 'income')],
      ...[account('608', -3, 'expense'), account('621', 0, 'expense'), account('622', 0, 'expense', 4)],
    ]);
    assert.deepEqual(
      categories.map(({ code }) => code),
      ['640', '600', '622', '608'],
    );
  });
});
