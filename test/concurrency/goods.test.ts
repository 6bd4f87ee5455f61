import assert from 'node:assert/strict';
import { daysFromToday } from '../helpers/clock.ts';
import { assertSound } from '../helpers/hooks.ts';
import { atOnce, tally, useMarket } from './market.ts';

const NOTES = '/api/sales/delivery-notes';

describe('goods under parallel requests', () => {
  const market = useMarket();
  afterEach(() => assertSound(market.app.databaseUrl));

  const order = (lines: object[]) => market.make('/api/sales', { partnerId: market.customerId, lines });
  const note = (lines: object[]) => market.app.client.post(NOTES, { partnerId: market.customerId, lines });

  it('500 buyers of 100 pieces: exactly 100 get one, 400 are refused', async function () {
    this.timeout(120_000);
    const itemId = await market.item(100);
    const answers = await atOnce(500, () => note([{ itemId, quantity: 1 }]));
    assert.deepEqual(tally(answers), { '201': 100, '409 insufficient_stock': 400 });
    assert.deepEqual(await market.level(itemId), { onHand: 0, reserved: 0, incoming: 0 });
  });

  it('sales and purchases by invoices that move goods, at once: the stock is what came in minus what went out', async () => {
    const itemId = await market.item(0);
    const answers = await atOnce(60, async (index) => {
      if (index % 3 === 0) {
        const lines = [{ itemId, quantity: 2, price: index + 1 }];
        return market.app.client.post('/api/purchases/delivery-notes', { partnerId: market.supplierId, lines });
      }
      const lines = [{ itemId, quantity: 1 }];
      const invoice = await market.make('/api/sales/invoices', { partnerId: market.customerId, lines });
      return market.app.client.post(`/api/sales/invoices/${invoice.id}/post`);
    });
    const counts = tally(answers);
    assert.equal((counts['200'] ?? 0) + (counts['409 insufficient_stock'] ?? 0), 40, JSON.stringify(counts));
    assert.equal(counts['201'], 20);
    assert.equal((await market.level(itemId)).onHand, 40 - (counts['200'] ?? 0));
  });

  it('notes with the same items in opposite order, several times at once: all are created', async () => {
    const items = await atOnce(6, () => market.item(200));
    const answers = await atOnce(60, (index) => {
      const lines = items.map((itemId) => ({ itemId, quantity: 1 }));
      return note(index % 2 === 0 ? lines : lines.reverse());
    });
    assert.deepEqual(tally(answers), { '201': 60 });
    for (const itemId of items) assert.equal((await market.level(itemId)).onHand, 140);
  });

  it('back-dated sales beside sales of today: each piece that was in stock on their day leaves once', async () => {
    const itemId = await market.item(0);
    const receive = (quantity: number, date: string) =>
      market.make('/api/purchases/delivery-notes', {
        partnerId: market.supplierId,
        date,
        lines: [{ itemId, quantity, price: 1 }],
      });
    await receive(10, daysFromToday(-9));
    await receive(30, daysFromToday(-3));
    const sale = { partnerId: market.customerId, lines: [{ itemId, quantity: 1 }] };
    const [early, late] = await Promise.all([
      atOnce(30, () => market.app.client.post(NOTES, { ...sale, date: daysFromToday(-5) })),
      atOnce(25, () => market.app.client.post(NOTES, sale)),
    ]);
    // Five days ago there were 10; today there are 40 − 10 = 30 at least.
    assert.deepEqual(tally(early), { '201': 10, '409 insufficient_stock': 20 });
    assert.deepEqual(tally(late), { '201': 25 });
    assert.equal((await market.level(itemId)).onHand, 5);
  });

  it('two deliveries of the same open quantity: one is created', async () => {
    const itemId = await market.item(40);
    for (let round = 0; round < 5; round++) {
      const { id } = await order([{ itemId, quantity: 4 }]);
      const answers = await atOnce(2, () => note([{ baseId: id, quantity: 4 }]));
      assert.deepEqual(tally(answers), { '201': 1, '409 over_delivery': 1 });
      assert.equal((await market.read(`/api/sales/${id}`)).status, 'C');
    }
    assert.deepEqual(await market.level(itemId), { onHand: 20, reserved: 0, incoming: 0 });
  });

  it('ten partial deliveries that exceed the open quantity: as many as fit are created', async () => {
    const itemId = await market.item(50);
    const { id } = await order([{ itemId, quantity: 10 }]);
    const answers = await atOnce(10, () => note([{ baseId: id, quantity: 3 }]));
    assert.deepEqual(tally(answers), { '201': 3, '409 over_delivery': 7 });
    const { status, lines } = await market.read(`/api/sales/${id}`);
    assert.deepEqual(
      { status, deliveredQuantity: lines[0]?.deliveredQuantity, openQuantity: lines[0]?.openQuantity },
      { status: 'P', deliveredQuantity: 9, openQuantity: 1 },
    );
    assert.deepEqual(await market.level(itemId), { onHand: 41, reserved: 1, incoming: 0 });
  });

  it('a note and an invoice that moves goods for the same order line: one of them gets it', async () => {
    const itemId = await market.item(20);
    for (let round = 0; round < 5; round++) {
      const { id } = await order([{ itemId, quantity: 4 }]);
      const lines = [{ baseId: id, quantity: 4 }];
      const answers = await Promise.all([
        note(lines),
        market.app.client.post('/api/sales/invoices', { partnerId: market.customerId, lines }),
      ]);
      const codes = answers.map(({ status, body }) => (status === 201 ? status : body.code));
      assert.ok(
        [`201,over_invoicing`, `over_delivery,201`].includes(codes.join()),
        JSON.stringify(answers.map(({ body }) => body)),
      );
    }
  });

  it('two invoices of the same note: one is created', async () => {
    const itemId = await market.item(20);
    const { id } = await market.make(NOTES, { partnerId: market.customerId, lines: [{ itemId, quantity: 5 }] });
    const lines = [{ baseId: id, quantity: 5 }];
    const answers = await atOnce(5, () =>
      market.app.client.post('/api/sales/invoices', { partnerId: market.customerId, lines }),
    );
    assert.deepEqual(tally(answers), { '201': 1, '409 over_invoicing': 4 });
  });

  it('cancelling an order while delivering it: one of them succeeds, never both', async () => {
    const itemId = await market.item(100);
    let delivered = 0;
    for (let round = 0; round < 8; round++) {
      const { id } = await order([{ itemId, quantity: 2 }]);
      const path = `/api/sales/${id}`;
      const steps = [() => market.app.client.post(`${path}/cancel`), () => note([{ baseId: id, quantity: 2 }])];
      const [one, other] = await Promise.all((round % 2 === 0 ? steps : steps.reverse()).map((step) => step()));
      const [cancel, deliver] = round % 2 === 0 ? [one, other] : [other, one];
      const { status } = await market.read(path);
      if (deliver?.status === 201) {
        delivered += 2;
        assert.deepEqual(
          { cancelStatus: cancel?.status, code: cancel?.body.code, status },
          { cancelStatus: 409, code: 'invalid_transition', status: 'C' },
        );
      } else {
        assert.equal(cancel?.status, 200, JSON.stringify([cancel?.body, deliver?.body]));
        assert.ok([409, 422].includes(deliver?.status ?? 0), JSON.stringify(deliver?.body));
        assert.equal(status, 'X');
      }
    }
    assert.deepEqual(await market.level(itemId), { onHand: 100 - delivered, reserved: 0, incoming: 0 });
  });

  it('cancelling a note while invoicing it: one of them succeeds, never both', async () => {
    const itemId = await market.item(100);
    for (let round = 0; round < 8; round++) {
      const { id } = await market.make(NOTES, { partnerId: market.customerId, lines: [{ itemId, quantity: 2 }] });
      const body = { partnerId: market.customerId, lines: [{ baseId: id, quantity: 2 }] };
      const [cancel, invoice] = await Promise.all([
        market.app.client.post(`${NOTES}/${id}/cancel`),
        market.app.client.post('/api/sales/invoices', body),
      ]);
      const done = [cancel?.status === 200, invoice?.status === 201];
      assert.equal(done.filter(Boolean).length, 1, JSON.stringify([cancel?.body, invoice?.body]));
      for (const { status } of [cancel, invoice]) assert.ok(status < 500, String(status));
    }
  });

  it('the same note cancelled ten times at once puts its goods back once', async () => {
    const itemId = await market.item(10);
    const { id } = await market.make(NOTES, { partnerId: market.customerId, lines: [{ itemId, quantity: 4 }] });
    const answers = await atOnce(10, () => market.app.client.post(`${NOTES}/${id}/cancel`));
    assert.deepEqual(tally(answers), { '200': 1, '409 invalid_transition': 9 });
    assert.equal((await market.level(itemId)).onHand, 10);
  });

  it('documents whose bases are in opposite order, and cancelling what they created: no deadlock reaches a client', async () => {
    const itemId = await market.item(500);
    const orders = await atOnce(5, () => order([{ itemId, quantity: 80 }]));
    const answers = await atOnce(40, async (index) => {
      const lines = orders.map(({ id }) => ({ baseId: id, quantity: 2 }));
      const made = await note(index % 2 === 0 ? lines : lines.reverse());
      if (made.status !== 201 || index % 4 > 1) return made;
      return await market.app.client.post(`${NOTES}/${made.body.data.id}/cancel`);
    });
    assert.deepEqual(tally(answers), { '200': 20, '201': 20 });
    for (const { id } of orders) {
      const { lines, status } = await market.read(`/api/sales/${id}`);
      assert.deepEqual([status, lines[0]?.deliveredQuantity], ['P', 40]);
    }
    assert.deepEqual(await market.level(itemId), { onHand: 300, reserved: 200, incoming: 0 });
  });

  it('transactions that lock the same things in opposite orders, among single notes: no deadlock reaches a client', async () => {
    const items = await atOnce(2, () => market.item(100));
    const answers = await atOnce(30, (index) => {
      const wanted = (index % 2 === 0 ? items : [...items].reverse()).map((itemId) => ({ itemId, quantity: 1 }));
      if (index % 3 === 0) return note(wanted);
      const operations = wanted.map((line, step) => ({
        id: `step${step}`,
        method: 'POST',
        path: NOTES,
        body: { partnerId: market.customerId, lines: [line] },
      }));
      return market.app.client.post('/api/transactions', { operations });
    });
    assert.deepEqual(tally(answers), { '200': 20, '201': 10 });
    for (const itemId of items) assert.equal((await market.level(itemId)).onHand, 70);
  });
});
