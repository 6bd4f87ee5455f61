/** Amounts in Facturae: two decimals, as public bodies want them, and never less than nothing where it is nothing. */
import { type Decimal, type DecimalInput, decimal } from '../../../money.ts';
import { type Node, node } from '../../../xml.ts';

/** An element with an amount. */
export function amountNode(name: string, value: DecimalInput): Node {
  return node(name, cents(value));
}

/** An element with an amount in `TotalAmount`. */
export function totalNode(name: string, value: DecimalInput): Node {
  return node(name, [node('TotalAmount', cents(value))]);
}

/** Two decimals; zero has no sign. */
export function cents(value: DecimalInput): Decimal {
  const text = decimal(value).toFixed(2);
  return text === '-0.00' ? '0.00' : text;
}

/** Two decimals at least. */
export function exactly(value: DecimalInput): string {
  const exact = decimal(value);
  return exact.round(2).eq(exact) ? cents(exact) : exact.round(8).toFixed();
}
