/** One sale through all its documents: order → delivery note → invoice → posted. */
import type { ApiClient, Json } from './api-client.ts';
import type { SeriesIds } from './master-data.ts';
import { type Operation, refer, transact } from './transaction.ts';

export interface SaleLine {
  readonly itemId: string;
  readonly quantity: number;
  readonly price: number;
  readonly taxGroupId?: string;
}

export interface Sale {
  /** Reference of all three documents, by which a repeated run recognises them. */
  readonly reference: string;
  readonly partnerId: string;
  readonly date: string;
  readonly lines: readonly SaleLine[];
}

export interface DocumentHead {
  readonly id: string;
  readonly code: string | null;
  readonly status: string;
  readonly reference: string | null;
  readonly subtotal: number;
  readonly taxTotal: number;
  readonly total: number;
  /** The invoice that this one corrects. */
  readonly rectifies?: string | null;
}

interface Document extends DocumentHead {
  readonly lines: readonly { readonly id: string; readonly quantity: number }[];
}

export interface SaleOptions {
  /** Called with the draft, before it is posted. */
  readonly onDraft?: (invoice: DocumentHead) => Promise<void>;
  /** Called with each new document, in order: order, note, invoice. */
  readonly onMade?: (documentId: string) => void;
}

/**
 * Creates the sale step by step, one document at a time, and returns the posted invoice.
 * @throws ApiProblem if the service refuses a step
 */
export async function sell(client: ApiClient, sale: Sale, options: SaleOptions = {}): Promise<DocumentHead> {
  const make = async (path: string, lines: readonly Json[]) => {
    const document = await client.create<Document>(path, documentBody(sale, lines), idempotencyKey(path, sale));
    options.onMade?.(document.id);
    return document;
  };
  const order = await make('/api/sales', orderLines(sale));
  const note = await make('/api/sales/delivery-notes', linesFrom('SO', order));
  const invoice = await make('/api/sales/invoices', linesFrom('SDN', note));
  await options.onDraft?.(invoice);
  return client.create<DocumentHead>(`/api/sales/invoices/${invoice.id}/post`, undefined, `demo-post-${invoice.id}`);
}

/**
 * Creates the same documents in one request, all or none.
 * @returns the posted invoice
 * @throws ApiProblem if the service refuses one of them
 */
export async function sellAtOnce(
  client: ApiClient,
  sale: Sale,
  series: Partial<SeriesIds> = {},
): Promise<DocumentHead> {
  const documents: readonly Operation[] = [
    { id: 'so', method: 'POST', path: '/api/sales', body: documentBody(sale, orderLines(sale), series.SO) },
    {
      id: 'dn',
      method: 'POST',
      path: '/api/sales/delivery-notes',
      body: documentBody(sale, linesReferring('SO', 'so', sale.lines), series.SDN),
    },
    {
      id: 'inv',
      method: 'POST',
      path: '/api/sales/invoices',
      body: documentBody(sale, linesReferring('SDN', 'dn', sale.lines), series.SINV),
    },
    { id: 'posted', method: 'POST', path: '/api/sales/invoices/{inv.data.id}/post' },
  ];
  const answers = await transact(client, documents, idempotencyKey('/sale', sale));
  return answers.get('posted') as unknown as DocumentHead;
}

/** Returns the reference of one of an invoice's documents: the number, with a suffix from the second document on. */
export function partReference(number: string, index: number): string {
  return index === 0 ? number : `${number}/${index + 1}`;
}

/** Reads the posted invoices of a day, including rectifying ones, by reference, so that they are not created again. */
export async function postedInvoices(client: ApiClient, date: string): Promise<ReadonlyMap<string, DocumentHead>> {
  const rows = await client.all<DocumentHead>('/api/sales/invoices', { date });
  const posted = rows.filter((row) => ['O', 'P', 'C'].includes(row.status) && row.reference !== null);
  return new Map(posted.map((row) => [row.reference ?? '', row]));
}

function documentBody({ partnerId, date, reference }: Sale, lines: readonly Json[], seriesId?: string): Json {
  return { partnerId, date, reference, lines, ...(seriesId === undefined ? {} : { seriesId }) };
}

function idempotencyKey(what: string, { date, reference }: Sale): string {
  return `demo${what.replaceAll('/', '-')}-${date}-${reference}`;
}

function orderLines(sale: Sale): Json[] {
  return sale.lines.map((line) => ({ ...line }));
}

function linesFrom(baseType: string, base: Document): Json[] {
  return base.lines.map((line) => ({ baseType, baseId: base.id, baseLineId: line.id, quantity: line.quantity }));
}

/** The same for a document that an earlier operation of the transaction creates. */
export function linesReferring(
  baseType: string,
  operation: string,
  lines: readonly { readonly quantity: number }[],
): Json[] {
  return lines.map(({ quantity }, index) => ({
    baseType,
    baseId: refer(operation, 'id'),
    baseLineId: refer(operation, `lines.${index}.id`),
    quantity,
  }));
}
