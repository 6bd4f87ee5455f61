import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstDimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { entrySums, isBalanced } from '../../../../domain/ledger/accounting/entries.ts';
import { buildPaymentEntry, type SettledDocument } from '../../../../domain/ledger/accounting/payment-entry.ts';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { MAX_COMBINED, uniqueCombination } from '../../../../domain/trade/payments/combinations.ts';
import { MAX_CANDIDATES, matchPayment, type OpenInvoice } from '../../../../domain/trade/payments/match.ts';
import { invoiceStatus, linkStatus, paymentStatus } from '../../../../domain/trade/payments/types.ts';

const invoice = (id: string, outstanding: Decimal, more: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id,
  code: `F-${id}`,
  reference: null,
  supplierReference: null,
  date: '2026-01-01',
  outstanding,
  ...more,
});
const paid = (remaining: Decimal, reference: string | null = null) => ({ remaining, reference });
const applied = (match: ReturnType<typeof matchPayment>) =>
  match.links.map(({ invoice: { id }, amount }) => `${id} ${amount}`);

describe('payment status', () => {
  it('follows from total and applications, for credits too', () => {
    const cases = [
      ['100', '0', 'pending'],
      ['100', '0.01', 'partial'],
      ['100', '100.000', 'paid'],
      ['100', '100.01', 'overpaid'],
      ['-100', '0', 'pending'],
      ['-100', '-40', 'partial'],
      ['-100', '-100', 'paid'],
      ['-100', '-100.01', 'overpaid'],
      ['0', '0', 'paid'],
      ['0', '0.01', 'overpaid'],
    ] as const;
    for (const [total, settled, status] of cases)
      assert.equal(paymentStatus(total, settled), status, `${settled} of ${total}`);
    assert.deepEqual(
      ['pending', 'partial', 'paid', 'overpaid'].map((status) => invoiceStatus(status as 'paid')),
      ['O', 'O', 'C', 'C'],
    );
    assert.deepEqual(
      [linkStatus('5', '0', 0), linkStatus('5', '2', 1), linkStatus('5', '5', 2)],
      ['unlinked', 'partially_linked', 'linked'],
    );
  });
});

describe('matching by reference', () => {
  it('takes the internal or the supplier’s reference, neither case nor blanks counting, before the number', () => {
    const open = [
      invoice('1', '50', { code: 'ACME-7' }),
      invoice('2', '60', { reference: ' acme-7 ', date: '2026-02-01' }),
      invoice('3', '70', { supplierReference: 'ACME-7', date: '2026-03-01' }),
    ];
    const match = matchPayment(paid('100', 'Acme-7 '), open, { mode: 'by_reference' });
    assert.deepEqual(applied(match), ['2 60', '3 40']);
    assert.equal(match.explanation, 'matched by reference Acme-7: F-2, F-3');
    assert.deepEqual(applied(matchPayment(paid('10', 'acme-7'), open.slice(0, 1), { mode: 'by_reference' })), ['1 10']);
  });

  it('prefers the one of just that amount, and leaves the rest as credit', () => {
    const open = [invoice('1', '50', { reference: 'R' }), invoice('2', '60', { reference: 'R' })];
    assert.deepEqual(applied(matchPayment(paid('60', 'R'), open, { mode: 'by_reference' })), ['2 60']);
    const more = matchPayment(paid('120', 'R'), open, { mode: 'by_reference' });
    assert.deepEqual(applied(more), ['1 50', '2 60']);
    assert.match(more.explanation, /10 is left as credit$/);
  });

  it('says why not', () => {
    const reasons = [
      matchPayment(paid('1'), [invoice('1', '1')], { mode: 'by_reference' }),
      matchPayment(paid('1', 'X'), [invoice('1', '1')], { mode: 'by_reference' }),
    ];
    assert.deepEqual(
      reasons.map(({ links, explanation }) => [links.length, explanation]),
      [
        [0, 'not matched: the payment has no reference'],
        [0, 'not matched: no open invoice has the reference or number X'],
      ],
    );
  });
});

