import assert from 'node:assert/strict';
import { registerPayment } from '../../../services/payments/register.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { creating } from '../../helpers/documents.ts';
import { useCompany } from '../../helpers/hooks.ts';

const COLUMNS = `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
  where table_name = 'payment_applications' and is_generated = 'NEVER' and is_identity = 'NO'
    and column_name not in ('id', 'seq', 'keep_withholding')`;

describe('migration 0067', () => {
  const company = useCompany();

  it('lets discounts that a process of the previous release enters keep the withholding', async () => {
    const { ctx, customerId, itemId } = company;
    const { id } = await creating<{ id: string }>(company)('PDN', { lines: [{ itemId, quantity: 1, price: 1 }] });
    assert.ok(id);
    const invoice = await creating<{ id: string }>(company)('SINV', { lines: [{ itemId, quantity: 1, price: 100 }] });
    await company.run((trx) => postInvoice(trx, ctx, invoice.id, { ifMatch: null }));
    const linked_documents = [{ document_type: 'sales_invoice' as const, document_id: invoice.id, discount: 12.1 }];
    const paid = {
      partner_id: customerId,
      amount: 108.9,
      payment_date: '2026-06-15',
      payment_method: 'transfer' as const,
    };
    await company.run((trx) => registerPayment(trx, ctx, 'in', { ...paid, linked_documents }));
    const [columns] = await company.rows(COLUMNS);
    const undone = company.run(async (trx) => {
      // As the previous release does, which does not know the column.
      await trx.raw(`insert into payment_applications (id, ${columns?.names})
        select gen_random_uuid(), ${columns?.names} from payment_applications`);
      const rows = (await trx('payment_applications').orderBy('seq').select('keep_withholding')) as object[];
      assert.deepEqual(rows, [{ keep_withholding: false }, { keep_withholding: true }]);
      throw new Error('undo');
    });
    await assert.rejects(undone, /undo/);
  });
});
