import assert from 'node:assert/strict';
import { type AccountedLine, accountWarnings } from '../../../../domain/ledger/accounting/account-warnings.ts';

const line: AccountedLine = {
  ...{ index: 0, account: '213', itemId: null, vatUse: 'current', vatRegime: 'general', amount: '5000' },
};
const told = (side: 'sales' | 'purchase', more: Partial<AccountedLine>) =>
  accountWarnings(side, [{ ...line, ...more }]).map(({ pointer, code }) => `${pointer} ${code}`);

describe('warnings about accounts of lines', () => {
  it('tell investment goods by account, use and value', () => {
    assert.deepEqual(told('purchase', {}), ['/lines/0/vatUse investment_goods']);
    assert.deepEqual(told('purchase', { account: '206' }), ['/lines/0/vatUse investment_goods']);
    for (const other of [
      { account: '252' },
      { account: '602' },
      { amount: '3005.06' },
      { vatUse: 'investment' },
    ] as const)
      assert.deepEqual(told('purchase', other), []);
    assert.deepEqual(told('sales', {}), []);
  });

  it('tell goods of other countries without an item', () => {
    const abroad = { vatRegime: 'intra_eu', vatUse: 'investment' };
    for (const account of ['213', '231', '600', '700', '704'])
      assert.deepEqual(told('purchase', { ...abroad, account }), ['/lines/0/itemId service_without_item']);
    for (const account of ['206', '607', '629', '705', '759'])
      assert.deepEqual(told('sales', { ...abroad, account }), []);
    assert.deepEqual(told('purchase', { ...abroad, itemId: 'x' }), []);
    assert.deepEqual(told('purchase', { vatUse: 'investment' }), []);
  });
});
