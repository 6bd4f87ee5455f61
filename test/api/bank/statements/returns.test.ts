/** Direct debits and transfers that the bank brings back. */
import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { link, openTill } from '../../trade/payments/till.ts';

type Row = Record<string, unknown>;
const THEIRS = 'ES7921000813610123456789';

describe('returned payments on statement lines', function () {
  this.timeout(120_000);
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const desk = use(() => new BankDesk(app, till), { each: true });
  let account: string;
  beforeEach(async () => {
    account = await desk.openAccount({ bic: 'CAIXESBBXXX' });
    assert.equal((await app.client.patch(`/api/partners/${till.customerId}`, { iban: THEIRS })).status, 200);
  });

  const line = async (values: Parameters<typeof sampleLine>[0]) =>
    (await desk.importLines(TODAY, [sampleLine(values)]))[0] as string;
  const suggested = async (id: string) =>
    (await desk.line(id)).suggestions.map((one: Row) => [one.return_of, one.payment_id, one.score]);
  const open = async (id: string) => {
    const { remaining, status } = await till.read(`/api/payments/reconciliation/sales_invoice/${id}`);
    return [remaining, status];
  };
  /** A direct debit of an invoice, collected by an order, as the bank booked it. */
  const collected = async (invoiceId: string) => {
    const mandate = { reference: 'M-1', signedOn: '2026-01-02', iban: THEIRS };
    await app.client.post(`/api/partners/${till.customerId}/mandates`, mandate);
    const order = { document_ids: [invoiceId], date: TODAY, bank_account_id: account };
    const { body } = await app.client.post('/api/payments/sepa/direct-debits', order);
    const [item] = body.data.items;
    const paid = await desk.accepted({ line_id: await line({ amount: '90' }), order_id: body.data.id });
    return { endToEndId: item.end_to_end_id as string, paymentId: paid.payment_ids[0] as string, order };
  };

  it('accept a direct debit with fees by its id; the invoice is open, and can be ordered again', async () => {
    const { id } = await till.invoice('sales', 90);
    const { endToEndId, paymentId, order } = await collected(id);
    assert.deepEqual(await open(id), [0, 'paid']);
    const back = await line({ amount: '-95.5', endToEndId, returnReason: 'AM04', counterpartyIban: THEIRS });
    const shown = await desk.line(back);
    assert.deepEqual([shown.reversal, shown.return_reason], [true, 'AM04']);
    // By its id 60, as a return 25, and the IBAN 25: at most 100.
    assert.deepEqual(await suggested(back), [[paymentId, null, 100]]);
    const {
      payment_ids: [made],
    } = await desk.accepted({ line_id: back, suggestion: true });
    assert.deepEqual(await open(id), [90, 'pending']);
    // 95.50 less 90 is what the bank charged.
    assert.deepEqual(await till.entered(made as string), ['572 0 90', '430 90 0', '626 5.5 0', '572 0 5.5']);
    const { fees, notes } = await till.read(`/api/payments/out/${made}`);
    assert.deepEqual([fees, notes], [5.5, 'AM04']);
    const again = await app.client.post('/api/payments/sepa/direct-debits', order);
    assert.equal(again.status, 201, JSON.stringify(again.body));

    // Once reopened, the line finds the existing return.
    assert.equal((await desk.reopen([back])).status, 200);
    assert.deepEqual((await suggested(back))[0]?.slice(0, 2), [null, made]);
    await desk.accepted({ line_id: back, suggestion: true });
  });

  it('are registered by status reports (pain.002) before the statement', async () => {
    const { id } = await till.invoice('sales', 90);
    const { endToEndId, paymentId } = await collected(id);
    const report = (ids: string[], namespace = 'pain.002.001.03') => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R1</MsgId><CreDtTm>${TODAY}T09:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>X</OrgnlMsgId><OrgnlMsgNmId>pain.008</OrgnlMsgNmId></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>X-1</OrgnlPmtInfId>${ids
      .map(
        (one) => `<TxInfAndSts><OrgnlEndToEndId>${one}</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></TxInfAndSts>`,
      )
      .join('')}</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;
    const send = (body: string) => desk.upload('/api/payments/sepa/status-reports', body);
    const unknown = await send(report([endToEndId, 'NOTHING']));
    assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'invalid_reference']);
    assert.equal((await send(report([endToEndId], 'camt.053.001.02'))).body.errors[0].code, 'not_a_report');
    assert.deepEqual(await open(id), [0, 'paid']);
    const { body } = await send(report([endToEndId]));
    const [{ outcome, reason, return_id: made, payment_id }] = body.data.transactions;
    assert.deepEqual([outcome, reason, payment_id], ['returned', 'AM04', paymentId]);
    assert.deepEqual(await open(id), [90, 'pending']);
    assert.equal((await send(report([endToEndId]))).body.data.transactions[0].outcome, 'returned_before');
    const back = await line({ amount: '-90', endToEndId, returnReason: 'AM04', bankReference: 'late' });
    assert.deepEqual((await suggested(back))[0]?.slice(0, 2), [null, made]);
  });

  it('match a receipt by amount and customer, with fees charged to the customer', async () => {
    const { id } = await till.invoice('sales', 90);
    const receipt = (await till.pay('in', 90, { linked_documents: [link(id)] })).body.data.id;
    await till.pay('in', 91);
    const back = await line({ amount: '-90', text: 'DEVOLUCION RECIBO', counterpartyIban: THEIRS });
    // A return scores 25, its amount 30, the IBAN 25.
    assert.deepEqual(await suggested(back), [[receipt, null, 80]]);
    const dear = await line({ amount: '-94', text: 'DEVOLUCION', bankReference: 'two' });
    const accepted = await desk.accepted({ line_id: dear, return_of: receipt, fees_borne_by: 'partner' });
    const [item] = await till.read('/api/open-items');
    assert.deepEqual([item.total, item.partner_id], [4, till.customerId]);
    assert.deepEqual(await open(id), [90, 'pending']);
    assert.equal(accepted.payment_ids.length, 1);
    assert.deepEqual(await suggested(back), []);
  });

  it("match a receipt by reference, with the bank's fees", async () => {
    const { id } = await till.invoice('sales', 90);
    const more = { linked_documents: [link(id)], reference: 'Recibo-0815' };
    const receipt = (await till.pay('in', 90, more)).body.data.id;
    const back = await line({ amount: '-95.5', text: 'DEVOLUCION RECIBO-0815', counterpartyIban: THEIRS });
    // A return scores 25, its reference 45, the IBAN 25; the fees are 95.50 − 90 = 5.50.
    assert.deepEqual(await suggested(back), [[receipt, null, 95]]);
    const accepted = await desk.accepted({ line_id: back, suggestion: true });
    const [made = ''] = accepted.payment_ids;
    assert.deepEqual(await till.entered(made), ['572 0 90', '430 90 0', '626 5.5 0', '572 0 5.5']);
    assert.deepEqual(await open(id), [90, 'pending']);
  });

  it('match an incoming refund of a transfer to a supplier', async () => {
    const { id } = await till.invoice('purchases', 70);
    const paid = await till.pay('out', 70, { linked_documents: [link(id, 70, 'purchase_invoice')] });
    const back = await line({ amount: '68', reversal: true });
    await desk.accepted({ line_id: back, return_of: paid.body.data.id });
    const { remaining } = await till.read(`/api/payments/reconciliation/purchase_invoice/${id}`);
    assert.equal(remaining, 70);
  });

  it('are rejected without such a payment', async () => {
    const { id } = await till.invoice('sales', 90);
    const receipt = (await till.pay('in', 90, { linked_documents: [link(id)] })).body.data.id;
    const [out, incoming] = [
      await line({ amount: '-80', reversal: true }),
      await line({ amount: '90', bankReference: 'in' }),
    ];
    assert.deepEqual(await suggested(out), []);
    const refusal = async (body: Row) => {
      const answer = await desk.accept([body]);
      assert.equal(answer.status, 422, JSON.stringify(answer.body));
      return `${answer.body.errors[0].pointer} ${answer.body.errors[0].code}`;
    };
    assert.equal(await refusal({ line_id: out, return_of: id }), '/lines/0/return_of invalid_reference');
    assert.equal(await refusal({ line_id: out, return_of: receipt }), '/lines/0/return_of other_amount');
    assert.equal(await refusal({ line_id: incoming, return_of: receipt }), '/lines/0/return_of wrong_type');
    assert.equal(
      await refusal({ line_id: out, payment_id: receipt, fees_borne_by: 'partner' }),
      '/lines/0/fees_borne_by not_allowed',
    );
    assert.equal(await refusal({ line_id: out, return_of: receipt, payment_id: receipt }), '/lines/0 invalid');
    assert.deepEqual(await open(id), [0, 'paid']);
  });
});
