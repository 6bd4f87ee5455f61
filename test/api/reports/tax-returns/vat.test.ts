/** VAT, model 303 and model 390 over HTTP: they say the same as the ledger and as one another (decision 0173). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { enterGoldenQuarter, notZero } from '../golden-quarter.ts';

const NOW = new Date('2027-02-10T09:00:00Z');
const QUARTERS = ['1T', '2T', '3T', '4T'] as const;
/** Percentages that the form prints. */
const PRINTED = new Set(['02', '05', '08', '154', '157', '166', '169', '17', '20', '23', '65']);

interface Model {
  readonly from: string;
  readonly to: string;
  readonly data: {
    readonly type: string;
    readonly boxes: Record<string, number>;
    readonly entry: { readonly account_code: string; readonly debit: number; readonly credit: number }[];
    readonly undeclared: unknown;
    readonly earlier: { readonly count: number; readonly drilldown: string } | null;
    readonly unmapped: unknown[];
    readonly drilldown: string;
  };
  readonly summary: Record<string, number>;
}

describe('official forms of a company with three decimals', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => openBooks(app));

  it('have two, and their sums are those of what they show', async () => {
    const { body: format } = await app.client.get('/api/config/format');
    const set = await app.client.put('/api/config/format', { ...format.data, decimalPrecision: 3 });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    const { taxGroupId, customerId } = await openTrade(app, 0);
    for (const price of [100.125, 33.333]) {
      const lines = [{ description: 'Asesoría', quantity: 1, price, taxGroupId }];
      const { id } = await books.make('/api/sales/invoices', { partnerId: customerId, date: '2026-02-10', lines });
      await books.make(`/api/sales/invoices/${id}/post`);
    }
    const inCents = (value: number) => assert.equal(value, Math.round(value * 100) / 100);
    for (const [name, query] of [
      ['303', 'year=2026&period=1T'],
      ['390', 'year=2026'],
      ['130', 'year=2026&quarter=1'],
      ['111', 'year=2026&period=1T'],
    ]) {
      const { status, body } = await app.client.get(`/api/reports/tax/model${name}?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      for (const value of Object.values(body.data.boxes)) inCents(value as number);
      for (const value of Object.values(body.summary)) if (typeof value === 'number') inCents(value);
    }
    const { body } = await app.client.get('/api/reports/tax/model303?year=2026&period=1T');
    // 100.125 + 33.333 = 133.458; 21.026 + 7 = 28.026.
    assert.deepEqual([body.data.boxes['07'], body.data.boxes['09'], body.data.boxes['27']], [133.46, 28.03, 28.03]);
    // Other reports have the company's decimals.
    const vat = await app.client.get('/api/reports/vat?from=2026-01-01&to=2026-03-31');
    assert.equal(vat.body.data.rows[0].base, 133.458);
    const filed = await app.client.post('/api/tax-returns', { model: '303', year: 2026, period: '1T' });
    assert.equal(filed.status, 201, JSON.stringify(filed.body));
    const [sheet] = (
      await readWorkbook(await download(app, '/api/reports/tax/model303?year=2026&period=1T&format=excel'))
    ).worksheets;
    assert.ok(!JSON.stringify(sheet?.getColumn(4).numFmt ?? '').includes('000'));
  });
});

describe('VAT reports of a quarter', () => {
  const app = useApp({ clock: { now: NOW } });
  const books = use(() => enterGoldenQuarter(app));
  const model = async (query: string, name = '303') =>
    (await books.report(`tax/model${name}`, query)) as never as Model;
  const amounts = ({ data }: Model) =>
    Object.fromEntries(Object.entries(notZero(data.boxes)).filter(([box]) => !PRINTED.has(box)));
  const span = 'from=2026-01-01&to=2026-03-31';

  it('have the boxes of model 303', async () => {
    const found = await model('year=2026&period=1T');
    // Calculated in test/domain/ledger/tax-returns/model303.test.ts: 27 = 1,680 + 210 − 105, 45 = 1,260 + 210.
    assert.deepEqual(amounts(found), {
      ...{ '07': 8000, '09': 1680, '10': 1000, '11': 210, '14': -500, '15': -105, '27': 1785 },
      ...{ '28': 6000, '29': 1260, '36': 1000, '37': 210, '45': 1470 },
      ...{ '46': 315, '64': 315, '66': 315, '69': 315, '71': 315 },
    });
    assert.deepEqual([found.from, found.to, found.data.type], ['2026-01-01', '2026-03-31', 'I']);
    assert.deepEqual(found.summary, { output: 1785, input: 1470, result: 315 });
  });

  it('show a part of the form, and the entry that settles the quarter', async () => {
    const settled = await model('year=2026&period=T1&type=regularizacion');
    // 477: 1,680 − 105 and 210; 472: 1,260 and 210; the rest is owed.
    const lines = settled.data.entry.map(({ account_code, debit, credit }) => `${account_code} ${debit} ${credit}`);
    assert.deepEqual(lines.sort(), [
      '47200021 0 1260',
      '47220021 0 210',
      '4750 0 315',
      '47700021 1575 0',
      '47720021 210 0',
    ]);
    assert.deepEqual([settled.data.boxes['71'], settled.data.boxes['27']], [315, undefined]);
    const output = await model('year=2026&period=1T&type=repercutido&exempt=false');
    assert.deepEqual(
      [output.data.boxes['27'], output.data.boxes['45'], output.data.boxes['59']],
      [1785, undefined, undefined],
    );
  });

  it('say the same: VAT, 303, 390 and the ledger', async () => {
    const { summary, data } = (await books.report('vat', span)) as never as {
      summary: { repercutido: Record<string, number>; soportado: Record<string, number>; balance: number };
      data: { rows: { drilldown: string }[]; undeclared: unknown };
    };
    // 477: 1,785 on the credit side; 472: 1,470 on the debit side.
    assert.deepEqual([await books.balance('477'), await books.balance('472')], [-1785, 1470]);
    assert.deepEqual([summary.repercutido.amount, summary.soportado.amount, summary.balance], [1785, 1470, 315]);
    assert.deepEqual(data.undeclared, { output: 0, input: 0 });
    const annual = await model('year=2026', '390');
    const quarters = await Promise.all(QUARTERS.map((period) => model(`year=2026&period=${period}`)));
    const added = (box: string) => quarters.reduce((total, { data: { boxes } }) => total + (boxes[box] ?? 0), 0);
    for (const [box, quarterly] of [
      ['05', '07'],
      ['06', '09'],
      ['25', '10'],
      ['29', '14'],
      ['47', '27'],
      ['64', '45'],
    ] as const) {
      assert.equal(annual.data.boxes[box], added(quarterly), `${box} = ${quarterly}`);
    }
    // 95 − 97 − 98 − 662 = 86
    assert.deepEqual(annual.summary, { output: 1785, input: 1470, result: 315, operations: 7500 });
    assert.equal(annual.data.boxes['95'], 315);
  });

  it('link to the entries behind each row', async () => {
    const { data } = (await books.report('vat', span)) as never as {
      data: { rows: { kind: string; regime: string; rectifying: boolean; drilldown: string }[] };
    };
    const shown = data.rows.map(({ kind, regime, rectifying }) => `${kind} ${regime} ${rectifying}`);
    assert.deepEqual(shown, [
      'repercutido domestic false',
      'repercutido domestic true',
      'repercutido intra_eu_goods false',
      'soportado domestic false',
      'soportado intra_eu_goods false',
    ]);
    const counts: number[] = [];
    for (const { drilldown } of data.rows) counts.push((await app.client.get(drilldown)).body.pagination.total);
    assert.deepEqual(counts, [1, 1, 1, 2, 1]);
  });

  it('link to the entries behind each box of the returns', async () => {
    for (const path of ['model303?year=2026&period=1T', 'model390?year=2026']) {
      const { data } = (await app.client.get(`/api/reports/tax/${path}`)).body;
      const sums = new Map<string, number>();
      for (const { box, amount, drilldown } of data.sources as { box: string; amount: number; drilldown: string }[]) {
        sums.set(box, (sums.get(box) ?? 0) + amount);
        assert.ok((await app.client.get(drilldown)).body.pagination.total > 0, drilldown);
      }
      assert.ok(sums.size > 6);
      for (const [box, amount] of sums) assert.equal(amount, data.boxes[box], box);
    }
    const { data } = (await app.client.get('/api/reports/tax/model303?year=2026&period=1T&type=soportado')).body;
    assert.deepEqual([...new Set(data.sources.map(({ box }: { box: string }) => box))], ['28', '29', '36', '37']);
  });

  it('count entries by hand that say what tax they are of, and name the others', async () => {
    const tax = { kind: 'input', operation: 'import', rate: 21, base: 1000 };
    const lines = [
      { accountId: books.account('472'), debit: 210, tax },
      { accountId: books.account('572'), credit: 210 },
    ];
    await books.make('/api/journal-entries', { date: '2026-05-10', post: true, lines });
    await books.entry('2026-05-11', { '477': -30, '572': 30 });
    const { data } = await model('year=2026&period=2T');
    assert.deepEqual([data.boxes['32'], data.boxes['33'], data.boxes['27'], data.boxes['71']], [1000, 210, 0, -210]);
    assert.deepEqual([data.type, data.undeclared], ['C', { output: 30, input: 0 }]);
    // The next quarter has it to compensate.
    const next = await model('year=2026&period=3T');
    assert.deepEqual([next.data.boxes['110'], next.data.boxes['78'], next.data.boxes['87']], [210, 0, 210]);
  });

  it('come as the file of the tax agency', async () => {
    const response = await download(app, '/api/reports/tax/model303?year=2026&period=2T&format=aeat');
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.match(response.headers.get('Content-Type') ?? '', /^text\/plain/);
    // Around 17 and 18, <AUX> 311, pages of 1,581 and 1,017; a credit of 210 at the end of box 71.
    assert.equal(bytes.length, 17 + 311 + 1581 + 1017 + 18);
    assert.ok(bytes.toString('latin1').includes('N0000000000021000'));
    for (const query of [
      'year=2026&period=1T',
      'year=2026&period=2T&type=soportado',
      'year=2026&period=2T&exempt=false',
    ]) {
      assertProblem(await app.client.get(`/api/reports/tax/model303?format=aeat&${query}`), 400, 'invalid_parameter');
    }
  });

  it('have words for codes in files, unless these name members', async () => {
    const rows = await readCsv(await download(app, `/api/reports/vat?${span}&format=csv`), ';');
    const words = new Set(rows.flatMap((row) => Object.values(row)));
    assert.ok(
      ['Repercutido', 'Soportado', 'Interior', 'Corriente'].every((word) => words.has(word)),
      [...words].join(),
    );
    const raw = await readCsv(await download(app, `/api/reports/vat?${span}&format=csv&header=names`), ';');
    assert.deepEqual(new Set(raw.map(({ kind }) => kind)), new Set(['repercutido', 'soportado']));
    const workbook = await readWorkbook(await download(app, `/api/reports/vat?${span}&format=excel`));
    const summary = workbook.getWorksheet('Resumen');
    // The same as boxes 27 and 45, and the balance of both.
    assert.deepEqual(
      [2, 3, 5].map((row) => rowCells(summary, row)[2]),
      [1785, 1470, 315],
    );
  });

  it('come as tables, a row for each box', async () => {
    const response = await download(app, '/api/reports/tax/model303?year=2026&period=1T&format=csv');
    const rows = (await readCsv(response, ';')) as Record<string, string>[];
    const row = rows.find(({ Casilla }) => Casilla === '71');
    assert.deepEqual([row?.Concepto, row?.Importe], ['Resultado de la autoliquidación', '315']);
    const workbook = await download(app, '/api/reports/tax/model390?year=2026&format=excel');
    assert.equal(workbook.status, 200);
  });

  it('are zero for periods without data, also future ones', async () => {
    const past = await model('year=1999&period=12');
    assert.deepEqual([amounts(past), past.data.type], [{}, 'N']);
    assert.deepEqual(amounts(await model('year=1999', '390')), {});
    const future = await model('year=2030&period=01');
    assert.deepEqual(future.summary, { output: 0, input: 0, result: 0 });
  });

  it('tell of sales whose operation was in an earlier period', async () => {
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const partner = await app.client.post('/api/partners', { name: 'Café Central', groupId: group.id });
    const sell = async (date: string, operationDate: string) => {
      const lines = [{ description: 'Servicio', quantity: 1, price: 100 }];
      const invoice = { partnerId: partner.body.data.id, date, operationDate, lines };
      const draft = await app.client.post('/api/sales/invoices', invoice);
      assert.equal(draft.status, 201, JSON.stringify(draft.body));
      assert.equal((await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`)).status, 200);
    };
    await sell('2026-07-05', '2026-06-30');
    await sell('2026-08-05', '2026-07-31');
    // The quarter counts only the operation of June; August counts that of July.
    const counts = { '2T': undefined, '3T': 1, '07': 1, '08': 1, '09': undefined };
    for (const [period, count] of Object.entries(counts)) {
      const { earlier } = (await model(`year=2026&period=${period}`)).data;
      assert.equal(earlier?.count, count, period);
      if (earlier) assert.equal((await app.client.get(earlier.drilldown)).body.pagination.total, count);
    }
  });

  it('refuse periods that are none', async () => {
    for (const query of [
      'year=2026&period=5T',
      'year=2026&period=13',
      'year=2026',
      'period=1T',
      'year=12&period=1T',
      'x=1',
    ]) {
      assertProblem(await app.client.get(`/api/reports/tax/model303?${query}`), 400, 'invalid_parameter');
    }
    assertProblem(await app.client.get('/api/reports/tax/model130?year=2026&quarter=5'), 400, 'invalid_parameter');
  });
});
