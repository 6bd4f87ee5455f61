import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lostTaxes } from '../../../../domain/ledger/accounting/deduction.ts';
import { type EntryLine, entrySums, isBalanced } from '../../../../domain/ledger/accounting/entries.ts';
import type { InvoiceToEnter } from '../../../../domain/ledger/accounting/invoice.ts';
import { buildInvoiceLines } from '../../../../domain/ledger/accounting/invoice-entry.ts';
import { deductionRegime, taxTreatment } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { computeWithholdings, documentTotals } from '../../../../domain/trade/documents/totals.ts';
import { chargedRates, VAT_REGIMES, type VatUse } from '../../../../domain/trade/documents/vat.ts';

const TAXES = {
  IVA21: { rate: '21', surchargeRate: '5.2', kind: 'vat' },
  IVA10: { rate: '10', surchargeRate: '1.4', kind: 'vat' },
  IVA0: { rate: '0', surchargeRate: '0', kind: 'exempt' },
  ISP: { rate: '21', surchargeRate: '0', kind: 'reverse_charge' },
} as const;
type TaxCode = keyof typeof TAXES;

const roleAccounts = (code: string) => ({
  output: `477-${code}`,
  input: `472-${code}`,
  surcharge: `4771-${code}`,
  intraEuOutput: `4772-${code}`,
  intraEuInput: `4722-${code}`,
});

interface Line {
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly tax: TaxCode;
  readonly regime?: string;
  readonly goods?: boolean;
  readonly use?: VatUse;
  readonly account?: string;
  readonly deductiblePercent?: Decimal;
}

interface Invoice {
  readonly side: 'sales' | 'purchase';
  readonly lines: readonly Line[];
  readonly withholding?: Decimal;
  readonly rectifying?: boolean;
  readonly places?: number;
  /** The buyer is a retailer in the equivalence surcharge. */
  readonly retailer?: boolean;
  readonly proRata?: Decimal;
  readonly specialProRata?: boolean;
}

/** Returns what a document with these lines hands over, with totals by the documents' own rule. */
function toEnter({
  side,
  lines,
  withholding = '0',
  rectifying = false,
  places = 2,
  retailer = false,
  proRata = '100',
  specialProRata = false,
}: Invoice): InvoiceToEnter {
  const rated = lines.map((line) => {
    const tax = TAXES[line.tax];
    const { rate, surchargeRate } = chargedRates(tax, (line.regime ?? 'general') as 'general', side, {
      ownSurcharge: retailer && (line.goods ?? false),
    });
    return { ...line, rate, surchargeRate, kind: tax.kind };
  });
  const totals = documentTotals(
    rated.map(({ quantity, price, tax, rate, surchargeRate }) => {
      const none = {
        discountPercent: '0',
        secondDiscountPercent: '0',
        documentDiscount: '0',
        documentCharge: '0',
      } as const;
      return { quantity, price, ...none, taxGroupId: tax, taxCode: tax, taxRate: rate, surchargeRate };
    }),
    withholding,
    places,
  );
  const treated = rated.map((line, index) => {
    const { goods = false, use: vatUse = 'current', regime = 'general', deductiblePercent = null } = line;
    const taxed = { side, tax: TAXES[line.tax], regime, goods, vatUse, deductiblePercent };
    return {
      accountId: line.account ?? (goods ? 'goods' : 'services'),
      amount: totals.amounts[index] ?? '0',
      taxGroupId: line.tax,
      taxRate: line.rate,
      surchargeRate: line.surchargeRate,
      ...taxTreatment(taxed, deductionRegime(retailer, specialProRata)),
      projectId: null,
      costCenterId: null,
    };
  });
  const lost = side === 'sales' ? [] : lostTaxes({ lines: treated, taxes: totals.taxes, places }, proRata);
  return {
    side,
    rectifying,
    places,
    partnerId: 'partner',
    partnerAccountId: 'P',
    total: totals.total,
    lines: treated.map((line, index) => ({ ...line, lostTax: lost[index] ?? '0' })),
    taxes: totals.taxes,
    taxAccounts: new Map(Object.keys(TAXES).map((code) => [code, roleAccounts(code)])),
    withholdings: computeWithholdings(treated, withholding, places).map((withheld) => ({
      ...withheld,
      accountId: '473',
    })),
  };
}

