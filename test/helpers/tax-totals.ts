/** Taxes as the ledger has them, for tests of returns. */

import type { TaxTotal } from '../../domain/ledger/tax-returns/totals.ts';
import { decimal, round } from '../../domain/money.ts';

/** The sums of a tax: what is left out is of domestic invoices at 21 %, and the amount follows from base and rate. */
export function taxTotal(kind: TaxTotal['kind'], base: number, more: Partial<TaxTotal> = {}): TaxTotal {
  const rate = more.rate ?? '21';
  const amount = more.amount ?? round(decimal(base).times(rate).div(100), 2);
  const debits = kind === 'input' || kind === 'withholding';
  return {
    kind,
    operation: 'domestic',
    use: 'current',
    rectifying: false,
    groupId: '01900000-0000-7000-8000-000000000021',
    rate,
    base: decimal(base).toFixed(),
    amount,
    debit: debits ? amount : '0',
    credit: debits ? '0' : amount,
    ...more,
  };
}

/** Boxes that are not zero, as numbers. */
export function filled(boxes: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(boxes)
      .map(([box, value]) => [box, Number(value)] as const)
      .filter(([, value]) => value !== 0),
  );
}
