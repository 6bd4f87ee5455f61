import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

describe('advances on orders and delivery notes', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));

  const make = async (path: string, body: unknown = {}) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const order = (quantity: number) =>
    make('/api/sales', { partnerId: till.customerId, lines: [{ itemId: till.itemId, quantity, price: 10 }] });
  const status = (type: string, id: string) => till.read(`/api/payments/reconciliation/${type}/${id}`);
  const applied = async (type: string, id: string) => {
    const { total_applied, remaining, status: state } = await status(type, id);
    return [total_applied, remaining, state];
  };

  const orderWithAdvance = async () => {
    const { id, total } = await order(10);
    assert.equal(total, 121);
    const paid = await till.pay('in', 80, { linked_documents: [link(id, 80, 'sales_order')] });
    return { id, paid };
  };

  it('stay with the order, which they neither close nor let be cancelled', async () => {
    const { id, paid } = await orderWithAdvance();
    assert.deepEqual(
      [paid.status, paid.body.data.status, paid.body.data.linked_documents[0].new_status],
      [201, 'linked', 'partial'],
    );
    assert.deepEqual(await applied('sales_order', id), [80, 41, 'partial']);
    assert.equal((await till.read(`/api/sales/${id}`)).status, 'O');
    assertProblem(await app.client.post(`/api/sales/${id}/cancel`, {}), 409, 'has_payments');
  });

  describe('pay the invoices', () => {
    let id: string;
    let noteId: string;
    let advances: string[];
    let first: { id: string; paidTotal: number };
    let posted: Record<string, unknown>;
    before(async () => {
      const ordered = await orderWithAdvance();
      id = ordered.id;
      const [line] = (await till.read(`/api/sales/${id}`)).lines;
      noteId = (await make(`/api/sales/${id}/deliver`, { lines: [{ baseLineId: line.id, quantity: 4 }] })).id;
      const onNote = await till.pay('in', 5, { linked_documents: [link(noteId, 5, 'SDN')] });
      assert.equal(onNote.status, 201, JSON.stringify(onNote.body));
      advances = [ordered.paid, onNote].map(({ body }) => body.data.id);
      first = await make(`/api/sales/delivery-notes/${noteId}/invoice`);
      posted = await make(`/api/sales/invoices/${first.id}/post`);
    });

    it('when these are posted, and say so at each link', async () => {
      assert.equal(first.paidTotal, 0);
      assert.deepEqual(
        {
          status: posted.status,
          paymentStatus: posted.paymentStatus,
          paidTotal: posted.paidTotal,
          total: posted.total,
        },
        { status: 'C', paymentStatus: 'paid', paidTotal: 48.4, total: 48.4 },
      );
      // 48.40 of the 80 on the order, or of the 5 on the note: together 36.60 are left.
      const left = (await applied('sales_order', id))[0] + (await applied('sales_delivery_note', noteId))[0];
      assert.equal(Math.round(left * 100), 3660);
      const moved = advances.map((payment) => till.read(`/api/payments/in/${payment}`));
      const links = (await Promise.all(moved)).flatMap((payment) => payment.linked_documents);
      const ofInvoice = links.filter((one) => one.document_id === first.id);
      assert.ok(ofInvoice.every((one) => [id, noteId].includes(one.advance_on)));
      assert.equal(links.filter((one) => one.document_id === first.id).at(-1)?.new_status, 'paid');
    });

    it('as far as they reach; deleting them opens the invoices again', async () => {
      const rest = await make(`/api/sales/${id}/deliver`);
      const second = await make(`/api/sales/delivery-notes/${rest.id}/invoice`);
      const open = await make(`/api/sales/invoices/${second.id}/post`);
      assert.deepEqual([open.status, open.paymentStatus], ['O', 'partial']);
      assert.deepEqual(await applied('sales_order', id), [0, 121, 'pending']);

      assert.equal((await app.client.del(`/api/payments/in/${advances[0]}`)).status, 204);
      const again = await till.read(`/api/sales/invoices/${first.id}`);
      assert.equal(again.status, 'O');
    });
  });

  it('what a finished order does not need any more is credit to apply; while an invoice may come it is not', async () => {
    const { id } = await order(10);
    const paid = await till.pay('in', 121, { linked_documents: [link(id, 121, 'sales_order')] });
    const path = `/api/payments/in/${paid.body.data.id}`;
    const other = await till.invoice('sales', 100);
    const apply = () => app.client.post(`${path}/apply`, { mode: 'manual', linked_documents: [link(other.id)] });
    const [line] = (await till.read(`/api/sales/${id}`)).lines;
    assertProblem(await apply(), 409, 'nothing_open');
    const note = await make(`/api/sales/${id}/deliver`, { lines: [{ baseLineId: line.id, quantity: 4 }] });
    await make(`/api/sales/${id}/close`);
    assertProblem(await apply(), 409, 'nothing_open');
    const draft = await make(`/api/sales/delivery-notes/${note.id}/invoice`);
    assertProblem(await apply(), 409, 'nothing_open');
    await make(`/api/sales/invoices/${draft.id}/post`);
    assert.deepEqual(await applied('sales_order', id), [72.6, 48.4, 'partial']);

    const answer = await apply();
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { amount_applied, credit, linked_documents: linked } = answer.body.data;
    assert.deepEqual([amount_applied, credit], [121, 0]);
    assert.deepEqual(
      linked.map((one: { document_id: string; amount_applied: number }) => [one.document_id, one.amount_applied]),
      [
        [draft.id, 48.4],
        [other.id, 72.6],
      ],
    );
    assert.deepEqual(await till.read(path), answer.body.data);
    assert.deepEqual((await applied('sales_order', id)).slice(0, 1), [0]);
    assert.deepEqual(await applied('sales_invoice', other.id), [72.6, 27.4, 'partial']);
    assert.equal((await app.client.del(path)).status, 204);
  });

  it('of purchases too', async () => {
    const { id } = await make('/api/purchases', {
      partnerId: till.supplierId,
      lines: [{ itemId: till.itemId, quantity: 10, price: 1 }],
    });
    const paid = await till.pay('out', 20, { linked_documents: [link(id, 12.1, 'purchase_order')] });
    assert.equal(paid.body.data.credit, 7.9);
    const note = await make(`/api/purchases/${id}/receive`);
    const draft = await make(`/api/purchases/delivery-notes/${note.id}/invoice`, { supplierReference: 'S-1' });
    const posted = await make(`/api/purchases/invoices/${draft.id}/post`);
    assert.deepEqual([posted.status, posted.paidTotal], ['C', 12.1]);
  });
});
