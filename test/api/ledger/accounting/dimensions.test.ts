/** Accounts that require cost centers or projects, before each writer of entries (decision 0342). */
import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { link } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

const CONFIG = '/api/config/accounting';

describe('accounts that require cost centers and projects', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const trade = use(() => openTrade(app));
  let center = '';
  let project = '';
  const require = async (code: string, requires: string) => {
    const answer = await app.client.patch(`/api/accounts/${books.account(code)}`, { requires });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const entry = (code: string, line: object = {}) => ({
    date: TODAY,
    post: true,
    lines: [
      { accountId: books.account(code), debit: 10, ...line },
      { accountId: books.account('572'), credit: 10 },
    ],
  });
  /** The code and the place of the only fault. */
  const fault = ({ body }: { readonly body: { errors: { code: string; pointer: string }[] } }) => {
    assert.equal(body.errors.length, 1, JSON.stringify(body));
    return [body.errors[0]?.code, body.errors[0]?.pointer];
  };
  const count = async () => (await app.client.get('/api/journal-entries?limit=1&count=true')).body.pagination?.total;
  /** The dimensions of the lines of a source on an account. */
  const assigned = async (sourceId: string, code: string) => {
    const { body } = await app.client.get(`/api/journal-entries?sourceId=${sourceId}&limit=50`);
    const details = await Promise.all(
      body.data.map(async ({ id }: { id: string }) => (await app.client.get(`/api/journal-entries/${id}`)).body.data),
    );
    type Line = { accountCode: string; costCenterId: string | null; projectId: string | null };
    const lines = details.flatMap(({ lines }: { lines: Line[] }) => lines);
    return lines.filter(({ accountCode }) => accountCode === code).map((line) => [line.costCenterId, line.projectId]);
  };

  before(async () => {
    center = (await books.make('/api/cost-centers', { code: 'NORTE', name: 'Norte' })).id;
    project = (await books.make('/api/projects', { code: 'OBRA', name: 'Obra' })).id;
  });

  it('refuse manual entries without them, as drafts and when a draft is posted', async () => {
    const { id: draft } = await books.make('/api/journal-entries', { ...entry('628'), post: false });
    await require('628', 'both');
    const before = await count();
    const refused = await app.client.post('/api/journal-entries', entry('628', { projectId: project }));
    assertRefused(refused, '/lines/0/costCenterId');
    assert.deepEqual(fault(refused), ['cost_center_required', '/lines/0/costCenterId']);
    const posted = await app.client.post(`/api/journal-entries/${draft}/post`, {});
    assert.deepEqual(
      posted.body.errors.map(({ code }: { code: string }) => code),
      ['cost_center_required', 'project_required'],
    );
    assert.equal(await count(), before);
    await books.make('/api/journal-entries', entry('628', { projectId: project, costCenterId: center }));
    const answer = await app.client.patch(`/api/accounts/${books.account('628')}`, { requires: 'department' });
    assertRefused(answer, '/requires');
  });

  it('refuse to post an invoice, and take it with a cost center of the document', async () => {
    await require('629', 'cost_center');
    const line = { description: 'Consulting', quantity: 1, price: 100, taxGroupId: trade.taxGroupId };
    const draft = await books.make('/api/purchases/invoices', { partnerId: trade.supplierId, lines: [line] });
    const refused = await app.client.post(`/api/purchases/invoices/${draft.id}/post`, {});
    assertRefused(refused, '/lines/0/costCenterId');
    assert.deepEqual(fault(refused), ['cost_center_required', '/lines/0/costCenterId']);
    const still = await app.client.get(`/api/purchases/invoices/${draft.id}`);
    assert.equal(still.body.data.status, 'D');
    await app.client.patch(`/api/purchases/invoices/${draft.id}`, { costCenterId: center });
    await books.make(`/api/purchases/invoices/${draft.id}/post`);
    assert.deepEqual(await assigned(draft.id, '629'), [[center, null]]);
  });

  it('refuse lines of bank statements at their members, until the bank account has a default', async () => {
    await require('626', 'cost_center');
    const desk = new BankDesk(app, trade);
    const bankAccount = await desk.openAccount();
    const [first = '', second = ''] = await desk.importLines(TODAY, [
      sampleLine({ amount: '-5' }),
      sampleLine({ amount: '-6' }),
    ]);
    const accept = (line: string, parts: object) =>
      app.client.post('/api/bank-statements/accept', { lines: [{ line_id: line, ...parts }] });
    const refused = await accept(first, { account_code: '626' });
    assert.match(
      JSON.stringify(refused.body),
      /cost_center_id.*cost_center_required|cost_center_required.*cost_center_id/,
    );
    assert.match(
      JSON.stringify((await accept(first, { account_code: '626', cost_center_id: center })).body),
      /entry_id/,
    );
    await app.client.patch(`/api/config/bank-accounts/${bankAccount}`, { default_cost_center_id: center });
    assert.match(JSON.stringify((await accept(second, { account_code: '626' })).body), /entry_id/);
    assert.deepEqual(await assigned(second, '626'), [[center, null]]);
  });

  it("take the company's for stock counts and discounts that nothing names, and are refused without it", async () => {
    await require('610', 'cost_center');
    const counted = { warehouseId: trade.warehouseId, lines: [{ itemId: trade.itemId, countedQuantity: 90 }] };
    const refused = await app.client.post('/api/stock/adjustments', counted);
    assertProblem(refused, 422, 'validation_failed');
    assert.deepEqual(fault(refused), ['cost_center_required', '']);
    const level = await app.client.get(`/api/stock?itemId=${trade.itemId}`);
    assert.equal(level.body.data[0].onHand, 100);
    assert.equal((await app.client.put(CONFIG, { defaultCostCenterId: center })).status, 200);
    const made = await books.make('/api/stock/adjustments', counted);
    assert.deepEqual(await assigned(made.id, '610'), [[center, null]]);
    await app.client.patch(`/api/cost-centers/${center}`, { active: false });
    const again = await app.client.post('/api/stock/adjustments', {
      ...counted,
      lines: [{ itemId: trade.itemId, countedQuantity: 80 }],
    });
    assert.deepEqual(fault(again), ['cost_center_required', '']);
    await app.client.patch(`/api/cost-centers/${center}`, { active: true });
    assert.equal((await app.client.put(CONFIG, {})).status, 200);
  });

  it('give the discount of a payment the cost center of its invoice', async () => {
    await require('706', 'cost_center');
    const line = { itemId: trade.itemId, quantity: 10, price: 10, taxGroupId: trade.taxGroupId };
    const pay = async (more: object) => {
      const { id } = await books.make('/api/sales/invoices', { partnerId: trade.customerId, lines: [line], ...more });
      await books.make(`/api/sales/invoices/${id}/post`);
      const linked_documents = [link(id, 108.9, 'sales_invoice', { discount: 12.1 })];
      const paid = {
        partner_id: trade.customerId,
        amount: 108.9,
        payment_date: TODAY,
        payment_method: 'cash',
        linked_documents,
      };
      return await app.client.post('/api/payments/in', paid);
    };
    assert.deepEqual(fault(await pay({})), ['cost_center_required', '']);
    const paid = await pay({ costCenterId: center });
    assert.equal(paid.status, 201, JSON.stringify(paid.body));
    assert.deepEqual(await assigned(paid.body.data.id, '706'), [[center, null]]);
  });

  it("share a payroll, whose rest is of the employee's own", async () => {
    await require('640', 'cost_center');
    const { id } = await hire(app);
    await books.make(`/api/employees/${id}/cost-shares`, { projectId: project, costCenterId: center, percent: 40 });
    await generate(app, { year: 2026, month: 5 });
    const [draft] = await listPayrolls(app, `employeeId=${id}&month=5`);
    const path = `/api/payrolls/${draft?.id}/post`;
    assert.deepEqual(fault(await app.client.post(path, {})), ['cost_center_required', '']);
    await app.client.patch(`/api/employees/${id}`, { defaultCostCenterId: center });
    await app.client.patch(`/api/projects/${project}`, { active: false });
    assert.deepEqual(fault(await app.client.post(path, {})), ['closed_project', '/projectId']);
    await app.client.patch(`/api/projects/${project}`, { active: true });
    await books.make(path);
    assert.deepEqual(await assigned(draft?.id ?? '', '640'), [
      [center, project],
      [center, null],
    ]);
  });

  it("take the company's for fixed assets that name none, and are refused without it", async () => {
    const register = await openRegister(app, 2026);
    const group = (await app.client.get(`/api/asset-groups/${register.groups.get('MAQUINARIA')}`)).body.data;
    const code = async (id: string) => (await app.client.get(`/api/accounts/${id}`)).body.data.code as string;
    const [expense, loss] = [await code(group.expenseAccountId), await code(group.lossAccountId)];
    for (const one of [expense, loss]) await require(one, 'cost_center');
    const asset = await register.buy();
    const own = await register.buy({ name: 'Press', costCenterId: center, projectId: project });
    const dispose = () => app.client.post(`/api/assets/${asset.id}/dispose`, { date: '2026-02-28', kind: 'scrapped' });
    const refused = await dispose();
    assertProblem(refused, 422, 'validation_failed');
    assert.ok(refused.body.errors.every((one: { code: string }) => one.code === 'cost_center_required'));
    assert.equal((await app.client.put(CONFIG, { defaultCostCenterId: center })).status, 200);
    await register.run({ to: '2026-01-31' });
    const [run] = await register.runs();
    assert.deepEqual(
      (await assigned(run.id, expense)).sort(),
      [
        [center, null],
        [center, project],
      ].sort(),
    );
    assert.equal((await dispose()).status, 200);
    assert.deepEqual(await assigned(asset.id, loss), [[center, null]]);
    assert.equal((await register.asset(own.id)).status, 'active');
    assert.equal((await app.client.put(CONFIG, {})).status, 200);
  });
});
