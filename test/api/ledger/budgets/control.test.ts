import assert from 'node:assert/strict';
import { BankDesk, bankDay } from '../../../helpers/bank-desk.ts';
import { sampleLine, writeCamt053 } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Row = Record<string, unknown> & { readonly id: string };

/** Posting against a current budget of 100 a month for 62 (decision 0335). */
describe('spending against a budget', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  let budget: Row;

  const control = async (value: string) => {
    const { status, body } = await app.client.patch(`/api/budgets/${budget.id}`, { control: value });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const spend = (debit: number, date = '2026-02-10') =>
    app.client.post('/api/journal-entries', {
      date,
      post: true,
      lines: [
        { accountId: books.account('621'), debit },
        { accountId: books.account('572'), credit: debit },
      ],
    });
  const invoice = async (price: number) => {
    const { body } = await app.client.get('/api/taxes?code=IVA0');
    const line = {
      description: 'Rent',
      quantity: 1,
      price,
      accountId: books.account('621'),
      taxGroupId: body.data[0].id,
    };
    const draft = { partnerId: till.supplierId, date: '2026-02-11', supplierReference: `A${price}`, lines: [line] };
    const { id } = await books.make<Row>('/api/purchases/invoices', draft);
    return await app.client.post(`/api/purchases/invoices/${id}/post`, {});
  };
  const codes = ({ body }: { body: { data: { warnings?: { code: string }[] } } }) =>
    (body.data.warnings ?? []).map(({ code }) => code).filter((code) => code === 'budget_exceeded');

  before(async () => {
    budget = await books.make<Row>('/api/budgets', { name: 'B', fiscalYear: 2026 });
    await books.make(`/api/budgets/${budget.id}/spread`, { account: '62', amount: 1200 });
    await app.client.patch(`/api/budgets/${budget.id}`, { status: 'approved', isDefault: true });
  });

  it('is free without control, and up to the budget of the year so far', async () => {
    assert.deepEqual([(await spend(90)).status, codes(await spend(90))], [201, []]);
    await control('refusal');
    assert.equal((await spend(20)).status, 201);
  });

  it('is refused beyond it, with account, month, budget and what would be spent; nothing is posted', async () => {
    const refused = await spend(0.01);
    assertProblem(refused, 409, 'budget_exceeded');
    assert.match(refused.body.errors[0].message, /budget B of account 62 until 2026-02: 200 budgeted, 200.01 spent/);
    assert.equal(await books.balance('621'), 200);
    assertProblem(await invoice(5), 409, 'budget_exceeded');
    assert.equal((await spend(50, '2026-03-01')).status, 201);
  });

  it('is refused for what a later month has spent already, and names ways out', async () => {
    assert.equal((await spend(30, '2026-03-02')).status, 201);
    assert.equal((await spend(120, '2026-04-02')).status, 201);
    // Until March 300 are budgeted and 280 spent, until April all 400.
    const refused = await spend(10, '2026-03-10');
    assertProblem(refused, 409, 'budget_exceeded');
    assert.match(refused.body.detail, /has 400 until 2026-04, and 410 would be spent; copy it .* or have it only warn/);
  });

  it('does not refuse what gives back as much as it spends', async () => {
    await control('warning');
    assert.deepEqual(codes(await spend(150, '2026-03-03')), ['budget_exceeded']);
    await control('refusal');
    const correct = (debit: number, credit: number) =>
      app.client.post('/api/journal-entries', {
        date: '2026-03-04',
        post: true,
        lines: [
          { accountId: books.account('629'), debit },
          { accountId: books.account('621'), credit },
          {
            accountId: books.account('572'),
            ...(debit > credit ? { credit: debit - credit } : { debit: credit - debit }),
          },
        ],
      });
    assertProblem(await correct(10, 9), 409, 'budget_exceeded');
    assert.equal((await correct(140, 150)).status, 201);
    assert.equal((await correct(0.01, 140.01)).status, 201);
  });

  it('is refused or warned of for bank lines on accounts, by hand and by rules', async () => {
    const desk = new BankDesk(app, till);
    await desk.openAccount();
    const [line] = await desk.importLines('2026-02-20', [sampleLine({ amount: '-50' })]);
    const accept = (more = {}) => desk.accept([{ line_id: line, account_id: books.account('626') }], more);
    const refused = await accept();
    assertProblem(refused, 409, 'budget_exceeded');
    assert.equal(refused.body.errors[0].pointer, '/lines/0/line_id');
    const partly = (await accept({ partial: true })).body.data;
    assert.deepEqual([partly.accepted, partly.refused[0].code], [[], 'budget_exceeded']);
    const rule = { name: 'Fees', text: 'FEE', account_id: books.account('626'), accept: true };
    await books.make('/api/bank-rules', rule);
    const imported = async (id: string) => {
      const row = sampleLine({ amount: '-40', text: `FEE ${id}` });
      return (await desk.send(writeCamt053([bankDay('2026-02-21', [row])]))).body.data;
    };
    const open = await imported('1');
    assert.deepEqual([open.accepted, open.warnings[0].code], [0, 'not_accepted']);
    await control('warning');
    const taken = await imported('2');
    assert.deepEqual([taken.accepted, taken.warnings[0].code], [1, 'budget_exceeded']);
    const { accepted, warnings } = (await accept()).body.data;
    assert.deepEqual([accepted.length, warnings[0].pointer, warnings[0].code], [1, '/lines/0', 'budget_exceeded']);
  });

  it('is only warned of, if the budget says so', async () => {
    await control('warning');
    assert.deepEqual(codes(await spend(1)), ['budget_exceeded']);
    const posted = await invoice(6);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    assert.deepEqual(codes(posted), ['budget_exceeded']);
    await control('none');
    assert.deepEqual(codes(await invoice(7)), []);
  });
});
