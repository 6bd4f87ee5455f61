/** The accounting pages of model 200 (decision 0385). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { enterGoldenQuarter } from '../golden-quarter.ts';

const notZero = (boxes: Record<string, number>) =>
  Object.fromEntries(Object.entries(boxes).filter(([, value]) => value !== 0));

describe('model 200', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => enterGoldenQuarter(app));
  const read = async (year = 2026) => {
    const { data, summary } = await books.report('tax/model200', `year=${year}`);
    const { boxes, rows, unplaced } = data as {
      boxes: Record<string, number>;
      rows: { box: string; page: number; amount: number; drilldown: string }[];
      unplaced: { amount: number }[];
    };
    return { boxes, rows, unplaced, summary: summary as Record<string, number> };
  };

  it('has the annual accounts in its boxes', async () => {
    const { boxes, rows, summary, unplaced } = await read();
    const sheet = await books.report('balance-sheet', 'from=2026-01-01&to=2026-12-31');
    const pl = await books.report('pl', 'from=2026-01-01&to=2026-12-31');
    const total = sheet.summary as { assets: number; equity_and_liabilities: number };
    const { result } = pl.summary as { result: number };
    assert.deepEqual(summary, { assets: total.assets, equity_and_liabilities: total.equity_and_liabilities, result });
    assert.ok(result !== 0 && total.assets !== 0);
    // The result of the year is the same on pages 5 and 8.
    assert.deepEqual([boxes['00199'], boxes['00500'], unplaced], [result, result, []]);
    const of = (box: string) => boxes[box] ?? 0;
    assert.equal(of('00101') + of('00136'), of('00180'));
    assert.equal(of('00185') + of('00210') + of('00228'), of('00252'));
    assert.equal(of('00296') + of('00324') + of('00326'), of('00500'));
    const pages = rows.map(({ page }) => page);
    assert.deepEqual([...new Set(pages)].toSorted(), [3, 4, 5, 6, 7, 8]);
    assert.ok(Object.keys(notZero(boxes)).length > 10);
  });

  it('is a file of its rows, and zero in a year without entries', async () => {
    const rows = await readCsv(await download(app, '/api/reports/tax/model200?year=2026&format=csv'), ';');
    assert.ok(
      rows.some((row) => Object.values(row).includes('00255')),
      JSON.stringify(rows[0]),
    );
    const { boxes } = await read(2024);
    assert.deepEqual(notZero(boxes), {});
  });
});
