import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

type Body = Record<string, unknown>;

describe('changing a payment', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  afterEach(() => assertSound(app.databaseUrl));

  const registered = async (direction: 'in' | 'out', amount: number, linked: unknown[], more: Body = {}) => {
    const answer = await till.pay(direction, amount, { linked_documents: linked, ...more });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return { ...answer.body.data, path: `/api/payments/${direction}/${answer.body.data.id}` };
  };
  const patched = async (path: string, body: Body) => {
    const answer = await app.client.patch(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const refused = async (path: string, body: Body, pointer: string, code: string) => {
    const answer = await app.client.patch(path, body);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      [answer.body.errors[0].pointer, answer.body.errors[0].code],
      [pointer, code],
      JSON.stringify(body),
    );
  };
  const rows = async (sql: string, id: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const found = (await db.raw(sql, [id])) as { rows: Record<string, unknown>[] };
      return found.rows;
    });
  /** Entries of a payment as `date: code debit credit, …`, in order. */
  const entered = async (id: string) => {
    const found = await rows(
      `select e.date::text, string_agg(a.code || ' ' || l.debit::float8 || ' ' || l.credit::float8, ', ' order by l.line_number) as lines
       from journal_entries e join journal_lines l on l.entry_id = e.id join accounts a on a.id = l.account_id
       where e.source_id = ? group by e.id, e.date, e.seq order by e.seq`,
      id,
    );
    return found.map(({ date, lines }) => (date === till.today ? lines : `${date}: ${lines}`));
  };
  const told = async (id: string) =>
    (await rows('select event, payload from outbox where entity_id = ? order by seq', id)) as {
      event: string;
      payload: { changed_fields?: string[]; previous_status?: string };
    }[];
  const invoiceState = async (id: string) => {
    const { status, paymentStatus, paidTotal } = await till.read(`/api/sales/invoices/${id}`);
    return [status, paymentStatus, paidTotal];
  };

  describe('to less, to none and back: documents, entries, credit, events and the audit log follow', () => {
    let id: string;
    let code: string;
    let paid: Answer['body'];

    it('to less', async () => {
      ({ id, code } = await till.invoice('sales', 100));
      paid = await registered('in', 100, [link(id, 100)]);
      const [own] = paid.linked_documents;
      const less = await patched(paid.path, { linked_documents: [{ ...link(id, 60), id: own.id }] });
      assert.deepEqual(
        { status: less.status, credit: less.credit, version: less.version },
        { status: 'partially_linked', credit: 40, version: 2 },
      );
      const [linked] = less.linked_documents;
      assert.deepEqual([linked.id, linked.amount_applied], [own.id, 60]);
      assert.deepEqual([linked.previous_status, linked.new_status], ['paid', 'partial']);
      assert.deepEqual(await invoiceState(id), ['O', 'partial', 60]);
      const told1 = (await told(id)).at(-1);
      assert.deepEqual([told1?.event, told1?.payload.previous_status], ['document.updated', 'C']);
      assert.deepEqual(told1?.payload.changed_fields, ['paidTotal', 'outstanding', 'paymentStatus', 'status']);
    });

    it('to none', async () => {
      const none = await patched(paid.path, { linked_documents: [] });
      assert.deepEqual(
        { status: none.status, credit: none.credit, linked_documents: none.linked_documents },
        { status: 'unlinked', credit: 100, linked_documents: [] },
      );
      const statuses = { previous_status: 'partial', new_status: 'pending' };
      assert.deepEqual(none.unlinked_documents, [
        { document_type: 'sales_invoice', document_id: id, document_code: code, ...statuses },
      ]);
      assert.deepEqual(await invoiceState(id), ['O', 'pending', 0]);
      const { unlinked_documents: _, ...read } = none;
      assert.deepEqual(await till.read(paid.path), read);
    });

    it('and back, with all of it entered and on record', async () => {
      const again = await patched(paid.path, { linked_documents: [link(id)] });
      assert.deepEqual([again.status, again.linked_documents[0].new_status], ['linked', 'paid']);
      assert.equal((await told(id)).at(-1)?.event, 'document.paid');
      assert.deepEqual(await entered(paid.id), [
        '572 100 0, 430 0 100',
        '438 0 40, 430 40 0',
        '438 0 60, 430 60 0',
        '438 100 0, 430 0 100',
      ]);
      assert.deepEqual(
        (await told(paid.id)).map(({ event }) => event),
        ['payment.received'],
        'it was received once',
      );
      const audit = await app.client.get(`/api/audit-logs?entityId=${paid.id}`);
      assert.deepEqual(
        audit.body.data.map(({ action }: { action: string }) => action),
        ['UPDATE', 'UPDATE', 'UPDATE', 'CREATE'],
      );
      assert.equal((await app.client.del(paid.path)).status, 204);
      assert.deepEqual(await invoiceState(id), ['O', 'pending', 0]);
    });
  });

  it('an amount of 0 takes off one of several; others go from one document to another, or to more', async () => {
    const invoices = [
      await till.invoice('sales', 30),
      await till.invoice('sales', 50),
      await till.invoice('sales', 70),
    ];
    const [one, two, three] = invoices.map(({ id }) => id) as [string, string, string];
    const { path, id } = await registered('in', 100, [link(one, 30), link(two, 50)]);
    const next = await patched(path, { linked_documents: [link(one, 0), link(two, 10), link(three)] });
    const shown = next.linked_documents.map((row: Body) => [row.document_id, row.amount_applied, row.new_status]);
    assert.deepEqual(shown, [
      [two, 10, 'partial'],
      [three, 70, 'paid'],
    ]);
    assert.deepEqual([next.credit, next.unlinked_documents[0].document_id], [20, one]);
    assert.deepEqual((await entered(id)).slice(1), [], 'one of the partner’s debts for another');
    const more = await patched(path, { linked_documents: [link(two, 20), link(three, 70)] });
    assert.deepEqual([more.credit, more.linked_documents[0].new_status], [10, 'partial']);
    const at = '/linked_documents/0';
    await refused(path, { linked_documents: [link(two, 50), link(three, 60)] }, '/linked_documents', 'over_payment');
    await refused(
      path,
      { linked_documents: [link(two, 60), link(three, 40)] },
      `${at}/amount_applied`,
      'over_outstanding',
    );
    await refused(path, { linked_documents: [link(two, -1), link(three)] }, `${at}/amount_applied`, 'out_of_range');
    await refused(path, { linked_documents: [link(two, 10.001)] }, `${at}/amount_applied`, 'too_many_decimals');
    await refused(path, { linked_documents: [link(two), link(two)] }, '/linked_documents/1/document_id', 'duplicate');
    await refused(path, { linked_documents: [link(two, 20, 'sales_order')] }, `${at}/document_id`, 'invalid_reference');
    await refused(path, { linked_documents: [{ ...link(two), id: one }] }, `${at}/id`, 'invalid_reference');
    const other = { ...link(one), id: more.linked_documents[0].id };
    await refused(path, { linked_documents: [other] }, `${at}/document_id`, 'read_only');
    assert.deepEqual(await till.read(path), more);
    // Only one link that is named alone may overpay.
    const over = await patched(path, { linked_documents: [link(two, 100)] });
    assert.equal(over.linked_documents[0].new_status, 'overpaid');
    assert.deepEqual(await invoiceState(two), ['C', 'overpaid', 100]);
  });

  it('what was withheld, discounted and written off leaves the accounts that it went to', async () => {
    const { id } = await till.invoice('sales', 100, { taxGroupId: till.taxGroupId });
    const extras = { withholding: 15, discount: 12.1, write_off: 0.4 };
    const { path, id: paymentId } = await registered('in', 93.5, [link(id, 93.5, 'SINV', extras)]);
    const [first] = await entered(paymentId);
    assert.equal(first, '572 93.5 0, 473 15 0, 706 10 0, 47700021 2.1 0, 659 0.4 0, 430 0 121');
    const kept = await patched(path, { linked_documents: [link(id, 80)] });
    const { withholding, discount, write_off, new_status } = kept.linked_documents[0];
    assert.deepEqual(
      { withholding, discount, write_off, new_status },
      { withholding: 15, discount: 12.1, write_off: 0.4, new_status: 'partial' },
    );
    await patched(path, { linked_documents: [link(id, 80, 'SINV', { withholding: 0, discount: 6.05, write_off: 0 })] });
    await patched(path, { linked_documents: [] });
    assert.deepEqual((await entered(paymentId)).slice(1), [
      '438 0 13.5, 430 13.5 0',
      '473 0 15, 706 0 10, 47700021 0 2.1, 706 5 0, 47700021 1.05 0, 659 0 0.4, 430 21.45 0',
      '706 0 5, 47700021 0 1.05, 438 0 80, 430 86.05 0',
    ]);
    const limit = { linked_documents: [link(id, 80, 'SINV', { write_off: -1.01 })] };
    await refused(path, limit, '/linked_documents/0/write_off', 'over_limit');
  });

  it('reference and notes are changed alone; what is the same changes nothing', async () => {
    const { id } = await till.invoice('sales', 10);
    const { path, ...before } = await registered('in', 10, [link(id, 10)], { reference: 'OLD', notes: 'first' });
    const next = await patched(path, { reference: 'NEW', notes: null });
    const { version, updated_at } = next;
    assert.deepEqual(next, { ...before, reference: 'NEW', notes: null, version, updated_at });
    assert.equal(version, 2);
    const documents = (await told(id)).length;
    for (const same of [{}, { reference: 'NEW' }, { linked_documents: [link(id, 10)] }])
      assert.deepEqual(await patched(path, same), next);
    assert.equal((await told(id)).length, documents);
    assertProblem(await app.client.patch(path, { notes: 'x' }, { 'If-Match': '"1"' }), 412, 'stale_version');
    assert.equal((await app.client.patch(path, { notes: 'x' }, { 'If-Match': '"2"' })).status, 200);
    assertProblem(await app.client.patch(path.replace('/in/', '/out/'), { notes: 'x' }), 404, 'not_found');
  });

  it('what was read is sent back with one change; its money is refused with what to do instead', async () => {
    const { id } = await till.invoice('sales', 10);
    const { id: other } = await till.invoice('sales', 10);
    const { path } = await registered('in', 30, [link(id, 10), link(other, 10)], { notes: 'n' });
    const read = await till.read(path);
    assert.deepEqual(await patched(path, read), read);
    const [first, second] = read.linked_documents;
    const next = await patched(path, {
      ...read,
      notes: 'm',
      linked_documents: [{ ...first, amount_applied: 4 }, second],
    });
    assert.deepEqual(
      { notes: next.notes, version: next.version, credit: next.credit },
      { notes: 'm', version: 2, credit: 16 },
    );
    assert.deepEqual(next.linked_documents[1], second);
    for (const [member, value] of Object.entries({
      amount: 31,
      partner_id: till.supplierId,
      payment_date: `${till.today.slice(0, 4)}-01-01`,
      payment_method: 'cash',
      bank_account_id: id,
    })) {
      const answer = await app.client.patch(path, { ...next, [member]: value });
      assertProblem(answer, 422, 'validation_failed');
      const [fault] = answer.body.errors;
      assert.deepEqual([fault.pointer, fault.code], [`/${member}`, 'read_only']);
      assert.equal(fault.message, 'cannot be changed: delete the payment and register it again');
    }
    await refused(path, { status: 'linked' }, '/status', 'read_only');
    const changed = [{ ...next.linked_documents[0], new_status: 'paid' }, second];
    await refused(path, { linked_documents: changed }, '/linked_documents/0/new_status', 'read_only');
    assert.deepEqual(await till.read(path), next);
  });

  it('credits and refunds: the amounts have their sign, and what is taken off is owed again', async () => {
    const credit = await till.credit('sales', 40);
    const { id } = await till.invoice('sales', 100);
    const beside = await registered('in', 60, [link(id, 100), link(credit, -40)]);
    const less = await patched(beside.path, { linked_documents: [link(id, 50), link(credit, -10)] });
    assert.deepEqual([less.credit, less.amount_applied], [20, 40]);
    assert.equal((await till.read(`/api/sales/invoices/${credit}`)).paidTotal, -10);
    const alone = await app.client.patch(beside.path, { linked_documents: [link(id, 70), link(credit, 10)] });
    assert.equal(alone.body.errors[0].pointer, '/linked_documents/1/amount_applied');
    await app.client.del(beside.path);
    const back = await registered('out', 40, [link(credit, 40)], { partner_id: till.customerId });
    const part = await patched(back.path, { linked_documents: [link(credit, 15)] });
    assert.deepEqual([part.credit, part.linked_documents[0].new_status], [25, 'partial']);
    assert.deepEqual(await invoiceState(credit), ['O', 'partial', -15]);
    assert.deepEqual((await entered(back.id)).slice(1), ['407 25 0, 430 0 25']);
  });

  it('credits: what they leave of the payment is there for an invoice named before', async () => {
    const credit = await till.credit('sales', 121);
    const { id } = await till.invoice('sales', 1210);
    const named = (document_id: string) => ({ document_type: 'sales_invoice', document_id });
    const { path } = await registered('in', 1089, [named(id), named(credit)]);
    const { linked_documents, credit: left } = await till.read(path);
    const amounts = linked_documents.map((each: Body) => [each.document_id, each.amount_applied, each.new_status]);
    assert.deepEqual(
      [amounts, left],
      [
        [
          [id, 1210, 'paid'],
          [credit, -121, 'paid'],
        ],
        0,
      ],
    );
  });

  it('advances: on an order they are credit again without an entry, on its invoice they leave it', async () => {
    const make = async (path: string, body: Body = {}) => {
      const answer = await app.client.post(path, body);
      assert.ok(answer.status < 300, `POST ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body.data;
    };
    const lines = [{ itemId: till.itemId, quantity: 10, price: 10 }];
    const { id } = await make('/api/sales', { partnerId: till.customerId, lines });
    const paid = await registered('in', 80, [link(id, 80, 'sales_order')]);
    const less = await patched(paid.path, { linked_documents: [link(id, 50, 'SO')] });
    assert.deepEqual([less.credit, less.linked_documents[0].new_status], [30, 'partial']);
    assert.equal((await entered(paid.id)).length, 1);
    const note = await make(`/api/sales/${id}/deliver`);
    const invoice = await make(`/api/sales/delivery-notes/${note.id}/invoice`);
    await make(`/api/sales/invoices/${invoice.id}/post`);
    const moved = await till.read(paid.path);
    assert.equal(moved.linked_documents[0].advance_on, id);
    const cut = await patched(paid.path, { linked_documents: [link(invoice.id, 20)] });
    assert.deepEqual([cut.credit, cut.linked_documents[0].advance_on], [60, id]);
    assert.deepEqual((await entered(paid.id)).slice(1), ['438 50 0, 430 0 50', '438 0 30, 430 30 0']);
    assert.equal((await app.client.del(paid.path)).status, 204);
  });

  it('closed periods: what was entered in one stays, what was applied later can be changed', async () => {
    const year = Number(till.today.slice(0, 4)) - 1;
    const periods = await app.client.post('/api/periods/generate', { year });
    const { id: periodId, from } = periods.body.data[0];
    const old = await till.invoice('sales', 30, { date: from });
    const later = await till.invoice('sales', 50);
    const { path, id } = await registered('in', 100, [link(old.id, 30)], { payment_date: from });
    const applied = await app.client.post(`${path}/apply`, { mode: 'manual', linked_documents: [link(later.id, 50)] });
    assert.equal(applied.body.data.linked_documents[1].date, till.today);
    assert.equal((await app.client.patch(`/api/periods/${periodId}`, { status: 'C' })).status, 200);
    for (const body of [
      { notes: 'x' },
      { reference: 'x' },
      { linked_documents: [link(later.id, 50)] },
      { linked_documents: [link(old.id, 29), link(later.id, 50)] },
    ])
      assertProblem(await app.client.patch(path, body), 409, 'period_closed');
    const less = await patched(path, { linked_documents: [link(old.id, 30), link(later.id, 20)] });
    assert.equal(less.credit, 50);
    assert.deepEqual((await entered(id)).slice(-1), ['438 0 30, 430 30 0']);
    await app.client.patch(`/api/periods/${periodId}`, { status: 'O' });
    const [none] = [await patched(path, { linked_documents: [] })];
    assert.equal(none.unlinked_documents.length, 2);
    assert.deepEqual((await entered(id)).slice(-2), [`${from}: 438 0 30, 430 30 0`, '438 0 20, 430 20 0']);
  });

  it('a matching that a person has changed is not told any more', async () => {
    const { id } = await till.invoice('sales', 25, { reference: 'MATCH-ME' });
    const paid = await registered('in', 25, [], { reference: 'match-me' });
    const applied = await app.client.post(`${paid.path}/apply`, { mode: 'by_reference' });
    assert.equal(applied.body.data.reconciliation.status, 'linked');
    assert.equal(applied.body.data.linked_documents[0].matched_by, 'by_reference');
    const same = await patched(paid.path, { notes: 'seen' });
    assert.deepEqual(same.reconciliation, applied.body.data.reconciliation);
    const less = await patched(paid.path, { linked_documents: [link(id, 5)] });
    assert.deepEqual([less.reconciliation, less.linked_documents[0].matched_by], [undefined, null]);
  });
});