describe('what is reconciled without being asked how', () => {
  const auto = (payment: ReturnType<typeof paid>, open: readonly OpenInvoice[]) => {
    const match = matchPayment(payment, open, { mode: 'auto_reconcile' });
    return [applied(match), match.reason] as const;
  };

  it('is the one invoice with the internal reference and just the amount, neither case nor blanks counting', () => {
    const open = [
      invoice('1', '60', { reference: ' acme-7 ' }),
      invoice('2', '50', { reference: 'ACME-7' }),
      invoice('3', '60', { reference: 'ACME-70' }),
    ];
    const match = matchPayment(paid('60.00', 'Acme-7'), open, { mode: 'auto_reconcile' });
    assert.deepEqual([applied(match), match.reason], [['1 60'], null]);
    assert.equal(match.explanation, 'matched by reference Acme-7 and amount 60: F-1');
  });

  it('is no part, no number, no reference of a supplier, and none of two', () => {
    const named = { reference: 'R' };
    const cases: [ReturnType<typeof paid>, OpenInvoice[], string][] = [
      [paid('10'), [invoice('1', '10')], 'no_reference'],
      [paid('10', '  '), [invoice('1', '10')], 'no_reference'],
      [paid('10', 'F-1'), [invoice('1', '10')], 'no_open_invoice'],
      [paid('10', 'R'), [invoice('1', '10', { supplierReference: 'R' })], 'no_open_invoice'],
      [paid('9.99', 'R'), [invoice('1', '10', named)], 'different_amount'],
      [paid('10.01', 'R'), [invoice('1', '10', named)], 'different_amount'],
      [paid('20', 'R'), [invoice('1', '10', named), invoice('2', '10', named)], 'different_amount'],
      [paid('10', 'R'), [invoice('1', '10', named), invoice('2', '10', named)], 'several_invoices'],
    ];
    for (const [payment, open, reason] of cases)
      assert.deepEqual(auto(payment, open), [[], reason], JSON.stringify(payment));
    assert.equal(
      matchPayment(paid('9.99', 'R'), [invoice('1', '10', named)], { mode: 'auto_reconcile' }).explanation,
      'not matched: the payment has 9.99 to apply, but F-1: 10 is outstanding with the reference R',
    );
  });
});

describe('matching by amount', () => {
  it('takes the only one of that amount; of two, none', () => {
    assert.deepEqual(
      applied(matchPayment(paid('30.10'), [invoice('1', '30.1'), invoice('2', '30')], { mode: 'by_amount' })),
      ['1 30.1'],
    );
    const two = matchPayment(paid('30'), [invoice('1', '30'), invoice('2', '30.00')], { mode: 'by_amount' });
    assert.deepEqual(applied(two), []);
    assert.match(two.explanation, /2 open invoices of 30: F-1, F-2; it is not certain which one/);
  });

  it('takes the only combination when that is allowed', () => {
    const open = [invoice('1', '10.10'), invoice('2', '20.20'), invoice('3', '5')];
    assert.deepEqual(applied(matchPayment(paid('30.3'), open, { mode: 'by_amount' })), []);
    assert.deepEqual(applied(matchPayment(paid('30.3'), open, { mode: 'by_amount', allowCombination: true })), [
      '1 10.1',
      '2 20.2',
    ]);
    const ambiguous = matchPayment(paid('15'), [...open, invoice('4', '10'), invoice('5', '5')], {
      mode: 'by_amount',
      allowCombination: true,
    });
    assert.match(ambiguous.explanation, /several combinations/);
    const many = Array.from({ length: MAX_CANDIDATES }, (_, index) => invoice(String(index), '1'));
    assert.match(matchPayment(paid('2'), many, { mode: 'by_amount', allowCombination: true }).explanation, /too many/);
  });
});

describe('matching by date', () => {
  it('settles the oldest first, inside the range, never more than there is', () => {
    const open = ['03', '01', '02', '04'].map((month) => invoice(month, '10', { date: `2026-${month}-15` }));
    const request = { mode: 'by_date', from: '2026-02-15', to: '2026-03-15' } as const;
    assert.deepEqual(applied(matchPayment(paid('15'), open, request)), ['02 10', '03 5']);
    assert.match(matchPayment(paid('50'), open, request).explanation, /30 is left as credit/);
    assert.match(
      matchPayment(paid('50'), open, { ...request, from: '2027-01-01', to: undefined }).explanation,
      /no open invoice in the date range/,
    );
  });

  it('whatever there is: applied ≤ paid, each ≤ outstanding, nothing twice', () => {
    const cents = fc.integer({ min: 1, max: 100_000 }).map((value) => decimal(value).div(100).toFixed());
    const modes = fc.constantFrom('by_reference', 'by_amount', 'by_date');
    fc.assert(
      fc.property(
        cents,
        fc.array(cents, { maxLength: 12 }),
        modes,
        fc.boolean(),
        (remaining, amounts, mode, allowCombination) => {
          const open = amounts.map((amount, index) =>
            invoice(String(index), amount, { reference: index % 2 === 0 ? 'R' : null }),
          );
          const { links } = matchPayment(paid(remaining, 'R'), open, { mode, allowCombination } as Parameters<
            typeof matchPayment
          >[2]);
          assert.ok(sum(links.map(({ amount }) => amount)).lte(remaining));
          assert.equal(new Set(links.map((link) => link.invoice.id)).size, links.length);
          for (const link of links)
            assert.ok(decimal(link.amount).gt(0) && decimal(link.amount).lte(link.invoice.outstanding));
        },
      ),
    );
  });
});

