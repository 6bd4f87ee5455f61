/** A company with a record of nearly every kind, so that requests of the fuzzer find something. */
import { ROUTES } from '../../../api/routes.ts';
import { RESOURCES } from '../../../services/records/master-data/index.ts';
import { openTrade } from '../../api/trade/documents/trade.ts';
import type { TestApp } from '../app.ts';
import { ResourceBodies } from '../resource-bodies.ts';
import type { Ids } from './sample.ts';

/** Records that no declared resource makes. */
function others(customerId: string, itemId: string): readonly (readonly [path: string, body: object])[] {
  const lines = [{ itemId, quantity: 1 }];
  return [
    ['/api/sales', { partnerId: customerId, lines }],
    ['/api/sales/delivery-notes', { partnerId: customerId, lines }],
    ['/api/sales/invoices', { partnerId: customerId, lines }],
    ['/api/purchases', { partnerId: customerId, lines }],
    ['/api/email-templates', { docType: 'SINV', language: 'en', subject: 'x', body: 'x' }],
    ['/api/webhooks', { name: 'Hook', url: 'https://example.com/hook', events: ['document.created'] }],
    [
      '/api/automations',
      {
        name: 'Rule',
        trigger: { type: 'schedule.cron', expression: '0 8 * * *' },
        actions: [{ type: 'email.send', to: 'a@example.com', subject: 'S', body_html: 'T' }],
      },
    ],
    ['/api/comments', { entityType: 'Partner', entityId: customerId, body: 'Hello' }],
  ];
}

/** Fills the company, once. */
export async function furnish(app: TestApp): Promise<void> {
  const { customerId, itemId } = await openTrade(app, 1000);
  const bodies = new ResourceBodies(app.client);
  for (const resource of RESOURCES) await bodies.create(resource);
  for (const [path, body] of others(customerId, itemId)) await app.client.post(path, body);
}

/** Ids of the records that there are, by the path of their list. */
export async function existingIds(app: TestApp): Promise<Ids> {
  const ids = new Map<string, string[]>();
  for (const { method, path } of ROUTES) {
    if (method !== 'GET' || path.includes(':')) continue;
    // Not by the client of the tests, which would compile the description of every answer.
    const answer = await fetch(app.address + path, { headers: { Authorization: `Bearer ${app.token}` } });
    const { data } = (
      answer.ok && /[/+]json/.test(answer.headers.get('Content-Type') ?? '') ? await answer.json() : {}
    ) as {
      readonly data?: unknown;
    };
    const rows = (Array.isArray(data) ? data : []) as { readonly id?: string }[];
    const found = rows.flatMap(({ id }) => (id === undefined ? [] : [id])).slice(0, 5);
    if (found.length > 0) ids.set(path, found);
  }
  return ids;
}
