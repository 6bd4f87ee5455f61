/** The return of the Union scheme: sales, corrections of earlier quarters, and what is owed to each state (decision 0377). */
import assert from 'node:assert/strict';
import { file369 } from '../../../../domain/ledger/tax-returns/file369.ts';
import { declare369, model369, type UnionSale } from '../../../../domain/ledger/tax-returns/model369.ts';
import { unionSettlementLines } from '../../../../domain/ledger/tax-returns/settlement.ts';
import type { Decimal } from '../../../../domain/money.ts';

const PERIOD = { year: 2026, period: '2T' };

function sale(country: string, base: number, rate: number, more: Partial<UnionSale> = {}): UnionSale {
  const amount = `${(base * rate) / 100}` as Decimal;
  const taxed = { rateKind: 'standard', rate: `${rate}` as Decimal, base: `${base}` as Decimal, amount } as const;
  return { country, goods: true, ...taxed, date: '2026-05-10', corrects: null, accountId: 'oss', ...more };
}

describe('model 369', () => {
  it('adds up sales by state, kind and rate, with what is taken back in the quarter', () => {
    const services = { goods: false };
    const back = sale('FR', -100, 20, { corrects: '2026-04-01', date: '2026-06-01' });
    const reduced = sale('FR', 100, 5.5, { rateKind: 'reduced' });
    const sales = [sale('FR', 1000, 20), back, sale('DE', 200, 19, services), reduced];
    const { rows, corrections } = declare369(sales, PERIOD);
    assert.deepEqual(
      rows.map(({ country, goods, rateKind, rate, base, amount }) => [country, goods, rateKind, rate, base, amount]),
      [
        ['DE', false, 'standard', '19', '200', '38'],
        ['FR', true, 'reduced', '5.5', '100', '5.5'],
        ['FR', true, 'standard', '20', '900', '180'],
      ],
    );
    assert.deepEqual(corrections, []);
  });

  it('corrects earlier quarters by state, and owes no state less for what another one pays back', () => {
    const of = (date: string) => ({ corrects: date });
    const sales = [
      sale('FR', 1000, 20),
      sale('FR', -500, 20, of('2026-02-01')),
      sale('IT', -100, 22, of('2025-12-31')),
    ];
    const found = declare369(sales, PERIOD);
    assert.deepEqual(found.corrections, [
      { country: 'FR', year: 2026, period: '1T', amount: '-100' },
      { country: 'IT', year: 2025, period: '4T', amount: '-22' },
    ]);
    assert.deepEqual(found.balances, [
      { country: 'FR', amount: '100' },
      { country: 'IT', amount: '-22' },
    ]);
    const boxes = model369(found);
    assert.deepEqual(boxes, { '3B': '0', '3': '0', '4B': '1000', '4': '200', '7': '-122', '8': '100', '8N': '-22' });
    const accounts = { payable: '4750', receivable: '4700', gain: '', loss: '' };
    const lines = unionSettlementLines(found.accounts, boxes, accounts);
    assert.deepEqual(
      lines.map(({ accountId, debit, credit }) => [accountId, debit, credit]),
      [
        ['oss', '78', '0'],
        ['4750', '0', '100'],
        ['4700', '22', '0'],
      ],
    );
  });

  it('corrects no quarter after three years from the end of its time to file', () => {
    const back = (corrects: string) => declare369([sale('FR', -100, 20, { corrects })], PERIOD);
    // The first quarter of 2023 had to be filed by 30 April 2023, the second by 31 July.
    assert.deepEqual(back('2023-04-01').expired, []);
    const { expired, corrections, balances } = back('2023-03-31');
    assert.deepEqual([expired.length, corrections, balances], [1, [], []]);
  });

  it('is a file in the design of the agency', () => {
    const sales = [
      sale('GR', 1000, 24),
      sale('FR', -10, 20, { corrects: '2026-01-31' }),
      sale('DE', 100, 19, { goods: false }),
    ];
    const found = declare369(sales, PERIOD);
    const company = { name: 'Olivar, S. L.', taxId: 'B12345674' };
    const { rows, corrections } = found;
    const text = file369({ period: PERIOD, rows, corrections, result: '259', company });
    const page = (number: string) => text.split(`<T369${number}>`)[1]?.split(`</T369${number}>`)[0] ?? '';
    assert.ok(text.startsWith('<T369020262T0000><AUX>') && text.endsWith('</T369020262T0000>'));
    assert.deepEqual(
      ['00', '04', '05', '08', '09'].map((number) => page(number).length),
      [93, 1406, 1194, 746, 5786],
    );
    assert.equal(page('04').slice(0, 47), `MOSS DO${' '.repeat(22)}${'0'.repeat(17)} `);
    assert.equal(page('04').slice(189, 197), '2026T02 ');
    assert.equal(page('04').slice(213, 255), `DE01900S${'10000'.padStart(17, '0')}${'1900'.padStart(17, '0')}`);
    assert.equal(page('05').slice(1, 43), `EL02400S${'100000'.padStart(17, '0')}${'24000'.padStart(17, '0')}`);
    assert.equal(page('08').slice(1, 27), `FR2026T01N${'200'.padStart(16, '0')}`);
    const empty = file369({ period: PERIOD, rows: [], corrections: [], result: '0', company });
    assert.deepEqual([empty.includes('<T36908>'), empty.split('<T36904>')[1]?.slice(212, 213)], [false, '1']);
  });
});
