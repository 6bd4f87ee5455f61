/** A company with goods on stock, made through the services themselves, for tests of services. */
import type { Context } from '../../db/context.ts';
import { Database, type Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { Item, Partner, PartnerGroup, Tax, Uom, Warehouse } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import { createCompany } from '../../services/access/companies/companies.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { createTestDatabase } from './servers.ts';

export interface TestCompany {
  readonly database: Database;
  readonly url: string;
  readonly ctx: Context;
  readonly customerId: string;
  readonly supplierId: string;
  readonly itemId: string;
  readonly taxId: string;
  readonly warehouseId: string;
  /** Runs in one transaction of the company. */
  run<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Creates another item, stock-tracked by default. */
  item(values?: Partial<Item>): Promise<Item>;
  /** Buys goods in by a delivery note. */
  stockUp(itemId: string, quantity: number, date?: string): Promise<void>;
  /** Rows of any query, by the company's eyes. */
  rows(sql: string, bindings?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const NOW = new Date('2026-06-15T10:00:00Z');

/** A company in a database that is another's to close. */
export type Company = Omit<TestCompany, 'close'>;

/** Creates a company in its own database; close it when done. */
export async function testCompany(): Promise<TestCompany> {
  const { url, drop } = await createTestDatabase();
  const database = new Database({ url, poolSize: 70, applicationName: 'test' });
  const company = await addCompany(database, url);
  return {
    ...company,
    async close() {
      await database.close();
      await drop();
    },
  };
}

/** A further company in the same database, for tests of isolation. */
export async function addCompany(database: Database, url: string): Promise<Company> {
  const ctx: Context = { tenantId: newId(), userId: null, actor: 'test', requestId: 'test', now: NOW };
  await database.withSystem((trx) =>
    createCompany(trx, ctx, { name: 'Frutas García', taxId: 'B12345674', country: 'ES', currency: 'EUR' }),
  );
  const run = <T>(work: (trx: Db) => Promise<T>) => database.withTenant(ctx, work);
  const seeded = await run(async (trx) => {
    const groups = await PartnerGroup.query(trx);
    const tax = await Tax.query(trx).findOne({ code: 'IVA21' }).throwIfNotFound();
    const uom = await Uom.query(trx).findOne({ code: 'UD' }).throwIfNotFound();
    const warehouse = await Warehouse.query(trx).findOne({ is_default: true }).throwIfNotFound();
    const partner = async (code: string, name: string, group: PartnerGroup | undefined) =>
      insertRow(trx, ctx, Partner, { code, name, groupId: group?.id ?? '', countryCode: 'ES' });
    const customer = await partner(
      'C1',
      'Café Central',
      groups.find((group) => group.isCustomer),
    );
    const supplier = await partner(
      'P1',
      'Huerta del Sur',
      groups.find((group) => group.isVendor),
    );
    return { tax, uom, warehouse, customer, supplier };
  });
  const { tax, uom, warehouse, customer, supplier } = seeded;
  let items = 0;
  const item = (values: Partial<Item> = {}) =>
    run((trx) =>
      insertRow(trx, ctx, Item, {
        code: `A${++items}`,
        name: 'Naranjas',
        uomId: uom.id,
        salePrice: '2.5',
        purchasePrice: '1.2',
        salesTaxGroupId: tax.id,
        purchaseTaxGroupId: tax.id,
        stockTracked: true,
        ...values,
      }),
    );
  const first = await item();
  return {
    database,
    url,
    ctx,
    customerId: customer.id,
    supplierId: supplier.id,
    itemId: first.id,
    taxId: tax.id,
    warehouseId: warehouse.id,
    run,
    item,
    async stockUp(itemId, quantity, date) {
      const dated = date === undefined ? {} : { date };
      const note = { partnerId: supplier.id, ...dated, lines: [{ itemId, quantity }] };
      await run((trx) => createDocument(trx, ctx, 'PDN', note));
    },
    rows: (sql, bindings = []) =>
      database.readTenant(
        ctx,
        async (db) => ((await db.raw(sql, bindings as never)) as { rows: Record<string, unknown>[] }).rows,
      ),
  };
}

/** Gives a company an owner, whom notices reach. */
export async function addOwner({ database, ctx }: Company): Promise<void> {
  const [id, at] = [newId(), ctx.now.toISOString()];
  const common = { created_at: at, updated_at: at };
  await database.withSystem(async (trx) => {
    await trx('users').insert({ id, email: 'owner@example.test', name: 'Owner', locale: 'en-GB', ...common });
    await trx('memberships').insert({ id: newId(), tenant_id: ctx.tenantId, user_id: id, role: 'owner', ...common });
  });
}
