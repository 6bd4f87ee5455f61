import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { openQuantity, statusByProgress } from '../../../../domain/trade/documents/progress.ts';
import { DOC_TYPES, DOCUMENT_TYPES, parseDocType } from '../../../../domain/trade/documents/types.ts';

const line = (
  quantity: Decimal,
  deliveredQuantity: Decimal = '0',
  invoicedQuantity: Decimal = '0',
  closedQuantity: Decimal = '0',
) => ({
  quantity,
  deliveredQuantity,
  closedQuantity,
  invoicedQuantity,
  returnedQuantity: '0' as const,
});

describe('progress of documents', () => {
  it('an order is O, P and C by what is delivered or invoiced directly', () => {
    assert.equal(statusByProgress('order', [line('5'), line('1')]), 'O');
    assert.equal(statusByProgress('order', [line('5', '2'), line('1')]), 'P');
    assert.equal(statusByProgress('order', [line('5', '2', '3'), line('1', '1')]), 'C');
  });

  it('a note is C only when invoices cover all its lines', () => {
    assert.equal(statusByProgress('delivery_note', [line('5', '0', '5'), line('1')]), 'P');
    assert.equal(statusByProgress('delivery_note', [line('5', '0', '5'), line('1', '0', '1')]), 'C');
  });

  it('over-delivery closes a line and leaves nothing open', () => {
    assert.equal(statusByProgress('order', [line('5', '7')]), 'C');
    assert.equal(openQuantity('order', line('5', '7')), '0');
  });

  it('open and taken add up to the quantity, whatever was taken in parts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.array(fc.integer({ min: 0, max: 1e6 }), { maxLength: 10 }),
        (quantity, parts) => {
          const total = decimal(quantity).div(1000).toFixed();
          const delivered = parts.reduce((taken, part) => {
            const open = openQuantity('order', line(total, taken));
            const take = decimal(part).div(1000);
            return decimal(taken)
              .plus(take.gt(open) ? open : take)
              .toFixed();
          }, decimal(0).toFixed());
          assert.equal(
            decimal(openQuantity('order', line(total, delivered)))
              .plus(delivered)
              .toFixed(),
            total,
          );
        },
      ),
    );
  });
});

describe('document types', () => {
  it('are read by code and by name', () => {
    for (const code of DOC_TYPES) {
      assert.equal(parseDocType(code), code);
      assert.equal(parseDocType(DOCUMENT_TYPES[code].name), code);
    }
    assert.equal(parseDocType('invoice'), undefined);
  });

  it('are based on documents of their own side, earlier in the flow', () => {
    for (const type of Object.values(DOCUMENT_TYPES)) {
      for (const base of type.bases) assert.equal(DOCUMENT_TYPES[base].side, type.side);
    }
  });
});
