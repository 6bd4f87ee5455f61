import assert from 'node:assert/strict';
import type { Db } from '../../../../../db/database.ts';
import { newId } from '../../../../../db/ids.ts';
import { ServiceError } from '../../../../../domain/errors.ts';
import { readDocument } from '../../../../../services/trade/documents/read.ts';
import type { DocumentPatch } from '../../../../../services/trade/documents/schemas.ts';
import { cancelDocument } from '../../../../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../../../../services/trade/lifecycle/close.ts';
import { createFollowUp } from '../../../../../services/trade/lifecycle/create-follow-up.ts';
import { postInvoice } from '../../../../../services/trade/lifecycle/post.ts';
import { updateDocument } from '../../../../../services/trade/lifecycle/update/update.ts';
import type { TestCompany } from '../../../../helpers/company.ts';
import { creating } from '../../../../helpers/documents.ts';
import { useCompany } from '../../../../helpers/hooks.ts';

interface Line {
  id: string;
  lineNumber: number;
  description: string;
  quantity: number;
  price: number;
  openQuantity: number;
  deliveredQuantity: number;
  invoicedQuantity: number;
}
interface Doc {
  id: string;
  status: string;
  version: number;
  date: string;
  dueDate: string | null;
  reference: string | null;
  total: number;
  subtotal: number;
  lines: Line[];
}

const any = { ifMatch: null };

