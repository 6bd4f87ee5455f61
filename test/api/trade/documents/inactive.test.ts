import assert from 'node:assert/strict';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { Answer } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade, type Trade } from './trade.ts';

describe('what is inactive', () => {
  let codes = 0;
  const app = useApp();

  const make = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const change = async (path: string, body: unknown) => {
    const answer = await app.client.patch(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const retire = (path: string) => change(path, { active: false });
  const warehouse = () => make('/api/warehouses', { code: `W${++codes}`, name: 'Nave' });
  const refusedAt = (answer: Answer, ...pointers: string[]) => {
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      pointers.map((pointer) => [pointer, 'invalid_reference']),
    );
  };
  const documentPartner = (docType: DocType, trade: Trade) =>
    DOCUMENT_TYPES[docType].side === 'sales' ? trade.customerId : trade.supplierId;

  for (const docType of DOC_TYPES) {
    it(`is refused in a new ${docType} and leaves nothing behind`, async () => {
      const trade = await openTrade(app, 10);
      const { path } = DOCUMENT_TYPES[docType];
      const partnerId = documentPartner(docType, trade);
      const lines = [{ itemId: trade.itemId, quantity: 1 }];
      const { warnings: _, ...old } = await make(path, { partnerId, lines });
      const closed = await warehouse();
      await retire(`/api/warehouses/${closed.id}`);
      const count = async () => (await app.client.get(`${path}?limit=1`)).body.pagination.total;
      const before = await count();
      refusedAt(await app.client.post(path, { partnerId, lines, warehouseId: closed.id }), '/warehouseId');
      const there = [{ ...lines[0], warehouseId: closed.id }];
      refusedAt(await app.client.post(path, { partnerId, lines: there }), '/lines/0/warehouseId');
      await retire(`/api/items/${trade.itemId}`);
      refusedAt(await app.client.post(path, { partnerId, lines }), '/lines/0/itemId');
      await retire(`/api/partners/${partnerId}`);
      refusedAt(
        await app.client.post(path, { partnerId, lines: [{ description: 'Porte', quantity: 1 }] }),
        '/partnerId',
      );
      assert.equal(await count(), before);
      assert.deepEqual((await app.client.get(`${path}/${old.id}`)).body.data, old);
      await change(`/api/items/${trade.itemId}`, { active: true });
      await change(`/api/partners/${partnerId}`, { active: true });
      await make(path, { partnerId, lines });
    });
  }

  for (const [order, note, invoice] of [
    ['SO', 'SDN', 'SINV'],
    ['PO', 'PDN', 'PINV'],
  ] as const) {
    it(`lets what a ${order} began be delivered, invoiced, posted and cancelled`, async () => {
      const trade = await openTrade(app, 10);
      const place = await warehouse();
      if (order === 'SO') {
        const lines = [{ itemId: trade.itemId, quantity: 5 }];
        await make('/api/purchases/delivery-notes', { partnerId: trade.supplierId, warehouseId: place.id, lines });
      }
      const partnerId = documentPartner(order, trade);
      const [orders, notes, invoices] = [order, note, invoice].map((type) => DOCUMENT_TYPES[type].path);
      const ordered = await make(`${orders}`, {
        partnerId,
        warehouseId: place.id,
        lines: [{ itemId: trade.itemId, quantity: 4 }],
      });
      for (const path of [`items/${trade.itemId}`, `partners/${partnerId}`, `warehouses/${place.id}`]) {
        await retire(`/api/${path}`);
      }
      const line = { baseId: ordered.id, itemId: trade.itemId, quantity: 2 };
      const delivered = await make(`${notes}`, { partnerId, lines: [line] });
      assert.equal(delivered.lines[0].warehouseId, place.id);
      // Like a program that copies everything from the order.
      const copied = { partnerId, warehouseId: place.id, lines: [{ ...line, warehouseId: place.id }] };
      const second = await make(`${notes}`, copied);
      assert.equal((await app.client.post(`${notes}/${second.id}/cancel`)).status, 200);
      const invoiced = await make(`${invoices}`, { partnerId, lines: [{ baseId: delivered.id, quantity: 2 }] });
      assert.equal((await app.client.post(`${invoices}/${invoiced.id}/post`)).status, 200);
      // New lines are refused all the same.
      const extra = { description: 'Porte', quantity: 1, price: 5, taxGroupId: trade.taxGroupId };
      refusedAt(await app.client.post(`${notes}`, { ...copied, lines: [line, extra] }), '/partnerId', '/warehouseId');
      refusedAt(
        await app.client.post(`${invoices}`, { partnerId, lines: [line, { itemId: trade.itemId, quantity: 1 }] }),
        '/partnerId',
      );
    });
  }

  it('is no default warehouse for goods', async () => {
    const trade = await openTrade(app, 5);
    await retire(`/api/warehouses/${trade.warehouseId}`);
    try {
      const lines = [{ itemId: trade.itemId, quantity: 1 }];
      const refused = await app.client.post('/api/sales', { partnerId: trade.customerId, lines });
      assertProblem(refused, 422, 'validation_failed');
      assert.equal(refused.body.errors[0].pointer, '/lines/0/warehouseId');
    } finally {
      await change(`/api/warehouses/${trade.warehouseId}`, { active: true });
    }
  });

  it('is not given to other records, and stays where it was', async () => {
    const place = await warehouse();
    const parent = (await app.client.get('/api/accounts?code=7')).body.data[0]?.id;
    const account = await make('/api/accounts', {
      code: '700099',
      name: 'Ventas',
      type: 'income',
      parentId: parent ?? null,
    });
    const groupId = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const partner = await make('/api/partners', { name: 'Ana', groupId });
    const cases = [
      ['/api/zones', { warehouseId: place.id, code: 'A-01' }, '/warehouseId'],
      ['/api/items', { name: 'X', uomId, salesAccountId: account.id }, '/salesAccountId'],
      ['/api/items', { name: 'X', uomId, purchaseAccountId: account.id }, '/purchaseAccountId'],
      ['/api/partnerGroups', { code: 'G', name: 'X', receivableAccountId: account.id }, '/receivableAccountId'],
      ['/api/projects', { code: 'PR', name: 'X', partnerId: partner.id }, '/partnerId'],
    ] as const;
    const item = await make('/api/items', { name: 'Y', uomId, salesAccountId: account.id });
    for (const path of [`warehouses/${place.id}`, `accounts/${account.id}`, `partners/${partner.id}`]) {
      await retire(`/api/${path}`);
    }
    for (const [path, body, pointer] of cases) refusedAt(await app.client.post(path, body), pointer);
    await change(`/api/items/${item.id}`, { name: 'Z', salesAccountId: account.id });
  });
});
