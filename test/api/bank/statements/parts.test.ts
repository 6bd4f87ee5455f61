/** Lines that are more than a payment: on accounts of the ledger, and made up of several things. */
import assert from 'node:assert/strict';
import { BankDesk } from '../../../helpers/bank-desk.ts';
import { sampleLine } from '../../../helpers/bank-files.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

type Row = Record<string, unknown>;
const OTHER_IBAN = 'ES7921000813610123456789';

describe('lines of bank statements', function () {
  this.timeout(120_000);
  let account: string;

  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  const desk = use(() => new BankDesk(app, trade));
  before(async () => {
    account = await desk.openAccount();
  });

  const lineEntries = async (lineId: string): Promise<Row[]> =>
    (await app.client.get(`/api/journal-entries?sourceType=bank_statement_line&sourceId=${lineId}&sort=createdAt`)).body
      .data;
  const invoiceNow = async (id: string) => (await app.client.get(`/api/sales/invoices/${id}`)).body.data;

  describe('on accounts of the ledger', () => {
    /** A fee that is accepted on an account. */
    const fee = async (day: string) => {
      const [id = ''] = await desk.importLines(day, [sampleLine({ amount: '-3.5', text: 'Comisión' })]);
      const accepted = await desk.accepted({ line_id: id, account_code: '626', text: 'Gastos banco' });
      return { id, ...accepted, entry_id: accepted.entry_id ?? '' };
    };

    it('are entered against the account of the bank on their day', async () => {
      const { id, payment_ids, entry_id } = await fee('2026-03-02');
      assert.deepEqual(payment_ids, []);
      assert.deepEqual(await desk.entry(entry_id), [
        ['572', 0, 3.5],
        ['626', 3.5, 0],
      ]);
      const entry = (await app.client.get(`/api/journal-entries/${entry_id}`)).body.data;
      assert.deepEqual(
        { date: entry.date, description: entry.description, sourceType: entry.sourceType },
        { date: '2026-03-02', description: 'Gastos banco', sourceType: 'bank_statement_line' },
      );
      const line = await desk.line(id);
      assert.deepEqual(
        { status: line.status, entry_id: line.entry_id, payment_ids: line.payment_ids },
        { status: 'matched', entry_id, payment_ids: [] },
      );
    });

    it('are entered by the id of an account too, money that comes in at the bank', async () => {
      const [interest = ''] = await desk.importLines('2026-03-06', [sampleLine({ amount: '0.8', text: 'Intereses' })]);
      const of = await desk.accepted({ line_id: interest, account_id: await desk.account('769') });
      assert.deepEqual(await desk.entry(of.entry_id ?? ''), [
        ['572', 0.8, 0],
        ['769', 0, 0.8],
      ]);
    });

    describe('with the tax that they include', () => {
      let tax: string;
      before(async () => {
        tax = (await app.client.get('/api/taxes?code=IVA21')).body.data[0].id;
      });
      const charge = async (day: string, amount: `${number}`, more: Row = {}) => {
        const [id = ''] = await desk.importLines(day, [sampleLine({ amount, text: 'Comisión' })]);
        const { entry_id } = await desk.accepted({ line_id: id, account_code: '626', tax_group_id: tax, ...more });
        return { id, entryId: entry_id ?? '' };
      };
      const taxesIn = async (entryId: string) =>
        (await app.client.get(`/api/journal-entries/${entryId}`)).body.data.lines.flatMap(
          (line: Row) => line.tax ?? [],
        );

      it('cost their net amount, and the register has the tax', async () => {
        // 12.10 / 1.21 = 10.00, and 2.10 of VAT.
        const { entryId } = await charge('2026-03-20', '-12.1', { partner_id: trade.supplierId });
        assert.deepEqual(await desk.entry(entryId), [
          ['572', 0, 12.1],
          ['626', 10, 0],
          ['47200021', 2.1, 0],
        ]);
        const [{ kind, operation, use, rate, base, amount, taxGroupId }] = await taxesIn(entryId);
        assert.deepEqual(
          { kind, operation, use, rate, base, amount, taxGroupId },
          { kind: 'input', operation: 'domestic', use: 'current', rate: 21, base: 10, amount: 2.1, taxGroupId: tax },
        );
      });

      it('take it back when they come back, or are opened again', async () => {
        const { entryId } = await charge('2026-03-21', '12.1');
        assert.deepEqual(
          (await taxesIn(entryId)).map(({ base, amount, rectifying }: Row) => [base, amount, rectifying]),
          [[-10, -2.1, true]],
        );
        const { id } = await charge('2026-03-22', '-12.1');
        assert.equal((await desk.reopen([id])).status, 200);
        const [, reversal] = await lineEntries(id);
        assert.deepEqual(
          (await taxesIn(String(reversal?.id))).map(({ base, amount }: Row) => [base, amount]),
          [[-10, -2.1]],
        );
      });

      it('stand beside other parts', async () => {
        const [id = ''] = await desk.importLines('2026-03-23', [sampleLine({ amount: '-20' })]);
        // 20.00 = 7.90 of interest and 12.10 with 2.10 of VAT.
        const parts = [{ account_code: '626', tax_group_id: tax, amount: -12.1 }, { account_code: '669' }];
        assert.deepEqual(await desk.entry((await desk.accepted({ line_id: id, parts })).entry_id ?? ''), [
          ['572', 0, 20],
          ['626', 10, 0],
          ['47200021', 2.1, 0],
          ['669', 7.9, 0],
        ]);
      });

      it('are refused with a tax that does not exist, is not one of charges, or beside what is no expense', async () => {
        const made = await app.client.post('/api/taxes', {
          code: 'ISP',
          name: 'Inversión',
          rate: 0,
          kind: 'reverse_charge',
        });
        const old = await app.client.post('/api/taxes', { code: 'OLD', name: 'Old', rate: 18, validTo: '2012-08-31' });
        const [id = ''] = await desk.importLines('2026-03-24', [sampleLine({ amount: '-20' })]);
        const cases: [Row, string][] = [
          [{ account_code: '626', tax_group_id: trade.itemId }, 'invalid_reference'],
          [{ account_code: '626', tax_group_id: made.body.data.id }, 'not_allowed'],
          [{ account_code: '626', tax_group_id: old.body.data.id }, 'not_valid'],
          [{ account_code: '769', tax_group_id: tax }, 'not_allowed'],
          [{ partner_id: trade.supplierId, tax_group_id: tax }, 'not_allowed'],
        ];
        for (const [way, code] of cases) {
          const answer = await desk.accept([{ line_id: id, ...way }]);
          assertProblem(answer, 422, 'validation_failed');
          assert.deepEqual(
            [answer.body.errors[0].pointer, answer.body.errors[0].code],
            ['/lines/0/tax_group_id', code],
          );
        }
        assert.deepEqual(await lineEntries(id), []);
      });

      it('cost a retailer under the surcharge all of it, who deducts nothing', async () => {
        const settings = (await app.client.get('/api/config/tax')).body.data;
        assert.equal((await app.client.put('/api/config/tax', { ...settings, surchargeRegime: true })).status, 200);
        const { entryId } = await charge('2026-03-25', '-12.1');
        assert.equal((await app.client.put('/api/config/tax', { ...settings, surchargeRegime: false })).status, 200);
        assert.deepEqual(await desk.entry(entryId), [
          ['572', 0, 12.1],
          ['626', 12.1, 0],
        ]);
      });
    });

    it('are opened again, which alone reverses their entry', async () => {
      const { id, entry_id } = await fee('2026-03-07');
      assertProblem(await app.client.post(`/api/journal-entries/${entry_id}/reverse`), 409, 'invalid_transition');
      const opened = await desk.reopen([id]);
      assert.deepEqual([opened.status, opened.body.data[0].status, opened.body.data[0].entry_id], [200, 'open', null]);
      const [made, reversal, ...none] = await lineEntries(id);
      assert.deepEqual(
        { reversedBy: made?.reversedBy, date: reversal?.date, noneLength: none.length },
        { reversedBy: reversal?.id, date: '2026-03-07', noneLength: 0 },
      );
      const again = await desk.accepted({ line_id: id, account_code: '669' });
      assert.notEqual(again.entry_id, entry_id);
    });

    it('may be shown by an entry that a person made', async () => {
      const lines = [
        { accountId: await desk.account('640'), debit: 1200 },
        { accountId: await desk.account('572'), credit: 1200 },
      ];
      const made = await app.client.post('/api/journal-entries', { date: '2026-03-04', lines, post: true });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      const entryId = made.body.data.id;
      const [pay = '', again = ''] = await desk.importLines('2026-03-04', [
        sampleLine({ amount: '-1200', bankReference: 'A' }),
        sampleLine({ amount: '-1200', bankReference: 'B' }),
      ]);
      await desk.accepted({ line_id: pay, entry_id: entryId });
      assertProblem(await desk.accept([{ line_id: again, entry_id: entryId }]), 409, 'duplicate');
      assertProblem(await app.client.post(`/api/journal-entries/${entryId}/reverse`), 409, 'invalid_transition');
      assert.equal((await desk.reopen([pay])).status, 200);
      assert.equal((await app.client.get(`/api/journal-entries/${entryId}`)).body.data.reversedBy, null);
    });

    describe('are refused with pointers, and nothing is written,', () => {
      let line: string;
      let inactive: string;
      before(async () => {
        [line = ''] = await desk.importLines('2026-03-05', [sampleLine({ amount: '-10' })]);
        const made = await app.client.post('/api/accounts', { code: '6260009', name: 'Old', type: 'expense' });
        inactive = made.body.data.id;
        await app.client.patch(`/api/accounts/${inactive}`, { active: false });
      });
      const assertRefused = async (cases: readonly [way: Row, pointer: string, code: string][]) => {
        for (const [way, pointer, code] of cases) {
          const answer = await desk.accept([{ line_id: line, ...way }]);
          assertProblem(answer, 422, 'validation_failed');
          assert.deepEqual(
            [answer.body.errors[0].pointer, answer.body.errors[0].code],
            [pointer, code],
            JSON.stringify(way),
          );
        }
        assert.equal((await desk.line(line)).status, 'open');
        assert.deepEqual(await lineEntries(line), []);
      };

      it('on accounts that take no entries, and for partners and entries that do not exist', () =>
        assertRefused([
          [{ account_code: '62' }, '/lines/0/account_code', 'heading_account'],
          [{ account_id: inactive }, '/lines/0/account_id', 'inactive_account'],
          [{ account_code: 'nope' }, '/lines/0/account_code', 'invalid_reference'],
          [{ account_id: trade.itemId }, '/lines/0/account_id', 'invalid_reference'],
          [{ account_code: '626', partner_id: trade.itemId }, '/lines/0/partner_id', 'invalid_reference'],
          [{ entry_id: trade.itemId }, '/lines/0/entry_id', 'invalid_reference'],
        ]));

      it('in two ways at once, or with members of another way', () =>
        assertRefused([
          [{ account_code: '626', account_id: inactive }, '/lines/0', 'invalid'],
          [{ account_code: '626', suggestion: true }, '/lines/0', 'invalid'],
          [{ account_code: '626', documents: [] }, '/lines/0/documents', 'not_allowed'],
          [{ payment_id: trade.itemId, text: 'x' }, '/lines/0/text', 'not_allowed'],
        ]));

      it('in parts that do not make up their amount, or say no way', () => {
        const parts = (...of: Row[]) => ({ parts: of });
        const fee = (amount?: number) => ({ account_code: '626', ...(amount === undefined ? {} : { amount }) });
        const rest = { account_code: '669' };
        const amountPointer = (part: number) => `/lines/0/parts/${part}/amount`;
        return assertRefused([
          [parts(fee(-9)), amountPointer(0), 'other_amount'],
          [parts(fee(-9), { ...rest, amount: -2 }), '/lines/0/parts', 'unbalanced'],
          [parts(fee(), rest), amountPointer(1), 'required'],
          [parts(fee(-10), rest), amountPointer(1), 'out_of_range'],
          [parts(fee(0), rest), amountPointer(0), 'out_of_range'],
          [parts(fee(-1.005), rest), amountPointer(0), 'too_many_decimals'],
          [parts(fee(), {}), '/lines/0/parts/1', 'invalid'],
          [parts({ account_code: '62', amount: -3 }, fee()), '/lines/0/parts/0/account_code', 'heading_account'],
        ]);
      });
    });

    describe('between two accounts of the company', () => {
      let out: string;
      let into: string;
      let more: string;
      let entry_id: string;
      let shown: string | null;
      before(async () => {
        const ledger = async (code: string) =>
          (await app.client.post('/api/accounts', { code, name: `Banco ${code}`, type: 'asset' })).body.data
            .id as string;
        const [one, two] = [await ledger('5720001'), await ledger('5720002')];
        const set = await app.client.patch(`/api/config/bank-accounts/${account}`, { account_id: one });
        assert.equal(set.status, 200, JSON.stringify(set.body));
        await desk.openAccount({ name: 'Savings', iban: OTHER_IBAN, account_id: two, is_default: false });
        [out = ''] = await desk.importLines('2026-03-03', [sampleLine({ amount: '-500' })]);
        const other = { account: { iban: OTHER_IBAN, number: null } };
        [into = '', more = ''] = await desk.importLines(
          '2026-03-03',
          [sampleLine({ amount: '500', bankReference: 'T' }), sampleLine({ amount: '501' })],
          other,
        );
        entry_id = (await desk.accepted({ line_id: out, account_code: '5720002' })).entry_id ?? '';
        shown = (await desk.accepted({ line_id: into, entry_id })).entry_id;
      });
      after(async () => {
        const reset = await app.client.patch(`/api/config/bank-accounts/${account}`, { account_id: null });
        assert.equal(reset.status, 200);
      });

      it('are one entry, which the second statement shows for the same amount', async () => {
        assert.deepEqual(await desk.entry(entry_id), [
          ['5720001', 0, 500],
          ['5720002', 500, 0],
        ]);
        const wrong = await desk.accept([{ line_id: more, entry_id }]);
        assertProblem(wrong, 422, 'validation_failed');
        assert.deepEqual(
          [wrong.body.errors[0].pointer, wrong.body.errors[0].code],
          ['/lines/0/entry_id', 'other_amount'],
        );
        assert.equal(shown, entry_id);
      });

      it('are not entered against the account that they stand on', async () => {
        const own = await desk.accept([{ line_id: more, account_code: '5720002' }]);
        assert.deepEqual([own.status, own.body.errors[0].code], [422, 'same_account']);
      });

      it('move a payment to the account whose statement shows it', async () => {
        // Registered without a bank account, it was entered at the default one.
        const payment_id = await desk.payment('in', { amount: 501, payment_date: '2026-03-03' });
        const moved = await desk.accepted({ line_id: more, payment_id });
        assert.deepEqual(await desk.entry(moved.entry_id ?? ''), [
          ['5720002', 501, 0],
          ['5720001', 0, 501],
        ]);
      });

      it('keep their entry until the line that made it is opened last', async () => {
        const used = await desk.reopen([out]);
        assertProblem(used, 409, 'in_use');
        assert.equal(used.body.errors[0].pointer, '/line_ids/0');
        assert.equal((await desk.reopen([into])).status, 200);
        assert.equal((await lineEntries(out)).length, 1);
        assert.equal((await desk.reopen([out])).status, 200);
        assert.equal((await lineEntries(out)).length, 2);
      });
    });

    it('do not change closed periods; the refusal points at the line', async () => {
      const lines = [
        sampleLine({ amount: '-7', bankReference: 'A' }),
        sampleLine({ amount: '-8', bankReference: 'B' }),
      ];
      const [one = '', two = ''] = await desk.importLines('2026-01-12', lines);
      await desk.accepted({ line_id: one, account_code: '626' });
      const periods = (await app.client.get('/api/periods?from[lte]=2026-01-12&to[gte]=2026-01-12')).body.data;
      const closed = await app.client.patch(`/api/periods/${periods[0].id}`, { status: 'C' });
      assert.equal(closed.status, 200, JSON.stringify(closed.body));
      for (const way of [{ account_code: '626' }, { partner_id: trade.supplierId }]) {
        const answer = await desk.accept([{ line_id: two, ...way }]);
        assertProblem(answer, 409, 'period_closed');
        assert.deepEqual(
          [answer.body.errors[0].pointer, answer.body.errors[0].code],
          ['/lines/0/line_id', 'period_closed'],
        );
      }
      const refused = await desk.reopen([one]);
      assertProblem(refused, 409, 'period_closed');
      assert.equal(refused.body.errors[0].pointer, '/line_ids/0');
      assert.equal((await desk.reopen([one], { date: '2026-02-01' })).status, 200);
      assert.equal((await lineEntries(one))[1]?.date, '2026-02-01');
      assert.equal((await app.client.patch(`/api/periods/${periods[0].id}`, { status: 'O' })).status, 200);
    });
  });

  describe('of several things', () => {
    describe('a payment that is there, new ones of other partners, and what the bank kept back,', () => {
      let invoiceId: string;
      let paymentId: string;
      let line: string;
      let accepted: Awaited<ReturnType<BankDesk['accepted']>>;
      before(async () => {
        const [one, two] = [await desk.invoice(1), await desk.invoice(2)];
        invoiceId = two.id;
        paymentId = await desk.payment('in', {
          amount: one.total,
          payment_date: '2026-03-10',
          linked_documents: [{ document_type: 'sales_invoice', document_id: one.id }],
        });
        const advance = 50;
        const amount = `${Number(one.total + two.total + advance - 3)}` as const;
        [line = ''] = await desk.importLines('2026-03-10', [sampleLine({ amount, text: 'Ingreso cheques' })]);
        accepted = await desk.accepted({
          line_id: line,
          parts: [
            { payment_id: paymentId },
            {
              partner_id: trade.customerId,
              amount: two.total,
              documents: [{ document_type: 'sales_invoice', document_id: two.id }],
            },
            { partner_id: trade.supplierId, amount: advance, text: 'Anticipo devuelto' },
            { account_code: '626' },
          ],
        });
      });

      it('become payments and an entry', async () => {
        const { payment_ids, entry_id } = accepted;
        assert.deepEqual([payment_ids.length, payment_ids[0]], [3, paymentId]);
        assert.deepEqual(await desk.entry(entry_id ?? ''), [
          ['572', 0, 3],
          ['626', 3, 0],
        ]);
        assert.equal((await invoiceNow(invoiceId)).status, 'C');
        const back = (await app.client.get(`/api/payments/in/${payment_ids[2]}`)).body.data;
        assert.deepEqual(
          { amount: back.amount, notes: back.notes, credit: back.credit },
          { amount: 50, notes: 'Anticipo devuelto', credit: 50 },
        );
      });

      it('are found from the line, and the line from each payment', async () => {
        const { payment_ids } = accepted;
        assert.deepEqual((await desk.line(line)).payment_ids, payment_ids);
        const listed = await app.client.get(`/api/bank-statements/lines?payment_id=${payment_ids[1]}`);
        assert.deepEqual(
          listed.body.data.map((found: Row) => found.id),
          [line],
        );
      });

      it('keep their payments until the line is opened again, which leaves them free', async () => {
        assertProblem(await app.client.del(`/api/payments/in/${paymentId}`), 409, 'in_use');
        assert.equal((await desk.reopen([line])).status, 200);
        assert.deepEqual((await desk.line(line)).payment_ids, []);
        for (const payment of accepted.payment_ids)
          assert.equal((await app.client.del(`/api/payments/in/${payment}`)).status, 204);
        assert.equal((await invoiceNow(invoiceId)).status, 'O');
      });
    });

    it('several invoices of a customer, who keeps what they leave as credit', async () => {
      const invoices = [await desk.invoice(3), await desk.invoice(4)];
      const total = invoices.reduce((sum, one) => sum + one.total, 0);
      const [id = ''] = await desk.importLines('2026-03-11', [sampleLine({ amount: `${total + 5}` })]);
      const documents = invoices.map((one) => ({ document_type: 'sales_invoice', document_id: one.id }));
      const { payment_ids } = await desk.accepted({ line_id: id, partner_id: trade.customerId, documents });
      const payment = (await app.client.get(`/api/payments/in/${payment_ids[0]}`)).body.data;
      assert.deepEqual([payment.linked_documents.length, payment.credit], [2, 5]);
    });

    it('are refused where a part is, with a pointer into it', async () => {
      const [id = ''] = await desk.importLines('2026-03-12', [sampleLine({ amount: '100' })]);
      const paid = await desk.payment('out', { amount: 20, payment_date: '2026-03-12' });
      const document = { document_type: 'purchase_invoice', document_id: trade.itemId };
      const rest = { account_code: '759' };
      const cases: [Row[], string, string][] = [
        [[{ payment_id: paid }, { payment_id: paid }, rest], '/lines/0/parts/1/payment_id', 'duplicate'],
        [[{ payment_id: trade.itemId }, rest], '/lines/0/parts/0/payment_id', 'invalid_reference'],
        [[{ partner_id: trade.itemId, amount: 5 }, rest], '/lines/0/parts/0/partner_id', 'invalid_reference'],
        [
          [rest, { partner_id: trade.customerId, amount: 5, documents: [document] }],
          '/lines/0/parts/1/documents/0/document_type',
          'wrong_type',
        ],
        [[{ payment_id: paid }, { ...rest, amount: 119 }], '/lines/0/parts', 'unbalanced'],
        [[{ payment_id: paid, amount: 20 }, rest], '/lines/0/parts/0/amount', 'not_allowed'],
      ];
      for (const [parts, pointer, code] of cases) {
        const answer = await desk.accept([{ line_id: id, parts }]);
        assertProblem(answer, 422, 'validation_failed');
        assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
      }
      const partial = await desk.accept([{ line_id: id, parts: [{ payment_id: paid }, { ...rest, amount: 1 }] }], {
        partial: true,
      });
      assert.deepEqual([partial.status, partial.body.data.refused[0].code], [200, 'unbalanced']);
      assert.deepEqual(await lineEntries(id), []);
      const good = await desk.accepted({ line_id: id, parts: [{ payment_id: paid }, rest] });
      assert.deepEqual(await desk.entry(good.entry_id ?? ''), [
        ['572', 120, 0],
        ['759', 0, 120],
      ]);
    });

    it('at the same moment: a payment is shown by one of two lines', async () => {
      const payment_id = await desk.payment('in', { amount: 40, payment_date: '2026-03-13' });
      const ids = await desk.importLines('2026-03-13', [
        sampleLine({ amount: '41', bankReference: 'A' }),
        sampleLine({ amount: '42', bankReference: 'B' }),
      ]);
      const answers = await Promise.all(
        ids.map((line_id) => desk.accept([{ line_id, parts: [{ payment_id }, { account_code: '759' }] }])),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    });
  });
});
