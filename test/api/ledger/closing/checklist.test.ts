import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

interface Check {
  readonly code: string;
  readonly count: number;
  readonly amount: number | null;
  readonly severity: string;
  readonly path: string;
  readonly items: readonly { readonly id: string | null; readonly name: string; readonly path: string }[] | null;
}

/** March, the last month of a quarter, with something open (decision 0334). */
describe('the checklist of a period', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const desk = use(async () => new BankDesk(app, till));
  let path = '';

  const read = async () => {
    const { status, body } = await app.client.get(`${path}/checklist`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data as { blocking: number; warning: number; checks: Check[] };
  };
  const found = async () =>
    Object.fromEntries(
      (await read()).checks
        .filter(({ severity }) => severity !== 'fine')
        .map(({ code, count, amount, severity }) => [code, [count, amount, severity]]),
    );

  before(async () => {
    path = `/api/periods/${(await app.client.get('/api/periods?code=2026-03')).body.data[0].id}`;
  });

  it('is empty without data, and knows only periods that exist', async () => {
    const { blocking, warning, checks } = await read();
    assert.deepEqual([blocking, warning], [0, 0]);
    assert.ok(checks.length >= 12 && checks.every(({ count, severity }) => count === 0 && severity === 'fine'));
    assertProblem(await app.client.get(`/api/periods/${till.customerId}/checklist`), 404, 'not_found');
  });

  it('finds what is open, with its value and where to see it', async () => {
    const date = '2026-03-10';
    await till.document('/api/sales/invoices', [till.line(1, 100, {})], { date });
    await till.document('/api/purchases/delivery-notes', [till.line(4, 5)], { date });
    await till.document('/api/sales/delivery-notes', [till.line(1, 9)], { date });
    await till.invoice('sales', 100, { date });
    const lines = [
      { accountId: books.account('626'), debit: 1 },
      { accountId: books.account('572'), credit: 1 },
    ];
    await books.make('/api/journal-entries', { date, lines });
    await desk.openAccount();
    await desk.importLines(date, [sampleLine({ amount: '-3' })]);
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-01-01', rate: 1.25 });
    await till.invoice('sales', 100, { date, currency: 'USD' });
    assert.deepEqual(await found(), {
      draft_sales_invoices: [1, 121, 'blocks'],
      draft_entries: [1, 1, 'blocks'],
      open_bank_lines: [1, -3, 'warns'],
      delivered_not_invoiced: [1, 9, 'warns'],
      received_not_invoiced: [1, 20, 'warns'],
      currencies_not_revalued: [1, null, 'warns'],
      returns_not_filed: [1, null, 'warns'],
    });
    for (const check of (await read()).checks) {
      const list = await app.client.get(check.path);
      assert.equal(list.status, 200, check.path);
      if (check.severity !== 'fine' && !check.code.endsWith('_revalued') && !check.code.endsWith('_filed'))
        assert.equal(list.body.data.length, check.count, check.path);
      for (const item of check.items ?? []) assert.equal((await app.client.get(item.path)).status, 200, item.path);
    }
    const { checks } = await read();
    const names = checks.flatMap(({ items }) => items?.map(({ name }) => name) ?? []);
    assert.match(String(names[0]), /^430\S* .* USD$/);
    assert.deepEqual(names.slice(1), ['303 2026 1T']);
  });

  it('says what is settled, and closing warns of the rest', async () => {
    assertProblem(await app.client.patch(path, { status: 'C' }), 409, 'has_drafts');
    const [draft] = (await app.client.get('/api/sales/invoices?status=D')).body.data;
    assert.equal((await app.client.del(`/api/sales/invoices/${draft.id}`)).status, 204);
    const [entry] = (await app.client.get('/api/journal-entries?status=draft')).body.data;
    assert.equal((await app.client.del(`/api/journal-entries/${entry.id}`)).status, 204);
    await books.make('/api/exchange-revaluations', { date: '2026-03-31', rates: { USD: 1 } });
    await books.make('/api/tax-returns', { model: '303', year: 2026, period: '1T' });
    const warned = ['open_bank_lines', 'delivered_not_invoiced', 'received_not_invoiced'];
    assert.deepEqual(Object.keys(await found()), warned);
    const closed = await app.client.patch(path, { status: 'C' });
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    assert.deepEqual(
      closed.body.data.warnings.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      warned.map((code) => ['/status', code]),
    );
    assert.equal((await app.client.patch(path, { status: 'O' })).body.data.warnings, undefined);
  });

  it('misses returns of what was withheld, of rents, of the Union, and of a year', async () => {
    const count = async (code: string) => {
      const [period] = (await app.client.get(`/api/periods?code=${code}`)).body.data;
      const { body } = await app.client.get(`/api/periods/${period.id}/checklist`);
      return (body.data.checks as Check[]).find((check) => check.code === 'returns_not_filed')?.count;
    };
    const date = '2026-06-10';
    const before = await count('2026-06');
    await till.invoice('sales', 4000, { date });
    assert.deepEqual([before, await count('2026-06'), await count('2026-12')], [0, 1, 2]);
    const lines = [
      { ...till.line(1, 100, {}), itemId: undefined, description: 'Alquiler', accountId: books.account('621') },
    ];
    const purchase = async (more: object) => {
      const { id } = await till.document('/api/purchases/invoices', lines, { date, ...more });
      await books.make(`/api/purchases/invoices/${id}/post`);
    };
    await purchase({ supplierReference: 'A', withholdingRate: 19 });
    await purchase({ supplierReference: 'B', withholdingRate: 15 });
    await purchase({ supplierReference: 'C', vatRegime: 'intra_eu' });
    // 303, 111, 115 and 349; by the end of the year 390, 347, 180 and 190.
    assert.deepEqual([await count('2026-06'), await count('2026-12'), await count('2026-05')], [4, 4, 0]);
    const withheld = { kind: 'withholding', operation: 'domestic', rate: 19, base: 100 };
    const dividend = [
      { accountId: books.account('526'), debit: 100 },
      { accountId: books.account('4751'), credit: 19, tax: withheld },
      { accountId: books.account('572'), credit: 81 },
    ];
    await books.make('/api/journal-entries', { date, lines: dividend, post: true });
    // 123 too, and 193.
    assert.deepEqual([await count('2026-06'), await count('2026-12')], [5, 5]);
  });

  it('misses entries that the service makes on their day, and has not made', async () => {
    const count = async (code: string) => {
      const [period] = (await app.client.get(`/api/periods?code=${code}`)).body.data;
      const { body } = await app.client.get(`/api/periods/${period.id}/checklist`);
      return (body.data.checks as Check[]).find((check) => check.code === 'due_entries')?.count;
    };
    assert.equal(await count('2026-05'), 0);
    const lines = [
      { accountId: books.account('625'), debit: 92, serviceFrom: '2026-04-01', serviceTo: '2026-06-30' },
      { accountId: books.account('572'), credit: 92 },
    ];
    await books.make('/api/journal-entries', { date: '2026-04-01', post: true, lines });
    // April is in the entry; May and June wait.
    assert.deepEqual([await count('2026-04'), await count('2026-05'), await count('2026-06')], [0, 1, 2]);
    await books.make('/api/deferral-runs', { year: 2026, month: 5 });
    assert.equal(await count('2026-05'), 0);
    const accrued = lines.map(({ accountId, debit, credit }) => ({ accountId, debit, credit }));
    const entry = { date: '2026-05-31', reversesOn: '2026-06-01', post: true, lines: accrued };
    await books.make('/api/journal-entries', entry);
    assert.deepEqual([await count('2026-05'), await count('2026-06')], [0, 2]);
    const { id } = await till.invoice('sales', 100, { date: '2026-01-05', dueDate: '2026-01-10' });
    await books.make('/api/bad-debts', { documentId: id, date: '2026-03-31', percentage: 60 });
    const all = [{ document_type: 'sales_invoice', document_id: id, amount_applied: 100 }];
    await till.paid(100, all, { payment_date: '2026-05-20' });
    assert.deepEqual([await count('2026-04'), await count('2026-05'), await count('2026-06')], [0, 1, 3]);
    const [june] = (await app.client.get('/api/periods?code=2026-06')).body.data;
    const { checks } = (await app.client.get(`/api/periods/${june.id}/checklist`)).body.data;
    const { items } = (checks as Check[]).find(({ code }) => code === 'due_entries') as Check;
    const days = items?.map(({ name }) => name.split(' ')[0]);
    assert.deepEqual(days, ['2026-05-20', '2026-06-01', '2026-06-30']);
    for (const item of items ?? []) assert.equal((await app.client.get(item.path)).status, 200, item.path);
  });

  it('shows a reader only checks of what they may read', async () => {
    const { client } = await addMember(app, 'warehouse');
    const { body } = await client.get(`${path}/checklist`);
    const codes = (body.data.checks as Check[]).map(({ code }) => code);
    assert.ok(codes.includes('negative_stock') && !codes.includes('draft_payrolls'), codes.join());
  });
});
