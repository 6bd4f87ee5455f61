import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lastAccrualDay, type PendingTax, PendingTaxes } from '../../../../domain/ledger/accounting/cash-basis.ts';
import { type EntryLine, entrySums } from '../../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';

const TAX: PendingTax = {
  ...{ id: 'tax', kind: 'output', accountId: '4778', accrualAccountId: '477', use: 'current', rectifying: false },
  ...{ groupId: null, rate: '21', base: '100', amount: '21', subject: null, accrued: [] },
};

function cents(value: number): Decimal {
  return decimal(value).div(100).toFixed();
}

function accruedBy(lines: readonly EntryLine[]): Decimal {
  return sum(lines.flatMap(({ tax }) => tax?.amount ?? [])).toFixed();
}

describe('taxes of the cash basis', () => {
  it('accrue at the latest at the end of the year after the operation', () => {
    assert.equal(lastAccrualDay('2026-03-31'), '2027-12-31');
  });

  it('accrue wholly over any payments of the total, each of which balances', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 999_999 }), fc.boolean(), (paid, amount, credit) => {
        const sign = credit ? -1 : 1;
        const open = cents(sign * paid.reduce((one, other) => one + other, 0));
        const tax = { ...TAX, base: cents(sign * amount * 5), amount: cents(sign * amount) };
        const pending = new PendingTaxes({ open, taxes: [tax] }, 2);
        const lines = paid.map((part) => pending.accrue({ settled: cents(sign * part), discount: '0' }));
        for (const entered of lines) {
          const { debit, credit: credits } = entrySums(entered);
          assert.ok(decimal(debit).eq(credits));
        }
        assert.equal(accruedBy(lines.flat()), decimal(tax.amount).toFixed());
        assert.deepEqual(pending.accrueAll(), []);
      }),
    );
  });

  it('are taken back as their payment accrued them, whatever was paid since', () => {
    const accrued = [{ paymentId: 'first', base: '33.33', amount: '7', subject: null }] as const;
    const pending = new PendingTaxes({ open: '0', taxes: [{ ...TAX, base: '0', amount: '0', accrued }] }, 2);
    const undone = pending.undo({ settled: '40.33', discount: '0' }, { id: 'first', settled: '40.33' }, true);
    assert.equal(accruedBy(undone), '-7');
    assert.equal(undone[1]?.tax?.rectifying, true);
    assert.equal(accruedBy(pending.accrue({ settled: '40.33', discount: '0' })), '7');
  });

  it('accrue no more than all, if more is paid', () => {
    const pending = new PendingTaxes({ open: '121', taxes: [TAX] }, 2);
    assert.equal(accruedBy(pending.accrue({ settled: '200', discount: '0' })), '21');
    assert.deepEqual(pending.accrue({ settled: '10', discount: '0' }), []);
  });

  it('deduct the common part of the tax in the same proportion', () => {
    const tax: PendingTax = { ...TAX, kind: 'input', amount: '14.7', subject: '21' };
    const pending = new PendingTaxes({ open: '121', taxes: [tax] }, 2);
    const [, line] = pending.accrue({ settled: '60.5', discount: '0' });
    assert.deepEqual([line?.debit, line?.tax?.amount, line?.tax?.subject], ['7.35', '7.35', '10.5']);
  });
});
