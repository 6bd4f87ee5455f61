/**
 * Computes the definitive pro rata of a year, and the entry that regularises its deductions (LIVA, arts. 104 and 105).
 */
import { type Decimal, decimal } from '../../money.ts';
import { type EntryLine, entryLine, type LineTax } from './entries.ts';

/**
 * The share of sales with the right to deduct, in percent, rounded up (LIVA, art. 104.Two); 100 without sales.
 * @param withRight net of rectifications, like `operations`
 */
export function definitivePercent(withRight: Decimal, operations: Decimal): Decimal {
  if (decimal(operations).lte(0)) return '100';
  const exact = decimal(withRight).times(100).div(operations);
  if (exact.lte(0)) return '0';
  if (exact.gte(100)) return '100';
  const whole = exact.round(0, 0);
  return (exact.gt(whole) ? whole.plus(1) : whole).toFixed();
}

/** Builds the adjustment. @param difference additional deduction, or excess deduction if negative */
export function adjustmentLines(
  difference: Decimal,
  { input, other }: { readonly input: string; readonly other: string },
): EntryLine[] {
  const tax: LineTax = {
    kind: 'input',
    operation: 'domestic',
    use: 'current',
    rectifying: false,
    groupId: null,
    rate: '0',
    base: '0',
    amount: difference,
    subject: '0',
  };
  return [entryLine('debit', input, difference, { tax }), entryLine('credit', other, difference)];
}
