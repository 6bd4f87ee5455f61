/** The tax agency's file of model 303. */
import assert from 'node:assert/strict';
import { type File303, file303, hasFile303, PAGE_LENGTHS } from '../../../../domain/ledger/tax-returns/file303.ts';
import { model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const period = { year: 2026, period: '4T' };
const totals = [taxTotal('output', 8000), taxTotal('output', -500, { rectifying: true }), taxTotal('input', 6000)];
const { boxes, type } = model303({ period, totals, carried: '0', refund: false, stateShare: '100' });
const given: File303 = { period, boxes, type, company: { name: 'Peñón & Łódź S.L.', taxId: 'B12345674' } };
const text = file303(given);
const filePage = (number: keyof typeof PAGE_LENGTHS) => {
  const from = text.indexOf(`<T303${number}>`);
  return text.slice(from, text.indexOf(`</T303${number}>`) + `</T303${number}>`.length);
};

describe('file of model 303', () => {
  it('contains records of the required lengths', () => {
    for (const [number, length] of Object.entries(PAGE_LENGTHS)) {
      assert.equal(filePage(number as '01000').length, length, number);
    }
    assert.ok(text.startsWith('<T303020264T0000><AUX>') && text.endsWith('</T30303000></T303020264T0000>'));
    // 17 and 18 around, 311 of <AUX>.
    assert.equal(text.length, 17 + 311 + 1581 + 1017 + 18);
  });

  it('names the company and the period in capitals', () => {
    const first = filePage('01000');
    assert.equal(first.slice(12, 22), `IB12345674`);
    assert.equal(first.slice(22, 102).trim(), 'PEÑÓN & LÓDZ S.L.'.replace('L', ' '));
    assert.equal(first.slice(102, 130), '20264T223222222         2200');
  });

  it('writes amounts in cents, with N before negative ones', () => {
    const first = filePage('01000');
    // The lines of 0, 2, 4, 5 and 10 % come before that of 21 %, each 17 + 5 + 17 long.
    const general = 130 + 5 * 39;
    assert.equal(first.slice(general, general + 39), '000000000008000000210000000000000168000');
    // 10 to 13 come before 14 and 15.
    assert.equal(first.slice(general + 39 + 68, general + 39 + 102), 'N0000000000050000N0000000000010500');
    const third = filePage('03000');
    // Ten boxes, 76 and 64 (315), 65 (100 %).
    assert.equal(third.slice(11 + 11 * 17, 11 + 12 * 17 + 5), '0000000000003150010000');
  });

  it('has no bank account page, since it names no account', () => {
    assert.ok(!text.includes('DID'));
  });

  it('uses the design of 2026', () => {
    assert.deepEqual(
      [{ year: 2026, period: '01' }, { year: 2026, period: '1T' }, { year: 2026, period: '02' }, period].map(
        hasFile303,
      ),
      [false, false, true, true],
    );
  });
});
