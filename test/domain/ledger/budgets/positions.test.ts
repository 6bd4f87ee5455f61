import assert from 'node:assert/strict';
import { budgetedAmount, budgetVariance, Positions } from '../../../../domain/ledger/budgets/positions.ts';

const position = (account: string, projectId: string | null = null, costCenterId: string | null = null) => ({
  account,
  projectId,
  costCenterId,
});

describe('positions of a budget', () => {
  const book = new Positions([position('62'), position('629', 'P'), position('6290'), position('62', null, 'C')]);

  it('are found by the longest beginning, then by most dimensions', () => {
    assert.deepEqual(book.find(position('621')), position('62'));
    assert.deepEqual(book.find(position('6290001', 'P', 'C')), position('6290'));
    assert.deepEqual(book.find(position('6291', 'P', 'C')), position('629', 'P'));
    assert.deepEqual(book.find(position('6291', 'Q', 'C')), position('62', null, 'C'));
    assert.equal(book.find(position('70')), undefined);
    assert.equal(book.find(position('6')), undefined);
  });

  it('are above zero for income and expense alike', () => {
    assert.equal(budgetedAmount('expense', '12.5'), '12.5');
    assert.equal(budgetedAmount('income', '-12.5'), '12.5');
  });

  it('vary by what is beyond the budget', () => {
    assert.deepEqual(budgetVariance('200', '250'), { variance: '50', percent: '25.00' });
    assert.deepEqual(budgetVariance('-200', '-250'), { variance: '-50', percent: '-25.00' });
    assert.deepEqual(budgetVariance('0', '3'), { variance: '3', percent: null });
  });
});
