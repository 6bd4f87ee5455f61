/** Import VAT: the customs document is its only source, and the supplier's invoice has no box. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../../reports/golden-quarter.ts';

const INVOICES = '/api/purchases/invoices';
const CUSTOMS = { number: '26ES00281112345678', date: '2026-02-20', base: 1100, vatAmount: 231, deferred: false };

describe('customs documents', function () {
  this.timeout(120_000);
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));

  const draft = async (date: string, more: object = {}, line: object = {}) => {
    const { supplierId: partnerId, itemId } = books;
    const lines = [{ itemId, quantity: 10, price: 100, ...line }];
    return await books.make(INVOICES, { partnerId, date, vatRegime: 'export', lines, ...more });
  };
  const post = (id: string) => app.client.post(`${INVOICES}/${id}/post`);
  /** Boxes of imports: 32 to 35, 40, 41, 77 of the quarter, and those of the year. */
  const boxes = async (period: string) => {
    const read = async (query: string) => ((await books.report(query)).data as { boxes: Record<string, number> }).boxes;
    const quarter = await read(`tax/model303?year=2026&period=${period}`);
    const year = await read('tax/model390?year=2026');
    return {
      quarter: ['32', '33', '34', '35', '40', '41', '77'].map((box) => quarter[box]),
      year: ['621', '622', '52', '53', '659', '232'].map((box) => year[box]),
    };
  };

  it('are the source of boxes 32 and 33, once, and of 621 and 622', async () => {
    const { id } = await draft('2026-02-15', { customsDocument: CUSTOMS });
    const posted = await post(id);
    assert.deepEqual([posted.status, posted.body.data.customsDocument, posted.body.data.total], [200, CUSTOMS, 1000]);
    assert.ok(!JSON.stringify(posted.body).includes('no_customs_document'));
    assert.deepEqual(await books.enteredFor(id), ['H 400 1000', 'D 600 1000', 'D 47200021 231', 'H 4750 231']);
    const found = await boxes('1T');
    assert.deepEqual(found.quarter, [1100, 231, 0, 0, 0, 0, 0]);
    assert.deepEqual(found.year, [1100, 231, 1100, 231, 0, 0]);
    const vat = await books.report('vat', 'from=2026-01-01&to=2026-03-31');
    const { rows, undeclared } = vat.data as { rows: { drilldown: string; base: number }[]; undeclared: unknown };
    assert.deepEqual([rows.map(({ base }) => base), undeclared], [[1100], { output: 0, input: 0 }]);
    assert.equal((await app.client.get(rows[0]?.drilldown ?? '')).body.pagination.total, 1);
    const entries = (await app.client.get(`/api/journal-entries?sourceId=${id}&sort=date`)).body.data;
    assert.deepEqual(
      entries.map(({ date, sourceType }: Record<string, string>) => [date, sourceType]),
      [
        ['2026-02-15', 'purchase_invoice'],
        ['2026-02-20', 'customs_document'],
      ],
    );
  });

  it('are among the taxes and entries of their supplier, and of nobody else', async () => {
    const { supplierId, customerId } = books;
    const soported = async (query: string) =>
      ((await books.report('vat', query)).summary as { soportado: { base: number; amount: number } }).soportado;
    const days = 'from=2026-02-20&to=2026-02-20';
    const [all, own, others] = [
      await soported(days),
      await soported(`${days}&partner_id=${supplierId}`),
      await soported(`${days}&partner_id=${customerId}`),
    ];
    assert.deepEqual([own.base, own.amount, others.amount], [1100, 231, 0]);
    assert.deepEqual(own, all);
    const { data } = await books.report('journal', `${days}&partner_id=${supplierId}`);
    const codes = (data as { rows: { account_code: string }[] }).rows.map(({ account_code: code }) => code);
    assert.deepEqual(codes, ['47200021', '4750']);
  });

  it('may come after their invoice is posted, and change; the invoice alone has no box', async () => {
    const { id } = await draft('2026-04-10');
    const posted = await post(id);
    assert.ok(JSON.stringify(posted.body).includes('no_customs_document'), JSON.stringify(posted.body));
    assert.deepEqual((await boxes('2T')).quarter, [0, 0, 0, 0, 0, 0, 0]);
    const customsDocument = { ...CUSTOMS, date: '2026-05-02', base: 1000, vatAmount: 210, deferred: true };
    const at = `${INVOICES}/${id}`;
    const preview = await app.client.patch(`${at}?preview=true`, { customsDocument });
    assert.deepEqual([preview.status, preview.body.data?.entries?.length], [200, 1], JSON.stringify(preview.body));
    const added = await app.client.patch(at, { customsDocument });
    assert.deepEqual(
      [added.status, added.body.data?.customsDocument],
      [200, customsDocument],
      JSON.stringify(added.body),
    );
    assert.deepEqual((await books.enteredFor(id)).slice(2), ['D 47200021 210', 'H 47700021 210']);
    // 77 is owed beside 66, from which 33 is deducted.
    assert.deepEqual((await boxes('2T')).quarter, [1000, 210, 0, 0, 0, 0, 210]);
    assert.equal((await boxes('2T')).year[4], 210);
    const same = await app.client.patch(at, { customsDocument });
    assert.equal(same.body.data.version, added.body.data.version);
    const changed = await app.client.patch(at, {
      customsDocument: { ...customsDocument, deferred: false, date: '2026-04-12' },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual((await boxes('2T')).quarter, [1000, 210, 0, 0, 0, 0, 0]);
    assert.equal((await app.client.patch(at, { notes: 'x' })).status, 409);
    const gone = await app.client.patch(at, { customsDocument: null });
    assert.deepEqual([gone.status, gone.body.data.customsDocument], [200, null]);
    assert.equal(await books.balance('472'), 231);
  });

  it('go with their invoice: cancelled, or taken back by a rectifying one', async () => {
    const date = '2026-07-10';
    const first = await draft(date, { customsDocument: { ...CUSTOMS, date, base: 500, vatAmount: 105 } });
    assert.equal((await post(first.id)).status, 200);
    assert.equal((await app.client.post(`${INVOICES}/${first.id}/cancel`, { date })).status, 200);
    assert.deepEqual((await boxes('3T')).quarter, [0, 0, 0, 0, 0, 0, 0]);
    const second = await draft(date, { customsDocument: { ...CUSTOMS, date } });
    assert.equal((await post(second.id)).status, 200);
    const credit = await books.make(`${INVOICES}/${second.id}/rectify`, { reason: 'x', date });
    const wrong = await app.client.patch(`${INVOICES}/${credit.id}`, { customsDocument: { ...CUSTOMS, date } });
    assertProblem(wrong, 422, 'validation_failed');
    const back = { ...CUSTOMS, date, base: -1100, vatAmount: -231 };
    assert.equal((await app.client.patch(`${INVOICES}/${credit.id}`, { customsDocument: back })).status, 200);
    assert.equal((await post(credit.id)).status, 200);
    assert.deepEqual((await boxes('3T')).quarter, [1100, 231, 0, 0, -1100, -231, 0]);
  });

  it('are divided between the rates and uses of the goods, and lost VAT is a cost', async () => {
    const { body } = await app.client.get('/api/config/tax');
    assert.equal((await app.client.put('/api/config/tax', { ...body, proRata: 50 })).status, 200);
    const { supplierId: partnerId, itemId, taxes } = books;
    const lines = [
      { itemId, quantity: 1, price: 600, taxGroupId: taxes.get('IVA21') },
      { itemId, quantity: 1, price: 400, taxGroupId: taxes.get('IVA4') },
      {
        itemId,
        quantity: 1,
        price: 100,
        taxGroupId: taxes.get('IVA21'),
        vatUse: 'investment',
        accountId: books.account('213'),
      },
      { description: 'Transporte', quantity: 1, price: 50 },
    ];
    const date = '2026-10-10';
    // 700 at 21 % and 400 at 4 % are 163; customs has 50 more at 21 %.
    const customsDocument = { ...CUSTOMS, date, base: 1150, vatAmount: 173.5 };
    const made = await books.make(INVOICES, { partnerId, date, vatRegime: 'export', lines, customsDocument });
    assert.equal((await post(made.id)).status, 200);
    const [base, vat, investmentBase, investmentVat] = (await boxes('4T')).quarter as [number, number, number, number];
    assert.equal(Math.round((base + investmentBase) * 100), 115_000);
    assert.equal(Math.round((vat + investmentVat) * 100), 8675);
    const entered = (await books.enteredFor(made.id)).slice(-6);
    assert.ok(entered.includes('H 4750 173.5'), entered.join());
    assert.equal((await app.client.put('/api/config/tax', body)).status, 200);
  });

  it('are refused for what is no import, and with another VAT than that of the base', async () => {
    const { supplierId: partnerId, itemId } = books;
    const goods = { itemId, quantity: 10, price: 100 };
    const refused = async (body: object, pointer: string) => {
      const answer = await app.client.post(INVOICES, { partnerId, date: '2026-11-10', lines: [goods], ...body });
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(answer.body));
    };
    const customsDocument = CUSTOMS;
    const vatRegime = 'export';
    await refused({ customsDocument }, '/customsDocument');
    await refused({ customsDocument, vatRegime: 'intra_eu' }, '/customsDocument');
    const service = [{ description: 'Servicio', quantity: 1, price: 100 }];
    await refused({ customsDocument, vatRegime, lines: service }, '/customsDocument');
    await refused({ customsDocument: { ...CUSTOMS, vatAmount: 300 }, vatRegime }, '/customsDocument/vatAmount');
    await refused({ customsDocument: { ...CUSTOMS, base: 1, vatAmount: 0 }, vatRegime }, '/customsDocument/vatAmount');
    await refused({ customsDocument: { ...CUSTOMS, base: -1 }, vatRegime }, '/customsDocument/base');
    await refused({ customsDocument: { ...CUSTOMS, date: '2026-02-30' }, vatRegime }, '/customsDocument/date');
    await refused({ customsDocument: { ...CUSTOMS, mrn: 'x' }, vatRegime }, '/customsDocument/mrn');
    await refused({ customsDocument: { number: 'x' }, vatRegime }, '/customsDocument/date');
    const late = await draft('2026-11-10', { customsDocument: { ...CUSTOMS, date: '2035-01-01' } });
    const unposted = await post(late.id);
    assertProblem(unposted, 422, 'validation_failed');
    assert.equal(unposted.body.errors[0].pointer, '/customsDocument/date');
  });

  it('are waited for by posted invoices of imported goods, which a list shows until they come', async () => {
    const waiting = async (is = true) => {
      const { body } = await app.client.get(`${INVOICES}?awaitsCustoms=${is}&limit=100`);
      return body.data.map(({ id }: { id: string }) => id) as string[];
    };
    const before = (await waiting()).length;
    const [inside, { id }, cancelled] = [
      await draft('2026-10-01', { vatRegime: 'general' }),
      await draft('2026-10-01'),
      await draft('2026-10-01'),
    ];
    assert.equal((await waiting()).length, before, 'drafts wait for nothing');
    for (const one of [inside.id, id, cancelled.id]) assert.equal((await post(one)).status, 200);
    assert.equal((await app.client.post(`${INVOICES}/${cancelled.id}/cancel`)).status, 200);
    assert.deepEqual((await waiting()).length, before + 1);
    assert.ok((await waiting()).includes(id) && (await waiting(false)).includes(inside.id));
    const customsDocument = { ...CUSTOMS, date: '2026-10-02', base: 1000, vatAmount: 210 };
    assert.equal((await app.client.patch(`${INVOICES}/${id}`, { customsDocument })).status, 200);
    assert.ok(!(await waiting()).includes(id));
  });
});
