import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

describe('api: reasons why taxes are not charged', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 0));

  const tax = (more: object) => app.client.post('/api/taxes', { name: 'Exenta', rate: 0, ...more });
  const pointers = (body: { errors: readonly { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);

  it('must fit the kind of the tax', async () => {
    for (const [more, pointer] of [
      [{ code: 'X1', kind: 'vat', exemptionReason: 'E1' }, '/exemptionReason'],
      [{ code: 'X1', kind: 'exempt', exemptionReason: 'N2' }, '/exemptionReason'],
      [{ code: 'X1', kind: 'not_subject', exemptionReason: 'E2' }, '/exemptionReason'],
      [{ code: 'X1', kind: 'reverse_charge', exemptionReason: 'N1' }, '/exemptionReason'],
      [{ code: 'X1', kind: 'exempt', exemptionReason: 'E7' }, '/exemptionReason'],
      [{ code: 'X1', exemptionArticle: 'art. 20' }, '/exemptionArticle'],
    ] as const) {
      const refused = await tax(more);
      assertProblem(refused, 422, 'validation_failed');
      assert.deepEqual(pointers(refused.body), [pointer]);
    }
    const { id } = (await tax({ code: 'X1', kind: 'exempt', exemptionReason: 'E1' })).body.data;
    const changed = await app.client.patch(`/api/taxes/${id}`, { kind: 'not_subject' });
    assertProblem(changed, 422, 'validation_failed');
    const both = await app.client.patch(`/api/taxes/${id}`, { kind: 'not_subject', exemptionReason: 'N1' });
    assert.equal(both.status, 200);
  });

  it('are in records and books, and stay once they were used', async () => {
    assert.equal((await app.client.put('/api/config/verifactu', { enabled: true })).status, 200);
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, address: 'Calle Mayor 1', city: 'Madrid' });
    const ship = { code: 'BUQ', kind: 'exempt', exemptionReason: 'E3', exemptionArticle: 'art. 22.Uno LIVA' };
    const ships = (await tax(ship)).body.data;
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    const customer = { name: 'Naviera SA', groupId, nif: 'A58818501' };
    const partnerId = (await app.client.post('/api/partners', customer)).body.data.id;
    const { body } = await app.client.post('/api/sales/invoices', {
      partnerId,
      billingAddress: { street: 'Gran Vía 2', city: 'Madrid' },
      lines: [{ description: 'Avituallamiento', quantity: 1, price: 70, taxGroupId: ships.id }],
    });
    const posted = await app.client.post(`/api/sales/invoices/${body.data.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    const [{ id }] = (await app.client.get('/api/verifactu/records')).body.data;
    const { record } = (await app.client.get(`/api/verifactu/records/${id}`)).body.data;
    assert.deepEqual(record.details, [{ tax: '01', regime: '02', exemption: 'E3', base: '70.00' }]);
    const year = posted.body.data.date.slice(0, 4);
    const report = await app.client.get(`/api/reports/vat?from=${year}-01-01&to=${year}-12-31`);
    assert.match(JSON.stringify(report.body), /"export"/);
    const refused = await app.client.patch(`/api/taxes/${ships.id}`, { exemptionReason: 'E2' });
    assertProblem(refused, 409, 'in_use');
    const reworded = await app.client.patch(`/api/taxes/${ships.id}`, { exemptionArticle: 'art. 22.Dos LIVA' });
    assert.equal(reworded.status, 200);
    assert.ok(trade);
  });
});
