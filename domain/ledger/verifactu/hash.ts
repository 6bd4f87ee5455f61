/** The text whose SHA-256 is the hash of a record, in UTF-8 (AEAT, algorithm of the hash, version 0.1.2). */
import { printedDate } from './dates.ts';
import type { Annulment, Link, Registration } from './records.ts';

type Place = Omit<Link, 'hash'>;

/** Joins names and values; blanks around values do not count. */
function joined(members: readonly (readonly [name: string, value: string])[]): string {
  return members.map(([name, value]) => `${name}=${value.trim()}`).join('&');
}

function place({ previous, generatedAt }: Place): [string, string][] {
  return [
    ['Huella', previous?.hash ?? ''],
    ['FechaHoraHusoGenRegistro', generatedAt],
  ];
}

/** The text of an invoice's record. Amounts count as they are written. */
export function registrationText({ invoice, type, taxTotal, total }: Registration, link: Place): string {
  return joined([
    ['IDEmisorFactura', invoice.issuer],
    ['NumSerieFactura', invoice.number],
    ['FechaExpedicionFactura', printedDate(invoice.date)],
    ['TipoFactura', type],
    ['CuotaTotal', taxTotal],
    ['ImporteTotal', total],
    ...place(link),
  ]);
}

/** The text of an annulment. */
export function annulmentText({ invoice }: Annulment, link: Place): string {
  return joined([
    ['IDEmisorFacturaAnulada', invoice.issuer],
    ['NumSerieFacturaAnulada', invoice.number],
    ['FechaExpedicionFacturaAnulada', printedDate(invoice.date)],
    ...place(link),
  ]);
}
