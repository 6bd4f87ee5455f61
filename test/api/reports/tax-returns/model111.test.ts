/** Model 111 over HTTP: invoices of professionals, rents, and what is entered by hand. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { enterGoldenQuarter, notZero } from '../golden-quarter.ts';

describe('model 111 of invoices', () => {
  const app = useApp({ clock: { now: new Date('2026-04-15T10:00:00Z') } });
  const books = use(() => enterGoldenQuarter(app));
  const quarter = async (query = 'year=2026&period=1T') => {
    const { data } = await books.report('tax/model111', query);
    return data as { boxes: Record<string, number>; elsewhere: object[] } & Record<string, unknown>;
  };
  const fee = (date: string, price: number, withholdingRate: number) =>
    books.invoice('purchases', date, price, { withholdingRate }, { itemId: undefined, description: 'Abogado' });

  it('leaves rents to model 115, and says what is on the account without a name', async () => {
    const { boxes, elsewhere, undeclared, entered, type } = await quarter();
    assert.deepEqual([notZero(boxes), type], [{}, 'N']);
    // The rent of 1,000, and wages that were entered by hand; the balance of 4751 is 394.
    assert.deepEqual(elsewhere, [{ rate: 19, base: 1000, amount: 190 }]);
    assert.deepEqual([undeclared, entered], [204, 394]);
  });

  it('declares what was withheld from professionals, and equals the account', async () => {
    await fee('2026-02-10', 1000, 15);
    const wrong = await fee('2026-03-10', 400, 7);
    const first = { '07': 1, '08': 1400, '09': 178, '28': 178, '30': 178 };
    const { boxes, entered, type, drilldown } = await quarter('');
    assert.deepEqual([notZero(boxes), type], [first, 'I']);
    const { summary } = (await app.client.get(String(drilldown))).body as unknown as { summary: { balance: number } };
    assert.equal(summary.balance, -Number(entered));
    // Undone in April: that quarter takes it back.
    assert.equal((await app.client.post(`/api/purchases/invoices/${wrong.id}/cancel`)).status, 200);
    assert.deepEqual(notZero((await quarter()).boxes), first);
    const second = { '07': 1, '08': -400, '09': -28, '28': -28, '30': -28 };
    assert.deepEqual(notZero((await quarter('year=2026&period=2T')).boxes), second);
  });

  it('does not count what is paid to the agency, nor what customers withhold', async () => {
    await books.entry('2026-03-31', { '4751': -50, '629': 50 });
    const before = await quarter();
    await books.invoice('sales', '2026-03-20', 2000, { withholdingRate: 15 });
    await books.entry('2026-03-31', { '4751': 254, '572': -254 });
    const after = await quarter();
    assert.deepEqual(after, before);
    assert.equal(after.undeclared, 254);
    assert.deepEqual(notZero((await quarter('year=2026&period=02')).boxes)['28'], 150);
    assert.deepEqual(notZero((await quarter('year=2026&period=T4')).boxes), {});
  });

  it('refuses other periods, and is written as a form', async () => {
    assertProblem(await app.client.get('/api/reports/tax/model111?year=2026'), 400, 'invalid_parameter');
    assertProblem(await app.client.get('/api/reports/tax/model111?year=2026&period=5T'), 400, 'invalid_parameter');
    const file = await download(app, '/api/reports/tax/model111?year=2026&period=1T&format=csv');
    const rows = await readCsv(file, ';');
    assert.deepEqual(
      rows.filter(({ Importe }) => Importe !== '0').map(({ Casilla, Importe }) => [Casilla, Importe]),
      [
        ['07', '1'],
        ['08', '1400'],
        ['09', '178'],
        ['28', '178'],
        ['30', '178'],
      ],
    );
  });
});