describe('combinations of amounts', () => {
  /** Returns all combinations by brute force. */
  function brute(amounts: readonly number[], target: number): number[][] {
    const found: number[][] = [];
    for (let mask = 1; mask < 1 << amounts.length; mask++) {
      const chosen = amounts.flatMap((_, index) => ((mask >> index) & 1 ? [index] : []));
      if (chosen.length < 2 || chosen.length > MAX_COMBINED) continue;
      if (chosen.reduce((total, index) => total + (amounts[index] ?? 0), 0) === target) found.push(chosen);
    }
    return found;
  }

  it('are found as by trying all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 11 }),
        fc.integer({ min: 1, max: 120 }),
        (amounts, target) => {
          const expected = brute(amounts, target);
          const found = uniqueCombination(amounts.map(BigInt), BigInt(target));
          const kind = expected.length === 0 ? 'none' : expected.length === 1 ? 'one' : 'ambiguous';
          assert.deepEqual(found, kind === 'one' ? { kind, indexes: expected[0] } : { kind });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are given up rather than guessed where there are too many to try', () => {
    // Even amounts never make an odd total.
    const amounts = Array.from({ length: 250 }, (_, index) => BigInt(1_000_000 + index * 2));
    assert.equal(uniqueCombination(amounts, 5_000_001n).kind, 'too_many');
  });
});

describe('entries of payments', () => {
  const accounts = {
    money: '572',
    credit: '438',
    withholding: '473',
    discount: '706',
    writeOffLoss: '659',
    writeOffGain: '759',
  };
  const cents = (min: number, max: number) =>
    fc.integer({ min, max }).map((value) => decimal(value).div(100).toFixed());

  type PaidDocument = SettledDocument & { readonly amount: Decimal };
  const taxed = (vat: Decimal): SettledDocument['taxed'] => {
    const head = { kind: 'output', operation: 'domestic', use: 'current', rectifying: false, groupId: null } as const;
    return [{ accountId: '477', debit: '0', credit: vat, tax: { ...head, rate: '21', base: '1000', amount: vat } }];
  };
  const document = fc
    .record({
      accountId: fc.constantFrom('430', '431'),
      amount: cents(1, 1_000_000),
      withholding: cents(0, 10_000),
      discount: cents(0, 10_000),
      writeOff: cents(-100, 100),
      vat: cents(0, 100_000),
      dimensions: fc.record({ costCenterId: fc.constantFrom(null, 'c'), projectId: fc.constantFrom(null, 'p', 'q') }),
    })
    .map(({ amount, vat, ...rest }): PaidDocument => {
      const settled = sum([amount, rest.withholding, rest.discount, rest.writeOff]).toFixed();
      return { ...rest, amount, settled, owed: '1210', taxed: taxed(vat) };
    });
  const payment = fc
    .record({
      direction: fc.constantFrom('in' as const, 'out' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 4 }),
      credit: cents(0, 5_000),
    })
    .map((one) => {
      const money = sum([one.credit, ...one.documents.map(({ amount }) => amount)]).toFixed();
      return { ...one, places: 2, partnerId: 'p', money, accounts };
    });

  it('balance, whatever is withheld, discounted or written off', () => {
    fc.assert(
      fc.property(payment, (one) => {
        const lines = buildPaymentEntry(one);
        assert.ok(isBalanced(lines), JSON.stringify(lines));
      }),
    );
  });

  it('settle with the partner what is settled of documents, and the credit', () => {
    fc.assert(
      fc.property(payment, (one) => {
        const { debit, credit } = entrySums(buildPaymentEntry(one).filter(({ partnerId }) => partnerId !== null));
        const settled = sum([one.credit, ...one.documents.map((document) => document.settled)]);
        const [less, more] = one.direction === 'in' ? [debit, credit] : [credit, debit];
        assert.ok(decimal(more).minus(less).eq(settled));
      }),
    );
  });

  it('credit that is applied moves between accounts of the partner alone; an advance on an order moves nothing', () => {
    const dimensions = firstDimensions();
    const nothing = { withholding: '0', discount: '0', writeOff: '0', taxed: [], dimensions } as const;
    const one = { ...nothing, settled: '10', owed: '10' } as const;
    const entry = { direction: 'in', places: 2, partnerId: 'p', money: '0', credit: '-10', accounts } as const;
    assert.deepEqual(
      buildPaymentEntry({ ...entry, documents: [{ ...one, accountId: '430' }] }).map(
        ({ accountId, debit, credit }) => ({
          accountId,
          debit,
          credit,
        }),
      ),
      [
        { accountId: '438', debit: '10', credit: '0' },
        { accountId: '430', debit: '0', credit: '10' },
      ],
    );
    assert.deepEqual(buildPaymentEntry({ ...entry, documents: [{ ...one, accountId: '438' }] }), []);
  });
});
