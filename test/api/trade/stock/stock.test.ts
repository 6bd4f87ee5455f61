import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';

type Row = Record<string, unknown>;

describe('stock and what documents hold on to', () => {
  let item: Row;
  let supplierId: string;
  let customerId: string;
  let warehouses: string[];

  const first = async (path: string) => (await app.client.get(path)).body.data[0] as Row & { id: string };
  const created = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Row & { id: string };
  };

  const app = useApp();
  before(async () => {
    const uomId = (await first('/api/uom?code=UD')).id;
    item = await created('/api/items', { name: 'Tornillo', uomId, salePrice: 2, purchasePrice: 1 });
    supplierId = (
      await created('/api/partners', { name: 'P', groupId: (await first('/api/partnerGroups?code=PRO')).id })
    ).id;
    customerId = (
      await created('/api/partners', { name: 'C', groupId: (await first('/api/partnerGroups?code=CLI')).id })
    ).id;
    const second = await created('/api/warehouses', { name: 'Segundo' });
    warehouses = [(await first('/api/warehouses?isDefault=true')).id, second.id];
    for (const [index, warehouseId] of warehouses.entries()) {
      await created('/api/purchases/delivery-notes', {
        partnerId: supplierId,
        warehouseId,
        lines: [{ itemId: item.id, quantity: 10.5 * (index + 1), price: 1 }],
      });
    }
  });

  it('lists levels by item and warehouse, and totals by item', async () => {
    const { body } = await app.client.get('/api/stock?sort=onHand');
    assert.deepEqual(
      body.data.map(({ itemCode, itemName, ...row }: Row) => row),
      warehouses.map((warehouseId, index) => ({
        itemId: item.id,
        warehouseId,
        zoneId: null,
        zoneCode: null,
        batchId: null,
        batchNum: null,
        batchStatus: null,
        expiryDate: null,
        onHand: 10.5 * (index + 1),
        reserved: 0,
        available: 10.5 * (index + 1),
        incoming: 0,
      })),
    );
    assert.equal(body.data[0].itemName, 'Tornillo');
    const totals = (await app.client.get('/api/stock?groupBy=item&onHand[gt]=30')).body;
    assert.equal(totals.pagination.total, 1);
    assert.deepEqual([totals.data[0].warehouseId, totals.data[0].onHand], [null, 31.5]);
    const { data: one } = (await app.client.get(`/api/stock?groupBy=item&warehouseId=${warehouses[1]}`)).body;
    assert.deepEqual([one[0].warehouseId, one[0].onHand], [null, 21]);
    assert.equal((await app.client.get(`/api/stock?warehouseId=${warehouses[1]}`)).body.pagination.total, 1);
    assert.equal((await app.client.get(`/api/stock?itemId=${customerId}`)).body.pagination.total, 0);
    assert.equal((await app.client.get('/api/stock?groupBy=colour')).status, 400);
    assert.equal((await app.client.get('/api/stock?colour=red')).status, 400);
  });

  it('lists movements, the newest first', async () => {
    const { body } = await app.client.get(`/api/stock/movements?itemId=${item.id}`);
    assert.deepEqual(
      body.data.map(({ quantity, balance, docType }: Row) => ({ quantity, balance, docType })),
      [
        { quantity: 21, balance: 21, docType: 'PDN' },
        { quantity: 10.5, balance: 10.5, docType: 'PDN' },
      ],
    );
    assert.equal((await app.client.get('/api/stock/movements?quantity[lt]=0')).body.pagination.total, 0);
  });

  it('keeps what has been calculated, numbered or moved with', async () => {
    const conflicts: [string, Row][] = [
      [`/api/taxes/${item.salesTaxGroupId}`, { rate: 22 }],
      [`/api/series/${(await first('/api/series?docType=PDN')).id}`, { prefix: 'NEW' }],
      [`/api/items/${item.id}`, { stockTracked: false }],
      [`/api/items/${item.id}`, { batchTracked: true }],
    ];
    for (const [path, change] of conflicts) {
      const { status, body } = await app.client.patch(path, change);
      assert.deepEqual([status, body.code], [409, 'in_use'], path);
    }
    assert.equal((await app.client.patch(`/api/taxes/${item.salesTaxGroupId}`, { name: 'IVA', rate: 21 })).status, 200);
    for (const path of [`/api/items/${item.id}`, `/api/partners/${supplierId}`, `/api/warehouses/${warehouses[0]}`]) {
      const { status, body } = await app.client.del(path);
      assert.deepEqual([status, body.code], [409, 'in_use'], path);
      assert.match(body.detail, /used by \w+/);
    }
  });

  it('closes a period only without drafts, also against drafts made at the same time', async () => {
    const invoice = () =>
      app.client.post('/api/sales/invoices', {
        partnerId: customerId,
        lines: [{ description: 'Montaje', quantity: 1, price: 10, taxGroupId: item.salesTaxGroupId }],
      });
    const draft = (await invoice()).body.data;
    const period = `/api/periods/${draft.periodId}`;
    const refused = await app.client.patch(period, { status: 'C' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'has_drafts']);
    assert.equal((await app.client.del(`/api/sales/invoices/${draft.id}`)).status, 204);

    const [closed, ...invoices] = await Promise.all([
      app.client.patch(period, { status: 'C' }),
      ...Array.from({ length: 6 }, invoice),
    ]);
    const made = invoices.filter(({ status }) => status === 201).length;
    assert.deepEqual(
      invoices.filter(({ status, body }) => status !== 201 && body.code !== 'period_closed').map(({ body }) => body),
      [],
    );
    // Either the period was closed first and nothing was made after, or a draft was there and kept it open.
    assert.equal(closed?.status, made === 0 ? 200 : 409);
    const drafts = (await app.client.get('/api/sales/invoices?status=D')).body.pagination.total;
    assert.equal(drafts, made);
  });

  it('lets only owners and administrators reopen a period', async () => {
    const { id } = await created('/api/periods', {
      code: 'R',
      name: 'R',
      from: '2040-01-01',
      to: '2040-01-31',
      status: 'C',
    });
    const accountant = {
      email: 'acc@example.test',
      name: 'Ada',
      password: 'ada adds up all amounts',
      role: 'accountant',
    };
    assert.equal((await app.client.post('/api/users', accountant)).status, 201);
    const login = await app.anonymous.post('/api/auth/login', {
      email: accountant.email,
      password: accountant.password,
    });
    const asAccountant = app.as(login.body.token);
    const refused = await asAccountant.patch(`/api/periods/${id}`, { status: 'O' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    assert.equal((await app.client.patch(`/api/periods/${id}`, { status: 'O' })).status, 200);
    assert.equal((await asAccountant.patch(`/api/periods/${id}`, { status: 'C' })).status, 200);
  });
});
