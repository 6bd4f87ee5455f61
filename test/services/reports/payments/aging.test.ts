import assert from 'node:assert/strict';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { reportRequest } from '../../../../services/reports/engine/request.ts';
import { agingStatement, readAging } from '../../../../services/reports/payments/aging.ts';
import { agingLines } from '../../../../services/reports/payments/aging-lines.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { received } from '../../../helpers/receivables.ts';

describe('aging', () => {
  const company = useCompany();
  /** Returns the date that many days before the company's day. */
  const before = (days: number) => new Date(company.ctx.now.getTime() - days * 86_400_000).toISOString().slice(0, 10);

  const make = async (docType: 'SO' | 'SINV', total: number, date: string): Promise<string> => {
    const { ctx, customerId: partnerId, taxId: taxGroupId } = company;
    const lines = [{ description: 'Servicio', quantity: 1, price: total, taxGroupId, vatRegime: 'exempt' as const }];
    return company.run(async (trx) => {
      const id = String((await createDocument(trx, ctx, docType, { partnerId, date, lines })).id);
      if (docType === 'SINV') await postInvoice(trx, ctx, id, { ifMatch: null });
      return id;
    });
  };
  const paid = (amount: number, date: string, document_type: 'SO' | 'SINV', document_id: string) =>
    received(company, amount, {
      payment_date: date,
      linked_documents: [{ document_type, document_id, amount_applied: amount }],
    });
  /** The lines behind each partner add up to what aging says of them. */
  const assertTraced = async (db: Db, to: string, customers: readonly { partner_id: string }[]) => {
    for (const { partner_id, ...figures } of customers) {
      const order = { report: agingLines, params: { to, partner_id }, ctx: company.ctx };
      const { data, summary } = await agingLines.read(await reportRequest(db, order, false));
      const { total_debt, credit } = figures as Record<string, unknown>;
      assert.deepEqual(summary, { total_debt, credit }, to);
      const rows = data.rows as readonly Record<string, number>[];
      const added = (member: string) => rows.reduce((sum, row) => sum + Number(row[member]), 0);
      assert.deepEqual([added('total_debt'), added('credit')], [total_debt, credit], to);
    }
  };
  const owedAt = (to: string) =>
    company.run(async (trx) => {
      const { summary, data } = await readAging(trx, company.ctx.now, { direction: 'in', to });
      await assertTraced(trx, to, data.customers);
      return [summary.total_debt, summary.credit];
    });

  it('at an earlier day owes what was paid later, and counts what was not applied to invoices as credit', async () => {
    const invoice = await make('SINV', 100, before(10));
    await paid(100, before(2), 'SINV', invoice);
    await make('SINV', 50, before(6));
    await paid(30, before(4), 'SO', await make('SO', 80, before(8)));
    await received(company, 7, { payment_date: before(1) });
    assert.deepEqual(await owedAt(before(11)), [0, 0]);
    assert.deepEqual(await owedAt(before(7)), [100, 0]);
    assert.deepEqual(await owedAt(before(5)), [150, 0]);
    assert.deepEqual(await owedAt(before(3)), [150, 30]);
    assert.deepEqual(await owedAt(before(2)), [50, 30]);
    assert.deepEqual(await owedAt(before(0)), [50, 37]);
  });

  it('has what was paid of an invoice before its own day as credit, as it stands on 430 until then', async () => {
    const invoice = await make('SINV', 40, before(13));
    await paid(25, before(15), 'SINV', invoice);
    // 25 paid on 0 are −25 until the invoice of 40, of which 15 are left then.
    assert.deepEqual(await owedAt(before(16)), [0, 0]);
    assert.deepEqual(await owedAt(before(14)), [0, 25]);
    assert.deepEqual(await owedAt(before(13)), [15, 0]);
  });

  it('owes an invoice until the day on which it was cancelled', async () => {
    const { ctx } = company;
    const invoice = await make('SINV', 60, before(20));
    await company.run((trx) => cancelDocument(trx, ctx, invoice, { ifMatch: null, date: before(17) }));
    assert.deepEqual(await owedAt(before(21)), [0, 0]);
    assert.deepEqual(await owedAt(before(18)), [60, 0]);
    assert.deepEqual(await owedAt(before(17)), [0, 0]);
  });

  it('reads what is open by indexes, whatever was settled long ago', async () => {
    const plan = await company.run(async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      const unlimited = { from: null, to: null, partner: null, currency: null, project: null, costCenter: null };
      const bindings = { ...unlimited, now: company.ctx.now.toISOString() };
      return query<Record<string, string>>(trx, `explain ${agingStatement('in')}`, bindings);
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    for (const index of [/documents_unsettled/, /payments_(open|unapplied)/]) assert.match(text, index);
  });
});
