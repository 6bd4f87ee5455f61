import assert from 'node:assert/strict';
import { ServiceError } from '../../../../domain/errors.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../../../services/trade/lifecycle/close.ts';
import { deleteDocument } from '../../../../services/trade/lifecycle/delete.ts';
import { duplicateDocument } from '../../../../services/trade/lifecycle/duplicate.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import type { TestCompany } from '../../../helpers/company.ts';
import { creating } from '../../../helpers/documents.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { deliverMails } from '../../../helpers/mails.ts';

interface Doc {
  id: string;
  code: string | null;
  number: number | null;
  status: string;
  date: string;
  reference: string | null;
  closedAt: string | null;
  sentAt: string | null;
  version: number;
  total: number;
  lines: { id: string; price: number; openQuantity: number; deliveredQuantity: number; baseId: string | null }[];
}

const any = { ifMatch: null };
const refused = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

describe('what is done with documents as they stand', () => {
  const company = useCompany();

  type Action = (
    trx: Parameters<typeof closeOrder>[0],
    ctx: TestCompany['ctx'],
    id: string,
    options: { ifMatch: null },
  ) => Promise<unknown>;
  const act = (action: Action, { id }: { id: string }, options = {}) =>
    company.run((trx) => action(trx, company.ctx, id, { ...any, ...options })) as Promise<Doc>;
  const create = creating<Doc>(company);
  const read = ({ id }: { id: string }) => company.run((trx) => readDocument(trx, id)) as unknown as Promise<Doc>;
  const level = async (itemId: string) => {
    const [row] = await company.rows(
      'select on_hand::float as "onHand", reserved::float, incoming::float from stock_levels where item_id = ?',
      [itemId],
    );
    return row;
  };
  const lastEvent = async ({ id }: { id: string }) => {
    const [row] = await company.rows(
      'select event, payload from outbox where entity_id = ? order by seq desc limit 1',
      [id],
    );
    return row as { event: string; payload: Record<string, unknown> };
  };

  describe('closing an order', () => {
    it('gives up what is neither delivered nor invoiced: what an invoice gives back is open again', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 10);
      const order = await create('SO', { lines: [{ itemId, quantity: 10 }] });
      const direct = await create('SINV', { lines: [{ baseId: order.id, quantity: 4 }] });
      await act(closeOrder, order);
      assert.equal((await level(itemId))?.reserved, 0);
      await act(deleteDocument, direct);
      const again = await read(order);
      assert.deepEqual([again.status, again.lines[0]?.openQuantity], ['O', 4]);
      assert.equal((await level(itemId))?.reserved, 4);
    });

    it('gives up what is open, and a note cancelled later reopens just its own quantities', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 20);
      const order = await create('SO', { lines: [{ itemId, quantity: 10 }] });
      const note = await create('SDN', { lines: [{ baseId: order.id, quantity: 4 }] });
      const closed = await act(closeOrder, order);
      assert.deepEqual(
        { status: closed.status, openQuantity: closed.lines[0]?.openQuantity, version: closed.version },
        { status: 'C', openQuantity: 0, version: 3 },
      );
      assert.ok(closed.closedAt);
      assert.deepEqual(closed, await read(order));
      assert.deepEqual(await level(itemId), { onHand: 16, reserved: 0, incoming: 0 });
      const { event, payload } = await lastEvent(order);
      assert.deepEqual(
        { event, status: payload.status, previous_status: payload.previous_status },
        { event: 'document.updated', status: 'C', previous_status: 'P' },
      );
      await assert.rejects(act(closeOrder, order), refused('invalid_transition'));
      await assert.rejects(create('SDN', { lines: [{ baseId: order.id, quantity: 1 }] }), refused('over_delivery'));

      await act(cancelDocument, note);
      const reopened = await read(order);
      assert.deepEqual(
        { status: reopened.status, closedAt: reopened.closedAt, openQuantity: reopened.lines[0]?.openQuantity },
        { status: 'O', closedAt: null, openQuantity: 4 },
      );
      assert.deepEqual(await level(itemId), { onHand: 20, reserved: 4, incoming: 0 });
      await act(cancelDocument, order);
      assert.deepEqual(await level(itemId), { onHand: 20, reserved: 0, incoming: 0 });
    });

    it('of a purchase that nothing has come of announces nothing any more', async () => {
      const { id: itemId } = await company.item();
      const order = await create('PO', { lines: [{ itemId, quantity: 7 }] });
      assert.equal((await level(itemId))?.incoming, 7);
      assert.equal((await act(closeOrder, order)).status, 'C');
      assert.equal((await level(itemId))?.incoming, 0);
      await assert.rejects(act(cancelDocument, order), refused('invalid_transition'));
    });
  });

  describe('deleting a purchase delivery note', () => {
    it('takes its goods out again, reopens its order and frees its number', async () => {
      const { id: itemId } = await company.item();
      const order = await create('PO', { lines: [{ itemId, quantity: 5 }] });
      const note = await create('PDN', { lines: [{ baseId: order.id, quantity: 5 }] });
      assert.equal((await read(order)).status, 'C');
      await act(deleteDocument, note);
      await assert.rejects(read(note), refused('not_found'));
      assert.deepEqual(
        [(await read(order)).status, await level(itemId)],
        ['O', { onHand: 0, reserved: 0, incoming: 5 }],
      );
      assert.equal((await lastEvent(note)).event, 'document.deleted');
      const next = await create('PDN', { lines: [{ baseId: order.id, quantity: 2 }] });
      assert.equal(next.code, note.code, 'no gap');
    });

    it('is refused for one that is not the last, that is named by others, or whose goods have gone', async () => {
      const { id: itemId } = await company.item();
      const first = await create('PDN', { lines: [{ itemId, quantity: 5 }] });
      const last = await create('PDN', { lines: [{ itemId, quantity: 3 }] });
      await assert.rejects(act(deleteDocument, first), refused('not_last_of_series'));
      const invoice = await create('PINV', { lines: [{ baseId: last.id, quantity: 1 }] });
      await assert.rejects(act(deleteDocument, last), refused('invalid_transition'));
      await act(cancelDocument, invoice);
      await assert.rejects(act(deleteDocument, last), refused('in_use'));
      const gone = await create('PDN', { lines: [{ itemId, quantity: 2 }] });
      await create('SDN', { lines: [{ itemId, quantity: 9 }] });
      await assert.rejects(act(deleteDocument, gone), refused('insufficient_stock'));
      assert.equal((await read(gone)).status, 'O');
    });

    it('is not for notes of sales', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 1);
      const note = await create('SDN', { lines: [{ itemId, quantity: 1 }] });
      await assert.rejects(act(deleteDocument, note), refused('invalid_transition'));
    });
  });

  describe('sending', () => {
    const line = { description: 'Transporte', quantity: 1, price: 10 };

    it('says when, and to whom: the partner unless others are named', async () => {
      const order = await create('SO', { lines: [{ ...line, taxGroupId: company.taxId }] });
      await assert.rejects(
        act(sendDocument, order),
        (error: unknown) => refused('validation_failed')(error) && (error as ServiceError).errors[0]?.pointer === '/to',
      );
      await company.run((trx) =>
        trx('partners').where({ id: company.customerId }).update({ email: 'cafe@example.test' }),
      );
      const { email, ...queued } = (await act(sendDocument, order)) as Doc & { email: { status: string } };
      assert.deepEqual([email.status, queued.sentAt, queued], ['queued', null, await read(order)]);
      await deliverMails(company, company.ctx.now);
      const sent = await read(order);
      assert.deepEqual(
        { status: sent.status, sentAt: sent.sentAt, version: sent.version },
        { status: 'O', sentAt: company.ctx.now.toISOString(), version: 2 },
      );
      const { event, payload } = await lastEvent(order);
      assert.deepEqual([event, payload.to], ['document.sent', 'cafe@example.test']);
      await act(sendDocument, order, { to: 'ana@example.test; luis@example.test' });
      await deliverMails(company, company.ctx.now);
      assert.equal((await lastEvent(order)).payload.to, 'ana@example.test, luis@example.test');
      for (const to of ['nobody', 'a@b, ', 'a@example.test, @', ' ', 'a@example.test\nbcc: x@example.test'])
        await assert.rejects(act(sendDocument, order, { to }), refused('validation_failed'), to);
      assert.equal((await read(order)).version, 3);
    });

    it('is not for drafts and what is cancelled', async () => {
      const draft = await create('SINV', { lines: [{ ...line, taxGroupId: company.taxId }] });
      await assert.rejects(act(sendDocument, draft, { to: 'a@example.test' }), refused('invalid_transition'));
      await act(postInvoice, draft);
      await act(sendDocument, draft, { to: 'a@example.test' });
      await act(cancelDocument, draft);
      await assert.rejects(act(sendDocument, draft, { to: 'a@example.test' }), refused('invalid_transition'));
    });
  });

  describe('duplicating', () => {
    it('makes the same document of today, at the same prices, without its bases', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 20);
      const order = await create('SO', {
        date: '2026-06-01',
        reference: 'PO-1',
        withholdingRate: 15,
        lines: [{ itemId, quantity: 2, price: 3.25, discountPercent: 5, description: 'Naranjas de Valencia' }],
      });
      await company.run((trx) => trx('items').where({ id: itemId }).update({ sale_price: 99 }));
      const note = await create('SDN', { lines: [{ baseId: order.id, quantity: 2 }] });
      const invoice = await create('SINV', { lines: [{ baseId: note.id, quantity: 2 }] });

      const again = await act(duplicateDocument, order);
      assert.deepEqual(
        { status: again.status, date: again.date, reference: again.reference, total: again.total },
        { status: 'O', date: '2026-06-15', reference: null, total: order.total },
      );
      assert.notEqual(again.code, order.code);
      const noteAgain = await act(duplicateDocument, note);
      assert.deepEqual([noteAgain.status, noteAgain.lines[0]?.baseId], ['O', null]);
      assert.deepEqual(await level(itemId), { onHand: 16, reserved: 2, incoming: 0 });
      const invoiceAgain = await act(duplicateDocument, invoice);
      assert.deepEqual(
        { status: invoiceAgain.status, number: invoiceAgain.number, price: invoiceAgain.lines[0]?.price },
        { status: 'D', number: null, price: 3.25 },
      );
      await act(cancelDocument, again);
      assert.equal((await act(duplicateDocument, again)).status, 'O');
    });

    it('keeps a unit that only the line knew', async () => {
      const { id: itemId } = await company.item();
      const [box] = await company.rows(`select id from uoms where code <> 'UD' order by code limit 1`);
      const order = await create('PO', { lines: [{ itemId, quantity: 3, uomId: String(box?.id), uomFactor: 12 }] });
      assert.equal((await level(itemId))?.incoming, 36);
      await act(duplicateDocument, order);
      assert.equal((await level(itemId))?.incoming, 72);
    });
  });
});
