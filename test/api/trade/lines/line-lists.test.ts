import assert from 'node:assert/strict';
import { searchLines } from '../../../../services/trade/lines/search.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { type Answered, openLines } from './line-lists.ts';

const sorted = (lines: readonly Answered[]) => lines.map(({ code, lineNumber }) => [code, lineNumber]);

describe('lists of the lines of all documents', () => {
  const app = useApp();
  const shop = use(() => openLines(app));

  it('tell what the goods of each step cost, and what is left', async () => {
    // Bought at 1.20, sold at 2.50. Of 10 ordered 4 are delivered and invoiced: 4 × 1.20 = 4.80 of 10.00; VAT 2.10.
    const order = await shop.make('/api/sales', { lines: [{ itemId: shop.itemId, quantity: 10 }] });
    const note = await shop.follow(`/api/sales/${order.id}/deliver`, order, 4);
    const invoice = await shop.invoiced(`/api/sales/delivery-notes/${note.id}/invoice`);
    const [ordered] = await shop.lines(`documentId=${order.id}`);
    assert.deepEqual(
      [ordered.docType, ordered.cost, ordered.margin, ordered.openQuantity, ordered.deliveredQuantity],
      ['SO', null, null, 6, 4],
    );
    assert.equal(ordered.invoicedQuantity, 4);
    const [delivered] = await shop.lines(`documentId=${note.id}`);
    assert.deepEqual([delivered.cost, delivered.margin, delivered.openQuantity], [4.8, 5.2, 0]);
    const [line] = await shop.lines(`documentId=${invoice.id}`);
    const { amount, tax, cost, margin, code, number, partnerName, itemName } = line;
    assert.deepEqual({ amount, tax, cost, margin }, { amount: 10, tax: 2.1, cost: 4.8, margin: 5.2 });
    assert.deepEqual([code, number, partnerName, itemName], [invoice.code, invoice.number, 'Café Central', 'Naranjas']);
  });

  it('take the cost back with goods that return: by the rectifying invoice, or by a note that it credits', async () => {
    // 6 go out with a note, 2 come back by a return: −2.40. Crediting 3 takes back the cost of only these 2, a later one none.
    const note = await shop.make('/api/sales/delivery-notes', { lines: [{ itemId: shop.itemId, quantity: 6 }] });
    const invoice = await shop.invoiced(`/api/sales/delivery-notes/${note.id}/invoice`);
    const firstLineCost = async ({ id }: Answered) => (await shop.lines(`documentId=${id}`))[0].cost as number;
    const rectified = (quantity: number, returnStock = false, of = invoice) =>
      shop.invoiced(`/api/sales/invoices/${of.id}/rectify`, {
        reason: 'Rotas',
        returnStock,
        lines: [{ baseLineId: of.lines[0].id, quantity }],
      });
    const mere = await rectified(1);
    assert.equal(await firstLineCost(mere), 0, 'nothing has come back yet');
    const back = await shop.follow(`/api/sales/delivery-notes/${note.id}/return`, note, 2);
    assert.equal(await firstLineCost(back), -2.4);
    assert.deepEqual(
      [await firstLineCost(mere), await firstLineCost(await rectified(3)), await firstLineCost(await rectified(1))],
      [-1.2, -1.2, 0],
    );
    // The credit of the last piece opens the note again, and the whole cost goes back.
    const last = await rectified(1);
    assert.deepEqual(
      [await firstLineCost(invoice), await firstLineCost(mere), await firstLineCost(last)],
      [7.2, -1.2, -1.2],
    );
    assert.equal((await shop.lines(`documentId=${note.id}`))[0].openQuantity, 4);
    // An invoice that moved 3 itself (3.60), and a rectifying one that takes back 2 of them.
    const direct = await shop.posted({ lines: [{ itemId: shop.itemId, quantity: 3 }] });
    assert.deepEqual([await firstLineCost(direct), await firstLineCost(await rectified(2, true, direct))], [3.6, -2.4]);
  });

  it('tell nothing of the cost of what has not left, and 0 of services', async () => {
    const service = { description: 'Montaje', quantity: 1, price: 30, taxGroupId: shop.taxGroupId };
    const draft = await shop.make('/api/sales/invoices', { lines: [service] });
    assert.equal((await shop.lines(`documentId=${draft.id}`))[0].cost, null);
    const posted = await shop.posted({ lines: [service] });
    assert.deepEqual(
      (await shop.lines(`documentId=${posted.id}`)).map(({ cost, margin }) => [cost, margin]),
      [[0, 30]],
    );
    await app.client.post(`/api/sales/invoices/${posted.id}/cancel`);
    const [cancelled] = await shop.lines(`documentId=${posted.id}`);
    assert.deepEqual([cancelled.status, cancelled.cost, cancelled.margin], ['X', null, null]);
  });

  it('are the lines of the documents, with the same quantities, whatever filters them', async () => {
    const lines = await shop.lines('limit=500');
    assert.ok(lines.length >= 10);
    for (const line of lines) {
      const path = { SO: '/api/sales', SDN: '/api/sales/delivery-notes', SINV: '/api/sales/invoices' }[
        line.docType as 'SO'
      ];
      const { data } = (await app.client.get(`${path}/${line.documentId}`)).body;
      const same = data.lines.find(({ id }: Answered) => id === line.id);
      for (const member of ['quantity', 'price', 'amount', 'deliveredQuantity', 'invoicedQuantity', 'returnedQuantity'])
        assert.equal(line[member], same[member], `${line.code} ${member}`);
      assert.equal(line.openQuantity, line.status === 'X' ? 0 : same.openQuantity, line.code ?? 'draft');
    }
    for (const [filter, holds] of [
      [`itemId=${shop.itemId}`, (line: Answered) => line.itemId === shop.itemId],
      ['docType=sales_invoice', (line: Answered) => line.docType === 'SINV'],
      ['margin[lt]=0', (line: Answered) => line.margin !== null && line.margin < 0],
      ['cost[empty]=true', (line: Answered) => line.cost === null],
      ['openQuantity[gt]=0', (line: Answered) => line.openQuantity > 0],
      ['openQuantity[gte]=2', (line: Answered) => line.openQuantity >= 2],
      ['openQuantity=6', (line: Answered) => line.openQuantity === 6],
      ['openQuantity[in]=6,7', (line: Answered) => line.openQuantity === 6],
      ['openQuantity[in]=0,2', (line: Answered) => line.openQuantity === 0],
      ['openQuantity[lte]=0', (line: Answered) => line.openQuantity === 0],
      ['q=montaje', (line: Answered) => line.description === 'Montaje'],
    ] as const) {
      const expected = lines.filter(holds);
      assert.ok(expected.length > 0 && expected.length < lines.length, filter);
      assert.deepEqual(sorted(await shop.lines(`${filter}&limit=500`)), sorted(expected), filter);
    }
  });

  it('are counted as they are listed, of the side with most documents as of the other', async () => {
    await shop.bought({ lines: [{ itemId: shop.itemId, quantity: 1, price: 1 }] });
    const totals = { sales: 0, purchases: 0 };
    for (const side of ['sales', 'purchases'] as const) {
      const { data, pagination } = (await app.client.get(`/api/${side}/lines?limit=500`)).body;
      assert.equal(pagination.total, data.length, side);
      totals[side] = data.length;
    }
    assert.ok(totals.sales > totals.purchases && totals.purchases > 0, JSON.stringify(totals));
  });

  it('are found by what their documents, partners and items are called, and by what they say', async () => {
    const { id } = await shop.make('/api/sales', {
      reference: 'Pedido 4711 por carta',
      lines: [{ itemId: shop.itemId, quantity: 7, description: 'Naranjas (50% verdes)' }],
    });
    const all = await shop.lines('limit=500');
    const [made] = all.filter(({ documentId }) => documentId === id);
    const texts = ['4711', 'central', 'Naranjas', 'montaje', made.code, '50% verdes', 'naranjas (', 'xyz', 'af', '%'];
    for (const text of texts) {
      const names = ['code', 'reference', 'partnerCode', 'partnerName', 'itemCode', 'itemName', 'description'] as const;
      const holds = (line: Answered) => names.some((name) => line[name]?.toLowerCase().includes(text.toLowerCase()));
      const { body } = await app.client.get(`/api/sales/lines?limit=500&q=${encodeURIComponent(text)}`);
      assert.deepEqual(sorted(body.data), sorted(all.filter(holds)), text);
      assert.equal(body.pagination.total, all.filter(holds).length, text);
    }
    const both = await shop.lines(`limit=500&q=central&docType=SO&openQuantity[gt]=6`);
    assert.deepEqual(sorted(both), sorted(all.filter((line) => line.docType === 'SO' && line.openQuantity > 6)));
  });

  it('are found in documents of the types that the caller may read, and in no others', async () => {
    const invoiced = (await shop.lines('limit=500')).filter(({ docType }) => docType === 'SINV').map(({ id }) => id);
    const reader = app.database.reader({ tenantId: app.tenantId });
    const found = await searchLines(['SINV'])(reader, { pattern: '%central%', part: '%ntral%', most: 1000 });
    assert.deepEqual([...found].sort(), invoiced.sort());
  });

  it('page through all lines in every order', async () => {
    for (const sort of [
      '',
      '&sort=-margin',
      '&sort=cost,itemCode',
      '&sort=openQuantity',
      '&sort=partnerName,-amount',
    ]) {
      const all = (await shop.lines(`limit=500${sort}`)).map(({ id }) => id);
      const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => shop.lines(`limit=4&page=${page}${sort}`)));
      assert.deepEqual(
        pages.flat().map(({ id }) => id),
        all.slice(0, 24),
        sort,
      );
    }
  });

  it('export as files, with codes in place of ids and labels in Spanish', async () => {
    const { body } = await app.client.get('/api/sales/lines?format=csv&docType=SINV&sort=date');
    const [header = ''] = String(body).split('\r\n');
    for (const label of ['Tipo de documento', 'Fecha', 'Importe', 'Coste', 'Margen', 'Cantidad pendiente'])
      assert.ok(header.split(';').includes(label), `${label} in ${header}`);
    const named = await app.client.get(
      '/api/purchases/lines?format=csv&fields=code,itemCode,quantity,cost&header=names',
    );
    assert.equal(String(named.body).split('\r\n')[0]?.replace('\uFEFF', ''), 'code;itemCode;quantity;cost');
  });

  it('of purchases cost what cannot be deducted besides', async () => {
    const line = { itemId: shop.itemId, quantity: 10, price: 1, vatUse: 'none' };
    const bought = await shop.bought({ lines: [line] });
    const { body } = await app.client.get(`/api/purchases/lines?documentId=${bought.id}`);
    // 10.00 and the VAT of 21 % that is lost.
    assert.deepEqual([body.data[0].amount, body.data[0].tax, body.data[0].cost], [10, 2.1, 12.1]);
    assert.equal('margin' in body.data[0], false);
  });

  it('refuse what is no filter, and find nothing of another company', async () => {
    for (const bad of [
      'unknown=1',
      'itemId=x',
      'docType=PINV',
      'docType=purchase_invoice',
      'sort=tags',
      'page=0',
      'amount=a',
    ])
      assert.equal((await app.client.get(`/api/sales/lines?${bad}`)).status, 400, bad);
    const made = await app.client.post('/api/tenants', {
      name: 'Otra',
      taxId: 'B58818501',
      country: 'ES',
      currency: 'EUR',
    });
    const other = app.as(app.token, made.body.data.id);
    assert.equal((await other.get('/api/sales/lines')).body.pagination.total, 0);
    assert.equal((await other.get(`/api/sales/lines?itemId=${shop.itemId}`)).body.pagination.total, 0);
  });
});
