/** VAT returns with invoices and entries that are undone later (decision 0173). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { notZero, openReports } from '../../reports/golden-quarter.ts';

const PRINTED = new Set(['02', '05', '08', '154', '157', '166', '169', '17', '20', '23', '65']);
const LATER = ['110', '78', '87', '46', '64', '66', '69'];

describe('reversed taxes', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const boxes = async (query: string) => {
    const { data } = await books.report('tax/model303', query);
    const found = Object.entries(notZero((data as { boxes: Record<string, number> }).boxes));
    return Object.fromEntries(found.filter(([box]) => !PRINTED.has(box) && !LATER.includes(box)));
  };
  const cancelled = async (side: 'sales' | 'purchases', [date, until]: [string, string], price: number, more = {}) => {
    const { id } = await books.invoice(side, date, price, more);
    await books.make(`/api/${side}/invoices/${id}/cancel`, { date: until });
  };

  before(async () => {
    await cancelled('sales', ['2026-03-10', '2026-04-05'], 1000);
    await cancelled('sales', ['2026-03-12', '2026-03-20'], 100);
    await cancelled('purchases', ['2026-02-10', '2026-05-06'], 400);
    await cancelled('purchases', ['2026-03-15', '2026-06-01'], 500, { vatRegime: 'intra_eu' });
    const tax = { kind: 'input', operation: 'import', rate: 21, base: 200 };
    const lines = [
      { accountId: books.account('472'), debit: 42, tax },
      { accountId: books.account('572'), credit: 42 },
    ];
    const { id } = await books.make('/api/journal-entries', { date: '2026-03-16', post: true, lines });
    await books.make(`/api/journal-entries/${id}/reverse`, { date: '2026-04-16' });
  });

  it('stay in the return of their own quarter, unless reversed within it', async () => {
    // 1,000 and, until it was cancelled on 20 March, 100. 27 = 210 + 105; 45 = 84 + 105 + 42.
    assert.deepEqual(await boxes('year=2026&period=1T'), {
      ...{ '07': 1000, '09': 210, '10': 500, '11': 105, '27': 315 },
      ...{ '28': 400, '29': 84, '32': 200, '33': 42, '36': 500, '37': 105, '45': 231, '71': 84 },
    });
  });

  it('rectify the quarter in which they are reversed', async () => {
    // 14 = −1,000 − 500, 15 = −210 − 105; 40 = −400 − 500 − 200, 41 = −84 − 105 − 42; 71 = −315 + 231.
    assert.deepEqual(await boxes('year=2026&period=2T'), {
      ...{ '14': -1500, '15': -315, '27': -315, '40': -1100, '41': -231, '45': -231, '71': -84 },
    });
  });

  it('cancel out over the year: in the annual return, the report and the accounts', async () => {
    const annual = await books.report('tax/model390', 'year=2026');
    const year = (annual.data as { boxes: Record<string, number> }).boxes;
    const shown = ['05', '06', '29', '30', '47', '639', '62', '64', '99'].map((box) => year[box]);
    // Sold 1,000 at 21 % and rectified −1,500 with the acquisition; what was deducted, and what of it was taken back.
    assert.deepEqual(shown, [1000, 210, -1500, -315, 0, -1100, -231, 0, 0]);
    const { summary, data } = await books.report('vat', 'from=2026-01-01&to=2026-12-31');
    assert.equal((summary as { balance: number }).balance, 0);
    assert.deepEqual((data as { undeclared: unknown }).undeclared, { output: 0, input: 0 });
    assert.deepEqual([await books.balance('477'), await books.balance('472')], [0, 0]);
  });

  it('rectify another month once a company files monthly', async () => {
    await books.make('/api/tax-returns', { model: '303', year: 2026, period: '07', overrides: { '110': 0 } });
    await cancelled('sales', ['2026-10-10', '2026-11-10'], 100);
    await cancelled('sales', ['2026-10-12', '2026-10-13'], 50);
    const october = await boxes('year=2026&period=10');
    const november = await boxes('year=2026&period=11');
    assert.deepEqual([october['07'], october['09'], october['14']], [100, 21, undefined]);
    assert.deepEqual([november['07'], november['14'], november['15']], [undefined, -100, -21]);
  });
});
