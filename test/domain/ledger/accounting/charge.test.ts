import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChargeTax, chargeLines } from '../../../../domain/ledger/accounting/charge.ts';
import { type EntryLine, entryLine, entrySums } from '../../../../domain/ledger/accounting/entries.ts';
import { decimal } from '../../../../domain/money.ts';

const TAX: ChargeTax = {
  operation: 'domestic',
  use: 'current',
  taxGroupId: 'iva21',
  taxRate: '21',
  inputAccountId: '472',
  deduction: { own: '100', common: true },
  proRata: '100',
};

const NONE = { use: 'none', deduction: { own: '0', common: false } } as const;

const shown = (lines: readonly EntryLine[]) =>
  lines.map(({ accountId, debit, credit, tax }) => [accountId, debit, credit, tax && [tax.kind, tax.base, tax.amount]]);

describe('bank charge with included tax', () => {
  it('costs its net amount, and the tax is deducted', () => {
    // 12.10 / 1.21 = 10.00, and 2.10 of VAT.
    const gross = entryLine('debit', '626', '12.1', { description: 'Comisión', partnerId: 'bank', projectId: 'p' });
    const lines = chargeLines(gross, TAX, 2);
    assert.deepEqual(shown(lines), [
      ['626', '10', '0', null],
      ['472', '2.1', '0', ['input', '10', '2.1']],
    ]);
    assert.deepEqual(
      lines.map(({ description, partnerId }) => [description, partnerId]),
      [
        ['Comisión', 'bank'],
        ['Comisión', 'bank'],
      ],
    );
    assert.deepEqual(
      lines.map(({ projectId }) => projectId),
      ['p', null],
    );
  });

  it('also costs the tax lost by the pro rata', () => {
    // 80 % of 2.10 is deductible: 1.68.
    const gross = entryLine('debit', '626', '12.1');
    assert.deepEqual(shown(chargeLines(gross, { ...TAX, proRata: '80' }, 2)), [
      ['626', '10.42', '0', ['input', '0', '0.42']],
      ['472', '1.68', '0', ['input', '10', '1.68']],
    ]);
  });

  it('takes the tax back when it is refunded', () => {
    const lines = chargeLines(entryLine('credit', '626', '12.1'), TAX, 2);
    assert.deepEqual(shown(lines), [
      ['626', '0', '10', null],
      ['472', '0', '2.1', ['input', '-10', '-2.1']],
    ]);
    assert.equal(lines[1]?.tax?.rectifying, true);
  });

  it('costs the gross amount if nothing is deducted, and declares the base without tax', () => {
    assert.deepEqual(shown(chargeLines(entryLine('debit', '626', '12.1'), { ...TAX, ...NONE }, 2)), [
      ['626', '12.1', '0', ['input', '10', '2.1']],
    ]);
    const exempt: ChargeTax = { ...TAX, operation: 'exempt', taxRate: '0' };
    assert.deepEqual(shown(chargeLines(entryLine('debit', '626', '12.1'), exempt, 2)), [
      ['626', '12.1', '0', ['input', '12.1', '0']],
    ]);
  });

  it('has lines that add up to the charge, whatever amount and rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.constantFrom('21', '10', '4', '0', '7.5'), (cents, taxRate) => {
        const gross = decimal(cents).div(100).toFixed();
        const { debit, credit } = entrySums(chargeLines(entryLine('debit', '626', gross), { ...TAX, taxRate }, 2));
        assert.ok(decimal(debit).minus(credit).eq(gross));
      }),
    );
  });
});