/** The entry as `D account amount`, `H account amount`. */
const shown = (lines: readonly EntryLine[]) =>
  lines.map(({ accountId, debit, credit }) =>
    credit === '0' ? `D ${accountId} ${debit}` : `H ${accountId} ${credit}`,
  );
const entered = (invoice: Invoice) => shown(buildInvoiceLines(toEnter(invoice)));
const one = (line: Partial<Line> = {}): Line => ({ quantity: '1', price: '100', tax: 'IVA21', goods: true, ...line });

describe('invoice entry', () => {
  it('enters a domestic sale and purchase by rate', () => {
    const lines = [one(), one({ price: '50', tax: 'IVA10', goods: false })];
    assert.deepEqual(entered({ side: 'sales', lines }), [
      'D P 176',
      'H goods 100',
      'H services 50',
      'H 477-IVA21 21',
      'H 477-IVA10 5',
    ]);
    assert.deepEqual(entered({ side: 'purchase', lines }), [
      'H P 176',
      'D goods 100',
      'D services 50',
      'D 472-IVA21 21',
      'D 472-IVA10 5',
    ]);
  });

  it('enters a sale under the equivalence surcharge', () => {
    const expected = ['D P 126.2', 'H goods 100', 'H 477-IVA21 21', 'H 4771-IVA21 5.2'];
    assert.deepEqual(entered({ side: 'sales', lines: [one({ regime: 'surcharge' })] }), expected);
  });

  it('charges VAT on a sale whatever the use of the goods', () => {
    const expected = ['D P 121', 'H goods 100', 'H 477-IVA21 21'];
    assert.deepEqual(entered({ side: 'sales', lines: [one({ use: 'none' })] }), expected);
  });

  it('marks rectified withholding and VAT', () => {
    for (const side of ['sales', 'purchase'] as const) {
      for (const rectifying of [false, true]) {
        const lines = buildInvoiceLines(
          toEnter({ side, lines: [one({ goods: false })], withholding: '15', rectifying }),
        );
        const said = lines.flatMap(({ tax }) => (tax === null ? [] : [[tax.kind, tax.rectifying]]));
        const kind = side === 'sales' ? 'output' : 'input';
        assert.deepEqual(said, [
          [kind, rectifying],
          ['withholding', rectifying],
        ]);
      }
    }
  });

  it("reduces the partner's amount by the withholding", () => {
    const lines = [one({ goods: false })];
    const sale = ['D P 106', 'H services 100', 'H 477-IVA21 21', 'D 473 15'];
    assert.deepEqual(entered({ side: 'sales', lines, withholding: '15' }), sale);
    const purchase = ['H P 106', 'D services 100', 'D 472-IVA21 21', 'H 473 15'];
    assert.deepEqual(entered({ side: 'purchase', lines, withholding: '15' }), purchase);
  });

  it('enters operations without VAT: sales within the EU, exports, reverse charge, exempt', () => {
    for (const regime of ['intra_eu', 'export', 'reverse_charge', 'exempt', 'not_subject']) {
      const entry = buildInvoiceLines(toEnter({ side: 'sales', lines: [one({ regime })] }));
      assert.deepEqual(shown(entry), ['D P 100', 'H goods 100'], regime);
      assert.equal(entry[1]?.tax?.base, '100', regime);
    }
  });

  it('enters self-assessed tax: purchases within the EU, services from abroad, reverse charge', () => {
    const intra = ['H P 100', 'D goods 100', 'D 4722-IVA21 21', 'H 4772-IVA21 21'];
    assert.deepEqual(entered({ side: 'purchase', lines: [one({ regime: 'intra_eu' })] }), intra);
    const reverse = ['H P 100', 'D services 100', 'D 472-IVA21 21', 'H 477-IVA21 21'];
    for (const line of [one({ regime: 'reverse_charge', goods: false }), one({ regime: 'export', goods: false })]) {
      assert.deepEqual(entered({ side: 'purchase', lines: [line] }), reverse);
    }
    const byKind = ['H P 100', 'D services 100', 'D 472-ISP 21', 'H 477-ISP 21'];
    assert.deepEqual(entered({ side: 'purchase', lines: [one({ tax: 'ISP', goods: false })] }), byKind);
    // The VAT of imported goods comes with the customs document.
    const imported = ['H P 100', 'D goods 100'];
    assert.deepEqual(entered({ side: 'purchase', lines: [one({ regime: 'export' })] }), imported);
  });

  it('adds non-deductible VAT to the cost, to the cent', () => {
    const lines = [
      one({ price: '33.33', use: 'none', account: 'a' }),
      one({ price: '66.68', use: 'none', account: 'b' }),
    ];
    assert.deepEqual(entered({ side: 'purchase', lines }), ['H P 121.01', 'D a 40.33', 'D b 80.68']);
    const intra = [one({ use: 'none', regime: 'intra_eu' })];
    assert.deepEqual(entered({ side: 'purchase', lines: intra }), ['H P 100', 'D goods 121', 'H 4772-IVA21 21']);
    const mixed = [one({ price: '0.01' }), one({ price: '0.02', use: 'none' })];
    const together = ['H P 0.04', 'D goods 0.01', 'D goods 0.03'];
    assert.deepEqual(entered({ side: 'purchase', lines: mixed }), together);
  });

  it('adds the non-deductible part of VAT to the cost of each line and its account', () => {
    // A car: of 21 % of 1,000, 210, half is deducted.
    const car = [one({ price: '1000', deductiblePercent: '50' })];
    assert.deepEqual(entered({ side: 'purchase', lines: car }), ['H P 1210', 'D goods 1105', 'D 472-IVA21 105']);
    // The pro rata of 80 % lowers that to 84 (210 × 50 % × 80 %), and 42 of another 210 are lost.
    const both = [...car, one({ price: '1000', goods: false })];
    const shared = ['H P 2420', 'D goods 1126', 'D services 1042', 'D 472-IVA21 84', 'D 472-IVA21 168'];
    assert.deepEqual(entered({ side: 'purchase', lines: both, proRata: '80' }), shared);
    // The special one leaves the car alone: 105 and 168.
    const special = ['H P 2420', 'D goods 1105', 'D services 1042', 'D 472-IVA21 105', 'D 472-IVA21 168'];
    assert.deepEqual(entered({ side: 'purchase', lines: both, proRata: '80', specialProRata: true }), special);
    // Self-charged tax is owed in full.
    const intra = [one({ regime: 'intra_eu' })];
    const charged = ['H P 100', 'D goods 104.2', 'D 4722-IVA21 16.8', 'H 4772-IVA21 21'];
    assert.deepEqual(entered({ side: 'purchase', lines: intra, proRata: '80' }), charged);
  });

  it('states the tax subject to the pro rata if it differs from the deduction', () => {
    const subject = (more: Partial<Line>, proRata: Decimal, specialProRata = false) =>
      buildInvoiceLines(toEnter({ side: 'purchase', lines: [one(more)], proRata, specialProRata }))
        .filter(({ accountId }) => accountId === '472-IVA21')
        .map(({ debit, tax }) => [debit, tax?.base, tax?.amount, tax?.subject]);
    assert.deepEqual(subject({}, '100'), [['21', '100', '21', null]]);
    assert.deepEqual(subject({}, '80'), [['16.8', '100', '16.8', '21']]);
    assert.deepEqual(subject({}, '0'), [['0', '100', '0', '21']]);
    assert.deepEqual(subject({ deductiblePercent: '50' }, '80'), [['8.4', '100', '8.4', '10.5']]);
    assert.deepEqual(subject({ deductiblePercent: '50' }, '80', true), [['10.5', '100', '10.5', '0']]);
    assert.deepEqual(subject({ deductiblePercent: '0' }, '80'), []);
  });

  it('adds tax charged to a retailer under the surcharge to the cost, with the surcharge on goods only', () => {
    const of = (line: Partial<Line>) => entered({ side: 'purchase', retailer: true, lines: [one(line)] });
    assert.deepEqual(of({}), ['H P 126.2', 'D goods 126.2']);
    const intra = ['H P 100', 'D goods 126.2', 'H 4772-IVA21 21', 'H 4771-IVA21 5.2'];
    assert.deepEqual(of({ regime: 'intra_eu' }), intra);
    const reverse = ['H P 100', 'D goods 126.2', 'H 477-IVA21 21', 'H 4771-IVA21 5.2'];
    assert.deepEqual(of({ regime: 'reverse_charge' }), reverse);
    assert.deepEqual(of({ regime: 'intra_eu', goods: false }), ['H P 100', 'D services 121', 'H 4772-IVA21 21']);
    const both = [one({ regime: 'reverse_charge' }), one({ regime: 'reverse_charge', goods: false })];
    assert.deepEqual(entered({ side: 'purchase', retailer: true, lines: both }), [
      'H P 200',
      'D goods 126.2',
      'D services 121',
      'H 477-IVA21 21',
      'H 4771-IVA21 5.2',
      'H 477-IVA21 21',
    ]);
    const back = entered({
      side: 'purchase',
      retailer: true,
      rectifying: true,
      lines: [one({ quantity: '-1', regime: 'intra_eu' })],
    });
    assert.deepEqual(back, ['D P 100', 'H goods 126.2', 'D 4772-IVA21 21', 'D 4771-IVA21 5.2']);
  });

  it('swaps sides for goods taken back', () => {
    const lines = [one({ quantity: '-2' })];
    const expected = ['H P 242', 'D goods 200', 'D 477-IVA21 42'];
    assert.deepEqual(entered({ side: 'sales', lines, rectifying: true }), expected);
  });

  it('names the partner even with nothing to pay', () => {
    assert.deepEqual(entered({ side: 'sales', lines: [one({ price: '0' })] }), ['D P 0', 'D goods 0']);
    const cancelled = entered({ side: 'sales', lines: [one(), one({ price: '-100', account: 'other' })] });
    assert.deepEqual(cancelled, ['D P 0', 'H goods 100', 'D other 100']);
  });
});

