import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Faults } from '../../../../../domain/faults.ts';
import { decimal } from '../../../../../domain/money.ts';
import type { ItemReference } from '../../../../../services/trade/documents/resolve/references.ts';
import { partialBaseQuantity, resolveUnit } from '../../../../../services/trade/documents/resolve/unit.ts';
import type { DocumentInput } from '../../../../../services/trade/documents/schemas.ts';
import { createDocument } from '../../../../../services/trade/lifecycle/create.ts';
import { useCompany } from '../../../../helpers/hooks.ts';

const item = (numerator: number, denominator: number) =>
  ({ uomId: 'own', units: [{ uomId: 'other', numerator, denominator }] }) as unknown as ItemReference;
const resolved = (quantity: number, numerator: number, denominator: number) =>
  resolveUnit({
    line: { quantity, uomId: 'other' },
    pointer: '/lines/0',
    faults: new Faults(),
    item: item(numerator, denominator),
    base: null,
    taken: '0',
  });

describe('units of document lines', () => {
  it('convert exactly: what comes back differs by less than what is declared, in 20,000 conversions', () => {
    const quantity = fc.integer({ min: 1, max: 999_999_99 }).map((hundredths) => hundredths / 100);
    const whole = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(quantity, whole, whole, (amount, numerator, denominator) => {
        const { baseQuantity } = resolved(amount, numerator, denominator);
        const exact = decimal(amount).times(numerator).div(denominator);
        assert.equal(decimal(baseQuantity).minus(exact).abs().lte('0.0000005'), true);
        const line = { quantity: decimal(amount).toFixed(), baseQuantity };
        assert.equal(partialBaseQuantity(line, line.quantity), decimal(baseQuantity).toFixed());
      }),
      { numRuns: 20_000 },
    );
  }).timeout(120_000);

  describe('in documents', () => {
    let itemId: string;
    let boxId: string;
    let bottleId: string;
    const company = useCompany();
    before(async () => {
      itemId = (await company.item({ salePrice: '2.5' })).id;
      const uoms = await company.rows(`select id, code from uoms where code in ('CJ', 'L')`);
      boxId = String(uoms.find(({ code }) => code === 'CJ')?.id);
      bottleId = String(uoms.find(({ code }) => code === 'L')?.id);
      await company.run((trx) =>
        trx('item_units').insert({
          id: trx.raw('gen_random_uuid()'),
          tenant_id: company.ctx.tenantId,
          item_id: itemId,
          uom_id: boxId,
          factor_numerator: 12,
          factor_denominator: 1,
          version: 1,
          created_at: company.ctx.now,
          updated_at: company.ctx.now,
        }),
      );
    });

    const create = (docType: 'SO' | 'SDN' | 'PDN', lines: DocumentInput['lines']) =>
      company.run((trx) =>
        createDocument(trx, company.ctx, docType, {
          partnerId: docType === 'PDN' ? company.supplierId : company.customerId,
          lines,
        }),
      ) as unknown as Promise<{
        id: string;
        lines: { price: number; uomFactor: number; uomId: string; openQuantity: number }[];
      }>;
    const level = async () =>
      (await company.rows('select on_hand::float, reserved::float from stock_levels where item_id = ?', [itemId]))[0];

    it('move the item’s own unit, are priced by theirs, and carry on from their base', async () => {
      await create('PDN', [{ itemId, quantity: 3, uomId: boxId }]);
      assert.deepEqual(await level(), { on_hand: 36, reserved: 0 });
      const order = await create('SO', [{ itemId, quantity: 2, uomId: boxId }]);
      assert.deepEqual([order.lines[0]?.price, order.lines[0]?.uomFactor], [30, 12]);
      assert.deepEqual(await level(), { on_hand: 36, reserved: 24 });
      const note = await create('SDN', [{ baseId: order.id, quantity: 0.5 }]);
      assert.deepEqual([note.lines[0]?.uomId, note.lines[0]?.price], [boxId, 30]);
      assert.deepEqual(await level(), { on_hand: 30, reserved: 18 });
    });

    it('need a relation, or a factor', async () => {
      const refused = (code: string) => (error: { errors: { code: string }[] }) => error.errors[0]?.code === code;
      await assert.rejects(create('PDN', [{ itemId, quantity: 1, uomId: bottleId }]), refused('wrong_unit'));
      const own = (await company.rows('select uom_id from items where id = ?', [itemId]))[0]?.uom_id as string;
      await assert.rejects(
        create('PDN', [{ itemId, quantity: 1, uomId: own, uomFactor: 11 }]),
        refused('wrong_factor'),
      );
      await create('PDN', [{ itemId, quantity: 4, uomId: bottleId, uomFactor: 0.5 }]);
      assert.deepEqual(await level(), { on_hand: 32, reserved: 18 });
    });
  });
});
