/** The demo without data: a small wholesaler sells for a month of days. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pMap from 'p-map';
import { sum } from '../domain/money.ts';
import { WIDTH } from './concurrently.ts';
import { goodsFor, receiveGoods } from './goods-in.ts';
import { ensureItems, ensurePartners, loadBasics, type Period } from './master-data.ts';
import { type Output, Progress } from './report.ts';
import { type DocumentHead, sell } from './sale.ts';
import { DemoError, type Session } from './session.ts';
import { type DemoWebhook, openWebhook } from './webhook.ts';
import { chooseDays, dayAt, plannedCustomers, plannedItems, plannedSales } from './wholesaler.ts';

const DELIVERY_TIMEOUT_MS = 60_000;

export interface MonthOptions {
  readonly dataDir: string;
  readonly now: Date;
  /** Number of days to sell on. */
  readonly length: number;
  /** Identifies the run; part of the references. */
  readonly run: string;
  /** Port of the receiver of webhooks; undefined = none, as with a service that cannot reach this machine. */
  readonly receiverPort: number | undefined;
  readonly output: Output;
}

export interface MonthReport {
  readonly days: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly lastInvoice: DocumentHead;
  readonly pdfs: readonly string[];
  readonly webhookId: string | undefined;
  /** Discrepancies; empty if everything adds up. */
  readonly problems: readonly string[];
}

/** @throws ApiProblem, DemoError */
export async function runMonth({ client }: Session, options: MonthOptions): Promise<MonthReport> {
  const { output } = options;
  const periods = await client.all<Period>('/api/periods');
  const { timezone } = (await client.get('/api/config/format')) as { timezone: string };
  const days = chooseDays(periods, dayAt(options.now, timezone), options.length);
  const [firstDay] = days;
  if (firstDay === undefined) throw new DemoError('No accounting period around today is open; open one first');

  const basics = await loadBasics(client);
  const wanted = plannedItems();
  const items = await ensureItems(client, basics, wanted);
  const customers = await ensurePartners(client, basics.customerGroupId, plannedCustomers());
  const suppliers = await ensurePartners(client, basics.vendorGroupId, [{ name: 'Distribuciones Origen SA' }]);
  output.write(`  ${items.created} items and ${customers.created} customers created\n`);

  const planned = plannedSales(days, wanted).map((sale, index) => ({
    reference: `${options.run}-${index + 1}`,
    partnerId: requireId(customers.ids, sale.customer),
    date: sale.date,
    lines: sale.lines.map(({ code, quantity, price }) => ({ itemId: requireId(items.ids, code), quantity, price })),
  }));
  const goods = await receiveGoods(client, {
    reference: `${options.run}-IN`,
    supplierId: requireId(suppliers.ids, 'Distribuciones Origen SA'),
    date: firstDay,
    lines: goodsFor(planned.flatMap((sale) => sale.lines)),
  });

  const { receiverPort } = options;
  const webhook =
    receiverPort === undefined
      ? undefined
      : await openWebhook(client, ['document.created', 'document.updated', 'document.locked'], receiverPort);
  try {
    const pdfs: string[] = [];
    const savePdf = async (name: string, invoice: DocumentHead) => {
      const file = path.join(options.dataDir, 'demo', name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, await client.download(`/api/sales/invoices/${invoice.id}/pdf`));
      pdfs.push(file);
    };
    const progress = new Progress('sales', planned.length, output);
    const expected: ExpectedEvents = { 'document.created': [], 'document.updated': [], 'document.locked': [] };
    const invoices = await pMap(
      planned,
      async (sale, index) => {
        const last = index === planned.length - 1;
        const made: string[] = [];
        const invoice = await sell(client, sale, {
          onMade: (id) => made.push(id),
          ...(last ? { onDraft: (draft: DocumentHead) => savePdf('draft.pdf', draft) } : {}),
        });
        expected['document.created'].push(...made);
        // The note closes the order, and the invoice closes the note.
        expected['document.updated'].push(...made.slice(0, 2));
        expected['document.locked'].push(invoice.id);
        progress.step();
        return invoice;
      },
      { concurrency: WIDTH },
    );
    const lastInvoice = invoices.at(-1) as DocumentHead;
    await savePdf(`invoice-${lastInvoice.code}.pdf`, lastInvoice);
    const undelivered = webhook ? await missingDeliveries(webhook, expected) : [];
    return {
      days,
      lastInvoice,
      pdfs,
      webhookId: webhook?.id,
      rows: [
        ['what', 'number', 'amount'],
        ['goods received (purchase delivery notes)', goods.notes, ''],
        ['sales posted (order → note → invoice)', invoices.length, ''],
        ['net', '', sum(invoices.map((invoice) => invoice.subtotal)).toFixed(2)],
        ['tax', '', sum(invoices.map((invoice) => invoice.taxTotal)).toFixed(2)],
        ['total', '', sum(invoices.map((invoice) => invoice.total)).toFixed(2)],
        ...deliveryRows(webhook),
      ],
      problems: deliveryProblems(webhook, undelivered),
    };
  } finally {
    await webhook?.close();
  }
}

type ExpectedEvents = Record<'document.created' | 'document.updated' | 'document.locked', string[]>;

/** Waits for the deliveries of all expected events. @returns a line for each event with missing deliveries */
async function missingDeliveries(webhook: DemoWebhook, expected: ExpectedEvents): Promise<string[]> {
  const lines = Object.entries(expected).map(async ([event, ids]) => {
    const missing = await webhook.waitFor(event, ids, DELIVERY_TIMEOUT_MS);
    return missing.length > 0 ? [`${missing.length} of ${ids.length} ${event} did not come`] : [];
  });
  return (await Promise.all(lines)).flat();
}

function deliveryRows(webhook: DemoWebhook | undefined): (string | number)[][] {
  if (!webhook) return [['webhooks', 'not tried', '']];
  const { deliveries, repeats } = webhook.receiver;
  const events = new Map<string, number>();
  for (const { event } of deliveries) events.set(event, (events.get(event) ?? 0) + 1);
  return [
    ...[...events].sort().map(([event, count]) => [`webhook ${event}, signatures good`, count, '']),
    ['webhook deliveries repeated', repeats, ''],
  ];
}

/** Describes failures of deliveries for the report. */
function deliveryProblems(webhook: DemoWebhook | undefined, undelivered: readonly string[]): string[] {
  const faults = webhook?.receiver.faults ?? [];
  return [...new Set(faults.map((fault) => `a webhook delivery was refused: ${fault}`)), ...undelivered];
}

function requireId(ids: ReadonlyMap<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`${key} is missing`);
  return id;
}
