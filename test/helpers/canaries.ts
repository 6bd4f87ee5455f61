/**
 * Values that occur in one member only, so that whatever shows them shows that member.
 *
 *     await plantCanaries(app);
 *     const canaries = await findCanaries(app);
 *     canaries.filter(({ text }) => answer.includes(text))
 */
import assert from 'node:assert/strict';
import { query } from '../../db/sql.ts';
import { NOT_BLANK } from '../../services/platform/validation/schemas.ts';
import { COMMENTABLE_TYPES } from '../../services/records/commentable/kinds.ts';
import { bankAccounts } from '../../services/records/master-data/bank-accounts.ts';
import { RESOURCES } from '../../services/records/master-data/index.ts';
import type { ResourceDeclaration } from '../../services/records/resources/declaration.ts';
import { openTrade, type Trade } from '../api/trade/documents/trade.ts';
import { certificateFile } from './agency.ts';
import type { TestApp } from './app.ts';
import { BankDesk } from './bank-desk.ts';
import { sampleLine } from './bank-files.ts';
import { TODAY } from './clock.ts';
import { fieldSchema, ResourceBodies, writableFields } from './resource-bodies.ts';
import { LEFT_OUT, ONE_OF, SPECIAL_VALUES } from './resource-specials.ts';

/** A member of a type of record. */
export interface Place {
  readonly entityType: string;
  readonly member: string;
  /** For comments and attachments: the type of the record that they belong to. */
  readonly about: string | undefined;
}

/** A value, and the members that have it: one, or few that show the same, such as the reference of a payment and of its entry. */
export interface Canary {
  readonly text: string;
  readonly places: readonly Place[];
}

let planted = 0;

/** A text that no other contains. */
export function canary(): string {
  planted += 1;
  return `zq${String(planted).padStart(4, '0')}xvk`;
}

/** Canaries for the members of a resource that take any text. */
function freeTexts(declaration: ResourceDeclaration): Record<string, string> {
  const skipped = [...(LEFT_OUT[declaration.name] ?? []), ...(ONE_OF[declaration.name] ?? [])];
  const names = writableFields(declaration, 'create').filter((name) => {
    const field = declaration.fields[name];
    if (field === undefined || field.reference !== undefined || skipped.includes(name)) return false;
    if (SPECIAL_VALUES[declaration.name]?.[name] !== undefined) return false;
    const { type, format, enum: choices, pattern = NOT_BLANK, maxLength = 200 } = fieldSchema(field);
    return type === 'string' && !format && !choices && pattern === NOT_BLANK && maxLength >= 9;
  });
  return Object.fromEntries(names.map((name) => [name, canary()]));
}

/** Records that no declared resource makes: path and body. */
function others({
  customerId,
  supplierId,
  itemId,
  warehouseId,
  bankAccountId,
  employeeId,
}: Trade & { readonly bankAccountId: string; readonly employeeId: string }): readonly (readonly [
  path: string,
  body: object,
])[] {
  const document = (partnerId: string) => ({
    partnerId,
    notes: canary(),
    internalNotes: canary(),
    lines: [{ itemId, quantity: 1, description: canary() }],
  });
  const secret = () => `https://example.com/hook?token=${canary()}`;
  const login = { password: 'a password of twenty letters' };
  return [
    ['/api/sales/quotations', document(customerId)],
    ['/api/purchases/requests', document(supplierId)],
    ['/api/sales', document(customerId)],
    ['/api/sales/delivery-notes', document(customerId)],
    ['/api/sales/invoices', document(customerId)],
    ['/api/purchases', document(supplierId)],
    ['/api/purchases/delivery-notes', document(supplierId)],
    ['/api/purchases/invoices', { ...document(supplierId), supplierReference: canary() }],
    [
      '/api/payments/in',
      {
        partner_id: customerId,
        amount: 731.29,
        payment_date: TODAY,
        payment_method: 'transfer',
        bank_account_id: bankAccountId,
        reference: canary(),
      },
    ],
    ['/api/memberships', { email: `${canary()}@example.test`, role: 'viewer' }],
    [
      '/api/time-records',
      {
        employeeId,
        startedAt: '2021-01-07T08:00:00Z',
        endedAt: '2021-01-07T12:00:00Z',
        note: canary(),
        reason: canary(),
      },
    ],
    ['/api/stock/adjustments', { warehouseId, reason: canary(), lines: [{ itemId, countedQuantity: 1000 }] }],
    ['/api/email-templates', { docType: 'SINV', language: 'en', subject: canary(), body: canary() }],
    ['/api/webhooks', { name: canary(), url: secret(), events: ['document.created'], headers: { 'X-Key': canary() } }],
    [
      '/api/automations',
      {
        name: canary(),
        trigger: { type: 'document.created' },
        actions: [
          { type: 'http.request', url: secret(), method: 'POST', headers: { 'X-Key': canary() }, body: canary() },
        ],
      },
    ],
    ['/api/to-dos', { title: canary(), body: canary(), role: 'owner' }],
    ['/api/plugins', { name: canary(), version: '1.0.0', description: canary() }],
    ['/api/api-keys', { name: canary(), role: 'viewer' }],
    ['/api/users', { email: `${canary()}@example.test`, name: canary(), role: 'viewer', ...login }],
    [
      '/api/report-schedules',
      { name: canary(), report_name: 'aging', cron: '0 8 * * *', format: 'csv', recipients: [] },
    ],
    ['/api/reports/trial-balance/generate', { format: 'csv' }],
    [
      '/api/recurring',
      {
        ...{ name: canary(), document_type: 'sales_invoice', interval: { unit: 'month' }, starts_on: '2030-01-01' },
        template: document(customerId),
      },
    ],
  ];
}

