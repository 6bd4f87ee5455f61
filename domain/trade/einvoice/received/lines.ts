/** Parts of lines that invoices of all formats have. */
import { type Decimal, decimal } from '../../../money.ts';
import type { ReceivedLine } from './received.ts';

/** A discount or charge on the whole invoice, as a line. @param amount less than zero for a discount */
export function wholeLine(
  description: string,
  amount: Decimal,
  tax: Pick<ReceivedLine, 'taxRate' | 'treatment'>,
): ReceivedLine {
  return { description, codes: [], quantity: '1', price: amount, discountPercent: '0', amount, ...tax };
}

/** The price of one piece. @param per number of pieces that the price is for */
export function unitPrice(price: Decimal, per: Decimal): Decimal {
  return decimal(per).gt(0) ? decimal(price).div(per).round(8).toFixed() : price;
}

/** The words for a discount or charge that says nothing itself. */
export function wholeWords(isCharge: boolean): string {
  return isCharge ? 'Cargo' : 'Descuento';
}
