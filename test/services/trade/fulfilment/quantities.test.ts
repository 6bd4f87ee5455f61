import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal, sum } from '../../../../domain/money.ts';
import { type Doc, useTrade } from '../follow-helpers.ts';

/** What a plain count says of one order's line and of what followed from it. */
interface Part {
  readonly document: Doc;
  readonly quantity: number;
  invoiced: number;
  back: number;
}

const ORDERED = 20;
const sizes = fc.integer({ min: 1, max: 8 });
const steps = fc.array(
  fc.record({
    step: fc.constantFrom('deliver' as const, 'invoice' as const, 'return' as const, 'rectify' as const),
    which: fc.nat(3),
    size: sizes,
  }),
  { minLength: 3, maxLength: 9 },
);

describe('quantities of an order and of all that follows from it', function () {
  this.timeout(120_000);
  const trade = useTrade();

  it('agree with a plain count after any sequence of deliveries, invoices, returns and rectifications', async () => {
    const property = fc.asyncProperty(steps, async (sequence) => {
      const { id: itemId } = await trade.company.item();
      await trade.company.stockUp(itemId, 100);
      const order = await trade.create('SO', {
        lines: [{ itemId, quantity: ORDERED, price: 1.335, discountPercent: 3 }],
      });
      let delivered = 0;
      const notes: Part[] = [];
      const invoices: Part[] = [];
      for (const { step, which, size } of sequence) {
        const parts = step === 'rectify' ? invoices : notes;
        const part = parts[which % Math.max(parts.length, 1)];
        const base = step === 'deliver' ? order : part?.document;
        if (base === undefined) continue;
        const open =
          step === 'deliver'
            ? ORDERED - delivered
            : step === 'invoice'
              ? (part?.quantity ?? 0) - (part?.invoiced ?? 0) - (part?.back ?? 0)
              : (part?.quantity ?? 0) - (part?.back ?? 0);
        const lines = [{ baseLineId: base.lines[0]?.id ?? '', quantity: size }];
        const attempt = trade.follow(base, step, { lines, ...(step === 'rectify' ? { reason: 'x' } : {}) });
        if (size > open) {
          await assert.rejects(attempt, `${step} ${size} of ${open}`);
          continue;
        }
        const made = await attempt;
        assert.equal(sum(made.lines.map(({ amount }) => amount)).toFixed(), decimal(made.subtotal).toFixed());
        assert.equal(
          sum([made.subtotal, made.taxTotal]).minus(made.withholdingAmount).toFixed(),
          decimal(made.total).toFixed(),
        );
        const counted = { document: made, quantity: size, invoiced: 0, back: 0 };
        if (step === 'deliver') {
          delivered += size;
          notes.push(counted);
        } else if (part !== undefined && step === 'invoice') {
          part.invoiced += size;
          invoices.push({ ...counted, document: await trade.post(made) });
        } else if (part !== undefined) part.back += size;
      }
      const total = (parts: readonly Part[], member: 'invoiced' | 'back') =>
        parts.reduce((counted, part) => counted + part[member], 0);
      const [line] = (await trade.read(order)).lines;
      assert.deepEqual(
        {
          deliveredQuantity: line?.deliveredQuantity,
          invoicedQuantity: line?.invoicedQuantity,
          returnedQuantity: line?.returnedQuantity,
          openQuantity: line?.openQuantity,
        },
        {
          deliveredQuantity: delivered,
          invoicedQuantity: total(notes, 'invoiced'),
          returnedQuantity: total(notes, 'back'),
          openQuantity: ORDERED - delivered,
        },
      );
      for (const note of notes) {
        const [own] = (await trade.read(note.document)).lines;
        const open = Math.max(0, note.quantity - note.invoiced - note.back);
        assert.deepEqual(
          {
            invoicedQuantity: own?.invoicedQuantity,
            returnedQuantity: own?.returnedQuantity,
            openQuantity: own?.openQuantity,
          },
          { invoicedQuantity: note.invoiced, returnedQuantity: note.back, openQuantity: open },
        );
      }
      for (const invoice of invoices) {
        assert.equal((await trade.read(invoice.document)).lines[0]?.returnedQuantity, invoice.back);
      }
      assert.equal(await trade.onHand(itemId), 100 - delivered + total(notes, 'back'));
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
