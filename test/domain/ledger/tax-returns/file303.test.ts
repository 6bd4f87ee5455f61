/** The tax agency's file of model 303. */
import assert from 'node:assert/strict';
import {
  type File303,
  file303,
  hasFile303,
  needsAccount,
  PAGE_LENGTHS,
} from '../../../../domain/ledger/tax-returns/file303.ts';
import { model303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const period = { year: 2026, period: '4T' };
const totals = [taxTotal('output', 8000), taxTotal('output', -500, { rectifying: true }), taxTotal('input', 6000)];
const { boxes, type } = model303({ period, totals, carried: '0', refund: false, stateShare: '100' });
const given: File303 = {
  period,
  boxes,
  type,
  company: { name: 'Peñón & Łódź S.L.', taxId: 'B12345674' },
  ...{ monthlyRefunds: false, rectification: null, account: null },
};
const filePage = (number: keyof typeof PAGE_LENGTHS, text = file303(given)) => {
  const from = text.indexOf(`<T303${number}>`);
  return text.slice(from, text.indexOf(`</T303${number}>`) + `</T303${number}>`.length);
};

describe('file of model 303', () => {
  it('contains records of the required lengths', () => {
    const text = file303(given);
    const refunded = file303({ ...given, type: 'D', account: 'ES9121000418450200051332' });
    for (const [number, length] of Object.entries(PAGE_LENGTHS)) {
      assert.equal(filePage(number as '01000', refunded).length, length, number);
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

  it('has the page of the bank account only for refunds', () => {
    assert.ok(!file303(given).includes('DID'));
    const page = filePage('DID00', file303({ ...given, type: 'D', account: 'ES9121000418450200051332' }));
    assert.equal(page.slice(0, 56), `<T303DID00>${' '.repeat(11)}${'ES9121000418450200051332'.padEnd(34)}`);
    assert.deepEqual([page.slice(56, 193).trim(), page[193]], ['', '1']);
    assert.deepEqual(
      [needsAccount('D', {}), needsAccount('C', { '111': '5' }), needsAccount('C', { '111': '0' })],
      [true, true, false],
    );
  });

  it('names the return that it rectifies, and why', () => {
    const rectification = { receiptNumber: '3032612345678', reason: 'correction' } as const;
    const marks = (page: string) => [page.slice(425, 440), page.slice(457, 459)];
    assert.deepEqual(marks(filePage('03000')), [' '.repeat(15), '  ']);
    const third = filePage('03000', file303({ ...given, rectification }));
    assert.deepEqual(marks(third), ['X3032612345678 ', 'X ']);
    const disputed = file303({ ...given, rectification: { ...rectification, reason: 'criterion' } });
    assert.deepEqual(marks(filePage('03000', disputed))[1], ' X');
    // The second answer: the register of monthly refunds.
    assert.equal(filePage('01000', file303({ ...given, monthlyRefunds: true })).slice(108, 110), '21');
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
