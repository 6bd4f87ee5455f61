import assert from 'node:assert/strict';
import { query } from '../../../../db/sql.ts';
import { addCompany } from '../../../helpers/company.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

const INVOICES = '/api/sales/invoices';

describe('lists of documents', () => {
  const app = useApp();
  const trade = use(() => openTrade(app));
  const made = async (path: string, members: object = {}) => {
    const { partnerId = trade.customerId, ...more } = members as { partnerId?: string };
    const lines = [{ description: 'Montaje', quantity: 1, price: 1, taxGroupId: trade.taxGroupId }];
    const { status, body } = await app.client.post(path, { partnerId, lines, ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data as { id: string; code: string };
  };
  const posted = async (members: object = {}) => {
    const { id } = await made(INVOICES, members);
    return (await app.client.post(`${INVOICES}/${id}/post`)).body.data as { id: string; code: string };
  };
  const read = async (parameters: string) => {
    const { body } = await app.client.get(`${INVOICES}?${parameters}`);
    return { ids: body.data.map((row: { id: string }) => row.id) as string[], total: body.pagination.total as number };
  };
  const counted = async () => {
    const [{ count } = { count: 0 }] = await app.database.readTenant(app, (db) =>
      query<{ count: number }>(db, `select count(*) from documents where doc_type = 'SINV'`, {}),
    );
    return Number(count);
  };

  it('know how many there are without counting: numbered ones, drafts, cancelled drafts, of all series', async () => {
    assert.equal((await read('')).total, 0);
    const { data: late } = (await app.client.post('/api/series', { docType: 'SINV', prefix: 'L-', nextNumber: 41 }))
      .body;
    for (const seriesId of [undefined, undefined, late.id, late.id]) await posted({ seriesId });
    await made(INVOICES);
    await made(INVOICES, { seriesId: late.id });
    const cancelled = await made(INVOICES);
    await app.client.post(`${INVOICES}/${cancelled.id}/cancel`);
    await app.client.del(`${INVOICES}/${(await made(INVOICES)).id}`);
    assert.deepEqual([(await read('limit=1')).total, await counted()], [7, 7]);
    assert.equal((await read('limit=1&status=O')).total, 4);
    // The last note of its series may be deleted; its number is given again.
    const notes = '/api/purchases/delivery-notes';
    const from = { partnerId: trade.supplierId };
    const before = (await app.client.get(notes)).body.pagination.total;
    const ids = [await made(notes, from), await made(notes, from), await made(notes, from)].map(({ id }) => id);
    assert.equal((await app.client.del(`${notes}/${ids.at(-1)}`)).status, 204);
    assert.equal((await app.client.get(notes)).body.pagination.total, before + 2);
  });

  it('show each document on one page, in every order', async () => {
    for (const sort of ['-date', 'date', '-total', 'total', 'code', '-dueDate', 'partnerName', 'seriesId']) {
      const { ids, total } = await read(`sort=${sort}`);
      const pages = await Promise.all([1, 2, 3, 4].map((page) => read(`sort=${sort}&limit=2&page=${page}`)));
      assert.deepEqual(
        pages.flatMap((page) => page.ids),
        ids,
        sort,
      );
      assert.equal(total, ids.length);
    }
  });

  it('are searched by parts of codes and references, and by partners', async () => {
    const other = await app.client.post('/api/partners', {
      name: 'Ferretería 100%_Ñandú',
      groupId: (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id,
    });
    const { id, code } = await posted({ reference: 'Pedido ÁRBOL/4711' });
    const { id: theirs } = await posted({ partnerId: other.body.data.id });
    const found = async (q: string) => (await read(`q=${encodeURIComponent(q)}`)).ids;
    for (const q of [code, code.toLowerCase(), code.slice(2), 'pedido árbol/4711', '4711', 'ÁRBOL/', 'l/4'])
      assert.deepEqual(await found(q), [id], q);
    for (const q of ['ñandú', '100%_', 'FERRETERÍA', other.body.data.code])
      assert.deepEqual(await found(q), [theirs], q);
    for (const q of ['%', '___', 'Pedido 4711', '\\', "'"]) {
      const expected = q === '%' ? [theirs] : [];
      assert.deepEqual(await found(q), expected, q);
    }
    assert.ok((await found('1')).length > 1);
  });

  it('find nothing of another company, whatever is asked of the database', async () => {
    const stranger = await addCompany(app.database, app.databaseUrl);
    const all = (db: Parameters<typeof query>[0]) =>
      query(db, `select documents_containing('SINV', '%', '%', 100)`, {});
    assert.ok((await app.database.readTenant(app, all)).length > 5);
    assert.deepEqual(await stranger.run(all), []);
  });
});
