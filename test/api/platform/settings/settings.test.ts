import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const DEFAULTS = {
  branding: {
    ...{ colorPrimary: '#2563eb', colorAccent: '#10b981', logoUrl: '', appName: 'Business Management' },
    ...{ fontFamily: 'sans', themeMode: 'light' },
  },
  format: {
    ...{ locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 },
    timezone: 'Europe/Madrid',
  },
  flags: {
    ...{ allowNegativeStock: false, autoConfirmBatches: false, watermarkDraft: true, confirmBeforeCancel: true },
    ...{ enforceWarehouseZones: false, allowOverDelivery: false, creditLimit: 'warn' },
  },
  tax: {
    ...{ taxpayer: 'company', estimation: 'simplified', surchargeRegime: false, stateShare: 100 },
    ...{ proRata: 100, proRataKind: 'general', cashBasisYears: [], ossFrom: null, monthlyRefunds: false },
    ...{ priorYearNetIncome: {}, homeLoan: false },
  },
};

describe('api: branding, format, flags and tax', () => {
  const app = useApp();
  before(async () => {
    // The taxes of lines without item are told also while none is set.
    const { id } = (await app.client.get('/api/taxes?code=IVA21')).body.data[0];
    Object.assign(DEFAULTS.tax, { defaultSalesTaxGroupId: id, defaultPurchaseTaxGroupId: id });
  });

  const changes = {
    branding: { colorAccent: '#ABCDEF', fontFamily: 'serif', logoUrl: 'https://example.com/l.png' },
    format: { locale: 'en-GB', dateFormat: 'yyyy-MM-dd', decimalPrecision: 4, timezone: 'Atlantic/Canary' },
    flags: { allowNegativeStock: true, watermarkDraft: false },
    tax: { taxpayer: 'sole_trader', surchargeRegime: true, proRata: 87.5, priorYearNetIncome: { 2025: 9500.5 } },
  };
  for (const name of ['branding', 'format', 'flags', 'tax'] as const) {
    const path = `/api/config/${name}`;

    it(`replaces ${name} as a whole, on the version that was seen`, async () => {
      const first = await app.client.get(path);
      assert.deepEqual(first.body, DEFAULTS[name]);
      const seen = { 'If-Match': first.headers.get('etag') ?? '' };
      const put = await app.client.put(path, changes[name], seen);
      assert.deepEqual([put.status, put.body], [200, { ...DEFAULTS[name], ...changes[name] }]);
      const read = await app.client.get(path);
      assert.deepEqual([read.body, read.headers.get('etag')], [put.body, put.headers.get('etag')]);
      assertProblem(await app.client.put(path, {}, seen), 412, 'stale_version');
      assert.deepEqual((await app.client.put(path, {})).body, DEFAULTS[name]);
      const { body } = await app.client.get('/api/audit-logs?entityType=Setting&limit=1');
      assert.equal(body.data[0].newValue.name, name);
    });

    it(`leaves changing ${name} to those who administer the company`, async () => {
      assert.equal((await app.anonymous.get(path)).status, 401);
      const user = { email: `${name}@example.com`, password: 'correct horse battery', name: 'Vera' };
      assert.equal((await app.client.post('/api/users', user)).status, 201);
      const login = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      const viewer = app.as(login.body.token);
      assert.equal((await viewer.get(path)).status, 200, 'every member reads what forms are drawn from');
      assertProblem(await viewer.put(path, {}), 403, 'forbidden');
    });
  }

  it('refuses what means nothing, and writes nothing', async () => {
    const bad: [string, Record<string, unknown>][] = [
      ['branding', { colorPrimary: 'red' }],
      ['branding', { colorPrimary: '#12345' }],
      ['automations', { max_runs_per_day: 100_001 }],
      ['automations', { max_runs_per_day: -1 }],
      ['branding', { fontFamily: 'comic' }],
      ['branding', { themeMode: 'dim' }],
      ['branding', { logoUrl: 'javascript:alert(1)' }],
      ['format', { locale: 'not a locale' }],
      ['format', { locale: 'xx-XX' }],
      ['format', { dateFormat: 'dd/dd/yyyy' }],
      ['format', { dateFormat: 'yy/MM/yyyy' }],
      ['format', { dateFormat: '<b>dd</b>' }],
      ['format', { decimalPrecision: 7 }],
      ['format', { quantityPrecision: 1.5 }],
      ['format', { timezone: 'Europe/Nowhere' }],
      ['format', { timezone: '+02:00' }],
      ['flags', { watermarkDraft: 'yes' }],
      ['flags', { allowEverything: true }],
      ['tax', { proRata: 100.5 }],
      ['tax', { taxpayer: 'club' }],
      ['tax', { priorYearNetIncome: 'none' }],
      ['tax', { priorYearNetIncome: { next: 1 } }],
      ['tax', { priorYearNetIncome: { 2025: 'much' } }],
      ['tax', { priorYearNetIncome: { 2025: 0.0000001 } }],
    ];
    for (const [name, body] of bad) {
      const before = await app.client.get(`/api/config/${name}`);
      const answer = await app.client.put(`/api/config/${name}`, body);
      assertProblem(answer, 422, 'validation_failed');
      assert.ok(`${answer.body.errors[0].pointer}/`.startsWith(`/${Object.keys(body)[0]}/`));
      const after = await app.client.get(`/api/config/${name}`);
      assert.deepEqual([after.body, after.headers.get('etag')], [before.body, before.headers.get('etag')]);
    }
  });
});
