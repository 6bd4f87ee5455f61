/** One sale through all its documents: order → delivery note → invoice → posted. What an earlier run has made is taken up. */
import type { ApiClient, Json } from './api-client.ts';
import type { SeriesIds } from './master-data.ts';

export interface SaleLine {
  readonly itemId: string;
  readonly quantity: number;
  readonly price: number;
  readonly taxGroupId?: string;
}

export interface Sale {
  /** On all three documents; what a repeated run recognises them by. */
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
}

interface Document extends DocumentHead {
  readonly lines: readonly { readonly id: string; readonly quantity: number }[];
}

/** Documents of earlier runs by their reference; cancelled ones are left out. */
export interface KnownDocuments {
  readonly orders: ReadonlyMap<string, DocumentHead>;
  readonly notes: ReadonlyMap<string, DocumentHead>;
  readonly invoices: ReadonlyMap<string, DocumentHead>;
}

export const NOTHING_KNOWN: KnownDocuments = { orders: new Map(), notes: new Map(), invoices: new Map() };

export interface SaleOptions {
  readonly series?: SeriesIds;
  readonly known?: KnownDocuments;
  /** Called with the draft, before it is posted. */
  readonly onDraft?: (invoice: DocumentHead) => Promise<void>;
  /** Called with each document that is made now, in its order: order, note, invoice. */
  readonly onMade?: (documentId: string) => void;
}

/** Sales documents dated within the days, by reference. */
export async function knownDocuments(client: ApiClient, from: string, to: string): Promise<KnownDocuments> {
  const [orders, notes, invoices] = await Promise.all(
    ['/api/sales', '/api/sales/delivery-notes', '/api/sales/invoices'].map(async (path) => {
      const rows = await client.all<DocumentHead>(path, { 'date[gte]': from, 'date[lte]': to });
      const alive = rows.filter((row) => row.status !== 'X' && row.reference !== null);
      return new Map(alive.map((row) => [row.reference ?? '', row]));
    }),
  );
  return { orders: orders ?? new Map(), notes: notes ?? new Map(), invoices: invoices ?? new Map() };
}

/**
 * Makes the sale and returns the posted invoice.
 * @throws ApiProblem when the service refuses a step; a repeated call goes on from there
 */
export async function sell(client: ApiClient, sale: Sale, options: SaleOptions = {}): Promise<DocumentHead> {
  const known = options.known ?? NOTHING_KNOWN;
  const invoice = known.invoices.get(sale.reference) ?? (await makeInvoice(client, sale, options, known));
  if (invoice.status !== 'D') return invoice;
  await options.onDraft?.(invoice);
  return client.create<DocumentHead>(`/api/sales/invoices/${invoice.id}/post`, undefined, `demo-post-${invoice.id}`);
}

async function makeInvoice(
  client: ApiClient,
  sale: Sale,
  options: SaleOptions,
  known: KnownDocuments,
): Promise<DocumentHead> {
  const make = async (path: string, seriesId: string | undefined, lines: readonly Json[]) => {
    const document = await create(client, path, sale, seriesId, lines);
    options.onMade?.(document.id);
    return document;
  };
  const note = await complete(client, '/api/sales/delivery-notes', known.notes.get(sale.reference), async () => {
    const order = await complete(client, '/api/sales', known.orders.get(sale.reference), () =>
      make(
        '/api/sales',
        options.series?.SO,
        sale.lines.map((line) => ({ ...line })),
      ),
    );
    return make('/api/sales/delivery-notes', options.series?.SDN, linesFrom('SO', order));
  });
  return make('/api/sales/invoices', options.series?.SINV, linesFrom('SDN', note));
}

/** The whole document: read, where only its head is known, or made. */
async function complete(
  client: ApiClient,
  path: string,
  head: DocumentHead | undefined,
  make: () => Promise<Document>,
): Promise<Document> {
  return head ? client.one<Document>(`${path}/${head.id}`) : make();
}

function create(
  client: ApiClient,
  path: string,
  sale: Sale,
  seriesId: string | undefined,
  lines: readonly Json[],
): Promise<Document> {
  const { partnerId, date, reference } = sale;
  const body = { partnerId, date, reference, lines, ...(seriesId === undefined ? {} : { seriesId }) };
  return client.create<Document>(path, body, `demo${path.replaceAll('/', '-')}-${date}-${reference}`);
}

function linesFrom(baseType: string, base: Document): Json[] {
  return base.lines.map((line) => ({ baseType, baseId: base.id, baseLineId: line.id, quantity: line.quantity }));
}
