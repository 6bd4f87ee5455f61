import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../../trade/payments/till.ts';

const ENTRIES = '/api/journal-entries';

interface Line {
  readonly openItemId: string;
  readonly outstanding: number | null;
  readonly settlesId: string | null;
}
interface Entry {
  readonly id: string;
  readonly version: number;
  readonly lines: readonly Line[];
}
type Row = Record<string, unknown>;

describe('open items', function () {
  this.timeout(60_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const books = use(() => openBooks(app), { each: true });

  /** `430 100` is a debit, `430 -100` a credit; customers stand on 43, suppliers on 40 and 41. */
  const body = (lines: readonly (readonly [string, number, Row?])[], more: Row = {}) => ({
    date: till.today,
    post: true,
    lines: lines.map(([code, amount, other = {}]) => ({
      accountId: books.account(code),
      ...(amount > 0 ? { debit: amount } : { credit: -amount }),
      ...(code.startsWith('43') ? { partnerId: till.customerId } : {}),
      ...(/^4[01]/.test(code) ? { partnerId: till.supplierId } : {}),
      ...other,
    })),
    ...more,
  });
  const send = (...args: Parameters<typeof body>) => app.client.post(ENTRIES, body(...args));
  const enter = (...args: Parameters<typeof body>) => books.make<Entry>(ENTRIES, body(...args));
  const opening = () =>
    enter(
      [
        ['430', 100, { dueDate: `${YEAR - 1}-12-01`, reference: 'F-2019/7' }],
        ['400', -40, { reference: 'ALB-3' }],
        ['572', 500],
        ['100', -560],
      ],
      { date: `${YEAR}-01-01`, kind: 'opening' },
    );
  const openItemIds = ({ lines }: Entry) => lines.map(({ openItemId }) => openItemId);
  const aging = async (side: 'customers' | 'suppliers', to = till.today) => {
    const { summary } = (await app.client.get(`/api/reports/aging?side=${side}&to=${to}`)).body;
    return { debt: summary.total_debt, credit: summary.credit, late: summary['90_plus'] };
  };
  const status = async (itemId: string) => {
    const { remaining, status: state } = await till.read(`/api/open-items/${itemId}/reconciliation`);
    return [remaining, state];
  };
  const invoiceStatus = async (id: string, type = 'sales_invoice') => {
    const { remaining, status: state, entries } = await till.read(`/api/payments/reconciliation/${type}/${id}`);
    return [remaining, state, entries.map(({ amount_applied: amount }: { amount_applied: number }) => amount)];
  };
  const fault = ({ status: code, body: { errors, ...problem } }: { status: number; body: Row & { errors?: Row[] } }) =>
    `${code} ${problem.code} ${errors?.map((one) => `${one.pointer} ${one.code}`).join(', ') ?? ''}`.trim();

  it('of an opening entry are aged, listed, paid in parts, and paid to suppliers', async () => {
    const entry = await opening();
    const [owed = '', owes = ''] = openItemIds(entry);
    assert.deepEqual(await aging('customers'), { debt: 100, credit: 0, late: 100 });
    assert.deepEqual(await aging('suppliers'), { debt: 40, credit: 0, late: 40 });
    const listed: Row[] = await till.read('/api/open-items?direction=in&outstanding[ne]=0');
    assert.deepEqual(
      listed.map(({ code, due_date, total, outstanding, account_code }) => [
        code,
        due_date,
        total,
        outstanding,
        account_code,
      ]),
      [['F-2019/7', `${YEAR - 1}-12-01`, 100, 100, '430']],
    );

    // 30 of 100 is paid, with 1 written off: 69 is left. The money goes to the account on which the item stands.
    const part = await till.pay('in', 30, { linked_documents: [link(owed, 30, 'open_item', { write_off: 1 })] });
    assert.equal(part.status, 201, JSON.stringify(part.body));
    assert.deepEqual(await till.entered(part.body.data.id), ['572 30 0', '659 1 0', '430 0 31']);
    assert.deepEqual(await status(owed), [69, 'partial']);
    const [{ document_type: type, document_code: code, new_status: state }] = part.body.data.linked_documents;
    assert.deepEqual([type, code, state], ['open_item', 'F-2019/7', 'partial']);
    const paid = await till.pay('out', 40, { linked_documents: [link(owes, undefined, 'open_item')] });
    assert.deepEqual(await till.entered(paid.body.data.id), ['572 0 40', '400 40 0']);
    assert.deepEqual(await status(owes), [0, 'paid']);
    assert.deepEqual(await aging('customers'), { debt: 69, credit: 0, late: 69 });
    assert.deepEqual((await aging('suppliers')).debt, 0);
    // On the day before, both were open.
    const before = new Date(Date.parse(till.today) - 86_400_000).toISOString().slice(0, 10);
    assert.equal((await aging('customers', before)).debt, 100);

    assert.equal((await app.client.del(`/api/payments/in/${part.body.data.id}`)).status, 204);
    assert.deepEqual(await status(owed), [100, 'pending']);
  });

  it('are matched by reference, amount and date', async () => {
    const entry = await enter([
      ['430', 70, { reference: 'OLD-1' }],
      ['430', 50, { reference: 'OLD-2' }],
      ['430', 20],
      ['100', -140],
    ]);
    const [first = '', second = '', third = ''] = openItemIds(entry);
    const pay = async (amount: number, mode: string, reference?: string) => {
      const registered = (await till.pay('in', amount, { reference })).body.data.id as string;
      const answer = await app.client.post(`/api/payments/in/${registered}/apply`, { mode });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.data.linked_documents.map((one: Row) => [one.document_id, one.amount_applied]);
    };
    assert.deepEqual(await pay(50, 'by_amount'), [[second, 50]]);
    assert.deepEqual(await pay(60, 'by_reference', 'old-1'), [[first, 60]]);
    // 10 is left of the first, which is older by its id; 5 goes to the third.
    assert.deepEqual(await pay(15, 'by_date'), [
      [first, 10],
      [third, 5],
    ]);
  });

  it('are offset, also against invoices', async () => {
    const { id } = await till.invoice('sales', 100);
    const [credit = ''] = openItemIds(
      await enter([
        ['430', -30],
        ['629', 30],
      ]),
    );
    const answer = await app.client.post('/api/payments/offsets', {
      partner_id: till.customerId,
      linked_documents: [link(credit, undefined, 'open_item'), link(id)],
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual(await status(credit), [0, 'paid']);
    assert.deepEqual((await invoiceStatus(id)).slice(0, 2), [70, 'partial']);
  });

  it('and invoices are settled by entries, such as a bad debt moved to doubtful customers and lost', async () => {
    const { id, code } = await till.invoice('sales', 100);
    const moved = await enter([
      ['436', 100],
      ['430', -100, { settlesId: id }],
    ]);
    const [doubtful = ''] = openItemIds(moved);
    assert.deepEqual(await invoiceStatus(id), [0, 'paid', [100]]);
    assert.deepEqual(
      moved.lines.map(({ settlesId, outstanding }) => [settlesId, outstanding]),
      [
        [null, 100],
        [id, null],
      ],
    );
    await enter([
      ['650', 60],
      ['436', -60, { settlesId: doubtful }],
    ]);
    assert.deepEqual(await status(doubtful), [40, 'partial']);
    assert.equal((await aging('customers')).debt, 40);

    // The invoice is not cancelled under it, and the entry not reversed while its own item is settled.
    const cancelled = await app.client.post(`/api/sales/invoices/${id}/cancel`);
    assertProblem(cancelled, 409, 'has_payments');
    assert.match(cancelled.body.detail, new RegExp(`${code}: /api/journal-entries/${moved.id}`));
    assertProblem(await app.client.post(`${ENTRIES}/${moved.id}/reverse`), 409, 'in_use');
  });

  it('keep an invoice settled while a payment and a reversing entry settle it by zero together', async () => {
    const { id } = await till.invoice('sales', 100);
    const pay = async (amount: number) =>
      (await till.pay('in', amount, { linked_documents: [link(id, amount)] })).body.data.id as string;
    const receipt = await pay(150);
    // 150 of 100: an entry gives 50 back. The 150 come back from the bank, and 50 are paid: 150 − 50 − 150 + 50 = 0.
    const given = await enter([
      ['430', 50, { settlesId: id }],
      ['572', -50],
    ]);
    const back = await app.client.post(`/api/payments/in/${receipt}/return`, { date: till.today });
    assert.equal(back.status, 201, JSON.stringify(back.body));
    const again = await pay(50);
    assert.deepEqual((await invoiceStatus(id)).slice(0, 2), [100, 'pending']);
    const cancel = () => app.client.post(`/api/sales/invoices/${id}/cancel`, {});
    const refused = await cancel();
    assertProblem(refused, 409, 'has_payments');
    assert.match(
      refused.body.detail,
      new RegExp(`/api/payments/in/${again}.*/api/journal-entries/${given.id}|${given.id}.*${again}`),
    );
    assert.doesNotMatch(refused.body.detail, new RegExp(receipt));
    assert.equal((await app.client.del(`/api/payments/in/${again}`)).status, 204);
    assert.equal((await app.client.post(`${ENTRIES}/${given.id}/reverse`)).status, 201);
    assert.equal((await cancel()).status, 200);
  });

  it('of a customer are netted against a supplier, and reopened by a reversal', async () => {
    const sale = await till.invoice('sales', 100);
    const purchase = await till.invoice('purchases', 80);
    const netting = await enter([
      ['410', 80, { settlesId: purchase.id }],
      ['430', -80, { settlesId: sale.id }],
    ]);
    assert.deepEqual(await invoiceStatus(sale.id), [20, 'partial', [80]]);
    assert.deepEqual(await invoiceStatus(purchase.id, 'purchase_invoice'), [0, 'paid', [80]]);
    assert.equal((await app.client.get(`/api/purchases/invoices/${purchase.id}`)).body.data.status, 'C');
    assert.equal((await app.client.post(`${ENTRIES}/${netting.id}/reverse`)).status, 201);
    assert.deepEqual(await invoiceStatus(sale.id), [100, 'pending', [80, -80]]);
    assert.equal((await app.client.get(`/api/purchases/invoices/${purchase.id}`)).body.data.status, 'O');
  });

  it('are closed by the reversal of their entry, and remain open on the days before it', async () => {
    const entry = await opening();
    const [owed = ''] = openItemIds(entry);
    const [payment = ''] = [
      (await till.pay('in', 10, { linked_documents: [link(owed, 10, 'open_item')] })).body.data.id,
    ];
    assertProblem(await app.client.post(`${ENTRIES}/${entry.id}/reverse`), 409, 'in_use');
    assert.equal((await app.client.del(`/api/payments/in/${payment}`)).status, 204);
    assert.equal((await app.client.post(`${ENTRIES}/${entry.id}/reverse`)).status, 201);
    assert.deepEqual(await status(owed), [0, 'paid']);
    assert.equal((await aging('customers')).debt, 0);
  });

  it('of drafts are created when these are posted', async () => {
    const { id } = await till.invoice('sales', 100);
    const draft = await enter(
      [
        ['430', -100, { settlesId: id }],
        ['650', 60],
        ['430', 40, { dueDate: `${YEAR}-12-31` }],
      ],
      {
        post: false,
      },
    );
    assert.deepEqual(
      draft.lines.map(({ settlesId, openItemId }) => [settlesId, openItemId]),
      [
        [id, null],
        [null, null],
        [null, null],
      ],
    );
    assert.deepEqual(await invoiceStatus(id), [100, 'pending', []]);
    // Paid in the meantime: it is settled no more.
    const payment = (await till.pay('in', 100, { linked_documents: [link(id)] })).body.data.id;
    assert.equal(
      fault(await app.client.post(`${ENTRIES}/${draft.id}/post`)),
      '422 validation_failed /lines/0/credit over_outstanding',
    );
    await app.client.del(`/api/payments/in/${payment}`);
    const sentBack = await app.client.patch(`${ENTRIES}/${draft.id}`, { ...draft, description: 'Moroso' });
    assert.equal(sentBack.status, 200, JSON.stringify(sentBack.body));
    const posted = await books.make<Entry>(`${ENTRIES}/${draft.id}/post`);
    assert.deepEqual(
      posted.lines.map(({ outstanding }) => outstanding),
      [null, null, 40],
    );
    assert.deepEqual(await invoiceStatus(id), [0, 'paid', [100]]);
  });

  it('count towards the credit limit', async () => {
    assert.equal((await app.client.patch(`/api/partners/${till.customerId}`, { creditLimit: 120 })).status, 200);
    await opening();
    const lines = [{ description: 'Servicio', quantity: 1, price: 50, taxGroupId: till.taxGroupId }];
    const order = await app.client.post('/api/sales', { partnerId: till.customerId, lines });
    // 100 of the opening entry + 50 and 21 % of VAT = 160.50.
    assert.match(JSON.stringify(order.body.data.warnings), /would owe 160\.5/);
  });

  it('are rejected with a pointer for each mismatch, without any change', async () => {
    const sale = await till.invoice('sales', 100);
    const draft = await books.make('/api/sales/invoices', {
      partnerId: till.customerId,
      lines: [{ description: 'x', quantity: 1, price: 1, taxGroupId: till.taxGroupId }],
    });
    const [item = ''] = openItemIds(
      await enter([
        ['430', 25],
        ['100', -25],
      ]),
    );
    const settling = (settlesId: string, amount: number, more: Row = {}) =>
      send([
        ['430', -amount, { settlesId, ...more }],
        ['650', amount],
      ]).then(fault);
    const at = (pointer: string, code: string) => `422 validation_failed /lines/0/${pointer} ${code}`;
    assert.equal(await settling(till.customerId, 10), at('settlesId', 'invalid_reference'));
    assert.equal(await settling(draft.id, 1), at('settlesId', 'draft'));
    assert.equal(await settling(sale.id, 100.01), at('credit', 'over_outstanding'));
    assert.equal(await settling(sale.id, 10, { partnerId: till.supplierId }), at('settlesId', 'other_partner'));
    assert.equal(await settling(sale.id, 10, { accountId: books.account('431') }), at('accountId', 'other_account'));
    assert.equal(await settling(item, 10, { partnerId: null }), at('settlesId', 'not_allowed'));
    assert.equal(await settling('nothing', 10), at('settlesId', 'invalid_format'));
    assert.deepEqual(await status(item), [25, 'pending']);
    assert.deepEqual(await invoiceStatus(sale.id), [100, 'pending', []]);
  });

  it('are settled only by the other side, once, and by lines of a partner', async () => {
    const at = (pointer: string, code: string) => `422 validation_failed /lines/0/${pointer} ${code}`;
    const sale = await till.invoice('sales', 100);
    const [item = ''] = openItemIds(
      await enter([
        ['430', 25],
        ['100', -25],
      ]),
    );
    // The other side adds to it.
    const added = await send([
      ['430', 10, { settlesId: item }],
      ['100', -10],
    ]);
    assert.equal(fault(added), at('debit', 'over_outstanding'));
    // Twice in one entry: 60 + 60 of 100.
    const twice = await send([
      ['430', -60, { settlesId: sale.id }],
      ['430', -60, { settlesId: sale.id }],
      ['650', 120],
    ]);
    assert.equal(fault(twice), '422 validation_failed /lines/1/credit over_outstanding');
    const dated = await send([
      ['572', 10, { dueDate: till.today }],
      ['100', -10],
    ]);
    assert.equal(fault(dated), at('dueDate', 'not_allowed'));
    assert.deepEqual(await status(item), [25, 'pending']);
    assert.deepEqual(await invoiceStatus(sale.id), [100, 'pending', []]);
  });

  it('cannot be paid as other documents, nor by payments in the other direction', async () => {
    const sale = await till.invoice('sales', 100);
    const [item = ''] = openItemIds(
      await enter([
        ['430', 25],
        ['100', -25],
      ]),
    );
    const pays = async (direction: 'in' | 'out', ...rest: Parameters<typeof link>) =>
      fault(await till.pay(direction, 10, { linked_documents: [link(...rest)] }));
    const to = (pointer: string, code: string) => `422 validation_failed /linked_documents/0/${pointer} ${code}`;
    assert.equal(await pays('in', sale.id, 10, 'open_item'), to('document_id', 'invalid_reference'));
    assert.equal(await pays('in', item, 10, 'sales_invoice'), to('document_id', 'invalid_reference'));
    assert.equal(await pays('out', item, 10, 'open_item'), to('document_type', 'wrong_type'));
    assert.equal(await pays('in', item, 9, 'open_item', { discount: 1 }), to('discount', 'wrong_type'));
    assert.deepEqual(await status(item), [25, 'pending']);
    assertProblem(await app.client.get(`/api/open-items/${sale.id}/reconciliation`), 404, 'not_found');
  });
});
