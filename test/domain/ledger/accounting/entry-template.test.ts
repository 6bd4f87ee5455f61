import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Side } from '../../../../domain/ledger/accounting/entries.ts';
import {
  balanceFault,
  needsAmount,
  SIDES,
  type TemplateLine,
  templateAmounts,
} from '../../../../domain/ledger/accounting/entry-template.ts';
import { decimal, sum } from '../../../../domain/money.ts';

const line = (side: Side, percent: number | null, amount: number | null = null): TemplateLine => ({
  ...{ accountId: 'x', side, percent, amount },
  ...{ partnerId: null, costCenterId: null, projectId: null, description: null },
});

describe('templates of entries', () => {
  it('give each line its share, the last of a side the remainder, and amounts of their own', () => {
    const lines = [line('debit', 33.3333), line('debit', 33.3333), line('debit', 33.3334), line('credit', 100)];
    assert.deepEqual(templateAmounts(lines, '100.01', 2), ['33.34', '33.33', '33.34', '100.01']);
    const mixed = [line('debit', 50), line('credit', 50), line('debit', null, 7), line('credit', null, 7)];
    assert.deepEqual(templateAmounts(mixed, '0.01', 2), ['0.01', '0.01', '7', '7']);
  });

  it('say why they would not balance', () => {
    assert.equal(balanceFault([line('debit', 100), line('credit', 60), line('credit', 40)]), null);
    assert.match(balanceFault([line('debit', 100), line('credit', 60)]) ?? '', /percentages .* debit 100, credit 60/);
    assert.match(balanceFault([line('debit', null, 5), line('credit', 5)]) ?? '', /percentages/);
    assert.match(balanceFault([line('debit', null, 5), line('credit', null, 4)]) ?? '', /amounts .* debit 5, credit 4/);
  });

  it('need an amount for percentages alone', () => {
    assert.equal(needsAmount([line('debit', null, 5), line('credit', null, 5)]), false);
    assert.equal(needsAmount([line('debit', null, 5), line('credit', 5)]), true);
  });

  it('balance for any amount', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 100_000_000 }), (shares, cents) => {
        const percents = shares.map((share) => share / 10_000);
        const whole = Number(sum(percents).toFixed());
        const lines = [...percents.map((percent) => line('debit', percent)), line('credit', whole)];
        const amounts = templateAmounts(lines, decimal(cents).div(100).toFixed(), 2);
        const [debit, credit] = SIDES.map((side) =>
          sum(amounts.filter((_, index) => lines[index]?.side === side)).toFixed(),
        );
        assert.equal(debit, credit);
        assert.ok(amounts.every((amount) => decimal(amount).gte(0) && amount === decimal(amount).toFixed()));
      }),
    );
  });
});
