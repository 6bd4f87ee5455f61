import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

describe('api: sales invoices as data', () => {
  const app = useApp();
  use(() => openTrade(app, 0));
  let groupId: string;

  before(async () => {
    groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
  });
  const customer = async (more: object) => {
    const made = await app.client.post('/api/partners', { name: 'Cliente SA', groupId, ...more });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data.id as string;
  };
  const issue = async (partnerId: string, more: object = {}) => {
    const lines = [{ description: 'Transporte', quantity: 1, price: 100 }];
    const { body } = await app.client.post('/api/sales/invoices', { partnerId, lines, ...more });
    const posted = await app.client.post(`/api/sales/invoices/${body.data.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    return posted.body.data as { id: string; code: string };
  };
  const pointers = (body: { errors: readonly { pointer: string }[] }) =>
    body.errors.map(({ pointer }) => pointer).sort();
  const GRAN_VIA = { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid' };

  it('say what Facturae demands of company and customer, all at once', async () => {
    const { id } = await issue(await customer({}));
    const refused = await app.client.get(`/api/sales/invoices/${id}/facturae?signed=false`);
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(pointers(refused.body), [
      ...['/billingAddress', '/billingAddress/city', '/billingAddress/street', '/billingAddress/zipCode'],
      ...['/company/address', '/company/city', '/company/zipCode'],
    ]);
  });

  it('are files of their formats', async () => {
    const company = (await app.client.get('/api/company')).body;
    const place = { address: 'Calle Mayor 1', zipCode: '28001', city: 'Madrid' };
    await app.client.put('/api/company', { ...company, ...place });
    const { id, code } = await issue(await customer({ nif: 'A58818501' }), { billingAddress: GRAN_VIA });
    const one = `/api/sales/invoices/${id}`;
    for (const [path, root] of [
      ['facturae?signed=false', '<fe:Facturae'],
      ['ubl', '<Invoice'],
      ['cii', '<rsm:CrossIndustryInvoice'],
    ] as const) {
      const { status, headers, body } = await app.client.get(`${one}/${path}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(headers.get('content-type'), 'application/xml');
      assert.match(headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="${code}.xml"$`));
      assert.ok(String(body).includes(root), path);
    }
    const unsigned = await app.client.get(`${one}/facturae`);
    assertProblem(unsigned, 409, 'invalid_transition');
    assert.match(unsigned.body.detail, /PUT \/api\/verifactu\/certificate, or ask for signed=false/);
    assertProblem(await app.client.get(`${one}/facturae?signed=maybe`), 400, 'invalid_parameter');
    assertProblem(await app.client.get(`${one}/ubl?profile=peppol`), 422, 'validation_failed');
    assertProblem(await app.client.get(`${one}/ubl?profile=edifact`), 400, 'invalid_parameter');
  });

  it('are of invoices that were posted and not cancelled', async () => {
    const partnerId = await customer({ nif: 'B82846817' });
    const lines = [{ description: 'Transporte', quantity: 1, price: 100 }];
    const draft = (await app.client.post('/api/sales/invoices', { partnerId, lines })).body.data.id;
    const { id } = await issue(partnerId, { billingAddress: GRAN_VIA });
    assert.equal((await app.client.post(`/api/sales/invoices/${id}/cancel`, {})).status, 200);
    for (const format of ['facturae?signed=false', 'ubl', 'cii']) {
      assertProblem(await app.client.get(`/api/sales/invoices/${draft}/${format}`), 409, 'invalid_transition');
      assertProblem(await app.client.get(`/api/sales/invoices/${id}/${format}`), 409, 'invalid_transition');
      const missing = '/api/sales/invoices/00000000-0000-4000-8000-000000000000';
      assertProblem(await app.client.get(`${missing}/${format}`), 404, 'not_found');
    }
  });

  it('are addressed to the offices of a public body, of which it has three', async () => {
    const wrong = await app.client.post('/api/partners', { name: 'Ayuntamiento', groupId, dir3ManagingBody: 'l-1' });
    assertProblem(wrong, 422, 'validation_failed');
    const office = { dir3AccountingOffice: 'L01280796' };
    const townId = await customer({ name: 'Ayuntamiento', nif: 'P2807900B', ...office });
    const { id } = await issue(townId, { billingAddress: GRAN_VIA });
    const refused = await app.client.get(`/api/sales/invoices/${id}/facturae?signed=false`);
    assertProblem(refused, 422, 'validation_failed');
    assert.match(refused.body.detail, /^\/partnerId: must have dir3ManagingBody and dir3ProcessingUnit because/);
    const all = { dir3ManagingBody: 'L01280797', dir3ProcessingUnit: 'L01280798' };
    assert.equal((await app.client.patch(`/api/partners/${townId}`, all)).status, 200);
    const { body } = await app.client.get(`/api/sales/invoices/${id}/facturae?signed=false`);
    assert.match(String(body), /<CentreCode>L01280796<\/CentreCode><RoleTypeCode>01</);
  });
});
