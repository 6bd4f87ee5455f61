import assert from 'node:assert/strict';
import { ServiceError } from '../../../../domain/errors.ts';
import { readDocument } from '../../../../services/trade/documents/read.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { deleteDocument } from '../../../../services/trade/lifecycle/delete.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { creating } from '../../../helpers/documents.ts';
import { useCompany } from '../../../helpers/hooks.ts';

/** The members of a document that these tests look at. */
interface Doc {
  id: string;
  code: string | null;
  number: number | null;
  status: string;
  total: number;
  version: number;
  lines: { id: string; openQuantity: number; deliveredQuantity: number; invoicedQuantity: number }[];
}

const any = { ifMatch: null };

describe('sales documents from order to invoice', () => {
  const company = useCompany();

  const create = creating<Doc>(company);
  const read = (id: string) => company.run((trx) => readDocument(trx, id)) as unknown as Promise<Doc>;
  const post = (id: string) => company.run((trx) => postInvoice(trx, company.ctx, id, any)) as unknown as Promise<Doc>;
  const cancel = (id: string) =>
    company.run((trx) => cancelDocument(trx, company.ctx, id, any)) as unknown as Promise<Doc>;
  const level = async (itemId: string) =>
    (
      await company.rows(
        'select on_hand::float, reserved::float, incoming::float from stock_levels where item_id = ?',
        [itemId],
      )
    )[0];
  const refused = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

  /** An order of 12 of 20. */
  async function ordered() {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 20);
    const order = await create('SO', { lines: [{ itemId, quantity: 12 }] });
    return { itemId, order };
  }
  /** Delivered in two notes, and invoiced but for three of the second. */
  async function invoiced() {
    const { itemId, order } = await ordered();
    const first = await create('SDN', { lines: [{ baseId: order.id, quantity: 5 }] });
    const second = await create('SDN', { lines: [{ baseId: order.id, quantity: 7 }] });
    const lines = [
      { baseId: first.id, quantity: 5 },
      { baseId: second.id, quantity: 4 },
    ];
    return { itemId, order, first, second, invoice: await create('SINV', { lines }) };
  }

  it('an order is open at once, with a number, and reserves its goods', async () => {
    const { itemId, order } = await ordered();
    assert.deepEqual(
      { status: order.status, number: order.number, total: order.total },
      { status: 'O', number: 1, total: 36.3 },
    );
    assert.deepEqual(await level(itemId), { on_hand: 20, reserved: 12, incoming: 0 });
  });

  it('notes deliver an order in part and then whole, and take its goods from stock', async () => {
    const { itemId, order } = await ordered();
    await create('SDN', { lines: [{ baseType: 'SO', baseId: order.id, quantity: 5 }] });
    assert.deepEqual([(await read(order.id)).status, (await level(itemId))?.on_hand], ['P', 15]);
    await create('SDN', { lines: [{ baseId: order.id, itemId, quantity: 7 }] });
    assert.equal((await read(order.id)).status, 'C');
    assert.deepEqual(await level(itemId), { on_hand: 8, reserved: 0, incoming: 0 });
  });

  it('an invoice of notes is a draft without a number, and counts on note and order at once', async () => {
    const { order, first, second, invoice } = await invoiced();
    assert.deepEqual(
      { status: invoice.status, number: invoice.number, code: invoice.code },
      { status: 'D', number: null, code: null },
    );
    assert.deepEqual([(await read(first.id)).status, (await read(second.id)).status], ['C', 'P']);
    const [line] = (await read(order.id)).lines;
    assert.deepEqual(
      {
        deliveredQuantity: line?.deliveredQuantity,
        invoicedQuantity: line?.invoicedQuantity,
        openQuantity: line?.openQuantity,
      },
      { deliveredQuantity: 12, invoicedQuantity: 9, openQuantity: 0 },
    );
  });

  it('an invoice of notes takes its number when it is posted, once, and moves no stock', async () => {
    const { itemId, invoice } = await invoiced();
    const posted = await post(invoice.id);
    assert.deepEqual(
      { status: posted.status, number: posted.number, code: posted.code },
      { status: 'O', number: 1, code: 'SINV2026-00001' },
    );
    assert.deepEqual(await level(itemId), { on_hand: 8, reserved: 0, incoming: 0 });
    await assert.rejects(post(invoice.id), refused('invalid_transition'));
  });

  it('an invoice without a note moves its stock when it is posted', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 3);
    const invoice = await create('SINV', {
      lines: [
        { itemId, quantity: 2 },
        { description: 'Transport', taxGroupId: company.taxId, quantity: 1, price: 9.99 },
      ],
    });
    assert.equal((await level(itemId))?.on_hand, 3);
    await post(invoice.id);
    assert.equal((await level(itemId))?.on_hand, 1);
    await cancel(invoice.id);
    assert.equal((await level(itemId))?.on_hand, 3);
  });

  it('delivering more than is open is refused and changes nothing', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 10);
    const order = await create('SO', { lines: [{ itemId, quantity: 4 }] });
    const before = await company.rows('select count(*)::int as n from audit_logs');
    await assert.rejects(create('SDN', { lines: [{ baseId: order.id, quantity: 5 }] }), refused('over_delivery'));
    await assert.rejects(
      create('SDN', {
        lines: [
          { baseId: order.id, quantity: 3 },
          { baseId: order.id, quantity: 2 },
        ],
      }),
      refused('over_delivery'),
    );
    assert.deepEqual(await company.rows('select count(*)::int as n from audit_logs'), before);
    assert.deepEqual(await level(itemId), { on_hand: 10, reserved: 4, incoming: 0 });
    await create('SDN', { lines: [{ baseId: order.id, quantity: 4 }] });
    await assert.rejects(create('SDN', { lines: [{ baseId: order.id, quantity: 1 }] }), refused('over_delivery'));
  });

  it('what is not there cannot be delivered', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 2);
    await assert.rejects(create('SDN', { lines: [{ itemId, quantity: 3 }] }), (error: unknown) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'insufficient_stock');
      assert.equal(error.errors[0]?.pointer, '/lines/0/quantity');
      return true;
    });
    assert.equal((await level(itemId))?.on_hand, 2);
  });

  it('two at once want the last piece: exactly one gets it', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 1);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => create('SDN', { lines: [{ itemId, quantity: 1 }] })),
    );
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results)
      if (result.status === 'rejected') assert.ok(refused('insufficient_stock')(result.reason), String(result.reason));
    assert.equal((await level(itemId))?.on_hand, 0);
  });

  it('two at once deliver the same open quantity: exactly one does', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 100);
    const order = await create('SO', { lines: [{ itemId, quantity: 6 }] });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => create('SDN', { lines: [{ baseId: order.id, quantity: 6 }] })),
    );
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results)
      if (result.status === 'rejected') assert.ok(refused('over_delivery')(result.reason), String(result.reason));
    assert.deepEqual(await level(itemId), { on_hand: 94, reserved: 0, incoming: 0 });
  });

  it('parallel posts of one series take numbers without gap or repeat', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 24 }, () =>
        create('SINV', { lines: [{ description: 'Consulting', taxGroupId: company.taxId, quantity: 1, price: 100 }] }),
      ),
    );
    const posted = await Promise.all(drafts.map((draft) => post(draft.id)));
    const all = (
      await company.rows(`select number from documents where doc_type = 'SINV' and number is not null order by number`)
    ).map((row) => row.number);
    assert.deepEqual(
      all,
      Array.from({ length: all.length }, (_, index) => index + 1),
    );
    assert.equal(new Set(posted.map((invoice) => invoice.number)).size, 24);
  });

  it('posted twice at once: one number, and the other is told', async () => {
    const draft = await create('SINV', {
      lines: [{ description: 'Consulting', taxGroupId: company.taxId, quantity: 1, price: 100 }],
    });
    const results = await Promise.allSettled([post(draft.id), post(draft.id), post(draft.id)]);
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results)
      if (result.status === 'rejected') assert.ok(refused('invalid_transition')(result.reason), String(result.reason));
  });

  it('cancelling goes back the way: invoice, note, order', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 9);
    const order = await create('SO', { lines: [{ itemId, quantity: 6 }] });
    const note = await create('SDN', { lines: [{ baseId: order.id, quantity: 6 }] });
    const invoice = await post((await create('SINV', { lines: [{ baseId: note.id, quantity: 6 }] })).id);
    await assert.rejects(cancel(note.id), refused('invalid_transition'));
    await assert.rejects(cancel(order.id), refused('invalid_transition'));
    assert.equal((await cancel(invoice.id)).status, 'X');
    assert.equal((await read(note.id)).status, 'O');
    assert.equal((await cancel(note.id)).status, 'X');
    assert.deepEqual(
      [(await read(order.id)).status, await level(itemId)],
      ['O', { on_hand: 9, reserved: 6, incoming: 0 }],
    );
    assert.equal((await cancel(order.id)).status, 'X');
    assert.deepEqual(await level(itemId), { on_hand: 9, reserved: 0, incoming: 0 });
    const movements = await company.rows(
      'select quantity::float, balance::float from stock_movements where item_id = ? order by seq',
      [itemId],
    );
    assert.deepEqual(movements, [
      { quantity: 9, balance: 9 },
      { quantity: -6, balance: 3 },
      { quantity: 6, balance: 9 },
    ]);
  });

  it('deleting a draft reopens its note; what is posted cannot be deleted', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 5);
    const note = await create('SDN', { lines: [{ itemId, quantity: 5 }] });
    const draft = await create('SINV', { lines: [{ baseId: note.id, quantity: 5 }] });
    assert.equal((await read(note.id)).status, 'C');
    await company.run((trx) => deleteDocument(trx, company.ctx, draft.id, any));
    assert.equal((await read(note.id)).status, 'O');
    await assert.rejects(read(draft.id), refused('not_found'));
    const posted = await post((await create('SINV', { lines: [{ baseId: note.id, quantity: 5 }] })).id);
    await assert.rejects(
      company.run((trx) => deleteDocument(trx, company.ctx, posted.id, any)),
      refused('invalid_transition'),
    );
  });

  it('a purchase order announces goods, its note brings them in', async () => {
    const { id: itemId } = await company.item();
    const order = await create('PO', { lines: [{ itemId, quantity: 7 }] });
    assert.deepEqual(await level(itemId), { on_hand: 0, reserved: 0, incoming: 7 });
    await create('PDN', { lines: [{ baseType: 'PO', baseId: order.id, quantity: 7 }] });
    assert.deepEqual(
      [(await read(order.id)).status, await level(itemId)],
      ['C', { on_hand: 7, reserved: 0, incoming: 0 }],
    );
  });

  it('a stale version is refused', async () => {
    const draft = await create('SINV', {
      lines: [{ description: 'Consulting', taxGroupId: company.taxId, quantity: 1, price: 100 }],
    });
    await assert.rejects(
      company.run((trx) => postInvoice(trx, company.ctx, draft.id, { ifMatch: 7 })),
      refused('stale_version'),
    );
    assert.equal((await read(draft.id)).status, 'D');
  });

  it('each change leaves one audit record with both states and one event', async () => {
    const draft = await create('SINV', {
      lines: [{ description: 'Consulting', taxGroupId: company.taxId, quantity: 1, price: 100 }],
    });
    const posted = await post(draft.id);
    const audit = await company.rows(
      `select action, old_value->>'status' as before, new_value->>'status' as after, new_value->>'code' as code from audit_logs
        where entity_id = ? order by id`,
      [draft.id],
    );
    assert.deepEqual(audit, [
      { action: 'CREATE', before: null, after: 'D', code: null },
      { action: 'UPDATE', before: 'D', after: 'O', code: posted.code },
    ]);
    const events = await company.rows('select event, payload from outbox where entity_id = ? order by seq', [draft.id]);
    assert.deepEqual(
      events.map((row) => [row.event, (row.payload as { number: unknown }).number]),
      [
        ['document.created', null],
        ['document.locked', posted.number],
      ],
    );
  });
});
