import assert from 'node:assert/strict';
import {
  type BadDebtAccounts,
  doubtChange,
  doubtLines,
  limitDoubt,
} from '../../../../domain/ledger/accounting/bad-debts.ts';

const accounts: BadDebtAccounts = {
  receivable: '430',
  doubtful: '436',
  impairment: '490',
  loss: '694',
  reversal: '794',
};
const debtor = { partnerId: 'C', dimensions: { costCenterId: 'K', projectId: null } };
const short = (lines: ReturnType<typeof doubtLines>) =>
  lines.map(({ accountId, debit, credit, partnerId, costCenterId }) => {
    const side = credit === '0' ? `D ${accountId} ${debit}` : `H ${accountId} ${credit}`;
    return [side, partnerId, costCenterId].filter((one) => one !== null).join(' ');
  });

describe('provisions for bad debts', () => {
  it('are expense, with the debt on the account of doubtful customers', () => {
    const change = doubtChange({ provided: '20', doubtful: '0' }, { provided: '50', doubtful: '100' });
    assert.deepEqual(change, { provided: '30', doubtful: '100' });
    const lines = ['D 436 100 C', 'H 430 100 C', 'D 694 30 K', 'H 490 30'];
    assert.deepEqual(short(doubtLines(change, debtor, accounts)), lines);
  });

  it('are income when they are released', () => {
    const change = { provided: '-30', doubtful: '-100' } as const;
    const lines = ['H 436 100 C', 'D 430 100 C', 'H 794 30 K', 'D 490 30'];
    assert.deepEqual(short(doubtLines(change, debtor, accounts)), lines);
    assert.deepEqual(doubtLines({ provided: '0', doubtful: '0' }, debtor, accounts), []);
  });

  it('are at most what is outstanding', () => {
    assert.deepEqual(limitDoubt({ provided: '60', doubtful: '100' }, '80'), { provided: '60', doubtful: '80' });
    assert.deepEqual(limitDoubt({ provided: '60', doubtful: '100' }, '0'), { provided: '0', doubtful: '0' });
  });
});
