import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

type Row = Record<string, never> & { id: string };

describe('api: taxes over time', () => {
  let partnerId: string;
  const app = useApp();
  before(async () => {
    const groupId = (await first('/api/partnerGroups?code=CLI')).id;
    partnerId = (await make('/api/partners', { name: 'Ana', groupId })).id;
    for (const year of [2027, 2028]) await app.client.post('/api/periods/generate', { year });
  });

  const first = async (path: string) => (await app.client.get(path)).body.data[0] as Row;
  const make = async (path: string, body: object) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Row;
  };
  const rates = async (filter: string) =>
    (await app.client.get(`/api/taxes?${filter}&sort=validFrom`)).body.data.map(({ rate, validFrom, validTo }: Row) => [
      rate,
      validFrom,
      validTo,
    ]) as unknown[][];

  it('has a new rate begin where the one before ends, and none on the same days', async () => {
    const old = await make('/api/taxes', { code: 'T', name: 'T', rate: 20 });
    await make('/api/taxes', { code: 'T', name: 'T', rate: 22, validFrom: '2027-03-01' });
    assert.deepEqual(await rates('code=T&validOn=2027-02-28'), [[20, null, '2027-02-28']]);
    assert.deepEqual(await rates('code=T&validOn=2027-03-01'), [[22, '2027-03-01', null]]);
    const { body } = await app.client.get(`/api/audit-logs?entityId=${old.id}&action=UPDATE`);
    assert.equal(body.data[0].newValue.validTo, '2027-02-28');
    for (const days of [
      { validFrom: '2026-01-01', validTo: '2026-12-31' },
      { validFrom: '2027-02-01' },
      { validTo: '2027-06-30' },
    ]) {
      const refused = await app.client.post('/api/taxes', { code: 'T', name: 'T', rate: 5, ...days });
      assert.ok(['overlap', 'duplicate'].includes(refused.body.code), JSON.stringify(refused.body));
      assert.equal(refused.status, 409);
    }
    assertProblem(await app.client.patch(`/api/taxes/${old.id}`, { validTo: null }), 409, 'overlap');
    assertProblem(await app.client.get('/api/taxes?validOn=soon'), 400, 'invalid_parameter');
    const same = { code: 'T', name: 'T', rate: 23, validFrom: '2028-01-01' };
    const made = await Promise.all(Array.from({ length: 4 }, () => app.client.post('/api/taxes', same)));
    assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    assert.equal((await rates('code=T')).length, 3);
  });

  it('taxes lines by the rate of the day, delivered goods by that of the delivery', async () => {
    const tax = await make('/api/taxes', { code: 'R', name: 'R', rate: 10 });
    const uomId = (await first('/api/uom?code=UD')).id;
    const item = await make('/api/items', {
      ...{ name: 'Pan', uomId, type: 'service', salePrice: 100 },
      ...{ salesTaxGroupId: tax.id, purchaseTaxGroupId: tax.id },
    });
    const later = await make('/api/taxes', { code: 'R', name: 'R', rate: 12, validFrom: '2028-01-01' });
    const sale = (date: string, line: object = { itemId: item.id, quantity: 1 }) => ({
      partnerId,
      date,
      lines: [line],
    });
    const taxed = async (path: string, body: object) => {
      const { id } = await make(path, body);
      const { data } = (await app.client.get(`${path}/${id}`)).body;
      return [data.taxTotal, data.lines[0].taxGroupId];
    };
    assert.deepEqual(await taxed('/api/sales/invoices', sale('2027-12-31')), [10, tax.id]);
    assert.deepEqual(await taxed('/api/sales/invoices', sale('2028-01-01')), [12, later.id]);

    const order = await make('/api/sales', sale('2027-12-30', { itemId: item.id, quantity: 2 }));
    const of = (baseId: string) => ({ baseId, itemId: item.id, quantity: 1 });
    const note = await make('/api/sales/delivery-notes', sale('2027-12-31', of(order.id)));
    assert.deepEqual(await taxed('/api/sales/invoices', sale('2028-01-15', of(note.id))), [10, tax.id]);
    assert.deepEqual(await taxed('/api/sales/invoices', sale('2028-01-15', of(order.id))), [12, later.id]);

    const named = sale('2028-01-15', { itemId: item.id, quantity: 1, taxGroupId: tax.id });
    const refused = await app.client.post('/api/sales/invoices', named);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/lines/0/taxGroupId']);
    const kept = await app.client.patch(`/api/taxes/${tax.id}`, { rate: 11 });
    assertProblem(kept, 409, 'in_use');
    assert.match(kept.body.detail, /^rate cannot be changed: it is used by 2 sales invoices, .* Create a new one/);
    assert.equal((await app.client.patch(`/api/taxes/${tax.id}`, { rate: 10, name: 'Pan' })).status, 200);
    const unused = await make('/api/taxes', { code: 'U', name: 'U', rate: 1 });
    await app.client.patch(`/api/items/${item.id}`, { salesTaxGroupId: unused.id });
    assert.equal((await app.client.patch(`/api/taxes/${unused.id}`, { rate: 2 })).body.data.rate, 2);
  });
});
