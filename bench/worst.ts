/** The worst that a company may send of every kind, each as a request that can be repeated for as long as somebody likes. */
import { createClient, type TestClient } from '../test/helpers/client.ts';
import type { Stage } from './stage.ts';

export interface WorstAct {
  readonly kind: string;
  /** @param number of the act, for what may exist only once */
  make(number: number): Sent;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A company with the data that its worst acts need. */
export interface HostileCompany {
  readonly client: TestClient;
  readonly headers: Readonly<Record<string, string>>;
  readonly acts: readonly WorstAct[];
}

const MIB = 1024 * 1024;
const LINES = 500;
const PARTNERS = 5000;
const YEAR = new Date().getUTCFullYear();

/** Creates the company, with an API key of its own: limits of requests count it apart. @param target address of webhooks */
export async function openHostileCompany(
  { client, address, token }: Pick<Stage, 'client' | 'address' | 'token'>,
  target: string,
): Promise<HostileCompany> {
  const company = { name: 'Hostil SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
  const tenantId = (await made(client, '/api/tenants', company)).id;
  const owner = createClient(address, token, tenantId);
  const { key } = await made(owner, '/api/api-keys', { name: 'Hostile', role: 'owner' });
  const its = createClient(address, key);
  const first = async (path: string) => (await its.get(path)).body.data[0].id as string;
  const uomId = await first('/api/uom');
  const groupId = await first('/api/partnerGroups?isCustomer=true');
  const partner = await made(its, '/api/partners', { name: 'Cliente', groupId });
  const item = await made(its, '/api/items', { name: 'Servicio', uomId, type: 'service' });
  const lines = Array.from({ length: LINES }, () => ({
    itemId: item.id,
    description: 'x'.repeat(200),
    quantity: 1,
    price: 1,
  }));
  const document = { partnerId: partner.id, lines };
  const invoice = await made(its, '/api/sales/invoices', document);
  const mail = { docType: 'SINV', language: 'en', subject: 'x', body: 'x' };
  const template = (await made(its, '/api/email-templates', mail)).id;
  await registerRules(its, target);
  const headers = { Authorization: `Bearer ${key}` };
  return {
    client: its,
    headers,
    acts: worstActs({ uomId, groupId, partner, item, document, invoice, template, target }),
  };
}

/** Rules that trigger one another with each change, and call an address that never answers. */
async function registerRules(its: TestClient, target: string): Promise<void> {
  for (const [name, field] of [
    ['Ping', 'notes'],
    ['Pong', 'internalNotes'],
    ['Again', 'reference'],
  ] as const)
    await made(its, '/api/automations', {
      name,
      trigger: { type: 'document.updated' },
      conditions: [{ field: 'document.notes', operator: 'contains', value: 'a' }],
      actions: [
        { type: 'document.update_field', field, value: '{{document.notes}} a' },
        { type: 'webhook.call', url: `${target}/rule` },
      ],
    });
  for (let number = 0; number < 20; number += 1)
    await made(its, '/api/webhooks', { name: `Hook ${number}`, url: `${target}/${number}`, events: ['*'] });
}

interface Own {
  readonly uomId: string;
  readonly groupId: string;
  readonly partner: { readonly id: string };
  readonly item: { readonly id: string };
  readonly document: object;
  readonly invoice: { readonly id: string };
  readonly template: string;
  readonly target: string;
}

function worstActs({ uomId, groupId, partner, item, document, invoice, template, target }: Own): WorstAct[] {
  const ids = Array.from({ length: 150 }, () => item.id).join(',');
  const year = `from=${YEAR}-01-01&to=${YEAR}-12-31`;
  const post = (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => {
    return { method: 'POST', path, body, ...(headers === undefined ? {} : { headers }) };
  };
  const get = (path: string) => ({ method: 'GET', path });
  const acts: Readonly<Record<string, (number: number) => Sent>> = {
    report: () => get(`/api/reports/trial-balance?${year}`),
    'report as a file': () => get(`/api/reports/journal?${year}&format=excel`),
    PDF: () => get(`/api/sales/invoices/${invoice.id}/pdf`),
    import: (number) => ({
      ...post('/api/import/partners', csv(number, groupId), { 'Content-Type': 'text/csv' }),
    }),
    'change that triggers rules': (number) => ({
      method: 'PATCH',
      path: `/api/sales/invoices/${invoice.id}`,
      body: { notes: `a ${number}` },
    }),
    'deep JSON': () => post('/api/items', `{"name":${'['.repeat(MIB / 2 - 100)}${']'.repeat(MIB / 2 - 100)}}`),
    'wide body': () =>
      post('/api/items', Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`m${at}`, at]))),
    'references of a transaction': () =>
      post('/api/transactions', {
        operations: [
          { id: 'so', method: 'GET', path: `/api/sales/invoices/${invoice.id}` },
          {
            id: 'x',
            method: 'POST',
            path: '/api/sales',
            body: Array.from({ length: 800 }, () => ({ $ref: 'so.data' })),
          },
        ],
      }),
    'answers of a transaction': () =>
      post('/api/transactions', {
        operations: Array.from({ length: 8 }, (_, at) => ({
          id: `o${at}`,
          method: 'GET',
          path: `/api/sales/invoices/${invoice.id}`,
        })),
      }),
    template: () =>
      post(`/api/email-templates/${template}/preview`, {
        body: '{% for i in (1..999) %}{% for j in (1..999) %}{{i}}{% endfor %}{% endfor %}',
      }),
    pattern: (number) =>
      post('/api/custom-fields', {
        table_name: 'Item',
        field_name: `f${number}`,
        label: 'F',
        type: 'TEXTAREA',
        validation_regex: '((a|aa)+,?){1,50}$',
        default_value: 'a'.repeat(10_000),
      }),
    condition: (number) =>
      post('/api/webhooks', {
        name: `W ${number}`,
        url: `${target}/w${number}`,
        events: ['*'],
        filters: Array.from({ length: 20 }, () => ({
          field: 'a.b.c',
          operator: 'in',
          value: Array(20).fill('x'.repeat(50)),
        })),
      }),
    'list of ids': () => get(`/api/items?id[in]=${ids}`),
    export: () => get('/api/partners?format=excel'),
    search: () => get('/api/partners?q=e&sort=name&limit=200'),
    'page without end': () => get('/api/audit-logs?limit=500'),
    'keyed answer': (number) => post('/api/sales/invoices', document, { 'Idempotency-Key': `big-${number % 5}` }),
    'preview that locks': () => post(`/api/sales/invoices/${invoice.id}/post?preview=true`, {}),
    'change beside a preview': (number) => ({
      method: 'PATCH',
      path: `/api/partners/${partner.id}`,
      body: { name: `Cliente ${number}` },
    }),
    'unit of another name': (number) => ({ method: 'PATCH', path: `/api/uom/${uomId}`, body: { name: `U ${number}` } }),
  };
  return Object.entries(acts).map(([kind, make]) => ({ kind, make }));
}

function csv(number: number, groupId: string): string {
  const rows = Array.from({ length: PARTNERS }, (_, at) => `Importado ${number} ${at};${groupId}`);
  return `name;groupId\r\n${rows.join('\r\n')}\r\n`;
}

async function made(client: TestClient, path: string, body: object) {
  const answer = await client.post(path, body);
  if (answer.status !== 201)
    throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}
