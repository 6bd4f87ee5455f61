/** One day of a wholesaler as its till wrote it down (CSV): what was sold, what was called off, and what is no sale at all. */
import { parse } from 'csv-parse/sync';
import { type Decimal, decimal, sum } from '../domain/money.ts';

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
}

/** Codes that name no goods: postage, carriage, manual entries, discounts, fees. */
const SERVICES = new Set(['POST', 'DOT', 'C2', 'D', 'M', 'BANK CHARGES', 'AMAZONFEE', 'CRUK', 'PADS', 'S', 'B']);

export interface RetailLine {
  /** In capitals: the same goods are typed in both. */
  readonly code: string;
  readonly description: string;
  readonly quantity: number;
  readonly price: number;
  readonly amount: Decimal;
}

export interface RetailInvoice {
  readonly number: string;
  readonly date: string;
  /** null: sold over the counter. */
  readonly customer: string | null;
  readonly country: string;
  readonly lines: readonly RetailLine[];
}

export interface LeftOut {
  readonly lines: number;
  readonly invoices: number;
  readonly amount: Decimal;
}

export interface RetailDay {
  readonly date: string;
  readonly lines: number;
  /** What is to be sold. */
  readonly invoices: readonly RetailInvoice[];
  /** Exact sum of quantity × price over the invoices, without the cancellations. */
  readonly total: Decimal;
  /** Numbers with C: negative quantities. */
  readonly cancellations: LeftOut;
  /** Lines at price 0 with a positive quantity. */
  readonly free: LeftOut;
  /** Negative quantities without a C: corrections of the stock. */
  readonly corrections: LeftOut;
}

/**
 * Reads a day's file.
 * @throws Error naming the line when the file is not of the expected form
 */
export function readRetailDay(csv: string): RetailDay {
  const rows = parse(csv, { columns: true, bom: true, skip_empty_lines: true }) as Row[];
  const first = rows[0];
  if (!first) throw new Error('the file has no lines');
  const missing = COLUMNS.filter((column) => first[column] === undefined);
  if (missing.length > 0) throw new Error(`the column ${missing.join(', ')} is missing`);
  const parsed = rows.map((row, index) => ({ row, line: toLine(row, index + 2) }));
  const dates = new Set(rows.map((row) => row.InvoiceDate.slice(0, 10)));
  if (dates.size > 1) throw new Error(`the file holds more than one day: ${[...dates].join(', ')}`);

  const cancelled = parsed.filter(({ row }) => row.InvoiceNo.startsWith('C'));
  const rest = parsed.filter(({ row }) => !row.InvoiceNo.startsWith('C'));
  const corrections = rest.filter(({ line }) => line.quantity < 0);
  const free = rest.filter(({ line }) => line.quantity >= 0 && line.price === 0);
  const sold = rest.filter(({ line }) => line.quantity > 0 && line.price !== 0);
  const invoices = new Map<string, Entry[]>();
  for (const entry of sold) {
    const entries = invoices.get(entry.row.InvoiceNo);
    if (entries) entries.push(entry);
    else invoices.set(entry.row.InvoiceNo, [entry]);
  }
  return {
    date: [...dates][0] ?? '',
    lines: rows.length,
    invoices: [...invoices].map(([number, entries]) => toInvoice(number, entries)),
    total: sum(rest.map(({ line }) => line.amount)).toFixed(),
    cancellations: leftOut(cancelled),
    free: leftOut(free),
    corrections: leftOut(corrections),
  };
}

/** Whether a code names a service, that is, nothing that lies in a warehouse. */
export function isService(code: string): boolean {
  return SERVICES.has(code);
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
    amount: decimal(row.Quantity).times(row.UnitPrice).toFixed(),
  };
}

function toInvoice(number: string, entries: readonly Entry[]): RetailInvoice {
  const row = entries[0]?.row;
  // The table program that wrote the file turned numbers into decimals: 17850.0
  const customer = row?.CustomerID.replace(/\.0+$/, '') ?? '';
  return {
    number,
    date: row?.InvoiceDate.slice(0, 10) ?? '',
    customer: customer === '' ? null : customer,
    country: row?.Country ?? '',
    lines: entries.map(({ line }) => line),
  };
}

function leftOut(entries: readonly Entry[]): LeftOut {
  return {
    lines: entries.length,
    invoices: new Set(entries.map(({ row }) => row.InvoiceNo)).size,
    amount: sum(entries.map(({ line }) => line.amount)).toFixed(),
  };
}
