import assert from 'node:assert/strict';
import { link, openTill } from '../api/trade/payments/till.ts';
import { REAL_CLOCK } from '../helpers/app.ts';
import { assertSound, use, useApp, useTemporal, useWorker } from '../helpers/hooks.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../helpers/worker.ts';
import { atOnce, tally } from './market.ts';

interface Listed {
  readonly id: string;
  readonly credit: number;
  readonly amount_applied: number;
  readonly reconciliation?: unknown;
}

interface Matched {
  readonly status: string;
  readonly reconciliation: { readonly reason: string | null };
}

describe('payments under parallel requests', function () {
  this.timeout(240_000);
  const temporal = useTemporal();
  const app = useApp(() => ({
    clock: REAL_CLOCK,
    env: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace, ENCRYPTION_KEY },
  }));
  const till = use(() => openTill(app));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  afterEach(() => assertSound(app.databaseUrl));

  /** The payment once its matching is over, which the answer may not have waited for. */
  const matched = (id: string) =>
    eventually(async () => {
      const payment = await till.read(`/api/payments/in/${id}`);
      assert.notEqual(payment.reconciliation, 'pending');
      return payment;
    }, 60_000);
  const readInvoice = (id: string) => till.read(`/api/sales/invoices/${id}`);

  it('apply exactly the total of one invoice that 50 of them refer to, and leave the rest as credit', async () => {
    const { id } = await till.invoice('sales', 100, { reference: 'RACE-1' });
    const reconciliation = { mode: 'by_reference' };
    const answers = await atOnce(50, () => till.pay('in', 7, { reference: 'RACE-1', reconciliation }));
    assert.deepEqual(tally(answers), { 201: 50 });
    const listed = await eventually(async () => {
      const rows = (await till.read('/api/payments/in?q=RACE-1&limit=100')) as Listed[];
      assert.ok(
        rows.every(({ reconciliation: came }) => came !== 'pending'),
        'some are pending still',
      );
      return rows;
    }, 60_000);
    assert.equal(listed.length, 50);
    const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    assert.equal(total(listed.map((payment) => payment.amount_applied)), 100);
    assert.equal(total(listed.map((payment) => payment.credit)), 250);
    const { status, paymentStatus, paidTotal } = await readInvoice(id);
    assert.deepEqual({ status, paymentStatus, paidTotal }, { status: 'C', paymentStatus: 'paid', paidTotal: 100 });
  });

  describe('a registration while there is a worker', () => {
    /** An answer waits for its matching for two seconds, which a machine that is busy may not keep to each time. */
    let tries = 0;
    const registered = use(() =>
      eventually(async () => {
        const reference = `SOON-${++tries}`;
        const invoice = await till.invoice('sales', 33, { reference });
        const key = { 'Idempotency-Key': reference };
        const body = {
          partner_id: till.customerId,
          amount: 40,
          payment_date: till.today,
          payment_method: 'transfer',
          reference,
          reconciliation: { mode: 'by_reference' },
        };
        const first = await app.client.post('/api/payments/in', body, key);
        assert.equal(first.status, 201, JSON.stringify(first.body));
        assert.notEqual(first.body.data.reconciliation, 'pending');
        return { invoice, reference, key, body, first };
      }, 60_000),
    );

    it('returns what was matched', () => {
      const { invoice, reference, first } = registered;
      const { status, credit, linked_documents: links, reconciliation } = first.body.data;
      assert.deepEqual({ status, credit }, { status: 'partially_linked', credit: 7 });
      assert.deepEqual(reconciliation, {
        mode: 'by_reference',
        status: 'partially_linked',
        reason: null,
        message: `matched by reference ${reference}: ${invoice.code}; 7 is left as credit`,
      });
      assert.deepEqual(
        { links: links.length, document_id: links[0].document_id, new_status: links[0].new_status },
        { links: 1, document_id: invoice.id, new_status: 'paid' },
      );
    });

    it('returns the same when it is repeated with its key', async () => {
      const { body, key, first } = registered;
      const again = await app.client.post('/api/payments/in', body, key);
      assert.deepEqual({ status: again.status, body: again.body }, { status: 201, body: first.body });
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
    });
  });

  it('a run is queued, and its result has a decision on each payment', async () => {
    const run = await app.client.post('/api/payments/reconciliation/run', { mode: 'by_date', direction: 'in' });
    assert.equal(run.status, 202, JSON.stringify(run.body));
    assert.equal(run.body.status, 'queued');
    await eventually(async () => assert.equal((await till.read(`/api/tasks/${run.body.task_id}`)).status, 'completed'));
    const result = await till.read(`/api/tasks/${run.body.task_id}/result`);
    assert.equal(result.payments, result.decisions.length);
    // The link needs no token, and shows the same.
    const { result_url } = await till.read(`/api/tasks/${run.body.task_id}`);
    assert.match(result_url, /^\/api\/files\/.*&signature=/);
    assert.deepEqual(((await (await fetch(app.address + result_url)).json()) as { data: object }).data, result);
  });

  it('auto_reconcile of 20 at once links one with the invoice of exactly its amount, and tells the others why not', async () => {
    const { id, code } = await till.invoice('sales', 64, { reference: 'Exact-1' });
    const exact = { reference: ' exact-1 ', auto_reconcile: true };
    const part = await matched((await till.pay('in', 60, exact)).body.data.id);
    assert.deepEqual(
      { status: part.status, credit: part.credit, reason: part.reconciliation.reason },
      { status: 'unlinked', credit: 60, reason: 'different_amount' },
    );
    const answers = await atOnce(20, () => till.pay('in', 64, exact));
    assert.deepEqual(tally(answers), { 201: 20 });
    const came = await eventually(async () => {
      const rows = (await till.read('/api/payments/in?amount=64&limit=100')) as Matched[];
      assert.ok(!rows.some(({ reconciliation }) => String(reconciliation) === 'pending'), 'some are pending still');
      return rows.map(({ status, reconciliation: { reason } }) => `${status} ${reason}`).sort();
    }, 60_000);
    assert.deepEqual(came, ['linked null', ...Array.from({ length: 19 }, () => 'unlinked no_open_invoice')]);
    const { status, paymentStatus, paidTotal } = await readInvoice(id);
    assert.deepEqual({ status, paymentStatus, paidTotal }, { status: 'C', paymentStatus: 'paid', paidTotal: 64 });
    const byNumber = await matched((await till.pay('in', 64, { reference: code, auto_reconcile: true })).body.data.id);
    assert.deepEqual([byNumber.status, byNumber.reconciliation.reason], ['unlinked', 'no_open_invoice']);
  });

  it('explicit links run one after another, and each sees the others', async () => {
    const { id } = await till.invoice('sales', 100);
    const answers = await atOnce(12, () => till.pay('in', 10, { linked_documents: [link(id, 10)] }));
    assert.deepEqual(tally(answers), { 201: 12 });
    const seen = answers.map(({ body }) => body.data.linked_documents[0].new_status as string).sort();
    assert.deepEqual(seen, ['overpaid', 'overpaid', 'paid', ...Array.from({ length: 9 }, () => 'partial')]);
    assert.equal((await readInvoice(id)).paymentStatus, 'overpaid');
  });

  it('one credit applied many times at once is applied once; a payment deleted meanwhile is not applied', async () => {
    const invoices = await Promise.all([till.invoice('sales', 30), till.invoice('sales', 30)]);
    const { id } = (await till.pay('in', 30)).body.data;
    const path = `/api/payments/in/${id}`;
    const answers = await atOnce(10, (index) =>
      app.client.post(`${path}/apply`, { mode: 'manual', linked_documents: [link(invoices[index % 2]?.id ?? '', 30)] }),
    );
    assert.deepEqual(tally(answers), { 200: 1, '409 nothing_open': 9 });

    const other = (await till.pay('in', 30)).body.data.id as string;
    const open = await Promise.all(invoices.map((one) => readInvoice(one.id)));
    const target = open.find(({ status }) => status === 'O');
    const [applied, removed] = await Promise.all([
      app.client.post(`/api/payments/in/${other}/apply`, { mode: 'manual', linked_documents: [link(target.id, 30)] }),
      app.client.del(`/api/payments/in/${other}`),
    ]);
    assert.equal(removed.status, 204);
    assert.ok([200, 404].includes(applied.status), JSON.stringify(applied.body));
    assert.equal((await readInvoice(target.id)).paidTotal, 0);
  });

  it('a change runs before or after another change, an application, or the deletion of its payment', async () => {
    const { id } = await till.invoice('sales', 100);
    const { id: other } = await till.invoice('sales', 100);
    const paid = await till.pay('in', 100, { linked_documents: [link(id, 50)] });
    const path = `/api/payments/in/${paid.body.data.id}`;
    const change = (amount: number, headers = {}) =>
      app.client.patch(path, { linked_documents: [link(id, amount)] }, headers);
    const named = await atOnce(8, (index) => change(10 + index, { 'If-Match': '"1"' }));
    assert.deepEqual(tally(named), { 200: 1, '412 stale_version': 7 });
    const answers = await atOnce(12, (index) => change(40 + index));
    assert.deepEqual(tally(answers), { 200: 12 });
    const seen = await till.read(path);
    assert.equal((await readInvoice(id)).paidTotal, seen.amount_applied);
    assert.equal(seen.version, 14);

    const mixed = await atOnce(8, (index) =>
      index % 2 === 0
        ? change(60)
        : app.client.post(`${path}/apply`, { mode: 'manual', linked_documents: [link(other, 10)] }),
    );
    const { 200: done = 0, '409 nothing_open': full = 0, ...refusals } = tally(mixed);
    assert.deepEqual([done + full, refusals], [8, {}]);
    const after = await till.read(path);
    const readPaidTotal = async () => (await readInvoice(id)).paidTotal + (await readInvoice(other)).paidTotal;
    assert.equal(await readPaidTotal(), after.amount_applied);

    const [changed, removed] = await Promise.all([change(70), app.client.del(path)]);
    assert.equal(removed.status, 204);
    assert.ok([200, 404].includes(changed.status), JSON.stringify(changed.body));
    assert.equal(await readPaidTotal(), 0);
  });

  it('an advance that is changed while its invoice is posted is applied once, to the one or to the other', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await app.client.post('/api/sales', {
        partnerId: till.customerId,
        lines: [{ itemId: till.itemId, quantity: 1, price: 100 }],
      });
      const { id, total } = order.body.data;
      const paid = await till.pay('in', 80, { linked_documents: [link(id, 80, 'sales_order')] });
      const path = `/api/payments/in/${paid.body.data.id}`;
      const note = await app.client.post(`/api/sales/${id}/deliver`, {});
      const draft = await app.client.post(`/api/sales/delivery-notes/${note.body.data.id}/invoice`, {});
      const invoice = `/api/sales/invoices/${draft.body.data.id}`;
      const [posted, changed] = await Promise.all([
        app.client.post(`${invoice}/post`, {}),
        app.client.patch(path, { linked_documents: [link(id, 30, 'sales_order')] }),
      ]);
      assert.equal(posted.status, 200, JSON.stringify(posted.body));
      assert.equal(total, 121);
      // If the advance was applied first, the order is already completed, and the named amount becomes an advance on it again.
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const { linked_documents: links, amount_applied: applied } = await till.read(path);
      assert.equal(links.length, 1);
      assert.equal(applied, 30);
      const { paidTotal } = await till.read(invoice);
      assert.equal(paidTotal, links[0].document_id === id ? 0 : 30);
    }
  });

  it('a credit is offset once, however many requests come at once, beside payments of the same invoice', async () => {
    const { id } = await till.invoice('sales', 100);
    const credit = await till.credit('sales', 60);
    const both = [link(id), link(credit)];
    const answers = await atOnce(12, (index) =>
      index % 3 === 2
        ? till.pay('in', 10, { linked_documents: [link(id)] })
        : app.client.post('/api/payments/offsets', { partner_id: till.customerId, linked_documents: both }),
    );
    assert.deepEqual(tally(answers), { 201: 5, '422 validation_failed': 7 });
    const { status, paymentStatus, paidTotal } = await readInvoice(id);
    assert.deepEqual({ status, paymentStatus, paidTotal }, { status: 'C', paymentStatus: 'paid', paidTotal: 100 });
    const { id: offset } = (await till.read('/api/payments/offsets'))[0];
    const removed = await atOnce(4, () => app.client.del(`/api/payments/offsets/${offset}`));
    assert.deepEqual(tally(removed), { 204: 1, '404 not_found': 3 });
    assert.deepEqual([(await readInvoice(id)).paidTotal, (await readInvoice(credit)).status], [40, 'O']);
  });

  it('a closed period accepts no more payments, and no accepted payment is lost', async () => {
    const year = Number(till.today.slice(0, 4)) - 1;
    const periods = await app.client.post('/api/periods/generate', { year });
    const { id, from } = periods.body.data[0];
    const [closed, ...answers] = await Promise.all([
      app.client.patch(`/api/periods/${id}`, { status: 'C' }),
      ...Array.from({ length: 12 }, () => till.pay('in', 1, { payment_date: from, notes: 'closing' })),
    ]);
    assert.equal(closed?.status, 200, JSON.stringify(closed?.body));
    const { 201: taken = 0, '409 period_closed': refused = 0, ...rest } = tally(answers);
    assert.deepEqual(rest, {});
    assert.equal(taken + refused, 12);
    const list = (await till.read('/api/payments/in?q=closing')) as Listed[];
    assert.equal(list.length, taken);
    const late = await till.pay('in', 1, { payment_date: from });
    assert.deepEqual(
      { status: late.status, code: late.body.code, pointer: late.body.errors[0].pointer },
      { status: 409, code: 'period_closed', pointer: '/payment_date' },
    );
    for (const payment of list.slice(0, 1)) {
      const deleted = await app.client.del(`/api/payments/in/${payment.id}`);
      assert.deepEqual([deleted.status, deleted.body.code], [409, 'period_closed']);
    }
  });
});
