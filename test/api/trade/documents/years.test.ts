import assert from 'node:assert/strict';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { COMPANY } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { openTrade, type Trade } from './trade.ts';

type Row = Record<string, never> & { id: string };

describe('the year turns', () => {
  const app = useApp({ clock: { now: new Date('2026-11-20T10:00:00Z') } });

  /** Creates a separate company with goods to trade. */
  const company = async (settings: object = {}) => {
    const made = await app.client.post('/api/tenants', { ...COMPANY, name: 'Otra SL' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const client = app.as(app.token, made.body.data.id);
    if (Object.keys(settings).length > 0) await client.put('/api/company', { ...COMPANY, ...settings });
    const trade = await openTrade({ client }, 0);
    return { client, trade, ...helpers(client, trade) };
  };
  const helpers = (client: TestClient, trade: Trade) => {
    const make = async (path: string, body: object) => {
      const answer = await client.post(path, body);
      assert.ok(answer.status < 300, `POST ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.data as Row;
    };
    const line = { description: 'Porte', quantity: 1, price: 10, taxGroupId: trade.taxGroupId };
    const order = (date: string, values: object = {}) => ({
      partnerId: trade.customerId,
      date,
      lines: [line],
      ...values,
    });
    const posted = async (date: string, values: object = {}) => {
      const draft = await make('/api/sales/invoices', order(date, values));
      return await make(`/api/sales/invoices/${draft.id}/post`, {});
    };
    const all = async (path: string) => (await client.get(path)).body.data as Row[];
    const codes = async () => (await all('/api/periods?limit=200')).map(({ code }) => String(code));
    const months = async (year: number) => (await codes()).filter((code) => code.startsWith(`${year}-`)).length;
    const prefixes = async (year: number) =>
      (await all(`/api/series?year=${year}`)).map(({ prefix }) => String(prefix)).sort();
    return { make, line, order, posted, all, months, prefixes };
  };

  it('a document takes the default series of the year of its date, which the first one makes with its periods', async () => {
    const { make, line, posted, months, prefixes, trade } = await company();
    assert.equal((await posted('2026-12-31')).code, 'SINV2026-00001');
    for (const docType of DOC_TYPES) {
      const { path, side, kind } = DOCUMENT_TYPES[docType];
      const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
      const { id, code } = await make(path, { partnerId, date: '2027-01-01', lines: [line] });
      const act = kind === 'quotation' ? 'issue' : 'post';
      const numbered = code ?? (await make(`${path}/${id}/${act}`, {})).code;
      assert.equal(numbered, `${docType}2027-00001`);
    }
    assert.equal(await months(2027), 12);
    assert.equal((await prefixes(2027)).length, 10);
    assert.equal((await posted('2026-12-31')).code, 'SINV2026-00002', 'each year goes on with its own');
    assert.equal((await posted('2025-12-31')).code, 'SINV2025-00001', 'so does the year before');
    const sold = await posted('2027-02-01');
    const back = await make(`/api/sales/invoices/${sold.id}/rectify`, { date: '2027-02-02', reason: 'error' });
    assert.equal((await make(`/api/sales/invoices/${back.id}/post`, {})).code, 'RSINV2027-00001');
  });

  it('years further away are refused with a hint, until somebody opens them', async () => {
    const { client, make, order, posted, months } = await company();
    for (const date of ['2028-01-01', '2024-12-31', '0206-11-20']) {
      const { status, body } = await client.post('/api/sales', order(date));
      assert.deepEqual(
        { status, errors: body.errors.length, pointer: body.errors[0].pointer },
        { status: 422, errors: 1, pointer: '/date' },
        date,
      );
      assert.equal(body.errors[0].code, 'no_period');
      assert.match(body.errors[0].message, /generate the periods of its year first/);
    }
    assert.equal(await months(2028), 0);
    await make('/api/periods/generate', { year: 2028 });
    assert.equal((await posted('2028-01-01')).code, 'SINV2028-00001');
  });

  /** Acts that need a period, each as the first of its year. */
  const FIRST: Record<string, (of: Awaited<ReturnType<typeof company>>) => Promise<unknown>> = {
    'a payment': ({ make, trade }) =>
      make('/api/payments/in', {
        partner_id: trade.customerId,
        amount: 5,
        payment_date: '2027-01-02',
        payment_method: 'transfer',
      }),
    'a count of stock': ({ make, trade }) =>
      make('/api/stock/adjustments', {
        warehouseId: trade.warehouseId,
        date: '2027-01-02',
        reason: 'Inicio',
        lines: [{ itemId: trade.itemId, countedQuantity: 3 }],
      }),
    'a transfer of stock': async (of) => {
      const to = await of.make('/api/warehouses', { name: 'Otro' });
      await of.make('/api/stock/adjustments', {
        warehouseId: of.trade.warehouseId,
        reason: 'Inicio',
        lines: [{ itemId: of.trade.itemId, countedQuantity: 3 }],
      });
      await of.make('/api/stock/transfers', {
        warehouseId: of.trade.warehouseId,
        toWarehouseId: to.id,
        date: '2027-01-02',
        lines: [{ itemId: of.trade.itemId, quantity: 1 }],
      });
    },
    'a journal entry': async ({ make, all }) => {
      const [bank, income] = [await all('/api/accounts?code=572'), await all('/api/accounts?code=705')];
      await make('/api/journal-entries', {
        date: '2027-01-02',
        lines: [
          { accountId: bank[0]?.id, debit: 1 },
          { accountId: income[0]?.id, credit: 1 },
        ],
      });
    },
    'a cancellation': async ({ make, posted }) => {
      const { id } = await posted('2026-11-01');
      await make(`/api/sales/invoices/${id}/cancel`, { date: '2027-01-02' });
    },
  };

  for (const [name, enter] of Object.entries(FIRST)) {
    it(`${name} opens the year; what is refused leaves nothing of it`, async () => {
      const of = await company();
      const refused = await of.client.post('/api/sales', of.order('2027-01-02', { lines: [{ quantity: 1 }] }));
      assert.equal(refused.status, 422);
      assert.deepEqual([await of.months(2027), await of.prefixes(2027)], [0, []]);
      await enter(of);
      assert.deepEqual([await of.months(2027), (await of.prefixes(2027)).length], [12, 10], name);
    });
  }

  it('of 64 first documents at once, one makes the year', async () => {
    const { client, order, months, prefixes, all } = await company();
    const answers = await Promise.all(Array.from({ length: 64 }, () => client.post('/api/sales', order('2027-01-01'))));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ body }) => body.data.code)).size, 64);
    assert.deepEqual([await months(2027), (await prefixes(2027)).length], [12, 10]);
    const defaults = await all('/api/series?year=2027&isDefault=true');
    assert.equal(defaults.length, 10);
  });

  it('what a person has made for the year is kept, and the company’s own form goes on', async () => {
    const { make, client, posted, order, months, prefixes } = await company();
    const own = { docType: 'SINV', padding: 3, isDefault: true };
    await make('/api/series', { ...own, prefix: 'F26/', year: 2026 });
    await make('/api/series', { docType: 'SO', prefix: 'P27-', year: 2027, isDefault: true });
    await make('/api/series', { docType: 'PO', prefix: 'PO2027-', year: 2027 });
    await make('/api/series', { docType: 'SDN', prefix: 'ALB-', isDefault: true });
    await make('/api/periods', { code: '1T', from: '2027-01-01', to: '2027-03-31' });
    assert.equal((await posted('2027-01-01')).code, 'F27/001');
    assert.equal((await posted('2026-12-01')).code, 'F26/001');
    assert.equal((await make('/api/sales', order('2027-04-01'))).code, 'P27-1');
    assert.equal(await months(2027), 9, 'the months beside the quarter');
    assert.deepEqual(await prefixes(2027), [
      'F27/',
      'P27-',
      'PDN2027-',
      'PINV2027-',
      'PO2027-',
      'PR2027-',
      'RPINV2027-',
      'RSINV2027-',
      'SQ2027-',
    ]);
    const orders = (await client.get('/api/series?prefix=PO2027-')).body.data[0];
    assert.equal(orders.isDefault, true, 'the one that was there');
    assert.equal(
      (await make('/api/sales/delivery-notes', order('2027-01-02'))).code,
      'ALB-1',
      'goes through all years',
    );
    assert.equal((await make('/api/sales/delivery-notes', order('2026-12-02'))).code, 'SDN2026-00001');
    const next = await make('/api/series', { ...own, prefix: 'G27/', year: 2027 });
    assert.equal((await posted('2027-01-03')).code, 'G27/001');
    assert.equal((await client.get('/api/series?prefix=F27/')).body.data[0].isDefault, false);
    assert.equal((await client.patch(`/api/series/${next.id}`, { isDefault: false })).status, 200);
    assert.equal((await posted('2026-12-03')).code, 'F26/002', 'the default of another year stays');
  });

  it('a draft that moves to another year takes its number there', async () => {
    const { make, client, order, posted } = await company();
    const special = await make('/api/series', { docType: 'SINV', prefix: 'WEB' });
    const move = async (values: object, patch: object) => {
      const { id } = await make('/api/sales/invoices', order('2026-12-30', values));
      const moved = await client.patch(`/api/sales/invoices/${id}`, patch);
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      return (await make(`/api/sales/invoices/${id}/post`, {})).code;
    };
    assert.equal(await move({}, { date: '2027-01-02' }), 'SINV2027-00001');
    assert.equal(await move({}, { date: '2026-12-02' }), 'SINV2026-00001');
    assert.equal(await move({ seriesId: special.id }, { date: '2027-01-02' }), 'WEB1', 'it has no year');
    const { seriesId } = await posted('2026-12-31');
    assert.equal(
      await move({}, { date: '2027-01-02', seriesId }),
      'SINV2027-00002',
      'sent back as it was, it moves too',
    );
  });

  it('a fiscal year that begins in July opens as a whole, by the name of its first year', async () => {
    const { make, order, all, months, prefixes } = await company({ fiscalYearStart: '07-01' });
    assert.equal((await make('/api/sales', order('2027-05-31'))).code, 'SO2026-00001', 'what was missing of the year');
    assert.deepEqual([await months(2027), await prefixes(2027)], [6, []]);
    assert.equal((await make('/api/sales', order('2027-07-01'))).code, 'SO2027-00001');
    const [last] = await all('/api/periods?sort=-from&limit=1');
    assert.deepEqual([await months(2027), last?.to], [12, '2028-06-30']);
  });

  it('a closed year stays as it is; closing one opens the next', async () => {
    const { client, order, posted, months } = await company();
    await posted('2025-05-01');
    const closed = await client.post('/api/fiscal-years/2025/close');
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const march = (await client.get('/api/periods?code=2025-03')).body.data[0];
    assert.equal(march.status, 'C');
    const { status, body } = await client.post('/api/sales', order('2025-03-01'));
    assert.deepEqual([status, body.code], [409, 'period_closed']);
    const other = await company();
    await other.make('/api/periods', { code: 'Q4', from: '2025-10-01', to: '2025-12-31' });
    assert.equal((await other.client.post('/api/fiscal-years/2025/close')).status, 200);
    const early = await other.client.post('/api/sales', other.order('2025-03-01'));
    assert.deepEqual([early.status, early.body.errors[0].code], [422, 'no_period']);
    assert.equal(await other.months(2025), 0);
    assert.equal((await client.post('/api/fiscal-years/2026/close')).status, 200);
    assert.equal(await months(2027), 12);
  });

  it('a period without a date: today where it lies in it, else its last day', async () => {
    const { make, client, line, all, trade } = await company();
    const [november, march] = [await all('/api/periods?code=2026-11'), await all('/api/periods?code=2026-03')];
    const values = { partnerId: trade.customerId, lines: [line] };
    const dated = async (period: Row[]) => make('/api/sales/invoices', { ...values, periodId: period[0]?.id });
    assert.equal((await dated(november)).date, '2026-11-20');
    const early = await dated(march);
    assert.equal(early.date, '2026-03-31');
    const moved = await client.patch(`/api/sales/invoices/${early.id}`, { periodId: november[0]?.id });
    assert.deepEqual([moved.status, moved.body.data?.date], [200, '2026-11-20'], JSON.stringify(moved.body));
    const outside = await client.post('/api/sales', { ...values, periodId: march[0]?.id, date: '2026-04-01' });
    assert.deepEqual([outside.status, outside.body.errors[0].code], [422, 'outside_period']);
  });
});
