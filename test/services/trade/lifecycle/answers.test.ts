import assert from 'node:assert/strict';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { type Doc, useTrade } from './follow-helpers.ts';

/** Members that only answers have. */
interface Answer extends Doc {
  readonly rectifiedBy?: readonly TakingBack[];
  readonly returnedBy?: readonly TakingBack[];
  readonly lines: readonly (Doc['lines'][number] & { readonly baseUnit: Readonly<Record<string, number>> })[];
}

interface TakingBack {
  readonly id: string;
  readonly code: string | null;
  readonly date: string;
  readonly status: string;
}

const SIDES = [
  { order: 'SO', note: 'SDN', invoice: 'SINV' },
  { order: 'PO', note: 'PDN', invoice: 'PINV' },
] as const;
const PROGRESS = ['quantity', 'openQuantity', 'deliveredQuantity', 'invoicedQuantity', 'returnedQuantity'] as const;

describe('answers with documents', () => {
  let reference = 0;
  const trade = useTrade();

  const read = async (document: Pick<Doc, 'id'>) => (await trade.read(document)) as Answer;
  const taking = ({ id, code, status }: Doc): TakingBack => ({ id, code, date: '2026-06-15', status });
  const line = (document: Doc) => document.lines[0]?.id ?? '';
  /** An item of which there is plenty, at 3 pieces in each 2 of another unit. */
  async function packed() {
    const { id: itemId, uomId } = await trade.company.item();
    await trade.company.stockUp(itemId, 1000);
    const [other] = await trade.company.rows('select id from uoms where id <> ? limit 1', [uomId]);
    return { itemId, uomId: String(other?.id), uomFactor: 1.5 };
  }

  for (const side of SIDES) {
    it(`of ${side.invoice} name the rectifying invoices that stand, drafts too`, async () => {
      const { itemId } = await packed();
      const numbered = () => (side.invoice === 'PINV' ? { supplierReference: `F${++reference}` } : {});
      const created = (await trade.create(side.invoice, {
        ...numbered(),
        lines: [{ itemId, quantity: 5, price: 2 }],
      })) as Answer;
      assert.deepEqual(created.rectifiedBy, []);
      const invoice = (await trade.post(created)) as Answer;
      assert.deepEqual(invoice.rectifiedBy, []);
      const part = (quantity: number) =>
        trade.follow(invoice, 'rectify', {
          reason: 'x',
          ...numbered(),
          lines: [{ baseLineId: line(invoice), quantity }],
        });
      const posted = await trade.post(await part(1));
      const draft = await part(2);
      await trade.cancel(await part(1));
      assert.deepEqual((await read(invoice)).rectifiedBy, [taking(posted), taking(draft)]);
      assert.deepEqual((await read(posted)).rectifiedBy, []);
      assert.equal('returnedBy' in (await read(invoice)), false);

      const { email, ...sent } = await trade.company.run((trx) =>
        sendDocument(trx, trade.company.ctx, invoice.id, { to: 'a@example.com', ifMatch: null }),
      );
      assert.deepEqual([email.status, sent], ['queued', await read(invoice)]);
    });

    it(`of ${side.note} name the returns that stand`, async () => {
      const { itemId } = await packed();
      const note = (await trade.create(side.note, { lines: [{ itemId, quantity: 5, price: 2 }] })) as Answer;
      assert.deepEqual(note.returnedBy, []);
      const part = () => trade.follow(note, 'return', { lines: [{ baseLineId: line(note), quantity: 1 }] });
      const [first, second] = [await part(), await part()];
      assert.deepEqual((await read(note)).returnedBy, [taking(first), taking(second)]);
      await trade.cancel(first);
      const after = await read(note);
      assert.deepEqual(after.returnedBy, [taking(second)]);
      assert.deepEqual((await read(second)).returnedBy, []);
      assert.equal('rectifiedBy' in after, false);
    });

    it(`of ${side.order}, ${side.note} and ${side.invoice} tell quantities in the item's own unit too`, async () => {
      const { itemId, ...unit } = await packed();
      const order = await trade.create(side.order, { lines: [{ itemId, quantity: 10, price: 2, ...unit }] });
      const own = async (document: Pick<Doc, 'id'>) =>
        (await read(document)).lines.map(({ baseUnit }) => PROGRESS.map((name) => baseUnit[name]));
      assert.deepEqual(await own(order), [[15, 15, 0, 0, 0]]);
      const note = await trade.follow(order, 'deliver', { lines: [{ baseLineId: line(order), quantity: 8 }] });
      await trade.follow(note, 'return', { lines: [{ baseLineId: line(note), quantity: 1 }] });
      const invoice = await trade.follow(note, 'invoice', {
        lines: [{ baseLineId: line(note), quantity: 5 }],
        ...(side.invoice === 'PINV' ? { supplierReference: `F${++reference}` } : {}),
      });
      assert.deepEqual(await own(order), [[15, 3, 12, 7.5, 1.5]]);
      assert.deepEqual(await own(note), [[12, 3, 0, 7.5, 1.5]]);
      assert.deepEqual(await own(invoice), [[7.5, 0, 0, 0, 0]]);
      await trade.post(invoice);
      const back = await trade.follow(invoice, 'rectify', { reason: 'x', supplierReference: `F${++reference}` });
      assert.deepEqual(await own(back), [[-7.5, 0, 0, 0, 0]]);
      assert.deepEqual(await own(invoice), [[7.5, 0, 0, 0, 7.5]]);
      assert.equal((await read(order)).lines[0]?.openQuantity, 2);
    });
  }

  it('of changed orders keep what came back of the notes', async () => {
    const { itemId, ...unit } = await packed();
    const order = await trade.create('SO', { lines: [{ itemId, quantity: 10, ...unit }] });
    const note = await trade.follow(order, 'deliver', { lines: [{ baseLineId: line(order), quantity: 4 }] });
    await trade.follow(note, 'return');
    const changed = await trade.company.run((trx) =>
      updateDocument(
        trx,
        trade.company.ctx,
        order.id,
        { lines: [{ id: line(order), quantity: 6 }] },
        { ifMatch: null },
      ),
    );
    assert.deepEqual(changed, await read(order));
    const [only] = (changed as unknown as Answer).lines;
    assert.deepEqual(
      {
        onlyReturnedQuantity: only?.returnedQuantity,
        baseUnitReturnedQuantity: only?.baseUnit.returnedQuantity,
        openQuantity: only?.openQuantity,
      },
      { onlyReturnedQuantity: 4, baseUnitReturnedQuantity: 6, openQuantity: 2 },
    );
  });

  it('say the same in base units where the line is in the item’s own', async () => {
    const { itemId } = await packed();
    const order = (await trade.create('SO', {
      lines: [
        { itemId, quantity: 7 },
        { description: 'Work', taxGroupId: trade.company.taxId, quantity: 2, price: 3 },
      ],
    })) as Answer;
    const shown = order.lines.map(({ baseUnit }) => [baseUnit.quantity, baseUnit.openQuantity]);
    assert.deepEqual(shown, [
      [7, 7],
      [2, 2],
    ]);
  });
});
