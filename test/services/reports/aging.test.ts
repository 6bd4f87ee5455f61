import assert from 'node:assert/strict';
import { query } from '../../../db/sql.ts';
import { agingStatement, readAging } from '../../../services/reports/aging.ts';
import { createDocument } from '../../../services/trade/create.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { received } from '../../helpers/receivables.ts';

describe('aging', () => {
  const company = useCompany();
  /** So many days before the company's day. */
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
  const owedAt = (to: string) =>
    company.run(async (trx) => {
      const { summary } = await readAging(trx, company.ctx.now, { direction: 'in', to });
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

  it('reads what is open by indexes, whatever was settled long ago', async () => {
    const plan = await company.run(async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      const bindings = { from: null, to: null, partner: null, now: company.ctx.now.toISOString() };
      return query<Record<string, string>>(trx, `explain ${agingStatement('in')}`, bindings);
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    for (const index of [/documents_unsettled/, /payments_(open|unapplied)/]) assert.match(text, index);
  });
});
