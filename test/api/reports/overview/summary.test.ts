import assert from 'node:assert/strict';
import { OWNER } from '../../../helpers/app.ts';
import { daysFromToday, YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../../trade/payments/till.ts';

const PATH = '/api/dashboard/summary';

describe('the dashboard', () => {
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const summary = async (client = app.client) => {
    const { status, body } = await client.get(PATH);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('shows the month beside the one before, net of tax, and what is outstanding as aging does', async () => {
    const taxed = { taxGroupId: till.taxGroupId };
    const { id } = await till.invoice('sales', 100, taxed);
    await till.invoice('sales', 50, { ...taxed, date: `${YEAR}-05-31` });
    await till.credit('sales', 20);
    await till.invoice('purchases', 30, taxed);
    const lines = [{ description: 'Draft', quantity: 1, price: 1000 }];
    assert.equal((await app.client.post('/api/sales/invoices', { partnerId: till.customerId, lines })).status, 201);
    await till.paid(21, [{ document_type: 'sales_invoice', document_id: id, amount_applied: 21 }]);

    const { period, sales, purchases, topPartners, receivables, payables } = await summary();
    assert.equal(period.code, `${YEAR}-06`);
    // 100 + 20 − 20 of three invoices; 50 in May. The draft is none yet.
    assert.deepEqual(sales, { total: 100, count: 3, prevTotal: 50, prevCount: 1 });
    assert.deepEqual(purchases, { total: 30, count: 1, prevTotal: 0, prevCount: 0 });
    assert.deepEqual(topPartners, {
      customers: [{ name: 'Café Central', total: 100 }],
      suppliers: [{ name: 'Huerta del Sur', total: 30 }],
    });
    // 121 − 21 and 60.50; the 20 that were credited are open beside their credit.
    const debt = async (side: string) =>
      (await app.client.get(`/api/reports/aging?side=${side}`)).body.summary.total_debt;
    assert.deepEqual(receivables, { open: 180.5, openCount: 3 });
    assert.deepEqual([receivables.open, payables.open], [await debt('customers'), await debt('suppliers')]);
    assert.deepEqual(payables, { open: 36.3, openCount: 1 });
  });

  it('shows what runs low, what expires within 30 days or has expired, and the last documents', async () => {
    const { body } = await app.client.patch(`/api/items/${till.itemId}`, { minStock: 120 });
    assert.equal(body.data?.minStock, 120, JSON.stringify(body));
    const { uomId } = await till.read(`/api/items/${till.itemId}`);
    const item = (await app.client.post('/api/items', { name: 'Leche', uomId })).body.data;
    const batchDetails = [
      { batchNum: 'SOON', quantity: 3, expiryDate: daysFromToday(30) },
      { batchNum: 'LATER', quantity: 4, expiryDate: daysFromToday(31) },
      { batchNum: 'GONE', quantity: 5, expiryDate: daysFromToday(-1) },
    ];
    const lines = [{ itemId: item.id, quantity: 12, batchDetails }];
    const note = await app.client.post('/api/purchases/delivery-notes', { partnerId: till.supplierId, lines });
    assert.equal(note.status, 201, JSON.stringify(note.body));

    const { stockAlerts, recentDocs } = await summary();
    const { code } = await till.read(`/api/items/${till.itemId}`);
    assert.deepEqual(stockAlerts.lowStock, [{ id: till.itemId, code, name: 'Naranjas', stock: 100, minStock: 120 }]);
    assert.deepEqual(stockAlerts.expiringBatches, [
      { batchNum: 'GONE', itemName: 'Leche', expiryDate: daysFromToday(-1), quantity: 5 },
      { batchNum: 'SOON', itemName: 'Leche', expiryDate: daysFromToday(30), quantity: 3 },
    ]);
    const { code: last, total } = note.body.data;
    assert.deepEqual(recentDocs[0], {
      ...{ type: 'purchase_delivery_note', code: last, total },
      partnerName: 'Huerta del Sur',
    });
    assert.equal(recentDocs.length, 2);
  });

  it('of a company without any data, in a year without periods, has zeros', async () => {
    app.clock.now = new Date(`${YEAR + 5}-02-10T10:00:00Z`);
    const login = await app.anonymous.post('/api/auth/login', { email: OWNER.email, password: OWNER.password });
    const body = await summary(app.as(login.body.token));
    const nothing = { total: 0, count: 0, prevTotal: 0, prevCount: 0 };
    assert.deepEqual([body.period, body.sales, body.purchases], [null, nothing, nothing]);
    assert.deepEqual(body.topPartners, { customers: [], suppliers: [] });
    assert.deepEqual(body.receivables, { open: 0, openCount: 0 });
  });

  it('leaves out what a role may not read', async () => {
    await till.invoice('sales', 100);
    const asRole = async (role: string) => {
      const { body } = await app.client.post('/api/api-keys', { name: role, role });
      return await summary(app.as(body.data.key, app.tenantId));
    };
    const keeper = await asRole('warehouse');
    assert.deepEqual([keeper.sales, keeper.receivables, keeper.stockAlerts.lowStock], [null, null, []]);
    assert.deepEqual(
      keeper.recentDocs.map(({ type }: { type: string }) => type),
      ['purchase_delivery_note'],
    );
    const seller = await asRole('sales');
    assert.deepEqual([seller.sales.count, seller.purchases, seller.topPartners.suppliers], [1, null, null]);
    const { sales, recentDocs, stockAlerts } = await asRole('hr');
    assert.deepEqual([sales, recentDocs, stockAlerts], [null, [], { lowStock: null, expiringBatches: null }]);
  });
});
