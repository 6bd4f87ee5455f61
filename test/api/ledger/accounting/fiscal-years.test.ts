import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';

const PATH = `/api/fiscal-years/${YEAR}`;
const day = (month: number, year = YEAR) => `${year}-${String(month).padStart(2, '0')}-10`;

describe('fiscal years', () => {
  let accounts: Map<string, string>;
  let customerId: string;
  let taxGroupId: string;

  const app = useApp({}, { each: true });
  beforeEach(async () => {
    const { body } = await app.client.get('/api/accounts?limit=500');
    accounts = new Map((body.data as { code: string; id: string }[]).map(({ code, id }) => [code, id]));
    const groups = (await app.client.get('/api/partnerGroups?code=CLI')).body.data;
    customerId = (await app.client.post('/api/partners', { name: 'Café', groupId: groups[0].id })).body.data.id;
    taxGroupId = (await app.client.get('/api/taxes?code=IVA21')).body.data[0].id;
    assert.equal((await app.client.post('/api/periods/generate', { year: YEAR + 1 })).status, 201);
  });

  const enter = (date: string, debit: string, credit: string, amount: number, post = true) =>
    app.client.post('/api/journal-entries', {
      date,
      post,
      lines: [
        { accountId: accounts.get(debit), debit: amount },
        { accountId: accounts.get(credit), credit: amount },
      ],
    });
  const sell = async (price: number, date = day(2)) => {
    const lines = [{ description: 'Servicio', quantity: 1, price, taxGroupId }];
    const { body } = await app.client.post('/api/sales/invoices', { partnerId: customerId, date, lines });
    return body.data.id as string;
  };
  const post = (id: string) => app.client.post(`/api/sales/invoices/${id}/post`);
  const queryRows = async (sql: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const { rows } = await db.raw<{ rows: Record<string, unknown>[] }>(sql);
      return rows.map((row) => Object.values(row));
    });
  const entryLines = (id: string) =>
    queryRows(`select a.code, (l.debit - l.credit)::float8, l.partner_id is not null from journal_lines l join accounts a
      on a.id = l.account_id
      where l.entry_id = '${id}' order by l.line_number`);
  const balances = (until: string) =>
    queryRows(`select a.code, sum(l.debit - l.credit)::float8 from journal_lines l join accounts a on a.id = l.account_id
      where l.date <= '${until}' group by a.code having sum(l.debit - l.credit) <> 0 order by a.code`);

  /** The year, closed with entries that were made in no order of their days. */
  const closeTraded = async () => {
    await enter(day(3), '621', '572', 300);
    await enter(day(1), '572', '100', 5000);
    await post(await sell(1000));
    const before = await balances(`${YEAR}-12-31`);
    const answer = await app.client.post(`${PATH}/close`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return { before, closed: answer.body.data };
  };

  it('are closed by regularisation, closing and opening entries', async () => {
    const { closed } = await closeTraded();
    assert.deepEqual(
      { year: closed.year, status: closed.status, result: closed.result, closedPeriods: closed.closedPeriods.length },
      { year: YEAR, status: 'closed', result: 700, closedPeriods: 12 },
    );
    assert.equal(closed.stockEntryId, null);
    assert.deepEqual(await entryLines(closed.regularisationId), [
      ['129', -700, false],
      ['621', -300, false],
      ['705', 1000, false],
    ]);
    const opening = [
      ['100', -5000, false],
      ['129', -700, false],
      ['430', 1210, true],
      ['47700021', -210, false],
      ['572', 4700, false],
    ];
    assert.deepEqual(await entryLines(closed.openingId), opening);
    assert.deepEqual(await balances(`${YEAR}-12-31`), []);
    assert.deepEqual(
      await balances(`${YEAR + 1}-12-31`),
      opening.map(([code, balance]) => [code, balance]),
    );
  });

  it('are numbered by date when they are closed; the next begins at 1', async () => {
    await closeTraded();
    assert.deepEqual(await queryRows('select fiscal_year, number, kind from journal_entries order by 1, 2'), [
      [YEAR, 1, 'normal'],
      [YEAR, 2, 'normal'],
      [YEAR, 3, 'normal'],
      [YEAR, 4, 'regularisation'],
      [YEAR, 5, 'closing'],
      [YEAR + 1, 1, 'opening'],
    ]);
    assert.deepEqual(
      await queryRows(`select to_char(date, 'MM-DD') from journal_entries where kind = 'normal' order by number`),
      [['01-10'], ['02-10'], ['03-10']],
    );
  });

  it('stay closed, for entries and periods too', async () => {
    const { closed } = await closeTraded();
    assert.equal((await app.client.post(`${PATH}/close`)).body.code, 'invalid_transition');
    assert.equal((await enter(day(5), '621', '572', 1)).body.code, 'period_closed');
    const period = (await app.client.get(`/api/periods?code=${YEAR}-05`)).body.data[0];
    const reopening = await app.client.patch(`/api/periods/${period.id}`, { status: 'O' });
    assert.deepEqual([reopening.status, reopening.body.code], [409, 'invalid_transition']);
    const { warnings, ...year } = closed;
    assert.deepEqual((await app.client.get(PATH)).body.data, year);
    assert.deepEqual([warnings.length, warnings[0].pointer, warnings[0].code], [1, '/status', 'returns_not_filed']);
    assert.ok(warnings[0].message.endsWith(`: 2 (GET /api/tax-returns?to[gte]=${YEAR}-01-01&to[lte]=${YEAR}-12-31)`));
    assert.equal((await app.client.get('/api/fiscal-years?status=closed')).body.pagination.total, 1);
  });

  it('are restored when reopened, and can be closed again', async () => {
    const { before } = await closeTraded();
    const reopened = await app.client.post(`${PATH}/reopen`);
    assert.equal(reopened.status, 200, JSON.stringify(reopened.body));
    assert.deepEqual([reopened.body.data.status, reopened.body.data.result], ['open', null]);
    assert.deepEqual(await balances(`${YEAR}-12-31`), before);
    assert.equal((await enter(day(5), '621', '572', 100)).status, 201);
    const again = await app.client.post(`${PATH}/close`);
    assert.deepEqual([again.status, again.body.data.result], [200, 600]);
    assert.deepEqual(await balances(`${YEAR}-12-31`), []);
  });

  it('cannot be reopened once the next year has entries on the same accounts', async () => {
    await enter(day(3), '572', '705', 100);
    await enter(day(1, YEAR + 1), '572', '705', 7);
    assert.equal((await app.client.post(`${PATH}/close`)).status, 200);
    await enter(day(2, YEAR + 1), '621', '410', 5);
    assert.equal((await app.client.post(`${PATH}/reopen`)).status, 200);
    assert.equal((await app.client.post(`${PATH}/close`)).status, 200);
    await enter(day(2, YEAR + 1), '621', '572', 5);
    const { status, body } = await app.client.post(`${PATH}/reopen`);
    assert.deepEqual([status, body.code], [409, 'in_use']);
    assert.match(body.detail, /572/);
  });

  it('enter the stock variation by default', async () => {
    const uomId = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
    const item = (await app.client.post('/api/items', { name: 'Tornillo', uomId, purchaseTaxGroupId: taxGroupId })).body
      .data;
    const groups = (await app.client.get('/api/partnerGroups?code=PRO')).body.data;
    const supplier = (await app.client.post('/api/partners', { name: 'P', groupId: groups[0].id })).body.data;
    const lines = [{ itemId: item.id, quantity: 10, price: 2.5 }];
    const note = await app.client.post('/api/purchases/delivery-notes', {
      partnerId: supplier.id,
      date: day(4),
      lines,
    });
    assert.equal(note.status, 201, JSON.stringify(note.body));
    const { body } = await app.client.post(`${PATH}/close`);
    assert.deepEqual(await entryLines(body.data.stockEntryId), [
      ['300', 25, false],
      ['610', -25, false],
    ]);
    // 300/610 as much as is owed for the goods, 600/4009.
    assert.deepEqual(await entryLines(body.data.pendingEntryId), [
      ['600', 25, false],
      ['4009', -25, true],
    ]);
    assert.equal(body.data.result, 0);
    await app.client.post(`${PATH}/reopen`);
    const without = await app.client.post(`${PATH}/close`, { adjustStock: false });
    assert.deepEqual([without.body.data.stockEntryId, without.body.data.result], [null, 0]);
  });

  it('cannot be closed with drafts, without the next year, after an open one, or without permission', async () => {
    const draft = (await enter(day(3), '572', '705', 100, false)).body.data;
    assert.equal((await app.client.post(`${PATH}/close`)).body.code, 'has_drafts');
    await app.client.post(`/api/journal-entries/${draft.id}/post`);
    const later = await app.client.post(`/api/fiscal-years/${YEAR + 1}/close`);
    assert.deepEqual([later.status, later.body.code], [409, 'invalid_transition']);
    assert.equal((await app.client.post(`${PATH}/close`)).status, 200);
    const next = await app.client.post(`/api/fiscal-years/${YEAR + 1}/close`);
    assert.deepEqual([next.status, next.body.errors[0].code], [422, 'no_period']);
    assert.equal((await app.client.post(`/api/fiscal-years/${YEAR + 1}/reopen`)).body.code, 'invalid_transition');
    assert.equal((await app.client.get('/api/fiscal-years/1950')).status, 404);
    assert.equal((await app.client.post('/api/fiscal-years/x/close')).status, 400);
    const login = { email: 'a@example.com', password: 'una contraseña larga' };
    await app.client.post('/api/users', { ...login, name: 'A', role: 'accountant' });
    const accountant = app.as((await app.anonymous.post('/api/auth/login', login)).body.token);
    assert.equal((await accountant.post(`${PATH}/reopen`)).status, 403);
    assert.equal((await app.client.post(`${PATH}/reopen`, undefined, { 'If-Match': '"7"' })).status, 412);
  });

  it('leave no earlier day open, and cannot be reopened by other periods', async () => {
    const early = { code: `${YEAR - 1}-12`, from: `${YEAR - 1}-12-01`, to: `${YEAR - 1}-12-31` };
    const before = (await app.client.post('/api/periods', early)).body.data;
    const march = (await app.client.get(`/api/periods?code=${YEAR}-03`)).body.data[0];
    const february = (await app.client.get(`/api/periods?code=${YEAR + 1}-02`)).body.data[0];
    assert.equal((await app.client.del(`/api/periods/${march.id}`)).status, 204);
    await app.client.del(`/api/periods/${(await app.client.get(`/api/periods?code=${YEAR + 1}-01`)).body.data[0].id}`);
    const across = { code: 'across', from: `${YEAR + 1}-01-01`, to: `${YEAR + 1}-01-31` };
    const next = (await app.client.post('/api/periods', across)).body.data;
    const closed = (await app.client.post(`${PATH}/close`)).body.data;
    assert.ok(closed.closedPeriods.includes(before.id), 'what was open before the year is closed with it');
    const refusals = [
      await enter(`${YEAR - 1}-12-10`, '572', '705', 5),
      await app.client.post('/api/periods', { code: 'march', from: march.from, to: march.to }),
      await app.client.post('/api/periods', { code: 'long ago', from: '2001-01-01', to: '2001-01-31' }),
      await app.client.post('/api/periods/generate', { year: YEAR }),
      await app.client.post('/api/periods/generate', { year: YEAR - 1 }),
      await app.client.patch(`/api/periods/${before.id}`, { status: 'O' }),
      await app.client.patch(`/api/periods/${february.id}`, { from: march.from, to: march.to }),
    ];
    assert.deepEqual(
      refusals.map(({ status, body }) => [status, body.code]),
      [[409, 'period_closed'], ...Array.from({ length: 6 }, () => [409, 'invalid_transition'])],
    );
    assert.equal((await app.client.post(`${PATH}/reopen`)).status, 200);
    assert.equal((await app.client.get(`/api/periods/${before.id}`)).body.data.status, 'O');
    // A period shared with the next year could not be closed with this year.
    const december = (await app.client.get(`/api/periods?code=${YEAR}-12`)).body.data[0];
    await app.client.patch(`/api/periods/${next.id}`, { from: `${YEAR + 1}-01-11` });
    await app.client.patch(`/api/periods/${december.id}`, { to: `${YEAR + 1}-01-10` });
    const { body } = await app.client.post(`${PATH}/close`);
    assert.deepEqual([body.errors?.[0].pointer, body.errors?.[0].code], ['/year', 'outside_period']);
  });

  it('keep their first day while there are entries', async () => {
    const company = { name: 'Almacenes Prueba SL', taxId: 'B12345674' };
    assert.equal((await app.client.put('/api/company', { ...company, fiscalYearStart: '07-01' })).status, 200);
    assert.equal((await app.client.put('/api/company', company)).status, 200);
    await enter(day(3), '572', '705', 100);
    const { status, body } = await app.client.put('/api/company', { ...company, fiscalYearStart: '07-01' });
    assert.deepEqual([status, body.code], [409, 'in_use']);
    assert.equal((await app.client.put('/api/company', { ...company, city: 'Murcia' })).status, 200);
  });

  it('need a result account that survives the closing', async () => {
    const wrong = { yearResultAccountId: accounts.get('678') };
    const { body } = await app.client.put('/api/config/accounting', wrong);
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/yearResultAccountId', 'wrong_type']],
    );
    const { body: changed } = await app.client.patch(`/api/accounts/${accounts.get('129')}`, { type: 'income' });
    assert.deepEqual([changed.errors?.[0].pointer, changed.errors?.[0].code], ['/type', 'wrong_type']);
  });

  it('are closed while posting goes on: each invoice is in the closing, or rejected', async () => {
    const drafts: string[] = [];
    for (let index = 0; index < 8; index++) drafts.push(await sell(100));
    // A draft keeps the year open, so the posts race with the last of them.
    const posts = drafts.map(post);
    const closes = [app.client.post(`${PATH}/close`), app.client.post(`${PATH}/close`)];
    const entries = Array.from({ length: 6 }, () => enter(day(6), '572', '705', 10));
    const made = (await Promise.all(entries)).filter(({ status, body }) => {
      assert.ok(status === 201 || body.code === 'period_closed', JSON.stringify(body));
      return status === 201;
    });
    for (const { status } of await Promise.all(posts)) assert.equal(status, 200);
    const codes = (await Promise.all(closes)).map(({ status, body }) => (status === 200 ? 'closed' : body.code));
    for (const code of codes) assert.ok(['closed', 'has_drafts', 'invalid_transition'].includes(code), code);
    if (!codes.includes('closed')) assert.equal((await app.client.post(`${PATH}/close`)).status, 200);
    const { body } = await app.client.get(PATH);
    assert.equal(body.data.result, 800 + 10 * made.length);
    assert.deepEqual(await balances(`${YEAR}-12-31`), []);
  });
});
