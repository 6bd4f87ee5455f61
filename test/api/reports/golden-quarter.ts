/**
 * A first quarter of 2026 with what a company has: opening, purchases, sales, rent, wages, a credit note, goods from the Union,
 * payments and stock. Results of several reports are known for it.
 */
import assert from 'node:assert/strict';
import type { TestApp } from '../../helpers/app.ts';
import { type Books, openBooks } from '../ledger/accounting/books.ts';

type Body = Record<string, unknown>;
type Posted = Body & { id: string; lines: { id: string }[] };

export interface GoldenQuarter extends Books {
  readonly customerId: string;
  readonly supplierId: string;
  readonly itemId: string;
  /** Ids of taxes by their codes. */
  readonly taxes: ReadonlyMap<string, string>;
  /** A posted invoice with a line of goods. */
  invoice(side: 'sales' | 'purchases', date: string, price: number, more?: Body, line?: Body): Promise<Posted>;
  /** A posted entry; amounts by code are debit − credit. */
  entry(date: string, amounts: Readonly<Record<string, number>>, more?: Body): Promise<{ id: string }>;
  report(name: string, query?: string): Promise<Body & { data: never; summary: never; warnings: { code: string }[] }>;
}

/** Prepares the data that reports are based on: partners, goods without stock, taxes. */
export async function openReports(app: TestApp): Promise<GoldenQuarter> {
  const books = await openBooks(app);
  const list = async (path: string) =>
    (await app.client.get(path)).body.data as (Body & { id: string; code: string })[];
  const partner = async (name: string, query: string) => {
    const [group] = await list(`/api/partnerGroups?${query}`);
    return (await books.make('/api/partners', { name, groupId: group?.id })).id;
  };
  const customerId = await partner('Café Central', 'isCustomer=true');
  const supplierId = await partner('Huerta del Sur', 'isVendor=true');
  const [uom] = await list('/api/uom?code=UD');
  const goods = { name: 'Aceite', type: 'product', stockTracked: false, uomId: uom?.id };
  const itemId = (await books.make('/api/items', goods)).id;
  const taxes = new Map((await list('/api/taxes')).map(({ code, id }) => [code, id]));
  return {
    ...books,
    customerId,
    supplierId,
    itemId,
    taxes,
    async invoice(side, date, price, more = {}, line = {}) {
      const path = `/api/${side}/invoices`;
      const partnerId = side === 'sales' ? customerId : supplierId;
      const lines = [{ itemId, quantity: 1, price, ...line }];
      const draft = await books.make(path, { partnerId, date, lines, ...more });
      return await books.make<Posted>(`${path}/${draft.id}/post`);
    },
    async entry(date, amounts, more = {}) {
      const lines = Object.entries(amounts).map(([code, amount]) => {
        const side = amount > 0 ? { debit: amount } : { credit: -amount };
        return { accountId: books.account(code), ...side };
      });
      return await books.make('/api/journal-entries', { date, lines, post: true, ...more });
    },
    async report(name, query = '') {
      const { status, body } = await app.client.get(`/api/reports/${name}${query === '' ? '' : `?${query}`}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
  };
}

/** Prepares what `openReports` does, in a company of the Canary Islands, which charges IGIC. */
export async function openIslands(app: TestApp): Promise<GoldenQuarter> {
  const company = (await app.client.get('/api/company')).body;
  const address = { address: 'Calle Triana 1', zipCode: '35002', city: 'Las Palmas' };
  assert.equal((await app.client.put('/api/company', { ...company, ...address, taxSet: 'igic' })).status, 200);
  const chart = { chart: 'es-pgc-pymes', taxes: true };
  assert.equal((await app.client.post('/api/accounts/import-chart', chart)).status, 200);
  return await openReports(app);
}

export async function enterGoldenQuarter(app: TestApp): Promise<GoldenQuarter> {
  const books = await openReports(app);
  const { entry, invoice, make, account } = books;
  await entry('2026-01-01', { '572': 20000, '100': -20000 }, { kind: 'opening' });
  await invoice('purchases', '2026-01-15', 5000);
  const sale = await invoice('sales', '2026-01-20', 500, {}, { quantity: 16 });
  const rent = { itemId: undefined, description: 'Alquiler', accountId: account('621') };
  await invoice('purchases', '2026-01-25', 1000, { withholdingRate: 19 }, rent);
  await entry('2026-01-31', { '640': 1700, '642': 637.64, '476': -766.55, '4751': -204, '465': -1367.09 });
  await entry('2026-01-31', { '465': 1367.09, '572': -1367.09 });
  await entry('2026-02-10', { '572': 9680, '430': -9680 });
  await entry('2026-02-15', { '400': 6050, '572': -6050 });
  await entry('2026-02-28', { '476': 766.55, '572': -766.55 });
  const lines = [{ baseLineId: sale.lines[0]?.id, quantity: 1 }];
  const credit = { reason: 'Devolución', date: '2026-03-10', lines };
  const draft = await make(`/api/sales/invoices/${sale.id}/rectify`, credit);
  await make(`/api/sales/invoices/${draft.id}/post`);
  await invoice('purchases', '2026-03-15', 1000, { vatRegime: 'intra_eu' });
  await entry('2026-03-31', { '300': 2400, '610': -2400 });
  return books;
}

/** Boxes, or other members, that are not zero. */
export function notZero(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0));
}

interface Section {
  readonly code: string;
  readonly amount: number;
  readonly previous: number;
  readonly accounts: readonly { readonly code: string; readonly amount: number; readonly drilldown: string }[];
  readonly children: readonly Section[];
}

/** Amounts of headings that are not zero. */
export function sectionAmounts(
  sections: readonly Section[],
  of: 'amount' | 'previous' = 'amount',
): Record<string, number> {
  const entries = (section: Section): [string, number][] => [
    [section.code, section[of]],
    ...section.children.flatMap(entries),
  ];
  return notZero(Object.fromEntries(sections.flatMap(entries)));
}
