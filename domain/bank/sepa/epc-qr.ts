/** The QR code by which a bank's app fills in a SEPA credit transfer (EPC069-12, version 002). */
import { type Decimal, decimal } from '../../money.ts';

export interface TransferOrder {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  /** In EUR. */
  readonly amount: Decimal;
  /** The text by which the payee recognises it. */
  readonly text: string;
}

/** The greatest amount of a transfer. */
const MAX_AMOUNT = '999999999.99';

/** The content of the code; null if the amount cannot be transferred. */
export function epcPayload({ name, iban, bic, amount, text }: TransferOrder): string | null {
  const value = decimal(amount);
  if (value.lt('0.01') || value.gt(MAX_AMOUNT)) return null;
  const line = (words: string, most: number) => words.replaceAll(/\s+/g, ' ').trim().slice(0, most);
  return [
    ...['BCD', '002', '1', 'SCT'],
    ...[bic ?? '', line(name, 70), iban.replaceAll(/\s/g, '').toUpperCase(), `EUR${value.toFixed(2)}`],
    ...['', '', line(text, 140)],
  ].join('\n');
}
