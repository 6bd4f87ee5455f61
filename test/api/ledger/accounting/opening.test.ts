import assert from 'node:assert/strict';
import { COMPANY } from '../../../helpers/app.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { openBooks } from './books.ts';

const PATH = '/api/journal-entries';

interface Entry {
  readonly id: string;
  readonly date: string;
  readonly kind: string;
  readonly number: number;
  readonly fiscalYear: number;
  readonly version: number;
}

describe('fiscal years with any start', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });

  const entry = (date: string, debit: string, credit: string, amount: number, more: object = {}) => ({
    date,
    post: true,
    lines: [
      { accountId: books.account(debit), debit: amount },
      { accountId: books.account(credit), credit: amount },
    ],
    ...more,
  });
  const enter = (...args: Parameters<typeof entry>) => books.make<Entry>(PATH, entry(...args));
  const startsOn = async (fiscalYearStart: string) => {
    assert.equal((await app.client.put('/api/company', { ...COMPANY, fiscalYearStart })).status, 200);
  };
  const close = (year: number) => app.client.post(`/api/fiscal-years/${year}/close`, { adjustStock: false });
  const listed = async (query: string) =>
    (await app.client.get(`${PATH}?${query}&sort=number`)).body.data as readonly Entry[];
  const firstCode = ({ status, body }: { status: number; body: { code: string; errors?: { code: string }[] } }) =>
    `${status} ${body.errors?.[0]?.code ?? body.code}`;

  it('are closed by their own days when they begin in July, numbered separately, and open the next', async () => {
    await startsOn('07-01');
    for (const year of [YEAR - 1, YEAR]) await books.make('/api/periods/generate', { year });
    const last = await enter(`${YEAR}-06-30`, '572', '705', 100);
    const first = await enter(`${YEAR}-07-01`, '572', '705', 7);
    const rent = await enter(`${YEAR}-01-10`, '621', '572', 30);
    assert.deepEqual(
      [last, first, rent].map(({ fiscalYear, number }) => [fiscalYear, number]),
      [
        [YEAR - 1, 1],
        [YEAR, 1],
        [YEAR - 1, 2],
      ],
    );
    const { status, body } = await close(YEAR - 1);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      { from: body.data.from, to: body.data.to, result: body.data.result },
      { from: `${YEAR - 1}-07-01`, to: `${YEAR}-06-30`, result: 70 },
    );
    const ended = await listed(`fiscalYear=${YEAR - 1}`);
    assert.deepEqual(
      ended.map(({ id, kind, date, number }) => [number, date, id === rent.id || id === last.id ? '' : kind]),
      [
        [1, `${YEAR}-01-10`, ''],
        [2, `${YEAR}-06-30`, ''],
        [3, `${YEAR}-06-30`, 'regularisation'],
        [4, `${YEAR}-06-30`, 'closing'],
      ],
    );
    const [opening] = await listed(`fiscalYear=${YEAR}&kind=opening`);
    assert.deepEqual([opening?.date, opening?.id], [`${YEAR}-07-01`, body.data.openingId]);
    assert.deepEqual([await books.balance('572'), await books.balance('129'), await books.balance('7')], [77, -70, -7]);
    assert.equal(firstCode(await app.client.post(PATH, entry(`${YEAR}-06-30`, '572', '705', 1))), '409 period_closed');
    assert.equal((await app.client.post(`/api/fiscal-years/${YEAR - 1}/reopen`)).status, 200);
    assert.deepEqual([await books.balance('572'), await books.balance('129'), await books.balance('7')], [77, 0, -107]);
  });

  it('can be closed without entries, but not before the previous year', async () => {
    for (const year of [YEAR - 2, YEAR - 1, YEAR + 1]) await books.make('/api/periods/generate', { year });
    const { status, body } = await close(YEAR - 2);
    const { result, regularisationId, closingId, openingId } = body.data;
    assert.deepEqual(
      { status, result, regularisationId, closingId, openingId },
      { status: 200, result: 0, regularisationId: null, closingId: null, openingId: null },
    );
    await enter(`${YEAR - 1}-05-05`, '572', '705', 50);
    await enter(`${YEAR}-05-05`, '572', '705', 9);
    assert.equal(firstCode(await close(YEAR)), '409 invalid_transition');
    assert.equal((await close(YEAR - 1)).body.data.result, 50);
    assert.equal((await close(YEAR)).body.data.result, 9);
    assert.deepEqual([await books.balance('572'), await books.balance('129')], [59, -59]);
    assert.equal(firstCode(await app.client.post(`/api/fiscal-years/${YEAR - 1}/reopen`)), '409 invalid_transition');
    assert.equal((await app.client.post(`/api/fiscal-years/${YEAR - 2}/reopen`)).status, 409);
  });

  it('cannot be closed over an earlier one with balances of partners, even if accounts add up to zero', async () => {
    for (const year of [YEAR - 1, YEAR + 1]) await books.make('/api/periods/generate', { year });
    const groups = (await app.client.get('/api/partnerGroups?code=CLI')).body.data;
    const partner = async (name: string) => (await books.make('/api/partners', { name, groupId: groups[0].id })).id;
    const lines = [
      { accountId: books.account('430'), debit: 10, partnerId: await partner('A') },
      { accountId: books.account('430'), credit: 10, partnerId: await partner('B') },
    ];
    await books.make(PATH, { date: `${YEAR - 1}-05-05`, post: true, lines });
    assert.equal(firstCode(await close(YEAR)), '409 invalid_transition');
    assert.equal((await close(YEAR - 1)).status, 200);
    assert.equal((await close(YEAR)).status, 200);
  });

  it('begin with a manual opening entry, which is numbered first at the close', async () => {
    await books.make('/api/periods/generate', { year: YEAR + 1 });
    const opening = { kind: 'opening', description: 'Saldos del programa anterior' };
    await enter(`${YEAR}-02-01`, '621', '572', 5);
    const wrong = await app.client.post(PATH, entry(`${YEAR}-01-02`, '572', '100', 3000, opening));
    assert.deepEqual([firstCode(wrong), wrong.body.errors[0].pointer], ['422 out_of_range', '/date']);
    assert.equal(
      firstCode(await app.client.post(PATH, entry(`${YEAR}-01-01`, '572', '100', 1, { kind: 'closing' }))),
      '422 invalid_choice',
    );
    const draft = await enter(`${YEAR}-01-01`, '572', '100', 3000, { ...opening, post: false });
    assert.equal(
      firstCode(await app.client.patch(`${PATH}/${draft.id}`, { date: `${YEAR}-01-03` })),
      '422 out_of_range',
    );
    const { body } = await app.client.post(`${PATH}/${draft.id}/post`);
    assert.deepEqual([body.data.kind, body.data.number], ['opening', 2]);
    const later = await app.client.post(`${PATH}/${draft.id}/reverse`, { date: `${YEAR}-03-01` });
    assert.equal(firstCode(later), '422 out_of_range');
    const reversal = await books.make<Entry>(`${PATH}/${draft.id}/reverse`);
    assert.deepEqual([reversal.kind, reversal.date], ['opening', `${YEAR}-01-01`]);
    await enter(`${YEAR}-01-01`, '572', '100', 4000, opening);
    assert.equal((await close(YEAR)).status, 200);
    assert.deepEqual(
      (await listed(`fiscalYear=${YEAR}`)).map(({ kind, number }) => [number, kind]),
      ['opening', 'opening', 'opening', 'normal', 'regularisation', 'closing'].map((kind, index) => [index + 1, kind]),
    );
    // A closed year opens the next one automatically.
    const twice = await app.client.post(PATH, entry(`${YEAR + 1}-01-01`, '572', '100', 1, opening));
    assert.equal(firstCode(twice), '409 invalid_transition');
  });

  it("enter the stock's value on request, once, and the close enters the remainder", async () => {
    await books.make('/api/periods/generate', { year: YEAR + 1 });
    const { itemId, supplierId, customerId } = await openTrade(app, 0);
    const note = (path: string, partnerId: string, month: string, quantity: number) =>
      books.make(path, { partnerId, date: `${YEAR}-${month}-10`, lines: [{ itemId, quantity, price: 2.5 }] });
    await note('/api/purchases/delivery-notes', supplierId, '01', 10);
    await note('/api/sales/delivery-notes', customerId, '03', 4);
    const ask = (date: string) => app.client.post(`${PATH}/stock-variation`, { date });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(`${YEAR}-01-31`)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    const [entry, ...none] = answers.flatMap(({ body }) => body.data ?? []);
    assert.equal(none.length, 0);
    assert.deepEqual([entry.date, entry.total, await books.balance('300')], [`${YEAR}-01-31`, 25, 25]);
    assert.equal((await ask(`${YEAR}-02-28`)).body.data, null);
    assert.equal((await ask(`${YEAR}-03-31`)).body.data.total, 10);
    assert.deepEqual([await books.balance('300'), await books.balance('610')], [15, -15]);
    await books.make(`${PATH}/${entry.id}/reverse`, { date: `${YEAR}-01-31` });
    assert.equal((await ask(`${YEAR}-03-31`)).body.data.total, 25);
    assert.equal(firstCode(await ask(`${YEAR + 9}-01-31`)), '422 no_period');
    assert.equal(firstCode(await ask('0001-01-01')), '422 no_period');
    assert.equal(firstCode(await ask(`${YEAR}-02-30`)), '422 invalid_format');
    const { body } = await app.client.post(`/api/fiscal-years/${YEAR}/close`);
    // Income 4 × 2.5, bought 10 × 2.5, left 6 × 2.5; neither note is invoiced: 10 − 25 + 15.
    assert.deepEqual([body.data.stockEntryId, body.data.result], [null, 0]);
    assert.equal(firstCode(await ask(`${YEAR}-05-31`)), '409 period_closed');
  });

  it('enter the stock of an earlier year that is still open once, not again each year', async () => {
    await books.make('/api/periods/generate', { year: YEAR + 1 });
    const { itemId, supplierId } = await openTrade(app, 0);
    const lines = [{ itemId, quantity: 10, price: 2.5 }];
    await books.make('/api/purchases/delivery-notes', { partnerId: supplierId, date: `${YEAR}-01-10`, lines });
    const ask = async (date: string) => (await app.client.post(`${PATH}/stock-variation`, { date })).body.data;
    assert.equal((await ask(`${YEAR}-12-31`)).total, 25);
    assert.equal(await ask(`${YEAR + 1}-01-31`), null);
    const { body } = await app.client.post(`/api/fiscal-years/${YEAR}/close`);
    assert.equal(body.data.stockEntryId, null);
    assert.equal(await ask(`${YEAR + 1}-01-31`), null);
    assert.equal(await books.balance('300'), 25);
  });

  it('cannot be opened manually while the previous year has balances', async () => {
    await books.make('/api/periods/generate', { year: YEAR - 1 });
    await enter(`${YEAR - 1}-05-05`, '572', '705', 50);
    const opening = { kind: 'opening' };
    const refused = await app.client.post(PATH, entry(`${YEAR}-01-01`, '572', '100', 1, opening));
    assert.equal(firstCode(refused), '409 invalid_transition');
    const draft = await enter(`${YEAR}-01-01`, '572', '100', 1, { ...opening, post: false });
    assert.equal(firstCode(await app.client.post(`${PATH}/${draft.id}/post`)), '409 invalid_transition');
    assert.equal((await app.client.del(`${PATH}/${draft.id}`)).status, 204);
  });
});
