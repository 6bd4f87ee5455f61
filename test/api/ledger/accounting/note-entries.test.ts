import assert from 'node:assert/strict';
import { daysFromToday, TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { openBooks } from './books.ts';

interface Made {
  readonly id: string;
  readonly lines: readonly { readonly id: string }[];
}
type Side = 'purchases' | 'sales';

describe('delivery notes with entries of their own', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const trade = use(() => openTrade(app, 0), { each: true });

  const enterNotes = async (noteEntries: boolean) => {
    const { body } = await app.client.get('/api/config/accounting');
    assert.equal((await app.client.put('/api/config/accounting', { ...body.data, noteEntries })).status, 200);
  };
  beforeEach(() => enterNotes(true));

  const goods = (quantity: number, price: number) => ({ itemId: trade.itemId, quantity, price });
  const partner = (side: Side) => (side === 'sales' ? trade.customerId : trade.supplierId);
  const note = (lines: object[], side: Side = 'purchases') =>
    books.make<Made>(`/api/${side}/delivery-notes`, { partnerId: partner(side), lines });
  let references = 0;
  const draft = (bases: readonly [Made, number, object?][], side: Side = 'purchases') =>
    books.make<Made>(`/api/${side}/invoices`, {
      partnerId: partner(side),
      ...(side === 'sales' ? {} : { supplierReference: `F-${++references}` }),
      lines: bases.map(([{ id, lines }, quantity, more = {}]) => {
        return { baseId: id, baseType: side === 'sales' ? 'SDN' : 'PDN', baseLineId: lines[0]?.id, quantity, ...more };
      }),
    });
  const invoice = async (bases: Parameters<typeof draft>[0], side: Side = 'purchases') => {
    const { id } = await draft(bases, side);
    return await books.make<Made>(`/api/${side}/invoices/${id}/post`);
  };
  const pending = () => books.balance('4009');

  it('enter a receipt as a debt immediately, which its invoice replaces at any price', async () => {
    const received = await note([goods(10, 40), { description: 'Portes', quantity: 1, price: 5 }]);
    assert.deepEqual(await books.enteredFor(received.id), ['H 4009 400', 'D 600 400', 'H 4009 5', 'D 629 5']);
    await invoice([[received, 10, { price: 45 }]]);
    assert.deepEqual((await books.enteredFor(received.id)).slice(4), ['D 4009 400', 'H 600 400']);
    // 600: 10 × 45; the carriage is still to be invoiced.
    assert.deepEqual([await books.balance('600'), await pending(), await books.balance('629')], [450, -5, 5]);
  });

  it('enter a delivery as income immediately', async () => {
    await note([goods(10, 4)]);
    const delivered = await note([goods(3, 9)], 'sales');
    assert.deepEqual(await books.enteredFor(delivered.id), ['D 4309 27', 'H 700 27']);
    await invoice([[delivered, 3]], 'sales');
    assert.deepEqual([await books.balance('4309'), await books.balance('700')], [0, -27]);
  });

  it('split amounts to the cent over several notes and invoices at the same time', async () => {
    // 3 × 3.333333 = 10.00: thirds of it are 3.33, 3.34 and 3.33.
    const [one, other] = [await note([goods(3, 3.333333)]), await note([goods(1, 7)])];
    const drafts = [
      await draft([[one, 1]]),
      await draft([
        [one, 1],
        [other, 1],
      ]),
      await draft([[one, 1]]),
    ];
    const posted = await Promise.all(drafts.map(({ id }) => app.client.post(`/api/purchases/invoices/${id}/post`)));
    assert.deepEqual(
      posted.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(await pending(), 0);
    assert.equal((await books.enteredFor(other.id)).length, 4);
  });

  it('are pending again when an invoice is cancelled; a cancelled or deleted note owes nothing', async () => {
    const received = await note([goods(10, 40)]);
    const { id } = await invoice([[received, 4]]);
    assert.equal(await pending(), -240);
    await books.make(`/api/purchases/invoices/${id}/cancel`);
    assert.equal(await pending(), -400);
    await books.make(`/api/purchases/delivery-notes/${received.id}/cancel`);
    assert.equal(await pending(), 0);
    const last = await note([goods(2, 5)]);
    assert.equal((await app.client.del(`/api/purchases/delivery-notes/${last.id}`)).status, 204);
    assert.deepEqual(await books.enteredFor(last.id), ['H 4009 10', 'D 600 10', 'D 4009 10', 'H 600 10']);
  });

  it('reverse uninvoiced amounts on returns, and expect a credit for invoiced ones until it arrives', async () => {
    const received = await note([goods(10, 40)]);
    const back = (quantity: number) =>
      books.make<Made>(`/api/purchases/delivery-notes/${received.id}/return`, {
        lines: [{ baseLineId: received.lines[0]?.id, quantity }],
      });
    await back(2);
    const posted = await invoice([[received, 8]]);
    assert.equal(await pending(), 0);
    await back(3);
    assert.equal(await pending(), 120);
    const credit = await books.make<Made>(`/api/purchases/invoices/${posted.id}/rectify`, {
      reason: 'Devuelto',
      supplierReference: 'AB-1',
      lines: [{ baseLineId: posted.lines[0]?.id, quantity: 3 }],
    });
    await books.make(`/api/purchases/invoices/${credit.id}/post`);
    assert.equal(await pending(), 0);
  });

  it('are excluded from the closing entry of other notes; both ways give the same result', async () => {
    await note([goods(10, 40)]);
    await enterNotes(false);
    const older = await note([goods(1, 7)]);
    assert.deepEqual(await books.enteredFor(older.id), []);
    const { body } = await app.client.post('/api/journal-entries/stock-variation', { date: TODAY });
    assert.equal(body.pending.lines.length, 2);
    const { result, pendingEntryId } = await books.make<{ result: number; pendingEntryId: string }>(
      `/api/fiscal-years/${TODAY.slice(0, 4)}/close`,
    );
    assert.equal(result, 0);
    const { lines } = (await app.client.get(`/api/journal-entries/${pendingEntryId}`)).body.data;
    assert.deepEqual(
      lines.map(({ debit, credit }: { debit: number; credit: number }) => debit + credit),
      [7, 7],
    );
  });

  it('are rejected with an unusable account or a closed period', async () => {
    const account = `/api/accounts/${books.account('4009')}`;
    assert.equal((await app.client.patch(account, { active: false })).status, 200);
    const input = { partnerId: trade.supplierId, date: daysFromToday(-1), lines: [goods(1, 1)] };
    const refused = await app.client.post('/api/purchases/delivery-notes', input);
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'inactive_account']);
    assert.equal(await books.balance('300', '4', '6'), 0);
  });
});
