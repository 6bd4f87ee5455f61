/** Balances at the beginning and the end of a fiscal year. */
import assert from 'node:assert/strict';
import type { Decimal } from '../../../../domain/money.ts';
import { type InventoryAccount, inventory } from '../../../../domain/reports/accounting/inventory.ts';

describe('the inventory of a fiscal year', () => {
  const account = (
    code: string,
    type: InventoryAccount['type'],
    [before, opening, end]: readonly [number, number, number],
  ): InventoryAccount => {
    const balance = (value: number) => ({ balance: String(value) as Decimal });
    const sums = { before: balance(before), opening: balance(opening), end: balance(end) };
    return { accountId: code, code, name: code, type, sums };
  };
  const accounts = [
    account('100', 'equity', [0, -1000, -1000]),
    account('400', 'liability', [-50, 0, 0]),
    account('572', 'asset', [80, 1000, 1105]),
    account('629', 'expense', [20, 0, 45]),
    account('705', 'income', [-50, 0, -150]),
  ];
  const lines = (on: 'beginning' | 'end') =>
    inventory(accounts, on, '129').map(({ kind, code, balance }) => [kind, code, balance.toNumber()]);

  it('begins with what was there before, and the opening entry', () => {
    assert.deepEqual(lines('beginning'), [
      ['account', '100', -1000],
      ['open_years', '129', -30],
      ['account', '400', -50],
      ['account', '572', 1080],
    ]);
  });

  it('has the results of the year and of earlier ones apart at the end, and no account without a balance', () => {
    assert.deepEqual(lines('end'), [
      ['account', '100', -1000],
      ['open_years', '129', -30],
      ['result', '129', -75],
      ['account', '572', 1105],
    ]);
  });
});
