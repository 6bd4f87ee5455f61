import assert from 'node:assert/strict';
import { TODAY } from '../helpers/clock.ts';
import { assertEventsFit } from '../helpers/events.ts';
import { use, useApp } from '../helpers/hooks.ts';
import { sendMails } from '../helpers/mails.ts';
import { openTrade } from './trade/documents/trade.ts';

/** Events that no part of the service causes yet. */
const LATER = [
  'verifactu.accepted',
  'verifactu.rejected',
  'facturae.sent',
  'facturae.refused',
  'facturae.updated',
  'automation.triggered',
  'plugin.installed',
  'plugin.error',
];

describe('events', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 0));

  const call = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
    const answer = await app.client.request(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body?.data ?? {};
  };
  const told = async (event: string, entityId?: string) => {
    const rows = (await app.database.withSystem((trx) =>
      trx('outbox')
        .select('payload')
        .where({ event, ...(entityId === undefined ? {} : { entity_id: entityId }) })
        .orderBy('seq'),
    )) as { payload: Record<string, unknown> }[];
    return rows.map(({ payload }) => payload);
  };

  /** A whole trade: bought, ordered, delivered, invoiced, sent and paid, and what else there is to tell. */
  const wholeTrade = async () => {
    const { customerId, supplierId, itemId } = trade;
    await call('PATCH', `/api/items/${itemId}`, { minStock: 5 });
    const bought = await call('POST', '/api/purchases/delivery-notes', {
      partnerId: supplierId,
      lines: [{ itemId, quantity: 10 }],
    });
    const order = await call('POST', '/api/sales', { partnerId: customerId, lines: [{ itemId, quantity: 6 }] });
    await call('PATCH', `/api/sales/${order.id}`, { notes: 'before noon' });
    const note = await call('POST', '/api/sales/delivery-notes', {
      partnerId: customerId,
      lines: [{ baseId: order.id, baseType: 'SO', baseLineId: order.lines[0].id, quantity: 6 }],
    });
    const draft = await call('POST', '/api/sales/invoices', {
      partnerId: customerId,
      lines: [{ baseId: note.id, baseType: 'SDN', baseLineId: note.lines[0].id, quantity: 6 }],
    });
    const invoice = await call('POST', `/api/sales/invoices/${draft.id}/post`, {});
    await call('POST', `/api/sales/invoices/${draft.id}/send`, { to: 'cafe@example.test, jefa@example.test' });
    await sendMails(app);
    const pay = (direction: string, partnerId: string, linked: unknown[]) =>
      call('POST', `/api/payments/${direction}`, {
        partner_id: partnerId,
        amount: invoice.total,
        payment_date: TODAY,
        payment_method: 'transfer',
        linked_documents: linked,
      });
    const received = await pay('in', customerId, [
      { document_type: 'sales_invoice', document_id: invoice.id, amount_applied: invoice.total },
    ]);
    const made = await pay('out', supplierId, []);
    const wrong = await call('POST', '/api/sales', { partnerId: customerId, lines: [{ itemId, quantity: 1 }] });
    await call('POST', `/api/sales/${wrong.id}/cancel`, {});
    const surplus = await call('POST', '/api/sales/invoices', {
      partnerId: customerId,
      lines: [{ description: 'Porte', quantity: 1, price: 1, taxGroupId: trade.taxGroupId }],
    });
    await call('DELETE', `/api/sales/invoices/${surplus.id}`);
    const user = await call('POST', '/api/users', { email: 'nina@example.test', name: 'Nina', role: 'sales' });
    await call('DELETE', `/api/users/${user.id}`);
    return { bought, note, invoice, received, made, user };
  };
  const traded = use(wholeTrade);

  it('tell a whole trade, each as its schema says', async () => {
    const found = await assertEventsFit(app.database);
    const { body } = await app.client.get('/api/webhooks/events');
    const missing = (body.data as { event: string }[])
      .map(({ event }) => event)
      .filter((name) => !found.has(name as never));
    // payment.registered is made of payment.received and payment.made when it is sent.
    assert.deepEqual(missing, [...LATER, 'payment.registered']);
  });

  it('tell of an invoice that is posted and sent', async () => {
    const { invoice } = traded;
    const [locked] = await told('document.locked', invoice.id);
    assert.deepEqual(
      { number: locked?.number, previous_status: locked?.previous_status, total: locked?.total },
      { number: invoice.number, previous_status: 'D', total: invoice.total },
    );
    const [sent] = await told('document.sent', invoice.id);
    assert.equal(sent?.to, 'cafe@example.test, jefa@example.test');
  });

  it('tell of payments and what they pay', async () => {
    const { invoice, received, made } = traded;
    const [payment] = await told('payment.received', received.id);
    assert.deepEqual(payment?.linked_document, { type: 'sales_invoice', id: invoice.id, new_status: 'paid' });
    const [issued] = await told('payment.made', made.id);
    assert.deepEqual([issued?.linked_document, issued?.linked_documents], [null, []]);
  });

  it('tell of each movement of stock, with the balance after it', async () => {
    const { itemId, warehouseId } = trade;
    const members = { item_id: itemId, warehouse_id: warehouseId, zone_id: null, batch_num: null };
    const [item] = (await app.client.get(`/api/items?q=Naranjas`)).body.data;
    assert.deepEqual(
      (await told('stock.movement')).map(({ movement_id: _, ...movement }) => movement),
      [
        { quantity: 10, balance: 10, document_type: 'purchase_delivery_note', document_id: traded.bought.id },
        { quantity: -6, balance: 4, document_type: 'sales_delivery_note', document_id: traded.note.id },
      ].map((moved) => ({ ...members, item_code: item.code, ...moved })),
    );
  });

  it('tell of users who come and are removed', async () => {
    const { user } = traded;
    const person = { user_id: user.id, email: 'nina@example.test', name: 'Nina', role: 'sales' };
    assert.deepEqual([await told('user.created', user.id), await told('user.deleted', user.id)], [[person], [person]]);
  });

  it('tell that stock is low once, until it has been above the minimum again', async () => {
    const { itemId, warehouseId, supplierId, customerId } = trade;
    const low = async () => (await told('stock.low', itemId)).map(({ stock }) => stock);
    assert.deepEqual(await told('stock.low', itemId), [
      {
        item_id: itemId,
        code: (await app.client.get(`/api/items/${itemId}`)).body.data.code,
        name: 'Naranjas',
        warehouse_id: warehouseId,
        stock: 4,
        min_stock: 5,
      },
    ]);
    const sell = (quantity: number) =>
      call('POST', '/api/sales/delivery-notes', { partnerId: customerId, lines: [{ itemId, quantity }] });
    const buy = (quantity: number) =>
      call('POST', '/api/purchases/delivery-notes', { partnerId: supplierId, lines: [{ itemId, quantity }] });
    await sell(1);
    assert.deepEqual(await low(), [4]);
    // To the minimum exactly is not below it.
    await buy(4);
    await sell(2);
    assert.deepEqual(await low(), [4]);
    await sell(1);
    assert.deepEqual(await low(), [4, 4]);
    // Both lines of one note are one fall; what only moves within the company is none.
    await buy(10);
    const lines = [
      { itemId, quantity: 6 },
      { itemId, quantity: 6 },
    ];
    await call('POST', '/api/sales/delivery-notes', { partnerId: customerId, lines });
    assert.deepEqual(await low(), [4, 4, 2]);
  });

  it('tell of users who come from another company and leave again', async () => {
    const other = await call('POST', '/api/tenants', {
      name: 'Otra SL',
      taxId: 'A58818501',
      country: 'ES',
      currency: 'EUR',
    });
    const password = 'correct horse battery';
    const person = { email: 'gast@example.test', name: 'Gast', password, role: 'viewer' };
    const guest = await call('POST', '/api/users', person);
    const there = app.as(app.token, other.id);
    const { status, body } = await there.post('/api/memberships', { userId: guest.id, role: 'warehouse' });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal((await there.del(`/api/memberships/${body.data.id}`)).status, 204);
    assert.deepEqual(
      (await told('user.created', guest.id)).map(({ role }) => role),
      ['viewer', 'warehouse'],
    );
    assert.deepEqual(
      (await told('user.deleted', guest.id)).map(({ role }) => role),
      ['warehouse'],
    );
  });
});
