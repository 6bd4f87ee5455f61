import assert from 'node:assert/strict';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { sendMails } from '../../../helpers/mails.ts';
import { openTrade } from './trade.ts';

describe('changing documents over HTTP', function () {
  this.timeout(60_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));

  const documentPartner = (docType: DocType) =>
    DOCUMENT_TYPES[docType].side === 'sales' ? trade.customerId : trade.supplierId;
  const create = async (docType: DocType, lines: object[] = [{ itemId: trade.itemId, quantity: 2 }]) => {
    const { path } = DOCUMENT_TYPES[docType];
    const { status, body } = await app.client.post(path, { partnerId: documentPartner(docType), lines });
    assert.equal(status, 201, JSON.stringify(body));
    return { url: `${path}/${body.data.id}`, ...body.data };
  };

  it('custom fields of drafts and open orders, and the version that was seen', async () => {
    for (const docType of DOC_TYPES) {
      const { entityType, kind } = DOCUMENT_TYPES[docType];
      const printed = kind === 'delivery_note' ? {} : { notes: 'n' };
      const field = { table_name: entityType, field_name: 'color', label: 'Color', type: 'TEXT' };
      assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
      const { url } = await create(docType);
      const changed = await app.client.patch(url, { custom_color: 'rojo', ...printed }, { 'If-Match': '"1"' });
      assert.deepEqual([changed.status, changed.body.data?.custom_color], [200, 'rojo'], JSON.stringify(changed.body));
      assert.equal(changed.headers.get('ETag'), `"${changed.body.data.id}-2"`);
      const stale = await app.client.patch(url, { notes: 'm' }, { 'If-Match': '"1"' });
      assert.deepEqual([stale.status, stale.body.code], [412, 'stale_version']);
      const same = await app.client.patch(url, {});
      assert.deepEqual(
        { status: same.status, etag: same.headers.get('ETag'), notes: same.body.data.notes },
        { status: 200, etag: changed.headers.get('ETag'), notes: printed.notes ?? null },
      );
      const again = await app.client.post(`${url}/duplicate`);
      assert.deepEqual([again.status, again.body.data.custom_color], [201, 'rojo']);
      assert.match(again.headers.get('Location') ?? '', new RegExp(`^${DOCUMENT_TYPES[docType].path}/`));
    }
  });

  it('what is not to be had is told with a pointer, and nothing is written', async () => {
    const draft = await create('SINV');
    const [line] = draft.lines;
    const many = Array.from({ length: 1001 }, () => ({ itemId: trade.itemId, quantity: 1 }));
    const faults: [body: object, pointer: string][] = [
      [{ lines: many }, '/lines'],
      [{ lines: [] }, '/lines'],
      [{ lines: [{ id: line.id, quantity: 0 }] }, '/lines/0/quantity'],
      [{ lines: [{ id: line.id, quantity: -1 }] }, '/lines/0/quantity'],
      [{ lines: [{ id: line.id, amount: 3 }] }, '/lines/0/amount'],
      [{ lines: [{ id: 'x' }] }, '/lines/0/id'],
      [{ lines: [{ id: line.id, price: 1e15 }] }, '/lines/0/price'],
      [{ status: 'O' }, '/status'],
      [{ number: 5 }, '/number'],
      [{ partnerId: null }, '/partnerId'],
      [{ date: '2026-02-30' }, '/date'],
      [{ custom_nothing: 1 }, '/custom_nothing'],
      [{ supplierReference: 'x' }, '/supplierReference'],
    ];
    for (const [body, pointer] of faults) {
      const answer = await app.client.patch(draft.url, body);
      assert.equal(answer.status, 422, `${pointer}: ${JSON.stringify(answer.body)}`);
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    assert.deepEqual((await app.client.get(draft.url)).body.data.version, 1);
  });

  it('sending answers when, and says no to what is no address', async () => {
    const { url } = await create('PO');
    const none = await app.client.post(`${url}/send`);
    assert.deepEqual([none.status, none.body.errors?.[0].pointer], [422, '/to']);
    const wrong = await app.client.post(`${url}/send`, { to: 'nobody' });
    assert.deepEqual([wrong.status, wrong.body.errors?.[0].pointer], [422, '/to']);
    const sent = await app.client.post(`${url}/send`, { to: 'a@example.test', subject: 'Pedido', body: 'Hola' });
    assert.deepEqual([sent.status, sent.body.data.email.status, sent.body.data.sentAt], [200, 'queued', null]);
    const [mail] = await sendMails(app);
    assert.deepEqual([mail?.to, mail?.subject, mail?.text], ['a@example.test', 'Pedido', 'Hola']);
    assert.equal(typeof (await app.client.get(url)).body.data.sentAt, 'string');
  });

  it('a receipt is deleted, and its number is taken again', async () => {
    const first = await create('PDN');
    assert.equal((await app.client.del(first.url, { 'If-Match': '"1"' })).status, 204);
    assert.equal((await app.client.get(first.url)).status, 404);
    assert.equal((await create('PDN')).number, first.number);
  });

  describe('by several at once', () => {
    const mayBe = (answers: readonly Answer[], ...expected: number[]) => {
      for (const { status, body } of answers) assert.ok(expected.includes(status), `${status} ${JSON.stringify(body)}`);
    };
    const levels = async () => (await app.client.get(`/api/stock?itemId=${trade.itemId}`)).body.data[0];

    for (const [name, act] of [
      ['changing', (url: string, id: string) => app.client.patch(url, { lines: [{ id, quantity: 6 }] })],
      ['closing', (url: string) => app.client.post(`${url}/close`)],
      ['cancelling', (url: string) => app.client.post(`${url}/cancel`)],
    ] as const) {
      it(`${name} an order while it is delivered leaves the stock as the documents say`, async () => {
        for (let round = 0; round < 5; round++) {
          const before = await levels();
          const order = await create('SO', [{ itemId: trade.itemId, quantity: 10 }]);
          const deliver = (quantity: number) =>
            app.client.post('/api/sales/delivery-notes', {
              partnerId: trade.customerId,
              lines: [{ baseId: order.id, quantity }],
            });
          const answers = await Promise.all([deliver(3), act(order.url, order.lines[0].id), deliver(4), deliver(2)]);
          mayBe(answers, 200, 201, 409, 422);
          const { status, lines } = (await app.client.get(order.url)).body.data;
          const after = await levels();
          assert.equal(before.onHand - after.onHand, lines[0].deliveredQuantity);
          assert.equal(after.reserved - before.reserved, status === 'X' ? 0 : lines[0].openQuantity);
          await app.client.post(`${order.url}/close`);
        }
      });
    }

    it('a draft changes while its note is invoiced by another: no more than there is', async () => {
      const note = await create('SDN', [{ itemId: trade.itemId, quantity: 5 }]);
      const draft = await create('SINV', [{ baseId: note.id, quantity: 1 }]);
      const [line] = draft.lines;
      const answers = await Promise.all([
        app.client.patch(draft.url, { lines: [{ id: line.id, quantity: 4 }] }),
        app.client.post('/api/sales/invoices', {
          partnerId: trade.customerId,
          lines: [{ baseId: note.id, quantity: 3 }],
        }),
        app.client.patch(draft.url, { lines: [{ id: line.id, quantity: 2 }] }),
      ]);
      mayBe(answers, 200, 201, 409);
      const { lines } = (await app.client.get(note.url)).body.data;
      assert.ok(lines[0].invoicedQuantity <= 5, `${lines[0].invoicedQuantity} of 5`);
    });
  });

  it('date and lines of rectifying drafts, up to what is left of the invoice, on both sides', async () => {
    for (const docType of ['SINV', 'PINV'] as const) {
      const lines = [{ itemId: trade.itemId, quantity: 5, price: 10 }];
      const { url, date } = await create(docType, lines);
      const invoice = (await app.client.post(`${url}/post`)).body.data;
      const { path } = DOCUMENT_TYPES[docType];
      const rectify = async (quantity: number) => {
        const part = { reason: 'x', lines: [{ baseLineId: invoice.lines[0].id, quantity }] };
        const { status, body } = await app.client.post(`${url}/rectify`, part);
        assert.equal(status, 201, JSON.stringify(body));
        return body.data;
      };
      const left = async () => (await app.client.get(url)).body.data.lines[0].returnedQuantity;
      const [draft, other] = [await rectify(2), await rectify(1)];
      const at = `${path}/${draft.id}`;
      const own = { id: draft.lines[0].id };
      const more = await app.client.patch(at, { lines: [{ ...own, quantity: -4 }] });
      assert.deepEqual([more.status, more.body.data?.total, await left()], [200, -48.4, 5], JSON.stringify(more.body));
      assert.deepEqual([more.body.data.rectifies, more.body.data.reason], [invoice.id, 'x']);
      const over = await app.client.patch(at, { lines: [{ ...own, quantity: -5 }] });
      assert.deepEqual([over.status, over.body.code, await left()], [409, 'over_invoicing', 5]);
      const positive = await app.client.patch(at, { lines: [{ ...own, quantity: 4 }] });
      assert.deepEqual([positive.status, positive.body.errors?.[0].pointer], [422, '/lines/0/quantity']);
      const moved = await app.client.patch(at, { date: '2026-12-31', lines: [{ ...own, quantity: -3, price: 8 }] });
      const { data } = moved.body;
      assert.deepEqual([moved.status, data?.date, data?.total, await left()], [200, '2026-12-31', -29.04, 4]);
      // A client may read it, change a member, and send the whole back.
      const { notes: _, ...read } = (await app.client.get(at)).body.data;
      const whole = await app.client.patch(at, { ...read, notes: 'Rota' });
      assert.deepEqual([whole.status, whole.body.data?.notes], [200, 'Rota'], JSON.stringify(whole.body));
      const early = await app.client.patch(at, { date: '2025-12-31' });
      assert.equal(early.status, 422, JSON.stringify(early.body));
      assert.equal((await app.client.patch(at, { date })).status, 200);
      assert.equal((await app.client.patch(at, { lines: [{ ...own, quantity: -4 }] })).status, 200);
      assert.equal((await app.client.post(`${at}/post`)).status, 200);
      assert.equal((await app.client.patch(at, { lines: [{ ...own, quantity: -1 }] })).status, 409);
      assert.equal((await app.client.del(`${path}/${other.id}`)).status, 204);
      assert.equal(await left(), 4);
    }
  });
});
