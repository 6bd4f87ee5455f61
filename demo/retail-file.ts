/** Reads one day of a wholesaler from the file of its till (CSV): sales, cancellations and stock corrections. */
import { parse } from 'csv-parse/sync';
import { type Decimal, parseDecimal, sum } from '../domain/money.ts';

const COLUMNS = [
  'InvoiceNo',
  'StockCode',
  'Description',
  'Quantity',
  'InvoiceDate',
  'UnitPrice',
  'CustomerID',
  'Country',
] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

interface Entry {
  readonly row: Row;
  readonly line: RetailLine;
  readonly kind: 'sale' | 'cancellation' | 'correction';
}

/** Codes that name no goods: postage, carriage, manual entries, discounts, fees. */
const SERVICES = new Set(['POST', 'DOT', 'C2', 'D', 'M', 'BANK CHARGES', 'AMAZONFEE', 'CRUK', 'PADS', 'S', 'B']);

export interface RetailLine {
  /** In capitals, because codes of the same goods differ in case. */
  readonly code: string;
  readonly description: string;
  readonly quantity: number;
  readonly price: number;
  readonly amount: Decimal;
}

export interface RetailInvoice {
  /** Starts with C for a cancellation, whose quantities are negative. */
  readonly number: string;
  readonly date: string;
  /** null for sales over the counter. */
  readonly customer: string | null;
  readonly country: string;
  readonly lines: readonly RetailLine[];
}

/** Goods found or missing, without a sale. */
export interface Correction {
  /** The invoice number assigned by the till. */
  readonly number: string;
  readonly code: string;
  readonly quantity: number;
}

export interface RetailDay {
  readonly date: string;
  readonly lines: number;
  readonly invoices: readonly RetailInvoice[];
  /** Exact sum of quantity × price, without cancellations. */
  readonly total: Decimal;
  readonly cancellations: readonly RetailInvoice[];
  /** The same sum of the cancellations; negative. */
  readonly cancelled: Decimal;
  readonly corrections: readonly Correction[];
}

/**
 * Reads a day's file. Lines with C in their number are cancellations. Of the others, lines without price and customer, or with a negative
 * quantity, correct the stock; the rest are sales.
 * @throws Error naming the line if the file does not have the expected form
 */
export function readRetailDay(csv: string): RetailDay {
  const rows = parse(csv, { columns: true, bom: true, skip_empty_lines: true }) as Row[];
  const first = rows[0];
  if (!first) throw new Error('the file has no lines');
  const missing = COLUMNS.filter((column) => first[column] === undefined);
  if (missing.length > 0) throw new Error(`the column ${missing.join(', ')} is missing`);
  const entries = rows.map((row, index) => toEntry(row, index + 2));
  const dates = new Set(rows.map((row) => row.InvoiceDate.slice(0, 10)));
  if (dates.size > 1) throw new Error(`the file holds more than one day: ${[...dates].join(', ')}`);

  const of = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind);
  return {
    date: [...dates][0] ?? '',
    lines: rows.length,
    invoices: toInvoices(of('sale')),
    // Corrections have no price, so the total is that of the sales.
    total: totalAmount(of('sale')),
    cancellations: toInvoices(of('cancellation')),
    cancelled: totalAmount(of('cancellation')),
    corrections: of('correction').map(({ row, line: { code, quantity } }) => ({
      number: row.InvoiceNo,
      code,
      quantity,
    })),
  };
}

/** Whether a code names a service, which has no stock. */
export function isService(code: string): boolean {
  return SERVICES.has(code);
}

function toEntry(row: Row, lineNumber: number): Entry {
  const line = toLine(row, lineNumber);
  if (row.InvoiceNo.startsWith('C')) {
    if (line.quantity >= 0) throw new Error(`line ${lineNumber}: a cancellation of ${line.quantity}`);
    return { row, line, kind: 'cancellation' };
  }
  const free = line.price === 0 && row.CustomerID === '' && !isService(line.code);
  if (line.quantity < 0 && !free) {
    throw new Error(
      `line ${lineNumber}: a negative quantity that is neither a cancellation nor a correction of the stock`,
    );
  }
  if (line.quantity === 0) throw new Error(`line ${lineNumber}: the quantity is 0`);
  return { row, line, kind: free ? 'correction' : 'sale' };
}

function toLine(row: Row, lineNumber: number): RetailLine {
  if (!/^-?\d+$/.test(row.Quantity)) throw new Error(`line ${lineNumber}: the quantity is "${row.Quantity}"`);
  if (!/^-?\d+(\.\d{1,6})?$/.test(row.UnitPrice))
    throw new Error(`line ${lineNumber}: the price is "${row.UnitPrice}"`);
  if (!/^\d{4}-\d\d-\d\d\b/.test(row.InvoiceDate))
    throw new Error(`line ${lineNumber}: the date is "${row.InvoiceDate}"`);
  return {
    code: row.StockCode.trim().toUpperCase(),
    description: row.Description.trim(),
    quantity: Number(row.Quantity),
    price: Number(row.UnitPrice),
    amount: parseDecimal(row.Quantity).times(parseDecimal(row.UnitPrice)).toFixed(),
  };
}

function toInvoices(entries: readonly Entry[]): RetailInvoice[] {
  const byNumber = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = byNumber.get(entry.row.InvoiceNo);
    if (known) known.push(entry);
    else byNumber.set(entry.row.InvoiceNo, [entry]);
  }
  return [...byNumber].map(([number, own]) => toInvoice(number, own));
}

function toInvoice(number: string, entries: readonly Entry[]): RetailInvoice {
  const row = entries[0]?.row;
  // The spreadsheet program that wrote the file turned numbers into decimals: 17850.0
  const customer = row?.CustomerID.replace(/\.0+$/, '') ?? '';
  return {
    number,
    date: row?.InvoiceDate.slice(0, 10) ?? '',
    customer: customer === '' ? null : customer,
    country: row?.Country ?? '',
    lines: entries.map(({ line }) => line),
  };
}

function totalAmount(entries: readonly Entry[]): Decimal {
  return sum(entries.map(({ line }) => line.amount)).toFixed();
}
