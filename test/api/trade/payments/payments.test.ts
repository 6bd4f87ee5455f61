import assert from 'node:assert/strict';
import { daysFromToday } from '../../../helpers/clock.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

describe('payments over HTTP', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));

  const outbox = async (entityId: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const rows = await db('outbox').where({ entity_id: entityId }).orderBy('seq').select('event', 'payload');
      return rows as { event: string; payload: Record<string, unknown> }[];
    });

  const payWhole = async () => {
    const invoice = await till.invoice('sales', 100);
    const answer = await till.pay('in', 100, { reference: 'TR-1', linked_documents: [link(invoice.id, 100)] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return { ...invoice, answer, payment: answer.body.data };
  };

  it('a payment of the whole closes the invoice', async () => {
    const { id, answer, payment } = await payWhole();
    assert.equal(answer.headers.get('location'), `/api/payments/in/${payment.id}`);
    assert.equal(payment.status, 'linked');
    const { document_type, document_id, previous_status, new_status } = payment.linked_documents[0];
    assert.deepEqual(
      { document_type, document_id, previous_status, new_status },
      { document_type: 'sales_invoice', document_id: id, previous_status: 'pending', new_status: 'paid' },
    );
    assert.deepEqual(await till.read(`/api/payments/in/${payment.id}`), payment);
    const paid = await till.read(`/api/sales/invoices/${id}`);
    assert.deepEqual(
      {
        status: paid.status,
        paymentStatus: paid.paymentStatus,
        paidTotal: paid.paidTotal,
        outstanding: paid.outstanding,
      },
      { status: 'C', paymentStatus: 'paid', paidTotal: 100, outstanding: 0 },
    );
  });

  it('the reconciliation of an invoice shows what was paid of it, and by what', async () => {
    const { id, payment } = await payWhole();
    assert.deepEqual(await till.read(`/api/payments/reconciliation/sales_invoice/${id}`), {
      document_id: id,
      document_total: 100,
      total_applied: 100,
      entries: [],
      remaining: 0,
      status: 'paid',
      payments: [
        {
          payment_id: payment.id,
          payment_date: till.today,
          amount_applied: 100,
          payment_method: 'transfer',
          withholding: 0,
          discount: 0,
          write_off: 0,
        },
      ],
    });
  });

  it('a payment is entered at the bank against the customer, and told', async () => {
    const { id, payment } = await payWhole();
    assert.deepEqual(await till.entered(payment.id), ['572 100 0', '430 0 100']);
    const [received] = await outbox(payment.id);
    assert.equal(received?.event, 'payment.received');
    assert.deepEqual(received?.payload.linked_document, { type: 'sales_invoice', id, new_status: 'paid' });
    assert.deepEqual((await outbox(id)).map(({ event }) => event).slice(-2), ['document.updated', 'document.paid']);
  });

  it('an invoice with payments cannot be cancelled; the refusal names both', async () => {
    const { id, code, payment } = await payWhole();
    const refused = await app.client.post(`/api/sales/invoices/${id}/cancel`, {});
    assertProblem(refused, 409, 'has_payments');
    assert.match(refused.body.detail, new RegExp(`${code}.*${payment.id}`));
  });

  it('deleting the payment opens the invoice again and reverses the entry', async () => {
    const { id, payment } = await payWhole();
    assert.equal((await app.client.del(`/api/payments/in/${payment.id}`)).status, 204);
    const open = await till.read(`/api/sales/invoices/${id}`);
    assert.deepEqual(
      { status: open.status, paymentStatus: open.paymentStatus, outstanding: open.outstanding },
      { status: 'O', paymentStatus: 'pending', outstanding: 100 },
    );
    assert.deepEqual(await till.entered(payment.id), ['572 100 0', '430 0 100', '572 0 100', '430 100 0']);
    assertProblem(await app.client.get(`/api/payments/in/${payment.id}`), 404, 'not_found');
  });

  it('parts make it partial, then paid, then overpaid; what is left over is credit that is applied later', async () => {
    const first = await till.invoice('sales', 60);
    const second = await till.invoice('sales', 50);
    const part = (await till.pay('in', 20, { linked_documents: [link(first.id, 20)] })).body.data;
    assert.equal(part.linked_documents[0].new_status, 'partial');
    const rest = (await till.pay('in', 100, { linked_documents: [link(first.id, 40)] })).body.data;
    assert.deepEqual(
      { status: rest.status, credit: rest.credit, new_status: rest.linked_documents[0].new_status },
      { status: 'partially_linked', credit: 60, new_status: 'paid' },
    );
    assert.deepEqual(await till.entered(rest.id), ['572 100 0', '438 0 60', '430 0 40']);
    const path = `/api/payments/in/${rest.id}/apply`;
    const applied = await app.client.post(path, { mode: 'manual', linked_documents: [link(second.id)] });
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    assert.deepEqual([applied.body.data.status, applied.body.data.credit], ['partially_linked', 10]);
    assert.deepEqual((await till.entered(rest.id)).slice(3), ['438 50 0', '430 0 50']);
    const over = await app.client.post(path, { mode: 'manual', linked_documents: [link(second.id, 10)] });
    assert.deepEqual(
      [over.body.data.status, over.body.data.linked_documents.at(-1).new_status],
      ['linked', 'overpaid'],
    );
    assertProblem(await app.client.post(path, { mode: 'by_date' }), 409, 'nothing_open');
    assert.equal((await till.read(`/api/sales/invoices/${second.id}`)).status, 'C');
    await app.client.del(`/api/payments/in/${rest.id}`);
    const left = await till.read(`/api/sales/invoices/${first.id}`);
    assert.deepEqual(
      { status: left.status, paymentStatus: left.paymentStatus, paidTotal: left.paidTotal },
      { status: 'O', paymentStatus: 'partial', paidTotal: 20 },
    );
  });

  it('issued: withholding, discount with its VAT and a written-off difference settle the invoice beside the money', async () => {
    const { id } = await till.invoice('purchases', 100, { taxGroupId: till.taxGroupId });
    const extras = { withholding: 15, discount: 12.1, write_off: 0.4 };
    const answer = await till.pay('out', 93.5, { linked_documents: [link(id, 93.5, 'PINV', extras)] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.equal(answer.body.data.linked_documents[0].new_status, 'paid');
    assert.deepEqual(await till.entered(answer.body.data.id), [
      '572 0 93.5',
      '4751 0 15',
      '606 0 10',
      '47200021 0 2.1',
      '759 0 0.4',
      '410 121 0',
    ]);
    assert.deepEqual(
      (await outbox(answer.body.data.id)).map(({ event }) => event),
      ['payment.made'],
    );
  });

  it('cash stands on 570, a bank account on the account that it names', async () => {
    const cash = (await till.pay('in', 5, { payment_method: 'cash' })).body.data;
    assert.deepEqual(await till.entered(cash.id), ['570 5 0', '438 0 5']);
    assert.equal(cash.status, 'unlinked');
    const accounts = await till.read('/api/accounts?code=572');
    const heading = accounts[0].parentId;
    const own = await app.client.post('/api/accounts', {
      code: '5720001',
      name: 'Caja Rural',
      type: 'asset',
      parentId: heading,
    });
    const bank = await app.client.post('/api/config/bank-accounts', {
      name: 'Caja Rural',
      iban: 'ES9121000418450200051332',
      account_id: own.body.data.id,
    });
    assert.equal(bank.status, 201, JSON.stringify(bank.body));
    const paid = (await till.pay('out', 7, { bank_account_id: bank.body.data.id })).body.data;
    assert.deepEqual(await till.entered(paid.id), ['5720001 0 7', '407 7 0']);
    await app.client.del(`/api/payments/out/${paid.id}`);
  });

  it('an invoice of nothing is paid as it stands, told as any other, and can be cancelled', async () => {
    const { id } = await till.invoice('sales', 0);
    const posted = await till.read(`/api/sales/invoices/${id}`);
    assert.deepEqual(
      { status: posted.status, paymentStatus: posted.paymentStatus, outstanding: posted.outstanding },
      { status: 'C', paymentStatus: 'paid', outstanding: 0 },
    );
    const told = await outbox(id);
    assert.deepEqual(
      told.map(({ event }) => event),
      ['document.created', 'document.locked', 'document.updated', 'document.paid'],
    );
    assert.equal((await till.read(`/api/payments/reconciliation/sales_invoice/${id}`)).status, 'paid');
    const over = await till.pay('in', 5, { linked_documents: [link(id, 5)] });
    assert.equal(over.body.data.linked_documents[0].new_status, 'overpaid');
    await assertSound(app.databaseUrl);
    assert.equal((await app.client.del(`/api/payments/in/${over.body.data.id}`)).status, 204);
    assert.equal((await till.read(`/api/sales/invoices/${id}`)).paymentStatus, 'paid');
    const cancelled = await app.client.post(`/api/sales/invoices/${id}/cancel`, {});
    assert.deepEqual([cancelled.status, cancelled.body.data?.status], [200, 'X']);
  });

  it('a credit is settled together with invoices', async () => {
    const { id } = await till.invoice('sales', 100);
    const rectified = await app.client.post(`/api/sales/invoices/${id}/rectify`, { reason: 'error' });
    const credit = rectified.body.data.id as string;
    await app.client.post(`/api/sales/invoices/${credit}/post`, {});
    const other = await till.invoice('sales', 130);
    const answer = await till.pay('in', 30, { linked_documents: [link(other.id, 130), link(credit, -100)] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual(
      answer.body.data.linked_documents.map((linked: { new_status: string }) => linked.new_status),
      ['paid', 'paid'],
    );
    assert.deepEqual((await till.entered(answer.body.data.id)).at(-1), '430 0 30');
  });

  it('a write-off below zero never makes more outstanding', async () => {
    const { id } = await till.invoice('sales', 100);
    const answer = await till.pay('in', 0.5, {
      linked_documents: [link(id, 0.5, 'sales_invoice', { write_off: -0.6 })],
    });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, '/linked_documents/0/write_off');
  });

  it('is applied on the day of the payment or later, never before', async () => {
    const { id } = await till.invoice('sales', 10, { date: daysFromToday(-9) });
    const paid = await till.pay('in', 10, { payment_date: daysFromToday(-5) });
    const path = `/api/payments/in/${paid.body.data.id}/apply`;
    const on = (date: string) => ({ mode: 'manual', date, linked_documents: [link(id, 10)] });
    const early = await app.client.post(path, on(daysFromToday(-6)));
    assertProblem(early, 422, 'validation_failed');
    assert.deepEqual([early.body.errors[0].pointer, early.body.errors[0].code], ['/date', 'out_of_range']);
    assert.equal((await till.read(`/api/sales/invoices/${id}`)).status, 'O');
    const applied = await app.client.post(path, on(daysFromToday(-5)));
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    assert.equal(applied.body.data.linked_documents[0].date, daysFromToday(-5));
  });

  it('refuses a run over a partner that does not exist, or backwards', async () => {
    const { id } = await till.invoice('sales', 100);
    const run = { mode: 'by_date', partner_id: id, from: '2026-02-01', to: '2026-01-01' };
    const answer = await app.client.post('/api/payments/reconciliation/run', run);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/to', 'out_of_range'],
        ['/partner_id', 'invalid_reference'],
      ],
    );
  });

  it('lists by partner, days and status; searches; exports', async () => {
    const { data } = (await till.pay('in', 3.25, { reference: 'LIST-ME', notes: 'Christmas' })).body;
    const { customerId, today } = till;
    for (const query of [
      `partner_id=${customerId}&from=${today}&to=${today}&amount=3.25`,
      'q=list-me',
      'status=unlinked&credit[gte]=3.25&q=christ',
      'reconciliation[empty]=true&q=list-me',
    ]) {
      const { status, body } = await app.client.get(`/api/payments/in?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.data, [data], query);
    }
    assert.deepEqual((await app.client.get('/api/payments/in?to=2001-01-01')).body.data, []);
    // Without a worker it stays to be matched.
    const waiting = await till.pay('in', 3.5, { reference: 'LATER', auto_reconcile: true });
    const pending = await app.client.get('/api/payments/in?reconciliation=pending');
    assert.deepEqual(pending.body.data, [waiting.body.data]);
    assertProblem(await app.client.get('/api/payments/in?from=soon'), 400, 'invalid_parameter');
    assert.equal((await app.client.get(`/api/payments/out?q=list-me`)).body.pagination.total, 0);
    assertProblem(await app.client.get(`/api/payments/out/${data.id}`), 404, 'not_found');
    const file = await fetch(`${app.address}/api/payments/in?format=csv&header=names&q=list-me`, {
      headers: { authorization: `Bearer ${app.token}` },
    });
    assert.equal(file.status, 200);
    assert.match(await file.text(), /LIST-ME/);
  });

  it('an older version is refused, and a key repeats the answer without a second payment', async () => {
    const key = { 'Idempotency-Key': 'pay-once' };
    const body = { partner_id: till.customerId, amount: 8, payment_date: till.today, payment_method: 'card' };
    const one = await app.client.post('/api/payments/in', body, key);
    const two = await app.client.post('/api/payments/in', body, key);
    assert.deepEqual(two.body, one.body);
    assert.equal((await app.client.get('/api/payments/in?payment_method=card')).body.pagination.total, 1);
    const path = `/api/payments/in/${one.body.data.id}`;
    assertProblem(await app.client.del(path, { 'If-Match': '"7"' }), 412, 'stale_version');
    assert.equal((await app.client.del(path, { 'If-Match': '"1"' })).status, 204);
  });

  it('are the business of accountants; a viewer reads them, sales those of its side', async () => {
    const { data } = (await till.pay('in', 1)).body;
    const asRole = async (role: string) => {
      const key = await app.client.post('/api/api-keys', { name: role, role });
      assert.equal(key.status, 201, JSON.stringify(key.body));
      return app.as(key.body.data.key, app.tenantId);
    };
    const body = { partner_id: till.customerId, amount: 1, payment_date: till.today, payment_method: 'cash' };
    const expected = {
      accountant: [200, 201, 204],
      viewer: [200, 403, 403],
      sales: [200, 403, 403],
      purchasing: [403, 403, 403],
    };
    for (const [role, statuses] of Object.entries(expected)) {
      const client = await asRole(role);
      const read = await client.get(`/api/payments/in/${data.id}`);
      const made = await client.post('/api/payments/in', body);
      const removed = await client.del(`/api/payments/in/${made.body.data?.id ?? data.id}`);
      assert.deepEqual([read.status, made.status, removed.status], statuses, role);
    }
    assertProblem(await app.client.get(`/api/payments/reconciliation/receipt/${data.id}`), 400, 'invalid_parameter');
    assertProblem(await app.client.get(`/api/payments/reconciliation/SINV/${data.id}`), 404, 'not_found');
  });

  it('sums what came in and went out, by method, and shows who owes what since when', async () => {
    const cash = async () => (await till.read('/api/reports/payments-summary')).by_method.cash ?? { in: 0, out: 0 };
    const before = await cash();
    await till.pay('in', 5, { payment_method: 'cash' });
    const after = await cash();
    assert.deepEqual([after.in, after.out], [before.in + 5, before.out]);
    const behind: { amount: number }[] = await till.read(`${after.drilldown.in}&limit=500`);
    assert.equal(behind.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100, after.in);
    const summary = await till.read('/api/reports/payments-summary');
    const list = (await till.read('/api/payments/in?limit=500')) as { amount: number }[];
    const total = list.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
    assert.equal(summary.total_in, total);
    assert.equal(summary.net, Math.round((summary.total_in - summary.total_out) * 100) / 100);
    assert.equal(summary.period, `${till.today.slice(0, 4)}-01-01/${till.today}`);
    const ofCustomer = await till.read(`/api/reports/payments-summary?partner_id=${till.customerId}`);
    const theirs = (await till.read(`${ofCustomer.by_method.cash.drilldown.in}&limit=500`)) as { amount: number }[];
    const ofSupplier = await till.read(`/api/reports/payments-summary?partner_id=${till.supplierId}`);
    assert.equal(
      theirs.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100,
      ofCustomer.by_method.cash.in,
    );
    assert.equal(Math.round((ofCustomer.total_in + ofSupplier.total_in) * 100) / 100, summary.total_in);
    const late = await till.invoice('sales', 40, { dueDate: till.today });
    const aged = async (to: string) => {
      const report = (await app.client.get(`/api/reports/aging?partner_id=${till.customerId}&to=${to}`)).body;
      assert.deepEqual(report.customers, report.data.customers);
      return report.customers[0];
    };
    const now = await aged(till.today);
    assert.ok(now.current >= 40 && now.credit > 0, JSON.stringify(now));
    assert.equal((await aged(daysFromToday(30)))['30_days'] - now['30_days'], 40);
    assert.ok((await aged(daysFromToday(61)))['90_plus'] >= 40, 'over 60 days');
    await till.pay('in', 40, { linked_documents: [link(late.id)] });
    assert.equal((await aged(till.today)).total_debt, Math.round((now.total_debt - 40) * 100) / 100);
  });

  describe('are refused with a pointer, and change nothing,', () => {
    let invoiceId: string;
    let boughtId: string;
    before(async () => {
      invoiceId = (await till.invoice('sales', 100)).id;
      boughtId = (await till.invoice('purchases', 100)).id;
    });
    const at = '/linked_documents/0';

    type Refusal = [members: Record<string, unknown>, pointer: string, code: string];
    const assertRefused = async (refusals: readonly Refusal[]) => {
      const audited = async () => (await app.client.get('/api/audit-logs')).body.pagination.total;
      const before = await audited();
      for (const [members, pointer, code] of refusals) {
        const answer = await till.pay('in', 50, members);
        const said = `${JSON.stringify(members)}: ${answer.status} ${JSON.stringify(answer.body)}`;
        assert.equal(answer.status, 422, said);
        assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code], said);
      }
      assert.equal(await audited(), before);
      assert.equal((await till.read(`/api/sales/invoices/${invoiceId}`)).version, 2);
    };

    it('for their amount, partner, method, bank account or day', () =>
      assertRefused([
        [{ amount: 0 }, '/amount', 'out_of_range'],
        [{ amount: -1 }, '/amount', 'out_of_range'],
        [{ amount: 10.001 }, '/amount', 'too_many_decimals'],
        [{ partner_id: invoiceId }, '/partner_id', 'invalid_reference'],
        [{ payment_method: 'barter' }, '/payment_method', 'invalid_choice'],
        [{ bank_account_id: invoiceId }, '/bank_account_id', 'invalid_reference'],
        [{ payment_date: '1999-01-01' }, '/payment_date', 'no_period'],
      ]));

    it('for documents that they cannot pay', async () => {
      const draft = await app.client.post('/api/sales/invoices', {
        partnerId: till.customerId,
        lines: [{ description: 'x', quantity: 1, price: 1, taxGroupId: till.taxGroupId }],
      });
      const cancelled = await till.invoice('sales', 1);
      await app.client.post(`/api/sales/invoices/${cancelled.id}/cancel`, {});
      const groups = await till.read('/api/partnerGroups?isCustomer=true');
      const other = await app.client.post('/api/partners', { name: 'Otro', groupId: groups[0].id });
      await assertRefused([
        [{ linked_documents: [link(boughtId, 10, 'purchase_invoice')] }, `${at}/document_type`, 'wrong_type'],
        [{ linked_documents: [link(boughtId, 10)] }, `${at}/document_id`, 'invalid_reference'],
        [{ linked_documents: [link(draft.body.data.id, 1)] }, `${at}/document_id`, 'draft'],
        [{ linked_documents: [link(cancelled.id, 1)] }, `${at}/document_id`, 'cancelled'],
        [
          { partner_id: other.body.data.id, linked_documents: [link(invoiceId, 1)] },
          `${at}/document_id`,
          'other_partner',
        ],
        [
          { linked_documents: [link(invoiceId, 10), link(invoiceId, 10)] },
          '/linked_documents/1/document_id',
          'duplicate',
        ],
      ]);
    });

    it('for amounts that cannot be applied', () => {
      const of = (amount: number, more?: Record<string, unknown>) => ({
        linked_documents: [link(invoiceId, amount, 'sales_invoice', more)],
      });
      return assertRefused([
        [of(50.01), `${at}/amount_applied`, 'over_payment'],
        [of(0), `${at}/amount_applied`, 'out_of_range'],
        [of(-5), `${at}/amount_applied`, 'out_of_range'],
        [of(1.001), `${at}/amount_applied`, 'too_many_decimals'],
        [of(50, { write_off: 1.01 }), `${at}/write_off`, 'over_limit'],
        [of(50, { write_off: -1.01 }), `${at}/write_off`, 'over_limit'],
        [of(50, { discount: 51 }), `${at}/amount_applied`, 'over_outstanding'],
      ]);
    });

    it('for more of an overpaid invoice, beside another', async () => {
      const { id } = await till.invoice('sales', 100);
      await till.pay('in', 120, { linked_documents: [link(id, 120)] });
      // 120 of 100 leave −20: 10 more are beyond it, though 10 < 20.
      const linked_documents = [link(id, 10), link(invoiceId, 10)];
      await assertRefused([[{ linked_documents }, `${at}/amount_applied`, 'over_outstanding']]);
    });

    it('for a reconciliation without documents, or backwards', () =>
      assertRefused([
        [{ reconciliation: { mode: 'manual' } }, '/linked_documents', 'required'],
        [
          { reconciliation: { mode: 'by_date', from: '2026-02-01', to: '2026-01-01' } },
          '/reconciliation/to',
          'out_of_range',
        ],
      ]));
  });
});
