import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal, sum } from '../../../../domain/money.ts';
import { toCompany } from '../../../../domain/trade/documents/company-amounts.ts';
import { CompanyValues } from '../../../../services/trade/payments/company-values.ts';
import type { Debt } from '../../../../services/trade/payments/debts.ts';
import { newLink } from '../../../../services/trade/payments/link-amounts.ts';
import type { LinkRow } from '../../../../services/trade/payments/payment.ts';

const cents = (value: number): Decimal => decimal(value).div(100).toFixed();
const rate = fc.integer({ min: 1000, max: 100_000_000 }).map((value): Decimal => decimal(value).div(10_000).toFixed());
const DAY = '2026-03-01';

/** An invoice with what its links have settled so far. */
function partlyPaid(total: Decimal, exchangeRate: Decimal, links: readonly LinkRow[]): Debt {
  const settled = (of: (link: LinkRow) => Decimal | null) => sum(links.map((link) => of(link) ?? '0')).toFixed();
  const row = {
    ...{
      id: 'invoice',
      docType: 'SINV',
      code: 'SINV1',
      total,
      exchangeRate,
      companyTotal: toCompany(total, exchangeRate, 2),
    },
    ...{ paidTotal: settled((link) => link.settled), companyPaidTotal: settled((link) => link.companySettled) },
  };
  return { row, lines: [], taxes: [], instalments: [] } as unknown as Debt;
}

describe('the values of what payments settle', () => {
  it('leave no cent on an invoice or a payment, in whatever parts and at whatever rates', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, rate, rate, fc.nat(), (sizes, ofInvoice, ofPayment, nth) => {
        const total = sum(sizes.map(cents)).toFixed();
        const company = { companyAmount: toCompany(total, ofPayment, 2), exchangeRate: ofPayment, companyPlaces: 2 };
        const settle = (links: readonly LinkRow[], amount: Decimal): readonly LinkRow[] => {
          const invoice = partlyPaid(total, ofInvoice, links);
          const link = newLink(invoice, { amount, date: DAY, settledBefore: invoice.row.paidTotal });
          const payment = { amount: total, ...company, links };
          return [...links, ...new CompanyValues(new Map([['invoice', invoice]])).value(payment, [link])];
        };
        const all = sizes.map(cents).reduce(settle, []);
        // One of the parts is taken back, and paid again.
        const gone = all[nth % all.length] as LinkRow;
        const again = settle(
          all.filter((link) => link !== gone),
          gone.amount,
        );
        for (const links of [all, again]) {
          assert.equal(sum(links.map((link) => link.companyAmount ?? '0')).toFixed(), company.companyAmount);
          assert.equal(sum(links.map((link) => link.companySettled ?? '0')).toFixed(), toCompany(total, ofInvoice, 2));
        }
      }),
    );
  });
});
