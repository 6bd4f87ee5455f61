import assert from 'node:assert/strict';
import { DOCUMENT_TYPES, type DocumentSide } from '../../../../domain/trade/documents/types.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

const NOWHERE = '0199f3b0-0000-7000-8000-000000000001';

interface Side {
  readonly side: DocumentSide;
  readonly order: string;
  readonly notes: string;
  readonly invoices: string;
  readonly deliver: string;
}

const SIDES: readonly Side[] = [
  {
    side: 'sales',
    order: DOCUMENT_TYPES.SO.path,
    notes: DOCUMENT_TYPES.SDN.path,
    invoices: DOCUMENT_TYPES.SINV.path,
    deliver: 'deliver',
  },
  {
    side: 'purchase',
    order: DOCUMENT_TYPES.PO.path,
    notes: DOCUMENT_TYPES.PDN.path,
    invoices: DOCUMENT_TYPES.PINV.path,
    deliver: 'receive',
  },
];

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answered = any;

describe('documents that follow from others, over HTTP', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));

  const documentPartner = ({ side }: Side) => (side === 'sales' ? trade.customerId : trade.supplierId);
  async function make(path: string, body: object = {}): Promise<Answered> {
    const { status, headers, body: answer } = await app.client.post(path, body);
    assert.equal(status, 201, JSON.stringify(answer));
    const { data } = answer;
    assert.equal((await app.client.get(headers.get('location') ?? '')).body.data.id, data.id);
    return data;
  }
  const order = (on: Side, quantity = 10, more: object = {}) =>
    make(on.order, { partnerId: documentPartner(on), lines: [{ itemId: trade.itemId, quantity, price: 2 }], ...more });
  async function posted(path: string, id: string): Promise<Answered> {
    const answer = await app.client.post(`${path}/${id}/post`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  }
  async function refused(path: string, body: object, status: number, code: string, pointer?: string) {
    const stock = async () => (await app.client.get(`/api/stock?itemId=${trade.itemId}&groupBy=item`)).body.data;
    const before = await stock();
    const answer = await app.client.post(path, body);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(answer.body));
    const pointers = (answer.body.errors ?? []).map((fault: { pointer: string }) => fault.pointer);
    if (pointer !== undefined) assert.ok(pointers.includes(pointer), `${pointer} in ${pointers}`);
    assert.deepEqual(await stock(), before);
  }

  for (const on of SIDES) {
    describe(on.side, () => {
      describe('goes from order to note, invoice and rectifying invoice, and shows how', () => {
        let first: Answered;
        let part: Answered;
        let rest: Answered;
        let invoice: Answered;
        let back: Answered;

        let taken: Answered;
        const deliver = (id: string, body?: object) => make(`${on.order}/${id}/${on.deliver}`, body);
        before(async () => {
          first = await order(on, 10, { reference: 'Their 7' });
          part = await deliver(first.id, { lines: [{ baseLineId: first.lines[0].id, quantity: 4 }] });
          rest = await deliver(first.id);
          invoice = await posted(on.invoices, (await make(`${on.notes}/${part.id}/invoice`)).id);
          back = await make(`${on.invoices}/${invoice.id}/rectify`, { reason: 'Broken', returnStock: true });
          await posted(on.invoices, back.id);
          const lines = [{ baseLineId: rest.lines[0].id, quantity: 1 }];
          taken = await make(`${on.notes}/${rest.id}/return`, { lines });
        });

        it('delivers in parts, until nothing is open', async () => {
          const { id, lines } = await order(on, 10, { reference: 'Their 7' });
          const four = await deliver(id, { lines: [{ baseLineId: lines[0].id, quantity: 4 }] });
          assert.deepEqual([four.lines[0].quantity, four.reference], [4, 'Their 7']);
          assert.equal((await deliver(id)).lines[0].quantity, 6);
          await refused(`${on.order}/${id}/${on.deliver}`, {}, 409, 'nothing_open');
        });

        it('invoices a note once', async () => {
          const { id } = await deliver((await order(on)).id);
          await posted(on.invoices, (await make(`${on.notes}/${id}/invoice`)).id);
          await refused(`${on.notes}/${id}/invoice`, {}, 409, 'nothing_open');
        });

        it('rectifies the whole of an invoice', () => {
          assert.deepEqual(
            { status: back.status, rectifies: back.rectifies, reason: back.reason, returnStock: back.returnStock },
            { status: 'D', rectifies: invoice.id, reason: 'Broken', returnStock: true },
          );
          assert.equal(back.total, -invoice.total);
        });

        it('takes a part of a note back, at its place and of its batch', async () => {
          const returned = { baseLineId: rest.lines[0].id, quantity: 1 };
          const batched = { ...returned, batchDetails: [{ batchNum: 'A', quantity: 1 }] };
          const path = `${on.notes}/${rest.id}/return`;
          await refused(path, { lines: [batched] }, 422, 'validation_failed', '/lines/0/batchDetails');
          await refused(
            path,
            { lines: [{ ...returned, zoneId: NOWHERE }] },
            422,
            'validation_failed',
            '/lines/0/zoneId',
          );
          const read = (await app.client.get(`${on.notes}/${rest.id}`)).body.data;
          const { id, code, date, status } = taken;
          assert.deepEqual(read.returnedBy, [{ id, code, date, status }]);
          assert.deepEqual(read.lines[0].baseUnit, {
            quantity: 6,
            openQuantity: 5,
            deliveredQuantity: 0,
            invoicedQuantity: 0,
            returnedQuantity: 1,
          });
        });

        it('shows how they follow', async () => {
          const flow = (await app.client.get(`${on.order}/${first.id}/flow`)).body.data;
          assert.deepEqual(
            flow.nodes.map((node: Answered) => [node.docType.slice(-3).replace(/^[SP]/, ''), node.relation]).sort(),
            [
              ['DN', 'after'],
              ['DN', 'after'],
              ['DN', 'after'],
              ['INV', 'after'],
              ['INV', 'after'],
              ['O', 'self'],
            ],
          );
          const relations = flow.links.map((link: Answered) => link.relation).sort();
          assert.deepEqual(relations, ['delivers', 'delivers', 'invoices', 'rectifies', 'returns']);
          const upwards = (await app.client.get(`${on.invoices}/${back.id}/flow`)).body.data;
          assert.deepEqual(
            upwards.nodes.map((node: Answered) => [node.id, node.relation]),
            [
              [first.id, 'before'],
              [part.id, 'before'],
              [invoice.id, 'before'],
              [back.id, 'self'],
            ],
          );
          const listed = await app.client.get(`${on.invoices}?rectifies=${invoice.id}&rectifying=true`);
          assert.deepEqual(
            listed.body.data.map((row: Answered) => row.id),
            [back.id],
          );
          assert.equal((await app.client.get(`${on.notes}?returns=${rest.id}`)).body.pagination.total, 1);
        });
      });

      it('makes one invoice of several notes, in their order', async () => {
        const made = [await order(on, 3), await order(on, 5)];
        const notes: Answered[] = [];
        for (const { id } of made) notes.push(await make(`${on.order}/${id}/${on.deliver}`));
        const ids = notes.map(({ id }) => id).reverse();
        const invoice = await make(`${on.invoices}/from-notes`, { ids });
        assert.deepEqual(
          invoice.lines.map((line: Answered) => ({ quantity: line.quantity, baseId: line.baseId, price: line.price })),
          [
            { quantity: 5, baseId: ids[0], price: 2 },
            { quantity: 3, baseId: ids[1], price: 2 },
          ],
        );
        await refused(`${on.invoices}/from-notes`, { ids }, 409, 'nothing_open', '/ids/0');
      });

      it('refuses notes that do not go together', async () => {
        const note = await make(`${on.order}/${(await order(on, 2)).id}/${on.deliver}`);
        const cancelled = await make(`${on.order}/${(await order(on, 2)).id}/${on.deliver}`);
        await app.client.post(`${on.notes}/${cancelled.id}/cancel`);
        const { data: known } = (await app.client.get(`/api/partners/${documentPartner(on)}`)).body;
        const other = await make('/api/partners', { name: 'Another', groupId: known.groupId });
        const foreign = await make(on.notes, {
          partnerId: other.id,
          lines: [{ itemId: trade.itemId, quantity: 1, price: 1 }],
        });
        const returned = await make(`${on.notes}/${note.id}/return`, {
          lines: [{ baseLineId: note.lines[0].id, quantity: 1 }],
        });
        const path = `${on.invoices}/from-notes`;
        await refused(path, { ids: [] }, 422, 'validation_failed', '/ids');
        await refused(path, { ids: [note.id, NOWHERE] }, 422, 'validation_failed', '/ids/1');
        await refused(path, { ids: [note.id, note.id] }, 422, 'validation_failed', '/ids/1');
        await refused(path, { ids: [note.id, cancelled.id] }, 422, 'validation_failed', '/ids/1');
        await refused(path, { ids: [note.id, foreign.id] }, 422, 'validation_failed', '/ids/1');
        await refused(path, { ids: [note.id, returned.id] }, 422, 'validation_failed', '/ids/1');
        await refused(path, { ids: [note.lines[0].baseId] }, 422, 'validation_failed', '/ids/0');
        assert.equal((await make(path, { ids: [note.id] })).lines[0].quantity, 1);
      });

      it('refuses bad lines, what is cancelled and what does not exist', async () => {
        const one = await order(on, 5);
        const other = await order(on, 5);
        const path = `${on.order}/${one.id}/${on.deliver}`;
        const line = (quantity: number, baseLineId = one.lines[0].id) => ({ lines: [{ baseLineId, quantity }] });
        for (const quantity of [0, -1, 1.005]) {
          await refused(path, line(quantity), 422, 'validation_failed', '/lines/0/quantity');
        }
        await refused(path, line(6), 409, 'over_delivery', '/lines/0/quantity');
        await refused(path, line(1, other.lines[0].id), 422, 'validation_failed', '/lines/0/baseLineId');
        await refused(path, { lines: [] }, 422, 'validation_failed', '/lines');
        await refused(path, { lines: [{ quantity: 1 }] }, 422, 'validation_failed', '/lines/0/baseLineId');
        await refused(path, { warehouseId: NOWHERE }, 422, 'validation_failed', '/warehouseId');
        await refused(path, { date: '1999-01-01' }, 422, 'validation_failed', '/date');
        await refused(`${on.order}/${NOWHERE}/${on.deliver}`, {}, 404, 'not_found');
        await refused(`${on.invoices}/${one.id}/rectify`, { reason: 'x' }, 404, 'not_found');
        const draft = await make(on.invoices, { partnerId: documentPartner(on), ...lineInput(2) });
        await refused(`${on.invoices}/${draft.id}/rectify`, { reason: 'x' }, 409, 'invalid_transition');
        await refused(`${on.invoices}/${draft.id}/rectify`, {}, 422, 'validation_failed', '/reason');
        await app.client.post(`${on.order}/${one.id}/cancel`);
        await refused(path, {}, 409, 'invalid_transition');
        assert.equal((await app.client.get(`${on.order}/${NOWHERE}/flow`)).status, 404);
        assert.equal((await app.client.get(`${on.notes}/${other.id}/flow`)).status, 404);
        const stale = await app.client.post(`${on.order}/${other.id}/${on.deliver}`, {}, { 'If-Match': '"7"' });
        assert.equal(stale.status, 412);
      });

      it('at once: an open quantity is delivered once, also while the order is being cancelled', async () => {
        const one = await order(on, 5);
        const path = `${on.order}/${one.id}/${on.deliver}`;
        const answers = await Promise.all([1, 2, 3, 4].map(() => app.client.post(path)));
        assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);

        const two = await order(on, 5);
        const [delivered, cancelled] = await Promise.all([
          app.client.post(`${on.order}/${two.id}/${on.deliver}`),
          app.client.post(`${on.order}/${two.id}/cancel`),
        ]);
        assert.deepEqual([delivered.status, cancelled.status].sort().at(-1), 409);
      });
    });
  }

  const lineInput = (quantity: number) => ({ lines: [{ itemId: trade.itemId, quantity, price: 2 }] });

  it('rectifies what was entered with `rectifies` and quantities below zero', async () => {
    const sale = { partnerId: trade.customerId };
    const path = DOCUMENT_TYPES.SINV.path;
    const invoice = await posted(path, (await make(path, { ...sale, ...lineInput(3) })).id);
    const draft = await make(path, { ...sale, rectifies: invoice.id, reason: 'Two too many', ...lineInput(-2) });
    assert.equal(draft.lines[0].baseLineId, invoice.lines[0].id);
    assert.match((await posted(path, draft.id)).code, /^RSINV/);
    await refused(
      path,
      { ...sale, rectifies: invoice.id, ...lineInput(-2) },
      409,
      'over_invoicing',
      '/lines/0/quantity',
    );
    await refused(path, { ...sale, ...lineInput(-2) }, 422, 'validation_failed', '/lines/0/quantity');
    await refused(path, { ...sale, ...lineInput(0) }, 422, 'validation_failed', '/lines/0/quantity');
    await refused(path, { ...sale, returnStock: true, ...lineInput(1) }, 422, 'validation_failed', '/returnStock');
    await refused('/api/sales', { ...sale, ...lineInput(-2) }, 422, 'validation_failed', '/lines/0/quantity');
    await refused(`${path}/${invoice.id}/cancel`, {}, 409, 'in_use');
  });
});
