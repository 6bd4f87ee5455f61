import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

type Row = Record<string, never> & { id: string };

describe('api: deleting what is in use', () => {
  let item: Row;
  let partnerId: string;
  const app = useApp();
  before(async () => {
    const groupId = (await first('/api/partnerGroups?code=CLI')).id;
    partnerId = (await make('/api/partners', { name: 'Ana', groupId })).id;
    const uomId = (await first('/api/uom?code=UD')).id;
    item = await make('/api/items', { name: 'Montaje', uomId, type: 'service', salePrice: 10 });
  });

  const first = async (path: string) => (await app.client.get(path)).body.data[0] as Row;
  const make = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Row;
  };
  const refused = async (path: string) => {
    const answer = await app.client.del(path);
    assertProblem(answer, 409, 'in_use');
    return answer.body as { detail: string; uses: { entityType: string; count: number }[] };
  };

  it('names what uses it and how often, documents by their type and once each', async () => {
    const lines = [1, 2].map((quantity) => ({ itemId: item.id, quantity, price: 10 }));
    for (const path of ['/api/sales', '/api/sales/invoices', '/api/sales/invoices']) {
      await make(path, { partnerId, lines });
    }
    const { detail, uses } = await refused(`/api/items/${item.id}`);
    assert.equal(detail, 'It is used by 2 sales invoices and 1 sales order');
    assert.deepEqual(uses, [
      { entityType: 'SalesInvoice', count: 2 },
      { entityType: 'SalesOrder', count: 1 },
    ]);
    await make('/api/projects', { code: 'P1', name: 'Reforma', partnerId });
    const partner = await refused(`/api/partners/${partnerId}`);
    assert.equal(partner.detail, 'It is used by 2 sales invoices, 1 sales order and 1 project');
    assert.equal((await app.client.get(`/api/items/${item.id}`)).status, 200);
  });

  it('counts a record once that refers to it in several ways, and not what goes with it', async () => {
    const tax = await make('/api/taxes', { code: 'X', name: 'X', rate: 1 });
    const made = await make('/api/items', {
      ...{ name: 'Otra', uomId: item.uomId, salesTaxGroupId: tax.id, purchaseTaxGroupId: tax.id },
    });
    assert.deepEqual((await refused(`/api/taxes/${tax.id}`)).uses, [{ entityType: 'Item', count: 1 }]);
    const box = await make('/api/uom', { code: 'PAL', name: 'Palé' });
    await make(`/api/items/${made.id}/units`, { uomId: box.id, factorNumerator: 10 });
    assert.equal((await refused(`/api/uom/${box.id}`)).detail, 'It is used by 1 item unit');
    for (const path of [`/api/items/${made.id}`, `/api/taxes/${tax.id}`, `/api/uom/${box.id}`]) {
      assert.equal((await app.client.del(path)).status, 204, path);
    }
  });

  it('says so where it has not counted to the end', async () => {
    const warehouse = await make('/api/warehouses', { name: 'Nave' });
    await app.client.post(`/api/warehouses/${warehouse.id}/generate-bins`, {
      ...{ aisles: 10, racks: 101, levels: 1, positions: 1 },
    });
    const { detail, uses } = await refused(`/api/warehouses/${warehouse.id}`);
    assert.equal(detail, 'It is used by at least 1000 zones');
    assert.deepEqual(uses, [{ entityType: 'Zone', count: 1000, atLeast: true }]);
  });

  it('knows nothing of other companies', async () => {
    const company = { name: 'Otra SL', taxId: 'A58818501' };
    const other = app.as(app.token, (await make('/api/tenants', company)).id);
    const { body } = await other.get('/api/partnerGroups?code=PRO');
    assert.equal((await other.del(`/api/partnerGroups/${body.data[0].id}`)).status, 204);
  });

  it('lets nothing begin to use it while it is deleted', async () => {
    const groups = await Promise.all(
      Array.from({ length: 12 }, (_, index) => make('/api/partnerGroups', { code: `G${index}`, name: 'G' })),
    );
    const outcomes = await Promise.all(
      groups.map(async ({ id }) => {
        const [made, deleted] = await Promise.all([
          app.client.post('/api/partners', { name: 'Ana', groupId: id }),
          app.client.del(`/api/partnerGroups/${id}`),
        ]);
        return `${made.status} ${deleted.status}`;
      }),
    );
    for (const outcome of outcomes) assert.match(outcome, /^(201 409|422 204)$/);
  });
});