/** Records that take several steps: goods in batches that move to another warehouse, and lines of the bank. */
async function plantSteps(app: TestApp, { supplierId, warehouseId }: Trade): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, body: told } = await app.client.post(path, body);
    assert.ok(status < 300, `POST ${path}: ${status} ${JSON.stringify(told)}`);
    return told.data;
  };
  const [unit] = (await app.client.get('/api/uom?code=UD')).body.data;
  const item = await post('/api/items', { name: canary(), uomId: unit.id, batchTracked: true });
  const batchNum = canary();
  const lines = [{ itemId: item.id, quantity: 7, price: 3, batchDetails: [{ batchNum, quantity: 7 }] }];
  await post('/api/purchases/delivery-notes', { partnerId: supplierId, lines });
  const other = await post('/api/warehouses', { name: canary() });
  const [batch] = (await app.client.get(`/api/batches?itemId=${item.id}`)).body.data;
  await post(`/api/batches/${batch.id}/confirm`, {});
  await post('/api/stock/transfers', {
    warehouseId,
    toWarehouseId: other.id,
    reason: canary(),
    lines: [{ itemId: item.id, quantity: 2 }],
  });
  const desk = new BankDesk(app, await openTrade(app, 0));
  await desk.openAccount({ name: canary() });
  const told = { reference: canary(), counterpartyName: canary(), text: canary() };
  const certificate = certificateFile({ name: canary(), taxId: 'B12345674', fromDays: -1 }, app.deps.now());
  assert.equal((await app.client.put('/api/verifactu/certificate', certificate)).status, 200);
  await desk.importLines('2026-01-14', [sampleLine({ ...told, amount: '731.83' })], { reference: canary() });
}

/** Fills the company with records that have canaries wherever a text fits, once; comments and attachments on one record of each kind. */
export async function plantCanaries(app: TestApp): Promise<void> {
  const trade = await openTrade(app, 1000);
  const bodies = new ResourceBodies(app.client);
  const { row: bankAccount } = await bodies.create(bankAccounts);
  const hired = await app.client.post('/api/employees', { name: 'Ana Ruiz', hireDate: '2020-01-01' });
  const employeeId = hired.body.data.id as string;
  const refused: string[] = [];
  for (const [path, body] of others({ ...trade, bankAccountId: bankAccount.id, employeeId })) {
    const { status, body: told } = await app.client.post(path, body);
    if (status >= 300) refused.push(`POST ${path}: ${status} ${JSON.stringify(told)}`);
  }
  assert.deepEqual(refused, []);
  await plantSteps(app, trade);
  // Last, since a resource with all its members may become a default that documents cannot do without.
  for (const resource of RESOURCES) await bodies.create(resource, 'all', freeTexts(resource));
  const records = await query<{ entityType: string; entityId: string }>(
    app.database.reader(app),
    `select distinct on (entity_type) entity_type as "entityType", entity_id as "entityId" from audit_logs
     where action <> 'DELETE' order by entity_type, id desc`,
    {},
  );
  for (const { entityType, entityId } of records) {
    if (!COMMENTABLE_TYPES.includes(entityType)) continue;
    const comment = await app.client.post('/api/comments', { entityType, entityId, body: canary() });
    assert.equal(comment.status, 201, JSON.stringify(comment.body));
    const attached = await fetch(
      `${app.address}/api/files?entityType=${entityType}&entityId=${entityId}&name=${canary()}.txt`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/plain' },
        body: canary(),
      },
    );
    assert.equal(attached.status, 201, await attached.text());
  }
}

/** Collects the values of the audit log that are long enough not to occur by chance. */
export async function findCanaries(app: TestApp): Promise<Canary[]> {
  const rows = await query<{ entityType: string; values: Record<string, unknown> }>(
    app.database.reader(app),
    `select entity_type as "entityType", coalesce(new_value, old_value) as values from audit_logs`,
    {},
  );
  const found = new Map<string, Place[]>();
  for (const { entityType, values } of rows) {
    for (const [member, value] of Object.entries(values)) {
      for (const text of distinctive(value)) {
        const about = ['Comment', 'Attachment'].includes(entityType) ? (values.entityType as string) : undefined;
        found.set(text, [...(found.get(text) ?? []), { entityType, member, about }]);
      }
    }
  }
  return [...found].map(([text, places]) => ({ text, places }));
}

/** Identity and bank numbers, amounts with cents, and canaries. */
const DISTINCTIVE = /zq\d{4}xvk|\b\d{8}[A-Z]\b|\b[A-Z]{2}\d{20,22}\b|\b\d{12}\b|\b\d{3,}\.\d{2}\b/g;
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

function distinctive(value: unknown): string[] {
  const text = JSON.stringify(value)?.replaceAll(UUID, '');
  return [...new Set(text?.match(DISTINCTIVE) ?? [])];
}
