import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { link, openTill } from './till.ts';

type Body = Record<string, unknown>;

describe('prompt discounts', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  before(async () => {
    for (const id of [till.customerId, till.supplierId]) {
      const terms = { promptDiscountPercent: 2, promptDiscountDays: 10 };
      assert.equal((await app.client.patch(`/api/partners/${id}`, terms)).status, 200);
    }
  });
  afterEach(() => assertSound(app.databaseUrl));

  // 1,000 + 210 VAT = 1,210; 2 % are 24.20.
  const invoice = async (more: Body = {}) =>
    (await till.invoice('sales', 1000, { taxGroupId: till.taxGroupId, ...more })).id;
  const pay = (amount: number, link_: Body, more: Body = {}) =>
    till.pay('in', amount, { linked_documents: [link_], ...more });
  const refused = ({ status, body }: Answer, pointer: string, code: string) => {
    const [fault] = body.errors;
    assert.deepEqual([status, fault.pointer, fault.code], [422, pointer, code], JSON.stringify(body));
  };

  it('are taken over by invoices, and taken by a payment of just the rest', async () => {
    const id = await invoice();
    const { promptDiscount } = await till.read(`/api/sales/invoices/${id}`);
    const until = new Date(Date.parse(till.today) + 10 * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(promptDiscount, { percent: 2, until, amount: 24.2 });
    const { status, body } = await pay(1185.8, link(id));
    assert.equal(status, 201, JSON.stringify(body));
    const [applied] = body.data.linked_documents;
    assert.deepEqual([applied.amount_applied, applied.discount, applied.new_status], [1185.8, 24.2, 'paid']);
    const expected = ['572 1185.8 0', '706 20 0', '47700021 4.2 0', '430 0 1210'];
    assert.deepEqual(await till.entered(body.data.id), expected);
  });

  it('lower the withholding with the total', async () => {
    // 1,060 with 15 % withheld: 2 % are 21.20 = 20.00 + 4.20 − 3.00.
    const id = await invoice({ withholdingRate: 15 });
    const { body } = await pay(1038.8, link(id));
    assert.deepEqual((await till.entered(body.data.id)).slice(1), [
      '706 20 0',
      '47700021 4.2 0',
      '473 0 3',
      '430 0 1060',
    ]);
  });

  it('are taken when asked for, and not when refused or something else is paid', async () => {
    const asked = await pay(2000, link(await invoice(), undefined, 'SINV', { prompt_discount: true }));
    assert.deepEqual([asked.body.data.amount_applied, asked.body.data.credit], [1185.8, 814.2]);
    for (const [amount, more] of [
      [1185.8, { prompt_discount: false }],
      [1185.79, {}],
    ] as const) {
      const { body } = await pay(amount, link(await invoice(), undefined, 'SINV', more));
      const [applied] = body.data.linked_documents;
      assert.deepEqual([applied.discount, applied.new_status], [0, 'partial']);
    }
  });

  it('are taken until the end of the last day on which they are offered', async () => {
    for (const [payment_date, expected] of [
      ['2026-06-11', [24.2, 'paid']],
      ['2026-06-12', [0, 'partial']],
    ] as const) {
      const { body } = await pay(1185.8, link(await invoice({ date: '2026-06-01' })), { payment_date });
      const [applied] = body.data.linked_documents;
      assert.deepEqual([applied.discount, applied.new_status], expected, payment_date);
    }
  });

  it('are refused when asked for too late, in parts, or where nothing is offered', async () => {
    const at = '/linked_documents/0';
    const asks = (id: string, more: Body = {}) => link(id, undefined, 'SINV', { prompt_discount: true, ...more });
    const old = await invoice({ date: '2026-06-01' });
    refused(await pay(1185.8, asks(old)), `${at}/prompt_discount`, 'no_discount');
    assert.equal((await pay(1185.8, link(old))).body.data.linked_documents[0].new_status, 'partial');
    refused(await pay(24.2, asks(old), { payment_date: '2026-06-11' }), `${at}/prompt_discount`, 'no_discount');
    refused(await pay(1185.8, asks(await invoice(), { discount: 5 })), `${at}/discount`, 'not_allowed');
    assert.equal(
      (await app.client.patch(`/api/partners/${till.customerId}`, { promptDiscountPercent: 101 })).status,
      422,
    );
    const none = await app.client.patch(`/api/partners/${till.customerId}`, { promptDiscountPercent: null });
    assert.equal(none.status, 200);
    const id = await invoice();
    assert.equal((await till.read(`/api/sales/invoices/${id}`)).promptDiscount, null);
    refused(await pay(1185.8, asks(id)), `${at}/prompt_discount`, 'no_discount');
  });
});
