/** Companies begin with the chart and taxes of their country, or neutral ones. */
import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('a company', function () {
  this.timeout(60_000);
  const app = useApp();
  const create = async (company: object) => {
    const { status, body } = await app.client.post('/api/tenants', company);
    assert.equal(status, 201, JSON.stringify(body));
    return app.as(app.token, body.data.id);
  };

  it('in France has the French chart and taxes, and can trade at once', async () => {
    const french = await create({ name: 'Dupont', taxId: 'FR40303265045', country: 'FR', currency: 'USD' });
    const taxes = (await french.get('/api/taxes?sort=rate')).body.data as Record<string, unknown>[];
    assert.deepEqual(
      taxes.map(({ code, rate, kind }) => [code, rate, kind]),
      [
        ['TVA0', 0, 'exempt'],
        ...[2.1, 5.5, 10, 20].map((rate) => [`TVA${rate}`, rate, 'vat']),
        ['TVA20AL', 20, 'reverse_charge'],
      ],
    );
    const accounts = (await french.get('/api/accounts?limit=500')).body.data as { code: string; name: string }[];
    assert.ok(accounts.every(({ name }) => !/IVA|Hacienda|Clientes|IRPF/.test(name)));
    assert.equal(accounts.find(({ code }) => code === '411')?.name, 'Clients');
    const { locale, timezone } = (await french.get('/api/config/format')).body;
    assert.deepEqual([locale, timezone], ['fr-FR', 'Europe/Paris']);
    const [group] = (await french.get('/api/partnerGroups?isCustomer=true')).body.data;
    assert.equal(group.name, 'Clients');
    const partner = (await french.post('/api/partners', { name: 'Martin', groupId: group.id })).body.data;
    const lines = [{ description: 'Conseil', quantity: 1, price: 100 }];
    const draft = await french.post('/api/sales/invoices', { partnerId: partner.id, lines });
    assert.deepEqual([draft.status, draft.body.data?.total, draft.body.data?.currency], [201, 120, 'USD']);
    assert.equal((await french.post(`/api/sales/invoices/${draft.body.data.id}/post`)).status, 200);
    const vat = await french.get('/api/reports/vat?from=2026-01-01&to=2026-12-31');
    assert.deepEqual([vat.status, vat.body.summary?.balance], [200, 20], JSON.stringify(vat.body));
    const company = (await french.get('/api/company')).body;
    assertProblem(await french.put('/api/company', { ...company, currency: 'EUR' }), 409, 'in_use');
  });

  it('outside Spain has no Spanish forms', async () => {
    const italian = await create({ name: 'Rossi', taxId: 'IT00743110157', country: 'IT' });
    const taxes = (await italian.get('/api/taxes?sort=code')).body.data as Record<string, unknown>[];
    assert.deepEqual(
      taxes.map(({ code, rate }) => [code, rate]),
      [
        ['VAT', 22],
        ['VAT0', 0],
      ],
    );
    for (const model of ['303', '390', '130', '111', '190']) {
      assertProblem(await italian.get(`/api/reports/tax/model${model}`), 409, 'invalid_transition');
    }
    const filing = await italian.post('/api/tax-returns', { model: '303', year: 2025, period: '4T' });
    assertProblem(filing, 422, 'validation_failed');
    assert.equal(filing.body.errors[0].pointer, '/model');
  });

  it('of a country whose VAT is not known begins without tax, and may change its currency while it has no amounts', async () => {
    const american = await create({ name: 'Overseas', taxId: '98-7654321', country: 'US', currency: 'USD' });
    const taxes = (await american.get('/api/taxes')).body.data as { code: string; id: string }[];
    assert.deepEqual(
      taxes.map(({ code }) => code),
      ['VAT0'],
    );
    assert.equal((await american.get('/api/config/tax')).body.defaultSalesTaxGroupId, taxes[0]?.id);
    const company = (await american.get('/api/company')).body;
    assert.equal((await american.put('/api/company', { ...company, currency: 'CAD' })).status, 200);
  });

  it('has the currency of its country unless it names one', async () => {
    const own = async (company: object) => {
      const client = await create({ name: 'Abroad', taxId: '123456789', ...company });
      const { currency, country, ...settings } = (await client.get('/api/company')).body;
      const { status, body } = await client.put('/api/company', { ...settings, country });
      assert.equal(status, 200, JSON.stringify(body));
      return [currency, body.currency];
    };
    assert.deepEqual(await own({ country: 'MX' }), ['MXN', 'MXN']);
    assert.deepEqual(await own({ country: 'GB', taxId: 'GB434031494' }), ['GBP', 'GBP']);
    assert.deepEqual(await own({ country: 'US', taxId: '98-7654321' }), ['USD', 'USD']);
    assert.deepEqual(await own({ country: 'MX', currency: 'USD' }), ['USD', 'MXN']);
    assert.deepEqual(await own({ taxId: 'B64717838' }), ['EUR', 'EUR']);
    const none = await app.client.post('/api/tenants', { name: 'Pole', taxId: '1', country: 'AQ' });
    assert.deepEqual([none.status, none.body.errors[0].pointer], [422, '/currency']);
  });

  it("with a person's tax id begins as a sole trader", async () => {
    const kinds: [string, string][] = [
      ['12345678Z', 'sole_trader'],
      ['X2482300W', 'sole_trader'],
      ['B64717838', 'company'],
    ];
    for (const [taxId, taxpayer] of kinds) {
      const client = await create({ name: `Nueva ${taxId}`, taxId });
      assert.equal((await client.get('/api/config/tax')).body.taxpayer, taxpayer);
    }
  });
});
