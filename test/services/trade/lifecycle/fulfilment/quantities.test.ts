import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal, sum } from '../../../../../domain/money.ts';
import { type Doc, useTrade } from '../follow-helpers.ts';

/** Counts made independently for one order line and its subsequent documents. */
interface Part {
  readonly document: Doc;
  readonly quantity: number;
  invoiced: number;
  back: number;
}

const ORDERED = 20;
const STEPS = ['deliver', 'invoice', 'return', 'rectify'] as const;
type Step = (typeof STEPS)[number];
const steps = fc.array(
  fc.record({ step: fc.constantFrom(...STEPS), which: fc.nat(3), size: fc.integer({ min: 1, max: 8 }) }),
  { minLength: 3, maxLength: 9 },
);

describe('quantities of an order and of all that follows from it', function () {
  this.timeout(120_000);
  const trade = useTrade();

  /** An order, what followed from it, and the plain count of that. */
  interface Played {
    readonly itemId: string;
    readonly order: Doc;
    delivered: number;
    readonly notes: Part[];
    readonly invoices: Part[];
  }
  async function openOrder(): Promise<Played> {
    const { id: itemId } = await trade.company.item();
    await trade.company.stockUp(itemId, 100);
    const order = await trade.create('SO', {
      lines: [{ itemId, quantity: ORDERED, price: 1.335, discountPercent: 3 }],
    });
    return { itemId, order, delivered: 0, notes: [], invoices: [] };
  }
  const openFor = (step: Step, { delivered }: Played, part: Part | undefined): number => {
    if (step === 'deliver') return ORDERED - delivered;
    const kept = (part?.quantity ?? 0) - (part?.back ?? 0);
    return step === 'invoice' ? kept - (part?.invoiced ?? 0) : kept;
  };
  function assertAddsUp(made: Doc): void {
    assert.equal(sum(made.lines.map(({ amount }) => amount)).toFixed(), decimal(made.subtotal).toFixed());
    const total = sum([made.subtotal, made.taxTotal]).minus(made.withholdingAmount);
    assert.equal(total.toFixed(), decimal(made.total).toFixed());
  }

  /** One step, which is refused where it takes more than is open. */
  async function play(played: Played, { step, which, size }: { step: Step; which: number; size: number }) {
    const { order, notes, invoices } = played;
    const parts = step === 'rectify' ? invoices : notes;
    const part = parts[which % Math.max(parts.length, 1)];
    const base = step === 'deliver' ? order : part?.document;
    if (base === undefined) return;
    const open = openFor(step, played, part);
    const lines = [{ baseLineId: base.lines[0]?.id ?? '', quantity: size }];
    const attempt = trade.follow(base, step, { lines, ...(step === 'rectify' ? { reason: 'x' } : {}) });
    if (size > open) {
      await assert.rejects(attempt, `${step} ${size} of ${open}`);
      return;
    }
    const made = await attempt;
    assertAddsUp(made);
    const counted = { document: made, quantity: size, invoiced: 0, back: 0 };
    if (step === 'deliver') {
      played.delivered += size;
      notes.push(counted);
    } else if (part !== undefined && step === 'invoice') {
      part.invoiced += size;
      invoices.push({ ...counted, document: await trade.post(made) });
    } else if (part !== undefined) part.back += size;
  }

  const total = (parts: readonly Part[], member: 'invoiced' | 'back') =>
    parts.reduce((counted, part) => counted + part[member], 0);
  async function assertOrder({ order, delivered, notes }: Played): Promise<void> {
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
  }
  async function assertNote({ document, quantity, invoiced, back }: Part): Promise<void> {
    const [own] = (await trade.read(document)).lines;
    const open = Math.max(0, quantity - invoiced - back);
    assert.deepEqual(
      {
        invoicedQuantity: own?.invoicedQuantity,
        returnedQuantity: own?.returnedQuantity,
        openQuantity: own?.openQuantity,
      },
      { invoicedQuantity: invoiced, returnedQuantity: back, openQuantity: open },
    );
  }

  it('agree with a plain count after any sequence of deliveries, invoices, returns and rectifications', async () => {
    const property = fc.asyncProperty(steps, async (sequence) => {
      const played = await openOrder();
      for (const step of sequence) await play(played, step);
      const { itemId, delivered, notes, invoices } = played;
      await assertOrder(played);
      for (const note of notes) await assertNote(note);
      for (const { document, back } of invoices)
        assert.equal((await trade.read(document)).lines[0]?.returnedQuantity, back);
      assert.equal(await trade.onHand(itemId), 100 - delivered + total(notes, 'back'));
    });
    await fc.assert(property, { numRuns: 25 });
  });
});
