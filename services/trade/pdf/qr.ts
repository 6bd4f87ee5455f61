/** The QR code by which anybody can look an invoice up at the tax agency (RD 1619/2012, art. 6.5; Orden HAC/1177/2024, arts. 20 and 21). */
import QRCode from 'qrcode';
import { lookupUrl } from '../../../domain/ledger/verifactu/qr.ts';
import type { DocumentRecord } from '../../ledger/verifactu/document-record.ts';

/** A code as the template draws it: squares of a grid, light around it is the template's. */
export interface PrintedQr {
  /** Modules of a side. */
  readonly size: number;
  /** Dark modules, as the path of an SVG. */
  readonly path: string;
}

/** Draws the code with the agency's level of correction, M. */
export function printedQr(record: Pick<DocumentRecord, 'environment' | 'invoice' | 'total'>): PrintedQr {
  return drawnQr(lookupUrl(record.environment, record.invoice, record.total));
}

/** Draws a text as a code with the level of correction M. */
export function drawnQr(text: string): PrintedQr {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => (modules.get(row, column) ? `M${column} ${row}h1v1h-1z` : '')).join(''),
  );
  return { size, path: rows.join('') };
}
