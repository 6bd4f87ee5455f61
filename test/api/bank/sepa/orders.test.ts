/** Lines of orders that the bank has booked as one sum, and of money that goes back for what was credited. */
import assert from 'node:assert/strict';
import { BankDesk, bankDay, type Posted, STATEMENTS } from '../../../helpers/bank-desk.ts';
import { sampleLine, writeCamt053 } from '../../../helpers/bank-files.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const THEIRS = 'ES7921000813610123456789';
const SEPA = '/api/payments/sepa';
const total = (rows: readonly { total: number }[]) =>
  Math.round(rows.reduce((sum, row) => sum + row.total, 0) * 100) / 100;

describe('statement lines and orders to the bank', function () {
  this.timeout(120_000);

  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  before(async () => {
    await desk.openAccount({ bic: 'CAIXESBBXXX' });
    for (const id of [trade.customerId, trade.supplierId])
      await app.client.patch(`/api/partners/${id}`, { iban: THEIRS });
    const mandate = { reference: 'M-1', signedOn: '2026-01-02', iban: THEIRS };
    await ordered(`/api/partners/${trade.customerId}/mandates`, mandate);
  });

  async function ordered(path: string, body: Row) {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  const transfers = (payment_ids: readonly string[]) =>
    ordered(`${SEPA}/credit-transfers`, { payment_ids, date: TODAY });
  const debits = (document_ids: readonly string[]) => ordered(`${SEPA}/direct-debits`, { document_ids, date: TODAY });
  const paymentNow = async (direction: string, id: string) =>
    (await app.client.get(`/api/payments/${direction}/${id}`)).body.data;
  const invoiceNow = async (id: string) => (await app.client.get(`/api/sales/invoices/${id}`)).body.data;

  it('suggest an order of transfers with its payments, all of which the line shows when accepted', async () => {
    const payments = [
      await desk.payment('out', { amount: 30, payment_date: TODAY }),
      await desk.payment('out', { amount: 41.5, payment_date: TODAY }),
    ];
    const order = await transfers(payments);
    const booked = `<NtryDtls><Btch><MsgId>X</MsgId><PmtInfId>${order.message_id}</PmtInfId></Btch></NtryDtls></Ntry>`;
    const file = writeCamt053([bankDay(TODAY, [sampleLine({ amount: '-71.5' })])]).replace('</Ntry>', booked);
    const imported = await desk.send(file);
    assert.ok(imported.status < 300, JSON.stringify(imported.body));
    const shown = (await app.client.get(`${STATEMENTS}/${imported.body.data.statements[0].id}/suggestions`)).body.data;
    const [line] = shown;
    const [best] = line.suggestions;
    assert.deepEqual(
      {
        score: best.score,
        partner_id: best.partner_id,
        order_id: best.order.order_id,
        batch: best.order.batch,
        items: best.order.items.map((item: Row) => item.payment_id),
      },
      { score: 100, partner_id: null, order_id: order.id, batch: null, items: payments },
    );
    const { payment_ids, entry_id } = await desk.accepted({ line_id: line.id, suggestion: true });
    assert.deepEqual([payment_ids, entry_id], [payments, null]);
    const again = await desk.importLines(TODAY, [sampleLine({ amount: '-71.5', bankReference: 'again' })]);
    assert.deepEqual((await desk.line(again[0] ?? '')).suggestions, []);
    const twice = await desk.accept([{ line_id: again[0], order_id: order.id }]);
    assertProblem(twice, 409, 'duplicate');
    assert.equal(twice.body.errors[0].pointer, '/lines/0/order_id');
  });

  describe('debits of an order', () => {
    let invoices: Posted[];
    let order: Row & { items: Row[] };
    let one: string;
    let two: string;
    let wrong: string;
    before(async () => {
      // A separate customer: the first debit of a mandate is a separate batch.
      const groups = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
      const partnerId = (await ordered('/api/partners', { name: 'Domiciliado', groupId: groups[0].id })).id;
      const mandate = { reference: 'M-2', signedOn: '2026-01-02', iban: THEIRS };
      await ordered(`/api/partners/${partnerId}/mandates`, mandate);
      const sell = (quantity: number) => desk.invoice(quantity, { partnerId });
      invoices = [await sell(1), await sell(2), await sell(3)];
      const [first, ...recurrent] = invoices as [Posted, ...Posted[]];
      order = await debits(invoices.map(({ id }) => id));
      // Part was paid in the meantime: the excess is credited to the customer.
      await desk.payment('in', {
        partner_id: partnerId,
        amount: 10,
        payment_date: TODAY,
        linked_documents: [{ document_type: 'sales_invoice', document_id: recurrent[1]?.id, amount_applied: 10 }],
      });
      [one = '', two = '', wrong = ''] = await desk.importLines(TODAY, [
        sampleLine({ amount: `${first.total}`, text: `Remesa ${order.message_id}-1`, bankReference: 'R1' }),
        sampleLine({ amount: `${total(recurrent)}`, bankReference: 'R2' }),
        sampleLine({ amount: '1', bankReference: 'R3' }),
      ]);
    });

    it('are suggested batch by batch', async () => {
      assert.deepEqual(
        order.items.map(({ batch }) => batch),
        [1, 2, 2],
      );
      const [best] = (await desk.line(one)).suggestions;
      assert.deepEqual(
        { score: best.score, batch: best.order.batch, document_id: best.order.items[0].document_id },
        { score: 100, batch: 1, document_id: invoices[0]?.id },
      );
    });

    it('are rejected for a line with another amount', async () => {
      const refused = await desk.accept([{ line_id: wrong, order_id: order.id }]);
      assertProblem(refused, 422, 'validation_failed');
      assert.deepEqual(
        [refused.body.errors[0].pointer, refused.body.errors[0].code],
        ['/lines/0/order_id', 'other_amount'],
      );
    });

    describe('when accepted', () => {
      let payment_ids: string[];
      before(async () => {
        const answer = await desk.accept([
          { line_id: one, suggestion: true },
          { line_id: two, order_id: order.id },
        ]);
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        [, { payment_ids }] = answer.body.data.accepted;
      });

      it('are registered as payments, with any excess as credit', async () => {
        for (const { id } of invoices) assert.equal((await invoiceNow(id)).paymentStatus, 'paid');
        const last = await paymentNow('in', payment_ids[1] ?? '');
        assert.deepEqual(
          { payment_method: last.payment_method, credit: last.credit, payment_date: last.payment_date },
          { payment_method: 'direct_debit', credit: 10, payment_date: TODAY },
        );
      });

      it('are registered once, also when the line is reopened and accepted again', async () => {
        assert.equal((await desk.reopen([two])).status, 200);
        const again = await desk.accepted({ line_id: two, order_id: order.id, batch: 2 });
        assert.deepEqual(again.payment_ids, payment_ids);
        const items = (await app.client.get(`${SEPA}/orders/${order.id}`)).body.data.items;
        assert.deepEqual(
          items.slice(1).map(({ payment_id }: Row) => payment_id),
          payment_ids,
        );
      });
    });
  });

  it('are registered once when two lines are accepted concurrently', async () => {
    const invoice = await desk.invoice(4);
    const order = await debits([invoice.id]);
    const amount = `${Number(invoice.total)}` as const;
    const ids = await desk.importLines(TODAY, [
      sampleLine({ amount, bankReference: 'P1' }),
      sampleLine({ amount, bankReference: 'P2' }),
    ]);
    const answers = await Promise.all(ids.map((line_id) => desk.accept([{ line_id, order_id: order.id }])));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const payments = (await app.client.get(`/api/payments/in?document_id=${invoice.id}`)).body;
    assert.equal(payments.pagination.total, 1);
  });

  it('are rejected if the order does not match the line', async () => {
    const paid = await desk.payment('out', { amount: 9, payment_date: TODAY });
    const order = await transfers([paid]);
    const [out = '', into = ''] = await desk.importLines(TODAY, [
      sampleLine({ amount: '-9', bankReference: 'F1' }),
      sampleLine({ amount: '9', bankReference: 'F2' }),
    ]);
    const cases: [Row, string, string][] = [
      [{ line_id: out, order_id: trade.itemId }, '/lines/0/order_id', 'invalid_reference'],
      [{ line_id: into, order_id: order.id }, '/lines/0/order_id', 'wrong_type'],
      [{ line_id: out, order_id: order.id, batch: 2 }, '/lines/0/batch', 'invalid_reference'],
      [{ line_id: out, batch: 2, account_code: '626' }, '/lines/0/batch', 'not_allowed'],
      [{ line_id: out, order_id: order.id, text: 'x' }, '/lines/0/text', 'not_allowed'],
    ];
    for (const [line, pointer, code] of cases) {
      const answer = await desk.accept([line]);
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
    }
    assert.equal((await app.client.del(`/api/payments/out/${paid}`)).status, 204);
    const gone = await desk.accept([{ line_id: out, order_id: order.id }]);
    assert.equal(gone.body.errors[0].code, 'invalid_reference');
    assert.deepEqual((await desk.line(out)).suggestions, []);
  });

  it('match outgoing refunds with credits of customers, and incoming ones with credits of suppliers', async () => {
    const sold = await desk.invoice(5);
    const credit = await desk.credit(sold);
    const path = '/api/purchases/invoices';
    const bought = await desk.credit(await desk.invoice(6, {}, path), path);
    const [out = '', into = '', netted = ''] = await desk.importLines(TODAY, [
      sampleLine({
        amount: `${credit.total}`,
        text: `Abono ${credit.code}`,
        counterpartyIban: THEIRS,
        bankReference: 'G1',
      }),
      sampleLine({ amount: `${-bought.total}`, counterpartyIban: THEIRS, bankReference: 'G2' }),
      sampleLine({ amount: '-0.01', text: `Abono ${credit.code}`, bankReference: 'G3' }),
    ]);
    const [best] = (await desk.line(out)).suggestions;
    assert.deepEqual(
      { score: best.score, document_id: best.documents[0].document_id, outstanding: best.documents[0].outstanding },
      { score: 100, document_id: credit.id, outstanding: credit.total },
    );
    const lines = [out, into].map((line_id) => ({ line_id, suggestion: true }));
    const answer = await desk.accept(lines, { least_score: 55 });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual([(await invoiceNow(credit.id)).status, (await desk.line(out)).status], ['C', 'matched']);
    assert.equal((await app.client.get(`/api/purchases/invoices/${bought.id}`)).body.data.status, 'C');
    assert.deepEqual((await desk.line(netted)).suggestions, []);
  });

  it("match a customer's payment less credits", async () => {
    const [big, small] = [await desk.invoice(8), await desk.invoice(2)];
    const credit = await desk.credit(small);
    const amount = `${Number(Math.round((big.total + credit.total) * 100) / 100)}` as const;
    const [line_id = ''] = await desk.importLines(TODAY, [
      sampleLine({ amount, text: `${credit.code} ${big.code}`, bankReference: 'N1' }),
    ]);
    const { payment_ids } = await desk.accepted({ line_id, suggestion: true });
    const payment = await paymentNow('in', payment_ids[0] ?? '');
    assert.deepEqual(
      [payment.credit, (await invoiceNow(big.id)).status, (await invoiceNow(credit.id)).status],
      [0, 'C', 'C'],
    );
  });
});
