import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { type EntryLine, entrySums, isBalanced } from '../../../../domain/ledger/accounting/entries.ts';
import {
  buildPaymentEntry,
  type PaymentToEnter,
  type SettledDocument,
  type TaxedLine,
} from '../../../../domain/ledger/accounting/payment-entry.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import type { VatUse } from '../../../../domain/trade/documents/vat.ts';

const ACCOUNTS = {
  money: 'money',
  credit: 'credit',
  withholding: 'withholding',
  discount: 'discount',
  writeOffLoss: 'loss',
  writeOffGain: 'gain',
};

const taxed = (
  side: 'debit' | 'credit',
  account: string,
  base: Decimal,
  amount: Decimal,
  use: VatUse = 'current',
): TaxedLine => ({
  accountId: account,
  debit: side === 'debit' ? amount : '0',
  credit: side === 'credit' ? amount : '0',
  tax: {
    kind: side === 'debit' ? 'input' : 'output',
    operation: 'domestic',
    use,
    rectifying: false,
    groupId: null,
    rate: '21',
    base,
    amount,
  },
});

const document = (values: Partial<SettledDocument> & { amount: Decimal }): SettledDocument => {
  const { amount, withholding = '0', discount = '0', writeOff = '0' } = values;
  const settled = sum([amount, withholding, discount, writeOff]).toFixed();
  const usual = { accountId: 'partner', owed: '121', taxed: [], dimensions: firstDimensions() } as const;
  return { ...usual, ...values, withholding, discount, writeOff, settled };
};

const payment = (
  direction: 'in' | 'out',
  documents: (SettledDocument & { amount?: Decimal })[],
  credit: Decimal = '0',
): PaymentToEnter => ({
  direction,
  places: 2,
  partnerId: 'p',
  money: sum([credit, ...documents.map((one) => one.amount ?? '0')]).toFixed(),
  credit,
  documents,
  accounts: ACCOUNTS,
});

const shown = (lines: readonly EntryLine[]) =>
  lines.map(({ accountId, debit, credit }) =>
    credit === '0' ? `D ${accountId} ${debit}` : `H ${accountId} ${credit}`,
  );

describe('payment entry', () => {
  it('enters the money, withholdings, write-offs, and all settled documents of the partner', () => {
    const one = document({ amount: '100', withholding: '15', writeOff: '0.5' });
    assert.deepEqual(shown(buildPaymentEntry(payment('in', [one], '20'))), [
      'D money 120',
      'D withholding 15',
      'D loss 0.5',
      'H credit 20',
      'H partner 115.5',
    ]);
    assert.deepEqual(shown(buildPaymentEntry(payment('out', [one]))), [
      'H money 100',
      'H withholding 15',
      'H gain 0.5',
      'D partner 115.5',
    ]);
  });

  it('reverses income and taxes for a discount, in the proportions of the invoice', () => {
    const sold = document({ amount: '118.58', discount: '2.42', taxed: [taxed('credit', '477', '100', '21')] });
    const entry = buildPaymentEntry(payment('in', [sold]));
    assert.deepEqual(shown(entry), ['D money 118.58', 'D discount 2', 'D 477 0.42', 'H partner 121']);
    const { rectifying, base, amount } = entry[2]?.tax ?? {};
    assert.deepEqual({ rectifying, base, amount }, { rectifying: true, base: '-2', amount: '-0.42' });
  });

  it('reverses non-deductible tax from the cost, without its base', () => {
    const line = { ...taxed('debit', '600', '100', '21', 'none'), debit: '121' } as const;
    const bought = document({ amount: '118.58', discount: '2.42', taxed: [line] });
    assert.deepEqual(shown(buildPaymentEntry(payment('out', [bought]))), [
      'H money 118.58',
      'H discount 2',
      'H 600 0.42',
      'D partner 121',
    ]);
  });

  it('has no lines if nothing moves', () => {
    assert.deepEqual(buildPaymentEntry(payment('in', [{ ...document({ amount: '0' }), accountId: 'credit' }])), []);
    const moved = { ...payment('in', [document({ amount: '50' })], '-50'), money: '0' } as const;
    assert.deepEqual(shown(buildPaymentEntry(moved)), ['D credit 50', 'H partner 50']);
  });

  it('balances for any settlements, withholdings, discounts and write-offs', () => {
    const cents = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((value) => decimal(value).div(100).toFixed());
    const anyDocument = fc
      .record({
        amount: cents(-50_000, 50_000),
        withholding: cents(0, 5_000),
        discount: cents(0, 5_000),
        writeOff: cents(-100, 100),
        accountId: fc.constantFrom('430', '438', '400'),
        owed: cents(1, 100_000),
        taxed: fc.array(
          fc
            .tuple(
              fc.constantFrom('debit' as const, 'credit' as const),
              cents(1, 50_000),
              cents(1, 9_000),
              fc.boolean(),
            )
            .map(([side, base, amount, none]) => taxed(side, `tax ${side}`, base, amount, none ? 'none' : 'current')),
          { maxLength: 4 },
        ),
      })
      .map((values) => document(values));
    fc.assert(
      fc.property(
        fc.constantFrom('in' as const, 'out' as const),
        fc.array(anyDocument, { minLength: 1, maxLength: 6 }),
        cents(0, 10_000),
        (direction, documents, credit) => {
          const entry = buildPaymentEntry(payment(direction, documents, credit));
          assert.ok(entry.length === 0 || isBalanced(entry), JSON.stringify(entrySums(entry)));
        },
      ),
      { numRuns: 500 },
    );
  });
});
