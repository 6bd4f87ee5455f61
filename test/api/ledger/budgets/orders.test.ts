import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Row = Record<string, unknown> & { readonly id: string; readonly lines: { readonly id: string }[] };

/** Purchase orders against a current budget of 100 a month for 62 that counts them (decision 0412). */
describe('ordering against a budget', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let budget: Row;
  let first: Row;

  const control = async (values: object) => {
    const { status, body } = await app.client.patch(`/api/budgets/${budget.id}`, values);
    assert.equal(status, 200, JSON.stringify(body));
  };
  const line = (price: number, more: object = {}) => ({
    ...{ description: 'Rent', quantity: 1, price, accountId: books.account('621'), ...more },
  });
  const head = (more: object = {}) => ({ partnerId: till.supplierId, date: '2026-02-10', ...more });
  const order = (price: number, more: object = {}, query = '') =>
    app.client.post(`/api/purchases/orders${query}`, { ...head(more), lines: [line(price)] });
  const ordered = (price: number, more: object = {}) =>
    books.make<Row>('/api/purchases/orders', { ...head(more), lines: [line(price)] });
  const change = ({ id, lines }: Row, price: number) =>
    app.client.patch(`/api/purchases/orders/${id}`, { lines: [{ id: lines[0]?.id, price }] });
  const invoiced = ({ id, lines }: Row, price: number) => {
    const based = line(price, { baseType: 'PO', baseId: id, baseLineId: lines[0]?.id });
    return books.make<Row>('/api/purchases/invoices', { ...head(), supplierReference: id, lines: [based] });
  };
  const spend = (debit: number) =>
    app.client.post('/api/journal-entries', {
      date: '2026-02-10',
      post: true,
      lines: [
        { accountId: books.account('621'), debit },
        { accountId: books.account('572'), credit: debit },
      ],
    });
  const warned = ({ body }: { body: { data: { warnings?: { code: string; message: string }[] } } }) =>
    (body.data.warnings ?? []).flatMap(({ code, message }) => (code === 'budget_exceeded' ? [message] : []));

  before(async () => {
    budget = await books.make<Row>('/api/budgets', { name: 'B', fiscalYear: 2026 });
    await books.make(`/api/budgets/${budget.id}/spread`, { account: '62', amount: 1200 });
    await control({ status: 'approved', isDefault: true, control: 'refusal', countCommitments: true });
  });

  it('is refused beyond it, until the month of the delivery, from requests too; nothing is ordered', async () => {
    first = await ordered(120);
    const refused = await order(80.01);
    assertProblem(refused, 409, 'budget_exceeded');
    assert.match(refused.body.detail, /B of account 62 has 200 until 2026-02, and 200.01 would be spent or ordered/);
    assert.match(refused.body.errors[0].message, /200 budgeted, 0 spent and 200.01 ordered/);
    assertProblem(await order(80.01, {}, '?preview=true'), 409, 'budget_exceeded');
    const request = await books.make<Row>('/api/purchases/requests', { ...head(), lines: [line(90)] });
    await books.make(`/api/purchases/requests/${request.id}/issue`);
    const asked = await app.client.post(`/api/purchases/requests/${request.id}/order`, { date: '2026-02-10' });
    assertProblem(asked, 409, 'budget_exceeded');
    await ordered(90, { deliveryDate: '2026-03-05' });
    const { body } = await app.client.get('/api/purchases/orders');
    assert.equal(body.pagination.total, 2);
  });

  it('counts once with its invoice, of which the draft counts already', async () => {
    const draft = await invoiced(first, 120);
    assertProblem(await order(80.01), 409, 'budget_exceeded');
    assertProblem(await spend(80.01), 409, 'budget_exceeded');
    await books.make(`/api/purchases/invoices/${draft.id}/post`);
    assertProblem(await spend(80.01), 409, 'budget_exceeded');
    assert.equal(await books.balance('621'), 120);
    assert.equal((await spend(20)).status, 201);
  });

  it('is refused by a change that takes more, not by one that takes less of a budget that is exceeded', async () => {
    const made = await ordered(60);
    assertProblem(await change(made, 60.01), 409, 'budget_exceeded');
    assert.equal((await app.client.patch(`/api/purchases/orders/${made.id}`, { notes: 'Soon' })).status, 200);
    await control({ control: 'warning' });
    const [warning] = warned(await order(50));
    assert.match(String(warning), /200 budgeted, 140 spent and 110 ordered/);
    const shown = await order(50, {}, '?preview=true');
    assert.match(shown.body.data.warnings[0].message, /200 budgeted, 140 spent and 160 ordered/);
    await control({ control: 'refusal' });
    assert.equal((await change(made, 55)).status, 200);
    assertProblem(await change(made, 56), 409, 'budget_exceeded');
  });

  it('is free where the budget does not count it', async () => {
    await control({ countCommitments: false });
    const free = await order(1000);
    assert.deepEqual([free.status, warned(free)], [201, []]);
    assert.equal((await spend(60)).status, 201);
  });
});