describe('changing documents', () => {
  const company = useCompany();

  const create = creating<Doc>(company);
  const patch = ({ id }: { id: string }, changes: DocumentPatch, ifMatch: number | null = null) =>
    company.run((trx) => updateDocument(trx, company.ctx, id, changes, { ifMatch })) as unknown as Promise<Doc>;
  const read = ({ id }: { id: string }) => company.run((trx) => readDocument(trx, id)) as unknown as Promise<Doc>;
  const act = (action: typeof postInvoice, { id }: { id: string }) =>
    company.run((trx) => action(trx, company.ctx, id, any)) as unknown as Promise<Doc>;
  const level = async (itemId: string) => {
    const [row] = await company.rows(
      'select on_hand::float as "onHand", reserved::float, incoming::float from stock_levels where item_id = ?',
      [itemId],
    );
    return row;
  };
  /** Everything that a refused change must leave as it is. */
  const traces = async () =>
    company.rows(
      `select (select count(*) from audit_logs)::int as audits, (select count(*) from outbox)::int as events, (select sum(version)
        from documents)::int as versions,
       (select sum(reserved + incoming + on_hand) from stock_levels)::text as stock, (select sum(quantity + invoiced_quantity)
         from document_lines)::text as lines`,
    );
  const refuses = async (doc: { id: string }, changes: DocumentPatch, code: string, pointer?: string) => {
    const before = await traces();
    await assert.rejects(patch(doc, changes), (error: unknown) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.equal(error.code, code, error.message);
      if (pointer !== undefined) assert.equal(error.errors[0]?.pointer, pointer);
      return true;
    });
    assert.deepEqual(await traces(), before);
  };

  describe('drafts', () => {
    describe('change in everything; amounts follow, and one record and one event tell it', () => {
      let draft: Awaited<ReturnType<typeof create>>;
      let changed: Awaited<ReturnType<typeof patch>>;

      it('the lines and what they come to', async () => {
        draft = await create('SINV', { lines: [{ itemId: company.itemId, quantity: 2 }] });
        const other = await company.run((trx) => addPartner(trx, company));
        changed = await patch(draft, {
          partnerId: other,
          date: '2026-05-20',
          reference: 'R-1',
          withholdingRate: 10,
          lines: [
            { id: draft.lines[0]?.id ?? '', quantity: 3 },
            { itemId: company.itemId, quantity: 1, price: 10, discountPercent: 50 },
          ],
        });
        assert.deepEqual(
          {
            version: changed.version,
            date: changed.date,
            dueDate: changed.dueDate,
            subtotal: changed.subtotal,
            total: changed.total,
          },
          { version: 2, date: '2026-05-20', dueDate: '2026-06-19', subtotal: 12.5, total: 13.88 },
        );
        assert.equal(changed.lines[0]?.id, draft.lines[0]?.id);
        assert.deepEqual(changed, await read(draft));
      });

      it('told by one record and one event', async () => {
        const audits = await company.rows(
          `select old_value ->> 'total' as before, new_value ->> 'total' as after from audit_logs where entity_id = ?
            and action = 'UPDATE'`,
          [draft.id],
        );
        assert.deepEqual(audits, [{ before: '6.05', after: '13.88' }]);
        const events = await company.rows(
          `select payload from outbox where entity_id = ? and event = 'document.updated'`,
          [draft.id],
        );
        const [event] = events as [{ payload: { changed_fields: string[]; total: number } }];
        const { changed_fields, total } = event.payload;
        assert.deepEqual([events.length, total], [1, 13.88]);
        for (const member of ['partner', 'date', 'dueDate', 'periodId', 'reference', 'lines', 'taxes', 'total'])
          assert.ok(changed_fields.includes(member), member);
        await company.stockUp(company.itemId, 4, '2026-01-02');
        await act(postInvoice, draft);
      });
    });

    it('hold their bases to what they take, no more and no less', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 20);
      const order = await create('SO', { lines: [{ itemId, quantity: 6 }] });
      const direct = await create('SINV', { lines: [{ baseId: order.id, quantity: 6 }] });
      assert.deepEqual([(await read(order)).status, (await level(itemId))?.reserved], ['C', 0]);
      await patch(direct, { lines: [{ id: direct.lines[0]?.id ?? '', quantity: 2 }] });
      assert.deepEqual([(await read(order)).status, (await level(itemId))?.reserved], ['P', 4]);

      const note = await create('SDN', { lines: [{ itemId, quantity: 5 }] });
      const draft = await create('SINV', { lines: [{ baseId: note.id, quantity: 5 }] });
      assert.equal((await read(note)).status, 'C');
      const versionOfNote = (await read(note)).version;
      await patch(draft, { notes: 'entregado en mano' });
      await patch(draft, { lines: [{ id: draft.lines[0]?.id ?? '', price: 3 }] });
      assert.equal((await read(note)).version, versionOfNote, 'nothing of the note has changed');
      await refuses(
        draft,
        { lines: [{ id: draft.lines[0]?.id ?? '', quantity: 6 }] },
        'over_invoicing',
        '/lines/0/quantity',
      );
      await patch(draft, { lines: [{ itemId, quantity: 1 }] });
      assert.deepEqual([(await read(note)).status, (await read(note)).lines[0]?.invoicedQuantity], ['O', 0]);
      await patch(draft, {
        lines: [
          { baseId: note.id, quantity: 2 },
          { baseId: note.id, quantity: 3 },
        ],
      });
      assert.equal((await read(note)).status, 'C');
    });

    it('keep what they have of a note whose goods came back since, and take no more of it', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 5);
      const note = await create('SDN', { lines: [{ itemId, quantity: 5 }] });
      const draft = await create('SINV', { lines: [{ baseId: note.id, quantity: 4 }] });
      const options = { ...any, docType: 'SDN' } as const;
      await company.run((trx) => createFollowUp(trx, company.ctx, note.id, 'return', {}, options));
      const [line] = draft.lines as [Line];
      assert.equal((await patch(draft, { lines: [{ id: line.id, price: 3 }] })).subtotal, 12);
      await refuses(draft, { lines: [{ id: line.id, quantity: 5 }] }, 'over_invoicing', '/lines/0/quantity');
      await patch(draft, { lines: [{ id: line.id, quantity: 1 }] });
      await refuses(draft, { lines: [{ id: line.id, quantity: 2 }] }, 'over_invoicing', '/lines/0/quantity');
    });

    it('with nothing that differs stay as they are', async () => {
      const draft = await create('SINV', { notes: 'n', lines: [{ itemId: company.itemId, quantity: 2 }] });
      const before = await traces();
      for (const nothing of [
        {},
        { notes: 'n' },
        { partnerId: company.customerId },
        { lines: [{ id: draft.lines[0]?.id ?? '' }] },
      ])
        assert.equal((await patch(draft, nothing)).version, 1, JSON.stringify(nothing));
      assert.deepEqual(await traces(), before);
    });

    it('take members away with null', async () => {
      const draft = await create('SINV', {
        reference: 'R',
        notes: 'n',
        lines: [{ itemId: company.itemId, quantity: 2 }],
      });
      assert.equal((await patch(draft, { reference: null, notes: null, dueDate: null })).reference, null);
    });

    it('refuse what creating refuses, pointing at the line, and change nothing', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 5);
      const note = await create('SDN', { lines: [{ itemId, quantity: 1 }] });
      const foreign = await create('SDN', {
        partnerId: await company.run((trx) => addPartner(trx, company)),
        lines: [{ itemId, quantity: 1 }],
      });
      const receipt = await create('PDN', { lines: [{ itemId, quantity: 1 }] });
      const draft = await create('SINV', { lines: [{ baseId: note.id, quantity: 1 }] });
      const id = draft.lines[0]?.id ?? '';
      const faults: [DocumentPatch, string][] = [
        [{ partnerId: company.supplierId }, '/partnerId'],
        [{ partnerId: newId() }, '/partnerId'],
        [{ date: '1999-01-01' }, '/date'],
        [{ dueDate: '2020-01-01' }, '/dueDate'],
        [{ lines: [{ id: newId(), quantity: 1 }] }, '/lines/0/id'],
        [{ lines: [{ id }, { id }] }, '/lines/1/id'],
        [{ lines: [{ id }, { itemId }] }, '/lines/1/quantity'],
        [{ lines: [{ id }, { itemId: newId(), quantity: 1 }] }, '/lines/1/itemId'],
        [{ lines: [{ id }, { baseId: foreign.id, quantity: 1 }] }, '/lines/1/baseId'],
        [{ lines: [{ id }, { baseId: receipt.id, quantity: 1 }] }, '/lines/1/baseId'],
        [{ lines: [{ id }, { itemId, quantity: 1e9, price: 1e9 }] }, '/lines/1/quantity'],
        [{ lines: [{ id, uomId: newId() }] }, '/lines/0/uomId'],
      ];
      for (const [changes, pointer] of faults) await refuses(draft, changes, 'validation_failed', pointer);
    });

    it('stay out of closed periods, and leave none', async () => {
      const draft = await create('SINV', { date: '2026-03-10', lines: [{ itemId: company.itemId, quantity: 1 }] });
      const other = await create('SINV', { lines: [{ itemId: company.itemId, quantity: 1 }] });
      const period = (status: string) =>
        company.run((trx) =>
          trx.raw(`update periods set status = ? where '2026-03-10' between "from" and "to"`, [status]),
        );
      await period('C');
      await refuses(draft, { notes: 'x' }, 'period_closed');
      await refuses(draft, { date: '2026-06-15' }, 'period_closed');
      await refuses(other, { date: '2026-03-11' }, 'period_closed');
      await period('O');
      assert.equal((await patch(draft, { date: '2026-06-15' })).date, '2026-06-15');
    });
  });

  describe('open orders', () => {
    it('change in lines, and reserve what they say now', async () => {
      const { id: itemId } = await company.item();
      const { id: another } = await company.item();
      const order = await create('SO', {
        lines: [
          { itemId, quantity: 5 },
          { itemId: another, quantity: 2 },
        ],
      });
      const [first, second] = order.lines as [Line, Line];
      const changed = await patch(order, {
        reference: 'PO-9',
        dueDate: '2026-08-01',
        lines: [{ id: second.id, quantity: 4 }, { id: first.id }, { itemId, quantity: 1, description: 'extra' }],
      });
      assert.deepEqual(
        changed.lines.map(({ id, lineNumber, quantity }) => ({ id, lineNumber, quantity })),
        [
          { id: second.id, lineNumber: 1, quantity: 4 },
          { id: first.id, lineNumber: 2, quantity: 5 },
          { id: changed.lines[2]?.id, lineNumber: 3, quantity: 1 },
        ],
      );
      assert.deepEqual([(await level(itemId))?.reserved, (await level(another))?.reserved], [6, 4]);
      const { warnings: _, ...stored } = changed as typeof changed & { warnings?: unknown };
      assert.deepEqual(stored, await read(order));
      await patch(order, { lines: [{ itemId, quantity: 3 }] });
      assert.deepEqual([(await level(itemId))?.reserved, (await level(another))?.reserved], [3, 0]);
    });

    it('keep what has been delivered, as it was agreed', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 20);
      const order = await create('SO', {
        lines: [
          { itemId, quantity: 5 },
          { itemId, quantity: 3 },
        ],
      });
      const [first, second] = order.lines as [Line, Line];
      await create('SDN', { lines: [{ baseId: order.id, baseLineId: first.id, quantity: 4 }] });
      await refuses(order, { lines: [{ id: second.id }] }, 'invalid_transition', '/lines');
      await refuses(
        order,
        { lines: [{ id: second.id }, { id: first.id, quantity: 3 }] },
        'invalid_transition',
        '/lines/1/quantity',
      );
      await refuses(
        order,
        { lines: [{ id: first.id, price: 1 }, { id: second.id }] },
        'invalid_transition',
        '/lines/0/price',
      );
      for (const changes of [
        { partnerId: company.supplierId },
        { date: '2026-06-14' },
        { vatRegime: 'export' as const },
        { warehouseId: newId() },
      ])
        await refuses(order, changes, 'invalid_transition', `/${Object.keys(changes)[0]}`);
      const closed = await patch(order, { lines: [{ id: first.id, quantity: 4 }] });
      assert.deepEqual([closed.status, (await level(itemId))?.reserved], ['C', 0]);
      await refuses(order, { notes: 'x' }, 'invalid_transition');
    });

    it('take back what closing gave up when a reopened line gets another quantity', async () => {
      const { id: itemId } = await company.item();
      await company.stockUp(itemId, 20);
      const order = await create('SO', { lines: [{ itemId, quantity: 10 }] });
      const note = await create('SDN', { lines: [{ baseId: order.id, quantity: 4 }] });
      await act(closeOrder, order);
      await act(cancelDocument, note);
      assert.equal((await patch(order, { notes: 'reopened' })).lines[0]?.openQuantity, 4);
      await refuses(order, { lines: [{ itemId, quantity: 1 }] }, 'in_use', '/lines');
      assert.equal(
        (await patch(order, { lines: [{ id: order.lines[0]?.id ?? '', quantity: 9 }] })).lines[0]?.openQuantity,
        9,
      );
      assert.equal((await level(itemId))?.reserved, 9);
    });
  });

  it('is refused for what has moved goods or is posted, and when the version is stale', async () => {
    const { id: itemId } = await company.item();
    await company.stockUp(itemId, 5);
    const note = await create('SDN', { lines: [{ itemId, quantity: 1 }] });
    const invoice = await act(postInvoice, await create('SINV', { lines: [{ baseId: note.id, quantity: 1 }] }));
    for (const doc of [note, invoice]) await refuses(doc, { notes: 'x' }, 'invalid_transition');
    const draft = await create('PINV', { lines: [{ itemId, quantity: 1 }] });
    await assert.rejects(
      patch(draft, { notes: 'x' }, 7),
      (error: unknown) => (error as ServiceError).code === 'stale_version',
    );
    assert.equal((await patch(draft, { supplierReference: 'F-77' }, 1)).version, 2);
  });

  it('carries 1,000 lines, of which half change places', async () => {
    const lines = Array.from({ length: 1000 }, () => ({ itemId: company.itemId, quantity: 1 }));
    const draft = await create('SINV', { lines });
    const turned = [...draft.lines].reverse().map(({ id }, index) => ({ id, quantity: (index % 2) + 1 }));
    const changed = await patch(draft, { lines: turned });
    assert.deepEqual([changed.lines[0]?.id, changed.subtotal], [draft.lines[999]?.id, 3750]);
  });

  describe('at the same time', () => {
    const settled = async (works: Promise<unknown>[]) => {
      for (const result of await Promise.allSettled(works)) {
        if (result.status === 'rejected') assert.ok(result.reason instanceof ServiceError, String(result.reason));
      }
    };

    it('an order is changed, closed, cancelled and delivered: what is left is right', async () => {
      for (let round = 0; round < 6; round++) {
        const { id: itemId } = await company.item();
        await company.stockUp(itemId, 20);
        const order = await create('SO', { lines: [{ itemId, quantity: 10 }] });
        const line = order.lines[0]?.id ?? '';
        const deliver = (quantity: number) => create('SDN', { lines: [{ baseId: order.id, quantity }] });
        await settled([
          deliver(3),
          patch(order, { lines: [{ id: line, quantity: 6 }] }),
          deliver(2),
          round % 2 === 0 ? act(closeOrder, order) : act(cancelDocument, order),
          deliver(4),
        ]);
        const { lines, status } = await read(order);
        const onHand = 20 - (lines[0]?.deliveredQuantity ?? 0);
        const reserved = status === 'X' ? 0 : lines[0]?.openQuantity;
        assert.deepEqual(await level(itemId), { onHand, reserved, incoming: 0 });
      }
    });
  });
});

async function addPartner(trx: Db, { ctx, customerId }: TestCompany): Promise<string> {
  const id = newId();
  await trx.raw(
    `insert into partners (id, tenant_id, code, name, group_id, country_code, payment_term_days, version, created_at, updated_at)
     select ?, ?, ?, 'Otro', group_id, 'ES', 30, 1, ?, ? from partners where id = ?`,
    [id, ctx.tenantId, `X${id}`, ctx.now, ctx.now, customerId],
  );
  return id;
}
