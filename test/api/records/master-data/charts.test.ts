/** Charts brought into a company. */
import assert from 'node:assert/strict';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const IMPORT = '/api/accounts/import-chart';
type Outcome = { readonly code: string; readonly outcome: string };

describe('a chart brought into a company', function () {
  this.timeout(120_000);
  const app = useApp();
  let number = 0;

  async function found(company: object): Promise<TestClient> {
    const { status, body } = await app.client.post('/api/tenants', { name: `Chart ${number++}`, ...company });
    assert.equal(status, 201, JSON.stringify(body));
    return app.as(app.token, body.data.id);
  }
  const accountsByCode = async (client: TestClient) => {
    const { data } = (await client.get('/api/accounts?limit=500')).body;
    return new Map((data as { code: string; name: string; id: string }[]).map((account) => [account.code, account]));
  };
  const count = (outcomes: readonly Outcome[], outcome: string) =>
    outcomes.filter((one) => one.outcome === outcome).length;
  const american = { taxId: '98-7654321', country: 'US' };

  it('is one of those that are listed', async () => {
    const { data } = (await app.client.get('/api/accounts/charts')).body;
    assert.deepEqual(
      (data as { code: string; country: string | null }[]).map(({ code, country }) => `${code} ${country}`),
      ['es-pgc-pymes ES', 'es-pgc ES', 'fr-pcg FR', 'pt-snc PT', 'de-skr04 DE', 'neutral null'],
    );
    const missing = await app.client.post(IMPORT, { chart: 'xx' });
    assert.deepEqual([missing.status, missing.body.errors[0].pointer], [422, '/chart']);
    assertProblem(await app.client.post(IMPORT, {}), 422, 'validation_failed');
  });

  it('adds what is missing with its taxes, and is followed while there are no entries', async () => {
    const client = await found(american);
    const preview = await client.post(`${IMPORT}?preview=true`, { chart: 'fr-pcg' });
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    assert.equal((await accountsByCode(client)).has('411'), false);
    const { body } = await client.post(IMPORT, { chart: 'fr-pcg', taxes: true });
    assert.equal(body.data?.chart, 'fr-pcg', JSON.stringify(body));
    assert.ok(count(body.data.accounts, 'created') > 150 && count(body.data.accounts, 'changed') > 20);
    assert.equal(count(body.data.taxes, 'created'), 6);
    const accounts = await accountsByCode(client);
    assert.deepEqual([accounts.get('411')?.name, accounts.get('101')?.name], ['Clients', 'Capital']);
    const config = (await client.get('/api/config/accounting')).body;
    assert.deepEqual([config.chart, config.receivableAccountId], ['fr-pcg', accounts.get('411')?.id]);
    const [group] = (await client.get('/api/partnerGroups?isCustomer=true')).body.data;
    assert.equal(group.receivableAccountId, accounts.get('411')?.id);
    const again = (await client.post(IMPORT, { chart: 'fr-pcg' })).body.data;
    assert.equal(count(again.accounts, 'unchanged'), again.accounts.length);
  });

  it('leaves accounts with entries as they are, and is not followed by a company with entries by another', async () => {
    const client = await found({ taxId: 'B64717838' });
    const accounts = await accountsByCode(client);
    const id = (code: string) => accounts.get(code)?.id;
    const lines = [
      { accountId: id('622'), debit: 10 },
      { accountId: id('572'), credit: 10 },
    ];
    const entry = await client.post('/api/journal-entries', { date: '2026-06-15', description: 'Test', lines });
    assert.equal((await client.post(`/api/journal-entries/${entry.body.data?.id}/post`)).status, 200);
    const { data } = (await client.post(IMPORT, { chart: 'fr-pcg' })).body;
    assert.equal(data.chart, 'es-pgc-pymes');
    assert.equal((data.accounts as Outcome[]).find(({ code }) => code === '622')?.outcome, 'kept');
    assert.equal((await accountsByCode(client)).get('622')?.name, accounts.get('622')?.name);
    assertProblem(await client.post(IMPORT, { chart: 'fr-pcg', follow: true }), 409, 'in_use');
    assert.equal((await client.post(IMPORT, { chart: 'es-pgc' })).body.data.chart, 'es-pgc');
  });

  it("may be of one's own, with what its accounts are used for; all of it or nothing", async () => {
    const client = await found(american);
    const rows = [
      { code: '10', name: 'Money', type: 'asset', isHeading: true },
      { code: '1000', name: 'Checking account', type: 'asset', roles: ['bank'] },
    ];
    const bad = await client.post(IMPORT, { accounts: [...rows, { ...rows[1], parent: '1000' }] });
    assert.deepEqual(
      (bad.body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
      ['/accounts/2/code', '/accounts/2/parent'],
    );
    assert.equal((await accountsByCode(client)).has('1000'), false);
    const { status, body } = await client.post(IMPORT, { accounts: rows });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.data.accounts, [
      { code: '10', outcome: 'changed' },
      { code: '1000', outcome: 'created' },
    ]);
    const config = (await client.get('/api/config/accounting')).body;
    assert.equal(config.bankAccountId, (await accountsByCode(client)).get('1000')?.id);
  });

  it('makes no income or expense of what customers, banks and taxes stand on', async () => {
    const client = await found(american);
    const { receivableAccountId } = (await client.get('/api/config/accounting')).body;
    const used = (await client.get(`/api/accounts/${receivableAccountId}`)).body.data;
    const rows = [
      { code: '7001', name: 'Sales', type: 'income' },
      { code: used.code, name: used.name, type: 'income' },
    ];
    const refused = await client.post(IMPORT, { accounts: rows });
    assertProblem(refused, 422, 'validation_failed');
    const [{ pointer, code, message }] = refused.body.errors;
    assert.deepEqual([pointer, code], ['/accounts/1/type', 'wrong_type']);
    assert.match(message, /because receivableAccountId of .* uses it; let that use another account first/);
    assert.equal((await accountsByCode(client)).has('7001'), false);
    const role = { code: '7002', name: 'Sales', type: 'income', roles: ['outputTax'] };
    assertProblem(await client.post(IMPORT, { accounts: [role] }), 422, 'validation_failed');
    const changed = await client.patch(`/api/accounts/${receivableAccountId}`, { type: 'expense' });
    assert.deepEqual([changed.status, changed.body.errors[0].pointer], [422, '/type']);
    assert.equal((await client.post(IMPORT, { accounts: [{ ...rows[1], type: 'asset' }] })).status, 200);
  });
});
