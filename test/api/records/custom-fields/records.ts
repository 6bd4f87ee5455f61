/** The kinds of records that take custom values over HTTP, and how one of each is made. */
import type { CustomFieldTable } from '../../../../domain/records/custom-fields.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { TestApp } from '../../../helpers/app.ts';
import { OPTIONS } from '../../../helpers/custom-fields.ts';
import { openTrade } from '../../trade/documents/trade.ts';

export interface Kind {
  readonly table: CustomFieldTable;
  readonly path: string;
  /** A body that is complete but for custom fields. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether PATCH exists. */
  readonly changes: boolean;
}

/** Every kind but employees. */
export async function listKinds(app: TestApp): Promise<Kind[]> {
  const trade = await openTrade(app, 1000);
  const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
  const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  const documents = DOC_TYPES.map((docType): Kind => {
    const { entityType: table, path, side } = DOCUMENT_TYPES[docType];
    const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
    return { table, path, body: { partnerId, lines: [{ itemId: trade.itemId, quantity: 1 }] }, changes: false };
  });
  return [
    { table: 'Item', path: '/api/items', body: { name: 'Tuerca', uomId }, changes: true },
    { table: 'BusinessPartner', path: '/api/partners', body: { name: 'Ana', groupId }, changes: true },
    { table: 'Warehouse', path: '/api/warehouses', body: { name: 'Norte' }, changes: true },
    ...documents,
  ];
}

export type Field = Record<string, unknown> & { id: string };

/** Defines a field, of type text by default. */
export async function define(app: Pick<TestApp, 'client'>, field: Record<string, unknown>): Promise<Field> {
  const options = String(field.type).endsWith('SELECT') ? { options: OPTIONS } : {};
  const whole = { label: 'Etiqueta', type: 'TEXT', ...options, ...field };
  const { status, body } = await app.client.post('/api/custom-fields', whole);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data;
}
