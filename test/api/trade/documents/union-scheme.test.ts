/** Sales that may be under the Union scheme, and the words of their invoices (decision 0376). */
import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

type Body = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('taxes of other member states', function () {
  this.timeout(120_000);
  const app = useApp();
  const put = async (path: string, more: Body) => {
    const { body } = await app.client.get(path);
    return await app.client.put(path, { ...(body.data ?? body), ...more });
  };
  const books = use(() => openBooks(app));
  const customer = use(async () => {
    const groupId = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
    return await books.make('/api/partners', { name: 'Marie Dupont', groupId, countryCode: 'FR' });
  });
  const tax = async (code: string) => (await app.client.get(`/api/taxes?code=${code}`)).body.data[0].id as string;
  const draft = async (line: Body, more: Body = {}): Promise<Data> =>
    await app.client.post('/api/sales/invoices', {
      partnerId: customer.id,
      lines: [{ description: 'Curso', quantity: 1, price: 100, ...line }],
      ...more,
    });
  const refused = (answer: Data, pointer: string, code: string) => {
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
  };

  it('are only of companies under the scheme, whose taxes come with it', async () => {
    assert.equal((await draft({})).body.data.total, 121);
    const state = { code: 'FR20', name: 'TVA', rate: 20, consumptionCountry: 'FR', rateKind: 'standard' };
    const { id } = await books.make('/api/taxes', state);
    refused(await draft({ taxGroupId: id }), '/lines/0/taxGroupId', 'not_applicable');
    refused(await app.client.post('/api/taxes', { ...state, code: 'X', rateKind: null }), '/rateKind', 'required');
    const surcharge = { ...state, code: 'X', surchargeRate: 5 };
    refused(await app.client.post('/api/taxes', surcharge), '/consumptionCountry', 'out_of_range');
    assert.equal((await app.client.del(`/api/taxes/${id}`)).status, 204);
    assert.equal((await put('/api/config/tax', { ossFrom: '2026-01-01' })).status, 200);
    refused(await draft({}), '/lines/0/taxGroupId', 'required');
    await books.make('/api/accounts/import-chart', { chart: 'es-pgc-pymes', taxes: true });
    assert.equal((await draft({})).body.data.total, 120);
  });

  it('must be named for what has another rate at home', async () => {
    await put('/api/config/tax', { defaultSalesTaxGroupId: await tax('IVA10') });
    refused(await draft({}), '/lines/0/taxGroupId', 'required');
    assert.equal((await draft({ taxGroupId: await tax('OSSFR10') })).body.data.total, 110);
    await put('/api/config/tax', { defaultSalesTaxGroupId: null });
  });

  it('are neither of businesses, nor of purchases, nor in other currencies', async () => {
    const taxGroupId = await tax('OSSFR20');
    refused(await draft({ taxGroupId }, { vatRegime: 'intra_eu' }), '/lines/0/taxGroupId', 'not_applicable');
    const foreign = await draft({ taxGroupId }, { currency: 'SEK', exchangeRate: 11 });
    refused(foreign, '/lines/0/taxGroupId', 'not_applicable');
    const groupId = (await app.client.get('/api/partnerGroups?isVendor=true')).body.data[0].id;
    const partnerId = (await books.make('/api/partners', { name: 'Proveedor', groupId })).id;
    const lines = [{ description: 'Curso', quantity: 1, price: 100, taxGroupId }];
    const purchase = await app.client.post('/api/purchases/invoices', { partnerId, lines });
    refused(purchase, '/lines/0/taxGroupId', 'not_applicable');
    const line = { accountId: books.account('477'), credit: 20 };
    const stated = { kind: 'output', operation: 'oss_goods', rate: 20, base: 100 };
    const entry = {
      date: '2026-06-10',
      lines: [
        { ...line, tax: stated },
        { accountId: books.account('572'), debit: 20 },
      ],
    };
    refused(await app.client.post('/api/journal-entries', entry), '/lines/0/tax/operation', 'not_applicable');
  });

  it('are no part of the cash basis', async () => {
    await put('/api/config/tax', { cashBasisYears: [2026] });
    const { data } = (await draft({})).body;
    await books.make(`/api/sales/invoices/${data.id}/post`);
    assert.deepEqual(await books.enteredFor(data.id), ['D 430 120', 'H 705 100', 'H 4775 20']);
    await put('/api/config/tax', { cashBasisYears: [] });
  });

  it('are named on electronic invoices', async () => {
    await put('/api/company', { address: 'Calle Mayor 1', zipCode: '28001', city: 'Madrid' });
    const { data } = (
      await draft({}, { billingAddress: { street: 'Rue 1', zipCode: '75001', city: 'Paris', countryCode: 'FR' } })
    ).body;
    await books.make(`/api/sales/invoices/${data.id}/post`);
    for (const format of ['ubl', 'cii']) {
      const xml = String((await app.client.get(`/api/sales/invoices/${data.id}/${format}`)).body);
      assert.match(xml, /ventanilla única \(OSS\): IVA de FR/);
      assert.match(xml, /<(cbc:Percent|ram:RateApplicablePercent)>20(\.0+)?</);
    }
  });
});

describe('a company that charges IGIC', () => {
  const app = useApp();

  it('cannot be under the Union scheme', async () => {
    const company = (await app.client.get('/api/company')).body;
    await app.client.put('/api/company', { ...company, taxSet: 'igic' });
    const { data } = (await app.client.get('/api/config/tax')).body;
    const answer = await app.client.put('/api/config/tax', { ...data, ossFrom: '2026-01-01' });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, '/ossFrom');
  });
});
