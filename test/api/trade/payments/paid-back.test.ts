import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

type Row = Record<string, unknown>;

const SIDES = [
  { to: 'to a customer', direction: 'out', side: 'sales', type: 'sales_invoice' },
  { to: 'from a supplier', direction: 'in', side: 'purchases', type: 'purchase_invoice' },
] as const;

describe('what is credited', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));

  for (const { to, direction, side, type } of SIDES)
    describe(`is paid back ${to}`, () => {
      const path = `/api/${side}/invoices`;
      let partner: string;
      let invoice: string;
      let credit: string;
      before(async () => {
        partner = side === 'sales' ? till.customerId : till.supplierId;
        invoice = (await till.invoice(side, 100)).id;
        const draft = await app.client.post(`${path}/${invoice}/rectify`, { reason: 'error' });
        credit = draft.body.data.id;
        assert.equal((await app.client.post(`${path}/${credit}/post`, {})).status, 200);
      });
      const pay = (amount: number, linked: Row, more: Row = {}) =>
        till.pay(direction, amount, { partner_id: partner, linked_documents: [linked], ...more });

      it('by no link that a credit cannot have; refusals leave no payment', async () => {
        const before = await till.read('/api/payments/in');
        const refused: [Row, string, string][] = [
          [link(invoice, 100, type), 'document_type', 'wrong_type'],
          [link(credit, -100, type), 'amount_applied', 'out_of_range'],
          [link(credit, 100.01, type), 'amount_applied', 'over_outstanding'],
          [link(credit, 99, type, { write_off: 1 }), '', 'out_of_range'],
        ];
        for (const [linked, member, code] of refused) {
          const answer = await pay(200, linked);
          assertProblem(answer, 422, 'validation_failed');
          const pointer = ['/linked_documents/0', member].filter(Boolean).join('/');
          assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
        }
        assert.deepEqual(await till.read('/api/payments/in'), before);
      });

      describe('in parts', () => {
        let first: Answer;
        let last: Answer;
        before(async () => {
          first = await pay(40, link(credit, 40, type), { payment_method: 'cash' });
          assert.equal(first.status, 201, JSON.stringify(first.body));
          last = await pay(70, link(credit, undefined, type));
        });

        it('of which the last takes what is left, and keeps the rest', () => {
          const { linked_documents: linked, status, credit: left } = last.body.data;
          assert.deepEqual(
            {
              amount_applied: linked[0].amount_applied,
              previous_status: linked[0].previous_status,
              new_status: linked[0].new_status,
            },
            { amount_applied: 60, previous_status: 'partial', new_status: 'paid' },
          );
          assert.deepEqual([status, left], ['partially_linked', 10]);
        });

        it('that are entered between the money and the partner', async () => {
          const account = side === 'sales' ? '430' : '410';
          const entry = await till.entered(first.body.data.id);
          assert.deepEqual(
            entry,
            direction === 'out' ? ['570 0 40', `${account} 40 0`] : ['570 40 0', `${account} 0 40`],
          );
        });

        it('that close the credit, as its reconciliation shows', async () => {
          const shown = await till.read(`/api/payments/reconciliation/${type}/${credit}`);
          assert.deepEqual(
            {
              document_total: shown.document_total,
              total_applied: shown.total_applied,
              remaining: shown.remaining,
              status: shown.status,
            },
            { document_total: -100, total_applied: -100, remaining: 0, status: 'paid' },
          );
          assert.deepEqual(
            shown.payments.map((row: { amount_applied: number }) => row.amount_applied).sort(),
            [-40, -60],
          );
          assert.equal((await till.read(`${path}/${credit}`)).status, 'C');
        });

        it('of which aging shows what was paid too much', async () => {
          const aging = await till.read(
            `/api/reports/aging?partner_id=${partner}&side=${side === 'sales' ? 'suppliers' : 'customers'}`,
          );
          assert.deepEqual(
            aging.customers.map((row: { credit: number }) => row.credit),
            [10],
          );
        });

        it('and is open again when the payments are deleted', async () => {
          await assertSound(app.databaseUrl);
          for (const { body } of [first, last])
            assert.equal((await app.client.del(`/api/payments/${direction}/${body.data.id}`)).status, 204);
          const open = await till.read(`${path}/${credit}`);
          assert.deepEqual(
            { status: open.status, paymentStatus: open.paymentStatus, outstanding: open.outstanding },
            { status: 'O', paymentStatus: 'pending', outstanding: -100 },
          );
        });
      });
    });
});
