import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { GroupAccount } from '../../../../domain/reports/consolidation/items.ts';
import { AccountMap } from '../../../../domain/reports/consolidation/mapping.ts';

const account = (code: string, type: GroupAccount['type'] = 'asset'): GroupAccount => ({ code, name: code, type });
const CHART = [account('430'), account('4300'), account('572'), account('629', 'expense'), account('700', 'income')];

describe('the accounts of a group company', () => {
  const found = (map: AccountMap, ...accounts: GroupAccount[]) => accounts.map((one) => map.find(one)?.code);

  it('stand, in the same chart, on the one with the longest code that theirs begins with', () => {
    const map = new AccountMap(CHART, [], true);
    const asked = ['430', '43000007', '4310', '5720001'].map((code) => account(code));
    assert.deepEqual(found(map, ...asked), ['430', '4300', undefined, '572']);
  });

  it('stand first where the longest mapping says, and nowhere else in another chart', () => {
    const mappings = [
      { beginning: '1', code: '572' },
      { beginning: '12', code: '430' },
    ];
    const map = new AccountMap(CHART, mappings, false);
    assert.deepEqual(found(map, account('1000'), account('1200'), account('572')), ['572', '430', undefined]);
  });

  it('stay apart from accounts of the other statement', () => {
    const map = new AccountMap(CHART, [{ beginning: '4', code: '700' }], true);
    assert.deepEqual(found(map, account('430'), account('629'), account('4', 'income')), [undefined, undefined, '700']);
  });
});
