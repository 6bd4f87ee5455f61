import assert from 'node:assert/strict';
import { type Permission, type Resource, ROLES, type Role } from '../../../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { RESOURCES } from '../../../../services/records/master-data/index.ts';
import { documentInput } from '../../../../services/trade/documents/schemas.ts';
import { PaymentBody } from '../../../../services/trade/payments/schemas.ts';

/** The resources that members of forms refer to. Members that name a document are entered on that document's own page. */
const CHOSEN_FROM: Readonly<Record<string, Resource>> = {
  partnerId: 'partners',
  partner_id: 'partners',
  itemId: 'items',
  seriesId: 'series',
  periodId: 'periods',
  warehouseId: 'warehouses',
  zoneId: 'zones',
  taxGroupId: 'taxes',
  uomId: 'uom',
  accountId: 'accounts',
  projectId: 'projects',
  costCenterId: 'projects',
  salespersonId: 'salespeople',
  paymentTermsId: 'payment_terms',
  bank_account_id: 'bank_accounts',
};
const DOCUMENTS = ['baseId', 'baseLineId', 'rectifies', 'document_id'];

/** The members of a schema whose values are ids, including lists. */
function idsIn(schema: object): string[] {
  const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object };
  const own = Object.entries(properties).flatMap(([name, member]) =>
    (member as { format?: string }).format === 'uuid' || /(Id|_id)$/.test(name) ? [name] : idsIn(member),
  );
  return [...new Set([...own, ...(items === undefined ? [] : idsIn(items))])];
}

const TABLES = new Map(RESOURCES.map(({ model, permission }) => [model.tableName as string, permission]));

/** Resources that must be readable for roles that may write. */
function needs(): { readonly write: Resource; readonly read: Resource }[] {
  const declared = RESOURCES.flatMap(({ permission: write, fields }) =>
    Object.values(fields).flatMap(({ reference }) => {
      const read = reference === undefined ? undefined : TABLES.get(reference.table);
      return read === undefined ? [] : [{ write, read }];
    }),
  );
  const forms = [
    ...DOC_TYPES.map((docType) => ({ write: DOCUMENT_TYPES[docType].resource, schema: documentInput(docType) })),
    ...(['payments_in', 'payments_out'] as const).map((write) => ({ write, schema: PaymentBody })),
  ];
  const entered = forms.flatMap(({ write, schema }) =>
    idsIn(schema)
      .filter((name) => !DOCUMENTS.includes(name))
      .map((name) => {
        assert.ok(CHOSEN_FROM[name], `${name} is chosen from nothing that is known here`);
        return { write, read: CHOSEN_FROM[name] };
      }),
  );
  return [...declared, ...entered];
}

describe('read permissions of roles', () => {
  it('cover everything that their forms need', () => {
    const all = needs();
    assert.ok(all.some(({ write, read }) => write === 'items' && read === 'accounts'));
    for (const [role, { permissions }] of Object.entries(ROLES)) {
      for (const { write, read } of all) {
        if (!permissions.has(`${write}:create`) && !permissions.has(`${write}:update`)) continue;
        assert.ok(permissions.has(`${read}:read`), `${role} writes ${write} and cannot read ${read}`);
      }
    }
  });

  it('limit pay and access data to the roles that work with it', () => {
    const holders = (permission: Permission) =>
      (Object.keys(ROLES) as Role[]).filter((role) => ROLES[role].permissions.has(permission));
    assert.deepEqual(holders('payroll:read'), ['owner', 'admin', 'hr']);
    assert.deepEqual(holders('people:read'), ['owner', 'admin', 'hr', 'viewer']);
    assert.deepEqual(holders('reports:people'), ['owner', 'admin', 'accountant', 'hr']);
    assert.deepEqual(holders('reports:accounting'), ['owner', 'admin', 'accountant', 'viewer']);
    assert.deepEqual(holders('reports:sales'), ['owner', 'admin', 'accountant', 'sales', 'viewer']);
    assert.deepEqual(holders('reports:purchases'), ['owner', 'admin', 'accountant', 'purchasing', 'viewer']);
    assert.deepEqual(holders('audit:read'), ['owner', 'admin', 'accountant']);
    for (const resource of ['users', 'memberships', 'webhooks', 'api_keys'] as const) {
      assert.deepEqual(holders(`${resource}:read`), ['owner', 'admin']);
    }
  });
});
