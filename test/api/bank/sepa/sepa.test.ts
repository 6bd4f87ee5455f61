/** SEPA orders over HTTP: the right file, each payment and invoice once, and a pointer for what the bank would refuse. */
import assert from 'node:assert/strict';
import { type Element, ElementReader, find, textAt } from '../../../../domain/bank/statements/xml.ts';
import { IBAN } from '../../../helpers/bank-files.ts';
import type { Answer } from '../../../helpers/client.ts';
import { daysFromToday, TODAY } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const PATH = '/api/payments/sepa';
const THEIRS = 'ES7921000813610123456789';
const DAY = daysFromToday(5);

describe('SEPA orders', function () {
  this.timeout(120_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  before(async () => {
    await made('/api/config/bank-accounts', { name: 'Main', iban: IBAN, bic: 'CAIXESBBXXX' });
    await app.client.patch(`/api/partners/${trade.supplierId}`, { iban: THEIRS });
  });

  async function made(path: string, body: object): Promise<Row & { id: string }> {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  }
  /** A partner of whom no IBAN and no mandate is known. */
  const stranger = async (group: 'CLI' | 'PRO') => {
    const groups = (await app.client.get(`/api/partnerGroups?code=${group}`)).body.data;
    return (await made('/api/partners', { name: 'Nuevo', groupId: groups[0].id })).id;
  };
  const pay = async (amount: number, more: object = {}) =>
    (
      await made('/api/payments/out', {
        partner_id: trade.supplierId,
        amount,
        payment_date: TODAY,
        payment_method: 'transfer',
        ...more,
      })
    ).id;
  async function invoice(quantity: number, more: object = {}): Promise<{ id: string; code: string; total: number }> {
    const lines = [{ itemId: trade.itemId, quantity, price: 10 }];
    const { id } = await made('/api/sales/invoices', { partnerId: trade.customerId, lines, ...more });
    const posted = await app.client.post(`/api/sales/invoices/${id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    return posted.body.data;
  }
  const transfers = (payment_ids: readonly string[], more: object = {}) =>
    app.client.post(`${PATH}/credit-transfers`, { payment_ids, date: DAY, ...more });
  const debits = (document_ids: readonly string[], more: object = {}) =>
    app.client.post(`${PATH}/direct-debits`, { document_ids, date: DAY, ...more });

  /** The message in the file of an order: what is in the root element. */
  async function readOrderFile(order: Row): Promise<{ root: Element; namespace: string }> {
    const response = await fetch(`${app.address}${order.file_url}`, {
      headers: { Authorization: `Bearer ${app.token}` },
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/xml');
    let root: Element | undefined;
    let namespace = '';
    const reader = new ElementReader(2, {
      open: (_, uri) => {
        namespace = uri;
      },
      element: (_, element) => {
        root = element;
      },
    });
    reader.push(await response.text());
    reader.end();
    return { root: root ?? assert.fail('no message'), namespace };
  }

  it('transfer nothing to partners without IBAN', async () => {
    const partner_id = await stranger('PRO');
    const lacking = await transfers([await pay(10.1, { partner_id }), await pay(20.25, { partner_id })]);
    assertProblem(lacking, 422, 'validation_failed');
    assert.deepEqual(
      lacking.body.errors.map(({ pointer, code }: Row) => [pointer, code]),
      [
        ['/payment_ids/0', 'no_iban'],
        ['/payment_ids/1', 'no_iban'],
      ],
    );
  });

  describe('transfer what payments issued say', () => {
    let ids: string[];
    let answer: Answer;
    let order: Row;
    before(async () => {
      ids = [await pay(10.1, { reference: 'Fra. Ñ_7' }), await pay(20.25)];
      answer = await transfers(ids);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      order = answer.body.data;
    });

    it('as an order with their number and sum', async () => {
      assert.deepEqual(
        { count: order.count, total: order.total, message: order.message, kind: order.kind },
        { count: 2, total: 30.35, message: 'pain.001.001.03', kind: 'credit_transfers' },
      );
      assert.equal(answer.headers.get('location'), `${PATH}/orders/${order.id}`);
      assert.deepEqual((await app.client.get(`${PATH}/orders/${order.id}`)).body.data, order);
    });

    it('in a file for the bank', async () => {
      const { root, namespace } = await readOrderFile(order);
      assert.equal(namespace, 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03');
      assert.equal(textAt(root, 'GrpHdr/CtrlSum'), '30.35');
      const [payment] = root.children.filter(({ name }) => name === 'PmtInf');
      assert.equal(textAt(payment, 'ReqdExctnDt'), DAY);
      assert.equal(textAt(payment, 'DbtrAcct/Id/IBAN'), IBAN);
      const given = payment?.children.filter(({ name }) => name === 'CdtTrfTxInf') ?? [];
      assert.deepEqual(
        given.map((one) => [textAt(one, 'Amt/InstdAmt'), textAt(one, 'CdtrAcct/Id/IBAN'), textAt(one, 'RmtInf/Ustrd')]),
        [
          ['10.1', THEIRS, 'Fra. N-7'],
          ['20.25', THEIRS, null],
        ],
      );
    });

    it('each once, unless it is to be repeated, then in another version of the message too', async () => {
      const count = async () => (await app.client.get(`${PATH}/orders?kind=credit_transfers`)).body.pagination.total;
      const before = await count();
      const again = await transfers([await pay(1), ids[1] ?? '']);
      assertProblem(again, 409, 'duplicate');
      assert.equal(again.body.errors[0].pointer, '/payment_ids/1');
      const repeated = await transfers(ids, { repeat: true, version: '09' });
      assert.equal(repeated.status, 201, JSON.stringify(repeated.body));
      const newer = await readOrderFile(repeated.body.data);
      assert.equal(textAt(newer.root, 'PmtInf/ReqdExctnDt/Dt'), DAY);
      assert.equal(textAt(newer.root, 'PmtInf/DbtrAgt/FinInstnId/BICFI'), 'CAIXESBBXXX');
      assert.equal(await count(), before + 1);
    });
  });

  it('are made once when they are asked for many times at once', async () => {
    const ids = [await pay(3), await pay(4)];
    const answers = await Promise.all(Array.from({ length: 5 }, () => transfers(ids)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  it('refuse what is no transfer, and days that are past', async () => {
    const cash = await pay(5, { payment_method: 'cash' });
    const received = (
      await made('/api/payments/in', {
        partner_id: trade.customerId,
        amount: 5,
        payment_date: TODAY,
        payment_method: 'transfer',
      })
    ).id;
    const answer = await transfers([cash, received, trade.itemId]);
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ code }: Row) => code),
      ['wrong_type', 'invalid_reference', 'invalid_reference'],
    );
    const good = await pay(5);
    for (const more of [
      { date: '2026-01-01' },
      { bank_account_id: trade.itemId },
      { version: '04' },
      { payment_ids: [] },
    ]) {
      assertProblem(await transfers([good], more), 422, 'validation_failed');
    }
    const large = await transfers([good, await pay(1_000_000_000)]);
    assertProblem(large, 422, 'validation_failed');
    assert.deepEqual([large.body.errors[0].pointer, large.body.errors[0].code], ['/payment_ids/1', 'invalid_message']);
    assert.equal((await transfers([good])).status, 201);
  });

  it('collect nothing without a mandate, which needs an IBAN', async () => {
    const partnerId = await stranger('CLI');
    assertProblem(await debits([(await invoice(1, { partnerId })).id]), 422, 'validation_failed');
    const lacking = await app.client.post(`/api/partners/${partnerId}/mandates`, {
      reference: 'M-1',
      signedOn: '2026-01-02',
    });
    assertProblem(lacking, 422, 'validation_failed');
    assert.equal(lacking.body.errors[0].pointer, '/iban');
  });

  describe('collect what is outstanding of invoices by the mandates of customers', () => {
    let mandates: string;
    let mandate: Row;
    let first: Awaited<ReturnType<typeof invoice>>;
    let second: Awaited<ReturnType<typeof invoice>>;
    let order: Row & { items: Row[] };
    before(async () => {
      mandates = `/api/partners/${trade.customerId}/mandates`;
      mandate = await made(mandates, {
        reference: 'M-1',
        signedOn: '2026-01-02',
        iban: 'ES79 2100 0813 6101 2345 6789',
      });
      [first, second] = [await invoice(1), await invoice(2)];
      const answer = await debits([first.id, second.id], { creditor_suffix: '001' });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      order = answer.body.data;
    });

    it('as an order with their number and sum', () => {
      assert.deepEqual(
        { iban: mandate.iban, scheme: mandate.scheme, active: mandate.active },
        { iban: THEIRS, scheme: 'CORE', active: true },
      );
      assert.deepEqual(
        { message: order.message, count: order.count, total: order.total, mandate_id: order.items[0]?.mandate_id },
        {
          message: 'pain.008.001.02',
          count: 2,
          total: Math.round((first.total + second.total) * 100) / 100,
          mandate_id: mandate.id,
        },
      );
    });

    it('in a file that collects the first of a mandate apart from what recurs', async () => {
      const { root } = await readOrderFile(order);
      const groups = root.children.filter(({ name }) => name === 'PmtInf');
      assert.deepEqual(
        groups.map((group) => textAt(group, 'PmtTpInf/SeqTp')),
        ['FRST', 'RCUR'],
      );
      const debit = find(groups[0], 'DrctDbtTxInf');
      assert.equal(textAt(debit, 'DrctDbtTx/MndtRltdInf/MndtId'), 'M-1');
      assert.equal(textAt(debit, 'DrctDbtTx/MndtRltdInf/DtOfSgntr'), '2026-01-02');
      assert.equal(textAt(debit, 'RmtInf/Ustrd'), first.code);
      assert.match(textAt(groups[0], 'CdtrSchmeId/Id/PrvtId/Othr/Id') ?? '', /^ES\d\d001/);
    });

    it('each once; what comes later recurs', async () => {
      assertProblem(await debits([first.id]), 409, 'duplicate');
      const third = await invoice(3);
      const later = await readOrderFile((await debits([third.id], { version: '08' })).body.data);
      assert.equal(textAt(later.root, 'PmtInf/PmtTpInf/SeqTp'), 'RCUR');
    });

    it('but neither drafts nor what is no invoice', async () => {
      const draft = await made('/api/sales/invoices', {
        partnerId: trade.customerId,
        lines: [{ itemId: trade.itemId, quantity: 1 }],
      });
      const refused = await debits([draft.id, trade.itemId]);
      assert.deepEqual(
        refused.body.errors.map(({ code }: Row) => code),
        ['nothing_open', 'invalid_reference'],
      );
    });

    it('and keep the mandate', async () => {
      assertProblem(await app.client.del(`${mandates}/${mandate.id}`), 409, 'in_use');
    });
  });

  it('leave payments free to be deleted', async () => {
    const id = await pay(6);
    const order = (await transfers([id])).body.data;
    assert.equal((await app.client.del(`/api/payments/out/${id}`)).status, 204);
    const [item] = (await app.client.get(`${PATH}/orders/${order.id}`)).body.data.items;
    assert.deepEqual([item.payment_id, item.amount], [null, 6]);
  });
});
