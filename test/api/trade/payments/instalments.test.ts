import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from './till.ts';

type Body = Record<string, unknown>;

describe('payments of instalments', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  let thirds: string;
  before(async () => {
    const lines = [{ percent: 30, days: 0 }, { percent: 30, days: 30 }, { days: 60 }];
    const answer = await app.client.post('/api/payment-terms', { code: 'T', name: '30/30/40', lines });
    thirds = answer.body.data.id;
  });
  afterEach(() => assertSound(app.databaseUrl));

  const invoice = async (total: number, more: Body = {}) =>
    (await till.invoice('sales', total, { paymentTermsId: thirds, ...more })).id;
  const open = async (id: string) =>
    (await till.read(`/api/sales/invoices/${id}`)).instalments.map((one: Body) => one.outstanding);
  const named = (document_id: string, instalment: number | null, amount_applied?: number) => ({
    document_type: 'SINV',
    document_id,
    instalment,
    ...(amount_applied === undefined ? {} : { amount_applied }),
  });
  const pay = async (amount: number, linked_documents: Body[], more: Body = {}) => {
    const answer = await till.pay('in', amount, { linked_documents, ...more });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const refused = ({ status, body }: Answer, pointer: string, code: string) => {
    const [fault] = body.errors;
    assert.deepEqual([status, fault.pointer, fault.code], [422, pointer, code], JSON.stringify(body));
  };

  it('settle the instalment that they name; what names none covers the earliest first', async () => {
    // 1,000: 300, 300 and 400.
    const id = await invoice(1000);
    const payment = await pay(300, [named(id, 2)]);
    assert.equal(payment.linked_documents[0].instalment, 2);
    assert.deepEqual(await open(id), [300, 0, 400]);
    await pay(350, [named(id, null)]);
    assert.deepEqual(await open(id), [0, 0, 350]);
    assert.equal((await app.client.del(`/api/payments/in/${payment.id}`)).status, 204);
    // The 350 reach into the second now.
    assert.deepEqual(await open(id), [0, 250, 400]);
  });

  it('name several of one invoice, each once, and what is left of the payment is credit', async () => {
    const id = await invoice(1000);
    const payment = await pay(720, [named(id, 3), named(id, 1)]);
    assert.deepEqual([payment.amount_applied, payment.credit, await open(id)], [700, 20, [0, 300, 0]]);
    const twice = [named(id, 2, 10), named(id, 2, 10)];
    refused(await till.pay('in', 20, { linked_documents: twice }), '/linked_documents/1/document_id', 'duplicate');
  });

  it('are refused when they pay more than is open of the instalment', async () => {
    const id = await invoice(1000);
    const at = '/linked_documents/0';
    const tried = (link: Body, amount = 500) => till.pay('in', amount, { linked_documents: [link] });
    refused(await tried(named(id, 1, 300.01)), `${at}/amount_applied`, 'over_instalment');
    refused(await tried({ ...named(id, 1, 300), discount: 1 }), `${at}/amount_applied`, 'over_instalment');
    refused(await tried(named(id, 4, 10)), `${at}/instalment`, 'invalid_reference');
    assert.equal((await tried(named(id, 0, 10))).status, 422);
    // 200 unnamed leave 100 open of the first.
    await pay(200, [named(id, null)]);
    refused(await tried(named(id, 1, 100.5)), `${at}/amount_applied`, 'over_instalment');
    await pay(100, [named(id, 1)]);
    refused(await tried(named(id, 1), 5), `${at}/amount_applied`, 'out_of_range');
    assert.deepEqual(await open(id), [0, 300, 400]);
  });

  it('change: sent back they stay, else the instalments follow', async () => {
    const id = await invoice(1000);
    const payment = await pay(400, [named(id, 3)]);
    const path = `/api/payments/in/${payment.id}`;
    const same = await app.client.patch(path, { linked_documents: payment.linked_documents });
    assert.deepEqual([same.status, same.body.data], [200, payment]);
    const [link] = payment.linked_documents;
    const moved = { id: link.id, document_type: 'SINV', document_id: id, instalment: 2, amount_applied: 300 };
    assert.equal((await app.client.patch(path, { linked_documents: [moved] })).status, 200);
    assert.deepEqual(await open(id), [300, 0, 400]);
    refused(
      await app.client.patch(path, { linked_documents: [{ ...moved, amount_applied: 301 }] }),
      '/linked_documents/0/amount_applied',
      'over_instalment',
    );
    assert.equal((await app.client.patch(path, { linked_documents: [] })).status, 200);
    assert.deepEqual(await open(id), [300, 300, 400]);
  });

  it('that come back leave the instalment open that they paid', async () => {
    const id = await invoice(1000);
    const payment = await pay(500, [named(id, 3, 400), named(id, null, 100)]);
    assert.deepEqual(await open(id), [200, 300, 0]);
    const back = await app.client.post(`/api/payments/in/${payment.id}/return`, { date: till.today });
    assert.equal(back.status, 201, JSON.stringify(back.body));
    assert.deepEqual(await open(id), [300, 300, 400]);
  });

  it('are found by the amount of one instalment, one after another', async () => {
    const id = await invoice(500); // 150, 150, 200
    const found = async (amount: number, mode: string, more: Body = {}) => {
      const { id: paymentId } = await pay(amount, [], more);
      const answer = await app.client.post(`/api/payments/in/${paymentId}/apply`, { mode });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { linked_documents, reconciliation } = answer.body.data;
      return [linked_documents[0]?.document_id, linked_documents[0]?.instalment, reconciliation.status];
    };
    assert.deepEqual(await found(200, 'by_amount'), [id, 3, 'linked']);
    assert.deepEqual(await found(150, 'by_amount'), [id, 1, 'linked']);
    // The rest is all that is open, so no instalment is named.
    assert.deepEqual(await found(150, 'by_amount'), [id, null, 'linked']);
    assert.deepEqual(await open(id), [0, 0, 0]);
    const [one, other] = [await invoice(77, { reference: 'A-1' }), await invoice(77, { reference: 'A-2' })];
    // 23.10 is the first of both, and of each the second too.
    assert.deepEqual(await found(23.1, 'by_amount'), [undefined, undefined, 'unlinked']);
    assert.deepEqual(await found(23.1, 'by_reference', { reference: 'A-2' }), [other, 1, 'linked']);
    assert.deepEqual(await open(one), [23.1, 23.1, 30.8]);
  });
});
