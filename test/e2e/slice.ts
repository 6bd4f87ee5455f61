/** The main job from end to end, as a REST client does it, through any two addresses of the service. */
import assert from 'node:assert/strict';
import type { ApiClient } from '../../demo/api-client.ts';
import { ensureItems, ensurePartners, loadBasics } from '../../demo/master-data.ts';
import type { DemoWebhook } from '../../demo/webhook.ts';
import { pdfText } from '../helpers/pdf-text.ts';

export interface SliceDocument {
  readonly id: string;
  readonly code: string | null;
  readonly number: number | null;
  readonly status: string;
  readonly version: number;
  readonly total: number;
  readonly lines: readonly { readonly id: string; readonly openQuantity: number }[];
}

export interface Slice {
  readonly itemId: string;
  readonly customerId: string;
  readonly order: SliceDocument;
  readonly note: SliceDocument;
  readonly invoice: SliceDocument;
}

/**
 * Buys in on `a`, orders there, delivers on `b`, invoices on `a`, posts on `b`; each step sees what the other has done.
 * @param run part of keys and names, so that it can be done more than once
 */
export async function tradeThrough(a: ApiClient, b: ApiClient, run: string): Promise<Slice> {
  const { itemId, customerId, supplierId } = await tradeData(a, run);
  await a.create('/api/purchases/delivery-notes', { partnerId: supplierId, lines: [{ itemId, quantity: 50 }] });
  assert.equal((await readStock(b, itemId)).onHand, 50);

  // The same request by both, at once: it happens once.
  const order = { partnerId: customerId, reference: run, lines: [{ itemId, quantity: 12, price: 10 }] };
  const key = `order-${run}`;
  const [first, second] = await Promise.all(
    [a, b].map((client) => client.create<SliceDocument>('/api/sales', order, key)),
  );
  assert.ok(first && second);
  assert.equal(first.id, second.id);
  assert.deepEqual([first.status, first.total], ['O', 145.2]);

  const lines = [{ baseType: 'SO', baseId: first.id, quantity: 12 }];
  const note = await b.create<SliceDocument>('/api/sales/delivery-notes', { partnerId: customerId, lines });
  assert.equal((await read(a, `/api/sales/${first.id}`)).status, 'C');
  assert.equal((await readStock(a, itemId)).onHand, 38);

  const invoiced = [{ baseType: 'SDN', baseId: note.id, quantity: 12 }];
  const draft = await a.create<SliceDocument>('/api/sales/invoices', { partnerId: customerId, lines: invoiced });
  assert.deepEqual([draft.status, draft.number], ['D', null]);
  assert.equal((await read(b, `/api/sales/delivery-notes/${note.id}`)).status, 'C');
  await assertPdf(b, draft, [/BORRADOR|DRAFT/, `Artículo ${run}`]);

  const invoice = await b.create<SliceDocument>(`/api/sales/invoices/${draft.id}/post`, undefined);
  assert.equal(invoice.status, 'O');
  assert.ok(invoice.number !== null && invoice.code !== null);
  const text = await assertPdf(a, invoice, [invoice.code, `Cliente ${run}`, `Artículo ${run}`, '145,20', 'B12345674']);
  assert.doesNotMatch(text, /BORRADOR|DRAFT/);
  return { itemId, customerId, order: first, note, invoice };
}

/** A draft invoice of one piece that no order stands behind. */
export async function draftInvoice(client: ApiClient, { customerId, itemId }: Slice): Promise<SliceDocument> {
  return client.create<SliceDocument>('/api/sales/invoices', {
    partnerId: customerId,
    lines: [{ itemId, quantity: 1 }],
  });
}

/** Each event of the slice came with a good signature, and the log says so too. */
export async function assertDelivered(client: ApiClient, webhook: DemoWebhook, slice: Slice): Promise<void> {
  const { order, note, invoice } = slice;
  const created = [order.id, note.id, invoice.id];
  assert.deepEqual(await webhook.waitFor('document.created', created, 30_000), []);
  assert.deepEqual(await webhook.waitFor('document.updated', [order.id, note.id], 30_000), []);
  assert.deepEqual(await webhook.waitFor('document.locked', [invoice.id], 30_000), []);
  assert.deepEqual(webhook.receiver.faults, []);
  assert.ok(webhook.receiver.deliveries.every(({ tenantId }) => tenantId === client.tenantId));
  const { data } = (await client.get(`/api/webhooks/${webhook.id}/logs?limit=500`)) as {
    data: { event: string; status: string; document_id: string; attempt: number }[];
  };
  const locked = data.filter(({ event, document_id }) => event === 'document.locked' && document_id === invoice.id);
  assert.deepEqual(
    locked.map(({ status, attempt }) => [status, attempt]),
    [['success', 1]],
  );
}

async function tradeData(client: ApiClient, run: string) {
  const basics = await loadBasics(client);
  const item = { code: run, name: `Artículo ${run}`, type: 'product', salePrice: 10, purchasePrice: 6 } as const;
  const [itemName, customer, supplier] = [run, `Cliente ${run}`, `Proveedor ${run}`];
  const { ids: items } = await ensureItems(client, basics, [{ ...item, taxCode: 'IVA21' }]);
  const { ids: customers } = await ensurePartners(client, basics.customerGroupId, [{ name: customer }]);
  const { ids: suppliers } = await ensurePartners(client, basics.vendorGroupId, [{ name: supplier }]);
  const [itemId, customerId, supplierId] = [items.get(itemName), customers.get(customer), suppliers.get(supplier)];
  assert.ok(itemId !== undefined && customerId !== undefined && supplierId !== undefined);
  return { itemId, customerId, supplierId };
}

async function read(client: ApiClient, path: string): Promise<SliceDocument> {
  return client.one<SliceDocument>(path);
}

async function readStock(client: ApiClient, itemId: string): Promise<{ onHand: number; reserved: number }> {
  const rows = await client.all<{ onHand: number; reserved: number }>('/api/stock', { itemId });
  assert.equal(rows.length, 1);
  return rows[0] as { onHand: number; reserved: number };
}

async function assertPdf(
  client: ApiClient,
  invoice: SliceDocument,
  parts: readonly (string | RegExp)[],
): Promise<string> {
  const text = await pdfText(await client.download(`/api/sales/invoices/${invoice.id}/pdf`));
  for (const part of parts) {
    const found = typeof part === 'string' ? text.includes(part) : part.test(text);
    assert.ok(found, `${part} is not in the PDF: ${text}`);
  }
  return text;
}
