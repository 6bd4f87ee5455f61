import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { openBooks } from './books.ts';

const LAST = `${YEAR}-12-31`;
const FIRST = `${YEAR + 1}-01-01`;
const NEXT = `${YEAR + 1}-02-10`;
const VARIATION = '/api/journal-entries/stock-variation';

interface Line {
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly debit: number;
  readonly credit: number;
}
interface Entry {
  readonly id: string;
  readonly date: string;
  readonly lines: readonly Line[];
}
interface Varied {
  readonly pending: Entry | null;
  readonly pendingReversal: Entry | null;
}

describe('uninvoiced goods and services', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const trade = use(() => openTrade(app, 0), { each: true });

  const note = (date: string, lines: object[], sales = false) =>
    books.make<{ id: string; lines: { id: string }[] }>(
      sales ? '/api/sales/delivery-notes' : '/api/purchases/delivery-notes',
      { partnerId: sales ? trade.customerId : trade.supplierId, date, lines },
    );
  const goods = (quantity: number, price: number) => ({ itemId: trade.itemId, quantity, price });
  /** The posted invoice of a quantity of a note, maybe at another price. */
  const invoice = async (date: string, baseId: string, more: object, sales = false) => {
    const path = sales ? '/api/sales/invoices' : '/api/purchases/invoices';
    const lines = [{ baseId, baseType: sales ? 'SDN' : 'PDN', itemId: trade.itemId, ...more }];
    const partner = { partnerId: sales ? trade.customerId : trade.supplierId };
    const { id } = await books.make(path, { ...partner, date, lines, ...(sales ? {} : { supplierReference: date }) });
    await books.make(`${path}/${id}/post`);
    return { id, path: `${path}/${id}` };
  };
  const vary = async (date: string): Promise<Varied> => (await app.client.post(VARIATION, { date })).body;
  const close = async (body: object = {}) => {
    const answer = await app.client.post(`/api/fiscal-years/${YEAR}/close`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as { pendingEntryId: string | null; pendingReversalId: string | null; result: number };
  };
  const codes = () => new Map([...books.accounts].map(([code, id]) => [id, code]));
  /** Returns an entry's lines in short form, sorted by side and account. */
  const said = (entry: Entry | null) =>
    (entry?.lines ?? [])
      .map(({ accountId, debit, credit }) => `${debit > 0 ? 'D' : 'H'} ${codes().get(accountId)} ${debit + credit}`)
      .sort();
  const read = async (id: string | null) => (await app.client.get(`/api/journal-entries/${id}`)).body.data as Entry;

  it('enter a receipt as a debt at the close of the year, without profit from goods, until it is invoiced', async () => {
    const { id } = await note(`${YEAR}-12-20`, [goods(10, 40)]);
    const closed = await close();
    // 300 = 10 × 40 by variation, 600/4009 as much: no result.
    assert.equal(closed.result, 0);
    const entered = await read(closed.pendingEntryId);
    assert.deepEqual([entered.date, ...said(entered)], [LAST, 'D 600 400', 'H 4009 400']);
    assert.equal(entered.lines.find(({ credit }) => credit > 0)?.partnerId, trade.supplierId);
    const taken = await read(closed.pendingReversalId);
    assert.deepEqual([taken.date, ...said(taken)], [FIRST, 'D 4009 400', 'H 600 400']);
    await invoice(NEXT, id, { quantity: 10 });
    // 10 × 40 + 21 % of 400.
    assert.deepEqual(
      [await books.balance('4009'), await books.balance('400'), await books.balance('600')],
      [0, -484, 0],
    );
  });

  it('enter a delivery as income of the year in which the goods left', async () => {
    await note(`${YEAR}-12-01`, [goods(10, 4)]);
    const { id } = await note(`${YEAR}-12-20`, [goods(5, 9)], true);
    const closed = await close();
    // Income 5 × 9, cost 10 × 4 bought less 5 × 4 left.
    assert.equal(closed.result, 25);
    assert.deepEqual(said(await read(closed.pendingEntryId)), ['D 4309 45', 'D 600 40', 'H 4009 40', 'H 700 45']);
    await invoice(NEXT, id, { quantity: 5 }, true);
    assert.deepEqual([await books.balance('4309'), await books.balance('700')], [0, 0]);
  });

  it('subtract invoices from their date, by quantities of each line, including services', async () => {
    const service = { description: 'Portes', quantity: 1, price: 30 };
    const { id } = await note(`${YEAR}-03-05`, [goods(10, 40), service]);
    await invoice(`${YEAR}-03-20`, id, { quantity: 4, price: 45 });
    await invoice(`${YEAR}-04-02`, id, { quantity: 6 });
    // On 10 March all 10 and the carriage; on the 31st 6 and the carriage; then the carriage alone.
    assert.deepEqual(said((await vary(`${YEAR}-03-10`)).pending), ['D 600 400', 'D 629 30', 'H 4009 430']);
    const march = await vary(`${YEAR}-03-31`);
    assert.deepEqual(said(march.pending), ['D 600 240', 'D 629 30', 'H 4009 270']);
    assert.deepEqual(
      [march.pendingReversal?.date, ...said(march.pendingReversal)],
      [`${YEAR}-04-01`, 'D 4009 270', 'H 600 240', 'H 629 30'],
    );
    assert.deepEqual(said((await vary(LAST)).pending), ['D 629 30', 'H 4009 30']);
    assert.equal(await books.balance('4009'), 0);
  });

  it('enter only changes when repeated, and the remainder at the close', async () => {
    const { id } = await note(`${YEAR}-12-05`, [goods(10, 40)]);
    await vary(LAST);
    assert.deepEqual(await vary(LAST), { data: null, pending: null, pendingReversal: null });
    await invoice(`${YEAR}-12-30`, id, { quantity: 3 });
    assert.deepEqual(said((await vary(LAST)).pending), ['D 4009 120', 'H 600 120']);
    const closed = await close();
    assert.deepEqual([closed.pendingEntryId, closed.result], [null, 0]);
  });

  it('exclude returns before invoicing, and expect a credit for later ones', async () => {
    const { id, lines } = await note(`${YEAR}-03-05`, [goods(10, 40)]);
    const back = (quantity: number, date: string) =>
      books.make(`/api/purchases/delivery-notes/${id}/return`, {
        date,
        lines: [{ baseLineId: lines[0]?.id, quantity }],
      });
    await back(2, `${YEAR}-03-10`);
    assert.deepEqual(said((await vary(`${YEAR}-03-15`)).pending), ['D 600 320', 'H 4009 320']);
    const { path } = await invoice(`${YEAR}-03-20`, id, { quantity: 8 });
    assert.deepEqual((await vary(`${YEAR}-03-20`)).pending, null);
    await back(3, `${YEAR}-03-25`);
    assert.deepEqual(said((await vary(`${YEAR}-03-31`)).pending), ['D 4009 120', 'H 608 120']);
    const { body } = await app.client.get(path);
    const credit = await books.make(`${path}/rectify`, {
      reason: 'Devuelto',
      date: `${YEAR}-04-10`,
      supplierReference: 'AB-1',
      lines: [{ baseLineId: body.data.lines[0].id, quantity: 3 }],
    });
    await books.make(`/api/purchases/invoices/${credit.id}/post`);
    assert.equal((await vary(`${YEAR}-04-30`)).pending, null);
    assert.equal(await books.balance('4009'), 0);
  });

  it('include documents cancelled after the day, but not drafts or earlier cancellations', async () => {
    const kept = await note(`${YEAR}-03-05`, [goods(10, 40)]);
    await books.make(`/api/purchases/delivery-notes/${kept.id}/cancel`, { date: `${YEAR}-06-20` });
    const { id } = await note(`${YEAR}-03-05`, [goods(1, 5)]);
    const { path } = await invoice(`${YEAR}-03-06`, id, { quantity: 1 });
    await books.make(`${path}/cancel`, { date: `${YEAR}-06-20` });
    assert.deepEqual(said((await vary(`${YEAR}-03-31`)).pending), ['D 600 400', 'H 4009 400']);
    await books.make('/api/purchases/invoices', {
      partnerId: trade.supplierId,
      date: `${YEAR}-06-22`,
      supplierReference: 'B',
      lines: [{ baseId: id, baseType: 'PDN', itemId: trade.itemId, quantity: 1 }],
    });
    assert.deepEqual(said((await vary(`${YEAR}-06-25`)).pending), ['D 600 5', 'H 4009 5']);
  });

  it('include goods whose invoice was credited in full from the day of the last credit, until they are invoiced again', async () => {
    const { id } = await note(`${YEAR}-03-05`, [goods(10, 40)]);
    const { path } = await invoice(`${YEAR}-03-06`, id, { quantity: 10 });
    const { body } = await app.client.get(path);
    for (const [date, quantity] of [
      [`${YEAR}-04-10`, 4],
      [`${YEAR}-05-10`, 6],
    ] as const) {
      const lines = [{ baseLineId: body.data.lines[0].id, quantity }];
      const credit = await books.make(`${path}/rectify`, { reason: 'x', date, supplierReference: date, lines });
      await books.make(`/api/purchases/invoices/${credit.id}/post`);
    }
    assert.equal((await vary(`${YEAR}-04-30`)).pending, null);
    assert.deepEqual(said((await vary(`${YEAR}-05-31`)).pending), ['D 600 400', 'H 4009 400']);
    await invoice(`${YEAR}-06-01`, id, { quantity: 10 });
    assert.equal((await vary(`${YEAR}-06-30`)).pending, null);
    assert.equal(await books.balance('4009'), 0);
  });

  it('are reversed when the year is reopened, and entered again when it is closed', async () => {
    await note(`${YEAR}-12-20`, [goods(10, 40)]);
    await close();
    assert.equal((await app.client.post(`/api/fiscal-years/${YEAR}/reopen`)).status, 200);
    assert.deepEqual([await books.balance('4009'), await books.balance('600')], [0, 0]);
    const kept = await close({ adjustStock: false });
    assert.deepEqual([kept.pendingEntryId, kept.result], [null, 0]);
    assert.equal((await app.client.post(`/api/fiscal-years/${YEAR}/reopen`)).status, 200);
    const closed = await close();
    assert.deepEqual(said(await read(closed.pendingEntryId)), ['D 600 400', 'H 4009 400']);
  });

  it('require the next day to be open, and usable accounts; otherwise nothing is entered', async () => {
    await note(`${YEAR}-03-05`, [goods(10, 40)]);
    const april = (await app.client.get(`/api/periods?from=${YEAR}-04-01`)).body.data[0].id;
    assert.equal((await app.client.patch(`/api/periods/${april}`, { status: 'C' })).status, 200);
    const refused = await app.client.post(VARIATION, { date: `${YEAR}-03-31` });
    assert.deepEqual([refused.status, refused.body.code], [409, 'period_closed']);
    const account = `/api/accounts/${books.account('4009')}`;
    assert.equal((await app.client.patch(account, { active: false })).status, 200);
    const wrong = await app.client.post(VARIATION, { date: `${YEAR}-03-30` });
    assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'inactive_account']);
    assert.deepEqual([await books.balance('4009'), await books.balance('300')], [0, 0]);
  });
});
