import assert from 'node:assert/strict';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTill } from '../payments/till.ts';

type Body = Record<string, unknown>;
const THIRDS = [{ percent: 30, days: 30 }, { percent: 30, days: 60 }, { days: 90 }];
/** The 15th is a payment day of the partner where it is told so. */
const DATE = '2026-01-10';

describe('instalments of invoices', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  afterEach(() => assertSound(app.databaseUrl));

  let codes = 0;
  const made = async (path: string, body: Body) => {
    const answer = await app.client.post(path, body);
    assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const changed = async (path: string, body: Body) => {
    const answer = await app.client.patch(path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const terms = async (lines: Body[] = THIRDS, more: Body = {}) =>
    (await made('/api/payment-terms', { code: `T${++codes}`, name: 'Tercios', lines, ...more })).id as string;
  const draft = (more: Body, type = 'sales/invoices') => {
    const lines = [{ description: 'Servicio', quantity: 1, price: 1000, taxGroupId: till.taxGroupId }];
    return made(`/api/${type}`, { partnerId: till.customerId, date: DATE, lines, ...more });
  };
  const post = ({ id }: { id: string }) => made(`/api/sales/invoices/${id}/post`, {});
  const parts = ({ instalments }: { instalments: { dueDate: string; amount: number; outstanding: number }[] }) =>
    instalments.map(({ dueDate, amount, outstanding }) => `${dueDate} ${amount} ${outstanding}`);
  const partnerHas = (values: Body) => changed(`/api/partners/${till.customerId}`, values);
  afterEach(() => partnerHas({ paymentTermsId: null, firstPaymentDay: null, secondPaymentDay: null }));

  it('follow from the terms of the partner and add up to the total', async () => {
    const paymentTermsId = await terms();
    await partnerHas({ paymentTermsId });
    const invoice = await draft({});
    // 1,210: 30 % = 363.00 twice, and 484.00.
    const expected = ['2026-02-09 363 363', '2026-03-11 363 363', '2026-04-10 484 484'];
    assert.deepEqual(parts(invoice), expected);
    assert.deepEqual([invoice.paymentTermsId, invoice.dueDate], [paymentTermsId, '2026-04-10']);
    const posted = await post(invoice);
    assert.deepEqual(parts(posted), expected);
    const { warnings: _, ...stored } = posted as typeof posted & { warnings: unknown };
    assert.deepEqual(await till.read(`/api/sales/invoices/${invoice.id}`), stored);
  });

  it('a named due date, and days of the partner, mean one of the whole', async () => {
    assert.deepEqual(parts(await draft({})), ['2026-02-09 1210 1210']);
    await partnerHas({ paymentTermsId: await terms() });
    const one = await draft({ dueDate: '2026-01-20' });
    assert.deepEqual([one.paymentTermsId, ...parts(one)], [null, '2026-01-20 1210 1210']);
  });

  it('move to the end of the month and to the days on which the partner pays', async () => {
    const paymentTermsId = await terms([
      { percent: 50, days: 30, endOfMonth: true },
      { percent: 50, days: 60 },
    ]);
    // 10 January + 30 days: end of February; + 60 days: 11 March.
    assert.deepEqual(parts(await draft({ paymentTermsId })), ['2026-02-28 605 605', '2026-03-11 605 605']);
    await partnerHas({ firstPaymentDay: 5, secondPaymentDay: 20 });
    assert.deepEqual(parts(await draft({ paymentTermsId })), ['2026-03-05 605 605', '2026-03-20 605 605']);
    assert.equal((await draft({})).dueDate, '2026-02-20');
  });

  it('are covered the earliest first, and open again when a payment is deleted', async () => {
    const invoice = await post(await draft({ paymentTermsId: await terms() }));
    const linked = [{ document_type: 'SINV', document_id: invoice.id }];
    const { body } = await till.pay('in', 500, { linked_documents: linked });
    const path = `/api/sales/invoices/${invoice.id}`;
    // 500 = 363 + 137 of 363.
    assert.deepEqual(parts(await till.read(path)), ['2026-02-09 363 0', '2026-03-11 363 226', '2026-04-10 484 484']);
    assert.equal((await till.pay('in', 710, { linked_documents: linked })).status, 201);
    const paid = await till.read(path);
    assert.deepEqual([paid.status, ...paid.instalments.map((one: Body) => one.outstanding)], ['C', 0, 0, 0]);
    assert.equal((await app.client.del(`/api/payments/in/${body.data.id}`)).status, 204);
    assert.deepEqual(parts(await till.read(path)), ['2026-02-09 363 0', '2026-03-11 363 16', '2026-04-10 484 484']);
  });

  it('are each as old as their own due date in the aging report', async () => {
    const partner = await made('/api/partners', {
      name: 'Bar Sol',
      groupId: (await till.read(`/api/partners/${till.customerId}`)).groupId,
      paymentTermsId: await terms(),
    });
    const invoice = await post(await draft({ partnerId: partner.id }));
    const agedAt = async (to: string) => {
      const { body } = await app.client.get(`/api/reports/aging?partner_id=${partner.id}&to=${to}`);
      const { summary } = body;
      return [summary.current, summary['30_days'], summary['60_days'], summary['90_plus'], summary.total_debt];
    };
    // Due on 9 February, 11 March and 10 April; on 31 March 50 and 20 days ago, and not yet.
    assert.deepEqual(await agedAt('2026-03-31'), [484, 363, 363, 0, 1210]);
    const linked = [{ document_type: 'SINV', document_id: invoice.id, amount_applied: 400 }];
    const body = { partner_id: partner.id, payment_date: '2026-03-20', linked_documents: linked };
    assert.equal((await till.pay('in', 400, body)).status, 201);
    // 363 of the first and 37 of the second are paid since the 20th.
    assert.deepEqual(await agedAt('2026-03-31'), [484, 326, 0, 0, 810]);
    const last = { ...body, payment_date: '2026-03-25', linked_documents: [{ ...linked[0], instalment: 3 }] };
    assert.equal((await till.pay('in', 400, last)).status, 201);
    assert.deepEqual(await agedAt('2026-03-31'), [84, 326, 0, 0, 410]);
    assert.deepEqual(await agedAt('2026-03-24'), [484, 326, 0, 0, 810]);
    assert.deepEqual(await agedAt('2026-03-19'), [484, 363, 363, 0, 1210]);
  });

  it('change with a draft; what is sent back changes nothing', async () => {
    const invoice = await draft({ paymentTermsId: await terms() });
    const path = `/api/sales/invoices/${invoice.id}`;
    const { warnings: _, ...stored } = invoice as typeof invoice & { warnings: unknown };
    assert.deepEqual(await changed(path, invoice), stored);
    const moved = await changed(path, { date: '2026-02-10' });
    assert.deepEqual(parts(moved), ['2026-03-12 363 363', '2026-04-11 363 363', '2026-05-11 484 484']);
    const dearer = await changed(path, { lines: [{ id: invoice.lines[0].id, price: 100 }] });
    assert.deepEqual(parts(dearer), ['2026-03-12 36.3 36.3', '2026-04-11 36.3 36.3', '2026-05-11 48.4 48.4']);
    assert.deepEqual(parts(await changed(path, { paymentTermsId: null })), ['2026-05-11 121 121']);
    const halves = await terms([
      { percent: 50, days: 0 },
      { percent: 50, days: 10 },
    ]);
    assert.deepEqual(parts(await changed(path, { paymentTermsId: halves })), [
      '2026-02-10 60.5 60.5',
      '2026-02-20 60.5 60.5',
    ]);
    assert.deepEqual(parts(await changed(path, { dueDate: '2026-03-01' })), ['2026-03-01 121 121']);
    assertProblem(await app.client.patch(path, { instalments: [] }), 422, 'validation_failed');
    assert.equal((await app.client.del(path)).status, 204);
  });

  it('follow the order: its terms go on to note and invoice', async () => {
    const paymentTermsId = await terms();
    const lines = [{ itemId: till.itemId, quantity: 1, price: 100, taxGroupId: till.taxGroupId }];
    const order = await made('/api/sales', { partnerId: till.customerId, date: DATE, paymentTermsId, lines });
    assert.deepEqual(
      [order.paymentTermsId, order.dueDate, 'instalments' in order],
      [paymentTermsId, '2026-04-10', false],
    );
    assert.equal((await app.client.patch(`/api/payment-terms/${paymentTermsId}`, { active: false })).status, 200);
    const note = await made(`/api/sales/${order.id}/deliver`, {});
    const invoice = await made(`/api/sales/delivery-notes/${note.id}/invoice`, { date: '2026-06-20' });
    // 121 from 20 June on.
    assert.deepEqual(parts(invoice), ['2026-07-20 36.3 36.3', '2026-08-19 36.3 36.3', '2026-09-18 48.4 48.4']);
    const posted = await post(invoice);
    const credit = await made(`/api/sales/invoices/${posted.id}/rectify`, { reason: 'error', date: '2026-06-20' });
    assert.deepEqual([credit.paymentTermsId, credit.instalments.length, credit.instalments[0].amount], [null, 1, -121]);
  });

  const refused = async (answer: Promise<{ status: number; body: Body }>, pointer: string, code: string) => {
    const { status, body } = await answer;
    const [fault] = body.errors as { pointer: string; code: string }[];
    assert.deepEqual([status, fault?.pointer, fault?.code], [422, pointer, code], JSON.stringify(body));
  };

  it('need terms that are whole', async () => {
    const bad = (lines: unknown) => app.client.post('/api/payment-terms', { code: 'BAD', name: 'x', lines });
    const percents = (...all: (number | null)[]) => bad(all.map((percent) => ({ percent, days: 0 })));
    await refused(percents(50, 49), '/lines', 'not_whole');
    await refused(percents(60, 60), '/lines', 'not_whole');
    await refused(percents(null, null), '/lines', 'not_whole');
    await refused(percents(100, null), '/lines', 'not_whole');
    assert.equal((await bad([])).status, 422);
    assert.equal((await percents(0, 100)).status, 422);
    assert.equal((await bad([{ percent: 100, days: -1 }])).status, 422);
    assert.equal((await bad(Array.from({ length: 61 }, () => ({ percent: 1, days: 1 })))).status, 422);
    const path = `/api/payment-terms/${await terms()}`;
    await refused(app.client.patch(path, { lines: [{ percent: 5, days: 1 }] }), '/lines', 'not_whole');
    assert.equal((await app.client.patch(`/api/partners/${till.customerId}`, { firstPaymentDay: 32 })).status, 422);
  });

  it('need terms that are there and active, and no other due date beside them', async () => {
    const paymentTermsId = await terms();
    const lines = [{ description: 'x', quantity: 1, price: 1 }];
    const invoice = (more: Body) =>
      app.client.post('/api/sales/invoices', { partnerId: till.customerId, date: DATE, lines, ...more });
    await refused(invoice({ paymentTermsId: till.customerId }), '/paymentTermsId', 'invalid_reference');
    await refused(invoice({ paymentTermsId, dueDate: '2026-03-01' }), '/dueDate', 'not_allowed');
    assert.equal((await invoice({ paymentTermsId, dueDate: '2026-04-10' })).status, 201);
    assertProblem(await app.client.del(`/api/payment-terms/${paymentTermsId}`), 409, 'in_use');
    await changed(`/api/payment-terms/${paymentTermsId}`, { active: false });
    await refused(invoice({ paymentTermsId }), '/paymentTermsId', 'invalid_reference');
    const partner = app.client.patch(`/api/partners/${till.customerId}`, { paymentTermsId });
    await refused(partner, '/paymentTermsId', 'invalid_reference');
  });
});
