/** The balance sheet by its headings. */
import assert from 'node:assert/strict';
import { ES_PGC_PYMES } from '../../../../domain/ledger/accounting/charts/es-pgc-pymes.ts';
import { CHARTS } from '../../../../domain/ledger/accounting/charts/index.ts';
import {
  type BalanceSheetInput,
  balanceSheet,
  placeOnSheet,
} from '../../../../domain/reports/accounting/balance-sheet.ts';
import { formFor } from '../../../../domain/reports/accounting/forms/index.ts';
import type { AccountBalance } from '../../../../domain/reports/accounting/headings.ts';
import { account, amounts } from '../../../helpers/headings.ts';

const NONE = ['0', '0'] as const;
const sheet = (accounts: readonly AccountBalance[], more: Partial<BalanceSheetInput> = {}) =>
  balanceSheet({ accounts, result: NONE, earlier: NONE, ...more }, ES_PGC_PYMES, 'es');

describe('The balance sheet', () => {
  it('puts accounts under their headings, and the result of the year beside 129', () => {
    const [assets, liabilities] = sheet(
      [
        ...[account('300', 2400), account('430', -605), account('472', 1470), account('572', 21496.36)],
        ...[account('100', -20000, 'equity'), account('129', -37.64, 'equity'), account('400', -1000, 'liability')],
        ...[account('410', -1020, 'liability'), account('476', 0, 'liability'), account('4751', -394, 'liability')],
        account('47700021', -1785, 'liability'),
      ],
      // 24,761.36 on the assets = 20,000 + 37.64 (129) + 524.72 + 1,000 + 3,199.
      { result: ['524.72', '0'] },
    );
    assert.deepEqual(amounts([assets]), {
      ...{ ACTIVO: 24761.36, B: 24761.36, 'B.I': 2400, 'B.II': 865, 'B.II.1': -605, 'B.II.3': 1470, 'B.VI': 21496.36 },
    });
    assert.deepEqual(amounts([liabilities]), {
      ...{ PASIVO: 24761.36, A: 20562.36, 'A-1': 20562.36, 'A-1.I': 20000, 'A-1.I.1': 20000, 'A-1.VII': 562.36 },
      ...{ C: 4199, 'C.IV': 4199, 'C.IV.1': 1000, 'C.IV.2': 3199 },
    });
  });

  it('has assets held for sale, and their liabilities, under headings of their own', () => {
    const [assets, liabilities] = sheet([
      ...[account('580', 900), account('599', -100), account('586', -800, 'liability')],
    ]);
    assert.deepEqual(amounts([assets]), { ACTIVO: 800, B: 800, 'B.0': 800 });
    assert.deepEqual(amounts([liabilities]), { PASIVO: 800, C: 800, 'C.0': 800 });
  });

  it('puts current accounts on the side of their own balance, each by itself', () => {
    const [assets, liabilities] = sheet([
      ...[
        account('5510001', 300, 'liability', -50),
        account('5510002', -120, 'liability'),
        account('555', 40, 'liability'),
      ],
    ]);
    // 555 is a liability whatever its balance: −40 beside the 120.
    assert.deepEqual(amounts([assets]), { ACTIVO: 300, B: 300, 'B.IV': 300 });
    assert.deepEqual(amounts([liabilities]), { PASIVO: 80, C: 80, 'C.II': 80, 'C.II.3': 80 });
    assert.equal(liabilities.amounts[1], '50');
  });

  it('leaves customers with a credit balance and suppliers with a debit balance at their headings', () => {
    const [assets, liabilities] = sheet([account('430', -605), account('400', 70, 'liability')]);
    assert.deepEqual([assets.amounts[0], liabilities.amounts[0]], ['-605', '-70']);
  });

  it('goes by the longest beginning of a code', () => {
    const [assets, liabilities] = sheet([
      account('4309', 5),
      account('4009', -7, 'liability'),
      account('407', 3),
      account('5208', -9),
    ]);
    assert.deepEqual(amounts([assets]), { ACTIVO: 8, B: 8, 'B.I': 3, 'B.II': 5, 'B.II.1': 5 });
    assert.deepEqual(amounts([liabilities]), { PASIVO: 16, C: 16, 'C.II': 9, 'C.II.1': 9, 'C.IV': 7, 'C.IV.1': 7 });
  });

  it('shows accounts that are of no heading, so that both sides stay equal', () => {
    const [assets, liabilities] = sheet([account('980', 10), account('ZZ', -10, 'equity')]);
    assert.deepEqual([assets.amounts[0], assets.children.at(-1)?.code], ['10', '0']);
    assert.deepEqual([liabilities.amounts[0], liabilities.children.at(-1)?.amounts[0]], ['10', '10']);
  });

  it('has a heading for the accounts of every chart', () => {
    // Assets that are for sale have one in the accounts of large companies alone.
    const forSale = ['580', '585'];
    for (const chart of CHARTS) {
      const form = formFor(chart);
      const unnamed = chart.accounts.filter(({ code, type, isHeading }) => {
        if (isHeading || forSale.includes(code)) return false;
        if (type === 'income' || type === 'expense') return form.inResult.find(code, '1') === undefined;
        return placeOnSheet(form, { code, type }, '1').at.code === '0';
      });
      assert.deepEqual(unnamed, [], chart.code);
    }
  });
});
