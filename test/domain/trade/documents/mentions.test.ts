import assert from 'node:assert/strict';
import { mentionsFor } from '../../../../domain/trade/documents/mentions.ts';

const goods = { regime: null, taxRate: '0', taxKind: 'vat', goods: true } as const;
const service = { ...goods, goods: false } as const;

describe('mentions of an invoice without VAT', () => {
  it('tell goods from services', () => {
    assert.deepEqual(mentionsFor('intra_eu', [service, goods, goods]), ['intraEuGoods', 'intraEuServices']);
    assert.deepEqual(mentionsFor('export', [goods]), ['exportGoods']);
    assert.deepEqual(mentionsFor('export', [service]), ['exportServices']);
  });

  it('follow the regime, and within the domestic ones the tax', () => {
    assert.deepEqual(mentionsFor('reverse_charge', [goods]), ['reverseCharge']);
    assert.deepEqual(mentionsFor('exempt', [goods]), ['exempt']);
    assert.deepEqual(mentionsFor('not_subject', [goods]), ['notSubject']);
    assert.deepEqual(mentionsFor('general', [{ ...goods, taxKind: 'exempt' }]), ['exempt']);
    assert.deepEqual(mentionsFor('surcharge', [{ ...goods, taxKind: 'reverse_charge' }]), ['reverseCharge']);
    assert.deepEqual(mentionsFor('intra_eu', [{ ...goods, taxKind: 'exempt' }]), ['intraEuGoods']);
  });

  it('follow the regime of the line before that of the document', () => {
    assert.deepEqual(mentionsFor('general', [{ ...goods, regime: 'export' }]), ['exportGoods']);
    assert.deepEqual(mentionsFor('export', [{ ...goods, regime: 'general' }]), []);
  });

  it('are needed only for lines without VAT', () => {
    assert.deepEqual(mentionsFor('general', [goods]), []);
    assert.deepEqual(mentionsFor('intra_eu', [{ ...goods, taxRate: '21' }]), []);
    assert.deepEqual(
      mentionsFor('exempt', [
        { ...goods, taxRate: '21' },
        { ...goods, taxRate: '0.0000' },
      ]),
      ['exempt'],
    );
  });
});
