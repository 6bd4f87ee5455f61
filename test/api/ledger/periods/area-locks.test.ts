import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { BankDesk, STATEMENTS } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { hire } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Row = Record<string, never> & { id: string };
const DATE = '2026-05-10';

/** Writes of each area, and the lock that refuses them (decision 0333). */
describe('periods locked for an area', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const desk = use(async () => new BankDesk(app, till));
  let path = '';

  const lock = async (...lockedAreas: string[]) => {
    const { status, body } = await app.client.patch(path, { lockedAreas });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as Row;
  };
  const entry = (other = '769') => ({
    date: DATE,
    post: true,
    lines: [
      { accountId: books.account('626'), debit: 1 },
      { accountId: books.account(other), credit: 1 },
    ],
  });
  const note = (side: 'sales' | 'purchases') => ({
    partnerId: side === 'sales' ? till.customerId : till.supplierId,
    date: DATE,
    lines: [till.line(1, 5)],
  });

  before(async () => {
    const { body } = await app.client.get('/api/periods?code=2026-05');
    path = `/api/periods/${body.data[0].id}`;
    assert.deepEqual(body.data[0].lockedAreas, []);
    await till.document('/api/purchases/delivery-notes', [till.line(100, 5)], { date: '2026-05-02' });
  });

  afterEach(() => lock());

  it('refuse what belongs to it with a pointer, and nothing else', async () => {
    const attempts = {
      sales: ['/api/sales/delivery-notes', note('sales'), '/date'],
      purchases: ['/api/purchases/delivery-notes', note('purchases'), '/date'],
      bank: [
        '/api/payments/in',
        { partner_id: till.customerId, amount: 5, payment_date: DATE, payment_method: 'cash' },
        '/payment_date',
      ],
      stock: [
        '/api/stock/adjustments',
        {
          warehouseId: till.warehouseId,
          date: DATE,
          reason: 'x',
          lines: [{ itemId: till.itemId, countedQuantity: 150 }],
        },
        '/date',
      ],
      all: ['/api/journal-entries', entry(), '/date'],
    } as const;
    for (const [area, [to, body, pointer]] of Object.entries(attempts)) {
      await lock(area);
      const refused = await app.client.post(to, body);
      assertProblem(refused, 409, 'period_locked');
      assert.deepEqual([area, refused.body.errors[0].pointer], [area, pointer]);
      assert.match(refused.body.detail, /lockedAreas/);
      await lock(...Object.keys(attempts).filter((other) => ![area, 'all', 'stock'].includes(other)));
      const taken = await app.client.post(to, body);
      assert.equal(taken.status, 201, `${area}: ${JSON.stringify(taken.body)}`);
    }
  });

  it('refuse goods of a note or an invoice while the stock is locked, and draft invoices do not move it', async () => {
    await lock('stock');
    const refused = await app.client.post('/api/sales/delivery-notes', note('sales'));
    assertProblem(refused, 409, 'period_locked');
    assert.equal(refused.body.errors[0].pointer, '/date');
    const draft = await till.document('/api/sales/invoices', [till.line(1, 5)], { date: DATE });
    assertProblem(await app.client.post(`/api/sales/invoices/${draft.id}/post`, {}), 409, 'period_locked');
    await lock('purchases');
    assert.equal((await app.client.post(`/api/sales/invoices/${draft.id}/post`, {})).status, 200);
  });

  it('let a draft leave, and keep what is posted from being undone there', async () => {
    const draft = await till.document('/api/sales/invoices', [till.line(1, 5)], { date: DATE });
    const { id } = await till.invoice('sales', 10, { date: '2026-05-11' });
    await lock('sales');
    const at = `/api/sales/invoices/${draft.id}`;
    assertProblem(await app.client.post(`${at}/post`, {}), 409, 'period_locked');
    assertProblem(await app.client.patch(at, { reference: 'x' }), 409, 'period_locked');
    assertProblem(
      await app.client.post(`/api/sales/invoices/${id}/cancel`, { date: '2026-05-12' }),
      409,
      'period_locked',
    );
    assert.equal((await app.client.patch(at, { date: '2026-06-01' })).status, 200);
    assert.equal((await app.client.post(`${at}/post`, {})).status, 200);
    assert.equal((await app.client.post(`/api/sales/invoices/${id}/cancel`, { date: '2026-06-12' })).status, 200);
  });

  it('refuse bank lines and payrolls', async () => {
    await desk.openAccount();
    const [line] = await desk.importLines(DATE, [sampleLine({ amount: '-3' })]);
    await lock('bank');
    const account = books.account('626');
    const refused = await desk.accept([{ line_id: line, account_id: account }]);
    assertProblem(refused, 409, 'period_locked');
    assert.match(refused.body.errors[0].pointer, /^\/lines\/0/);
    await lock('payroll');
    await hire(app);
    assertProblem(await app.client.post('/api/payrolls/generate', { year: 2026, month: 5 }), 409, 'period_locked');
    assert.equal((await desk.accept([{ line_id: line, account_id: account }])).status, 200);
    assert.equal((await app.client.get(`${STATEMENTS}/lines?status=open`)).body.data.length, 0);
  });

  it('refuse manual entries, loans and disposals that move money while the bank is locked', async () => {
    const [longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId] = ['170', '520', '662', '572'].map(
      books.account,
    );
    const loan = await books.make<Row>('/api/loans', {
      ...{
        code: 'ICO',
        name: 'ICO',
        principal: 2400,
        annualRate: 6,
        instalments: 24,
        method: 'linear',
        startsOn: DATE,
      },
      ...{ longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId },
    });
    const register = await openRegister(app, 2026);
    const asset = await register.buy({ inUseOn: DATE });
    const posted = await books.make<Row>('/api/journal-entries', entry('572'));
    const sold = { kind: 'sold', date: DATE, proceeds: 5, proceedsAccountId: books.account('570') };
    const attempts = [
      ['/api/journal-entries', entry('572')],
      ['/api/journal-entries', entry('570')],
      [`/api/journal-entries/${posted.id}/reverse`, { date: '2026-05-12' }],
      [`/api/loans/${loan.id}/draw`, {}],
      [`/api/assets/${asset.id}/dispose`, sold],
    ] as const;
    await lock('bank');
    for (const [to, body] of attempts) {
      const refused = await app.client.post(to, body);
      assertProblem(refused, 409, 'period_locked');
      assert.deepEqual([to, refused.body.errors[0].pointer], [to, '/date']);
    }
    await lock('sales', 'purchases', 'payroll', 'stock');
    for (const [to, body] of attempts) {
      const { status, body: answer } = await app.client.post(to, body);
      assert.ok([200, 201].includes(status), `${to}: ${JSON.stringify(answer)}`);
    }
  });

  it('are audited, previewed and set by those who may close periods', async () => {
    const before = await lock('sales');
    const preview = await app.client.patch(`${path}?preview=true`, { lockedAreas: [] });
    assert.deepEqual(preview.body.data.document.lockedAreas, []);
    assert.deepEqual((await app.client.get(path)).body.data.lockedAreas, ['sales']);
    const shown = await app.client.post('/api/sales/delivery-notes?preview=true', note('sales'));
    assertProblem(shown, 409, 'period_locked');
    const { body } = await app.client.get(`/api/audit-logs?entityId=${before.id}&limit=1`);
    assert.deepEqual(body.data[0].newValue.lockedAreas, ['sales']);
    for (const lockedAreas of [['ventas'], ['sales', 'sales'], 'sales', [1]]) {
      assertProblem(await app.client.patch(path, { lockedAreas }), 422, 'validation_failed');
    }
  });
});
