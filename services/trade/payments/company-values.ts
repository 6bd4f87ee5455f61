/**
 * Values applications of payments in other currencies: the amount at the payment's rate, and what it settles at the document's. What is
 * left between them is a realised exchange difference. Whatever uses up a payment, or settles the rest of a document, takes what is left
 * of its value, so that both end at nothing.
 */
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import { isOwed } from '../../../domain/trade/payments/types.ts';
import { type Debt, isItem } from './debts.ts';
import { type LinkRow, type PaymentRow, reversed } from './payment.ts';

type Valued = Pick<PaymentRow, 'amount' | 'companyAmount' | 'exchangeRate' | 'companyPlaces' | 'links'>;

/** Values links one after the other, also those of several payments to the same document. */
export class CompanyValues {
  readonly #debts: ReadonlyMap<string, Debt>;
  /** Settled of each document so far, in its currency and in the company's. */
  readonly #paid = new Map<string, { readonly total: Decimal; readonly company: Decimal }>();

  /** @param without links that are removed */
  constructor(debts: ReadonlyMap<string, Debt>, without: readonly LinkRow[] = []) {
    this.#debts = debts;
    for (const link of without.map(reversed)) this.#settle(link.documentId, link.settled, link.companySettled ?? '0');
  }

  /** @param without links of the payment that are removed @returns the same links if the payment is in the company's currency */
  value(payment: Valued, links: readonly LinkRow[], without: readonly LinkRow[] = []): readonly LinkRow[] {
    const { companyAmount, exchangeRate: rate, companyPlaces: places } = payment;
    if (companyAmount === null) return links;
    const gone = new Set(without.map(({ id }) => id));
    const kept = payment.links.filter(({ id }) => !gone.has(id) && !links.some((link) => link.id === id));
    let used = sum(kept.map(({ amount }) => amount));
    let spent = sum(kept.map((link) => link.companyAmount ?? '0'));
    return links.map((link) => {
      used = used.plus(link.amount);
      const isLast = used.eq(payment.amount) && rate !== null;
      const worth = isLast
        ? decimal(companyAmount).minus(spent).toFixed()
        : rate === null
          ? '0'
          : toCompany(link.amount, rate, places);
      spent = spent.plus(worth);
      const valued = { ...link, companyAmount: worth, companySettled: this.#settled(link, worth, places) };
      this.#settle(link.documentId, link.settled, valued.companySettled);
      return valued;
    });
  }

  #settled(link: LinkRow, worth: Decimal, places: number): Decimal {
    const debt = this.#debts.get(link.documentId);
    // An advance stays at what it was paid with.
    if (debt === undefined || isItem(debt) || !isOwed(link.docType)) return worth;
    const { total, companyTotal, exchangeRate } = debt.row;
    const before = this.#before(link.documentId);
    const isRest = sum([before.total, link.settled]).eq(total);
    if (isRest)
      return decimal(companyTotal ?? total)
        .minus(before.company)
        .toFixed();
    return exchangeRate === null ? link.settled : toCompany(link.settled, exchangeRate, places);
  }

  #before(id: string): { readonly total: Decimal; readonly company: Decimal } {
    const known = this.#paid.get(id);
    if (known !== undefined) return known;
    const debt = this.#debts.get(id);
    if (debt === undefined) return { total: '0', company: '0' };
    const { paidTotal } = debt.row;
    return { total: paidTotal, company: isItem(debt) ? paidTotal : (debt.row.companyPaidTotal ?? paidTotal) };
  }

  #settle(id: string, settled: Decimal, company: Decimal): void {
    const before = this.#before(id);
    this.#paid.set(id, {
      total: sum([before.total, settled]).toFixed(),
      company: sum([before.company, company]).toFixed(),
    });
  }
}