const cents = (most: number) => fc.integer({ min: -most, max: most }).map((value) => decimal(value).div(100).toFixed());
const anyLine = fc.record({
  quantity: fc
    .integer({ min: -20, max: 20 })
    .filter((value) => value !== 0)
    .map((value) => decimal(value).toFixed()),
  price: cents(50_000),
  tax: fc.constantFrom(...(Object.keys(TAXES) as TaxCode[])),
  regime: fc.constantFrom(...VAT_REGIMES),
  goods: fc.boolean(),
  use: fc.constantFrom('current', 'investment', 'none'),
  account: fc.constantFrom('a', 'b', 'c'),
  deductiblePercent: fc.constantFrom(undefined, '0', '33.3', '50', '100'),
}) as fc.Arbitrary<Line>;
const anyInvoice = fc.record({
  side: fc.constantFrom('sales' as const, 'purchase' as const),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 40 }),
  withholding: fc.constantFrom('0', '7', '15', '19.5'),
  rectifying: fc.boolean(),
  retailer: fc.boolean(),
  proRata: fc.constantFrom('100', '87', '0'),
  specialProRata: fc.boolean(),
  places: fc.constantFrom(0, 2, 3),
});

describe('invoice entries of every regime', () => {
  it('balance, with the total on the partner and net amounts, taxes and withholdings on their accounts', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const given = toEnter(invoice);
        const entry = buildInvoiceLines(given);
        assert.ok(isBalanced(entry), `${JSON.stringify(entrySums(entry))}`);
        const sign = invoice.side === 'sales' ? 1 : -1;
        const balance = (of: (line: EntryLine) => boolean) =>
          sum(entry.filter(of).map(({ debit, credit }) => decimal(debit).minus(credit).times(sign))).toFixed();
        assert.equal(
          balance(({ partnerId }) => partnerId !== null),
          given.total,
        );
        assert.equal(entry.filter(({ partnerId }) => partnerId !== null).length, 1);
        assert.equal(
          balance(({ accountId }) => accountId === '473'),
          sum(given.withholdings.map(({ amount }) => amount)).toFixed(),
        );
        for (const { debit, credit } of entry) {
          assert.ok(decimal(debit).gte(0) && decimal(credit).gte(0) && (debit === '0' || credit === '0'));
        }
        // Each base is declared once, on whichever line says it.
        const main = invoice.side === 'sales' ? 'output' : 'input';
        const declared = sum(
          entry
            .filter(({ tax }) => tax?.kind === main && !(invoice.side === 'purchase' && tax.kind === 'output'))
            .map(({ tax }) => tax?.base ?? '0'),
        );
        assert.equal(declared.toFixed(), sum(given.lines.map(({ amount }) => amount)).toFixed());
        // Purchases cost their net amount and the non-deductible tax, on income or expense accounts.
        const costs = sum(given.lines.flatMap(({ amount, lostTax }) => [amount, lostTax])).toFixed();
        assert.equal(
          balance(({ accountId }) => ['a', 'b', 'c'].includes(accountId)),
          decimal(costs).neg().toFixed(),
        );
      }),
      { numRuns: 1000 },
    );
  });
});
