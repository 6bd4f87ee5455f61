/** The address behind the QR code of an invoice (AEAT, characteristics of the QR, version 0.5.0). */
import { type Decimal, decimal } from '../../money.ts';
import { printedDate } from './dates.ts';
import type { InvoiceKey } from './records.ts';

/** Where anybody can look an invoice up, by where its records are sent. */
const LOOKUPS = {
  production: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR',
  test: 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR',
} as const;
export type Environment = keyof typeof LOOKUPS;

/** Builds the address. @param total of the record: it is part of what is looked up */
export function lookupUrl(environment: Environment, { issuer, number, date }: InvoiceKey, total: Decimal): string {
  const values = { nif: issuer, numserie: number, fecha: printedDate(date), importe: decimal(total).toFixed(2) };
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${LOOKUPS[environment]}?${query.join('&')}`;
}
