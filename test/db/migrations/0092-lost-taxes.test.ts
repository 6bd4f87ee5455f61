import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0092-lost-taxes.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { replaceSettings } from '../../../services/settings/settings.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { testCompany } from '../../helpers/company.ts';
import { creating } from '../../helpers/documents.ts';

const LOST = `select d.doc_type, l.line_number, l.lost_tax::float8 as lost from document_lines l join documents d on d.id = l.document_id
  order by d.id, l.line_number`;

describe('migration 0092', () => {
  it('keeps the lost tax of purchases with their lines: posted ones as they were entered, others by their taxes', async () => {
    const company = await testCompany();
    try {
      const create = creating<{ id: string }>(company);
      const { ctx, itemId, taxId: taxGroupId } = company;
      const lines = [
        { itemId, quantity: 1, price: 33.33, vatUse: 'none' as const },
        { description: 'Gasto', quantity: 1, price: 10, taxGroupId },
        { itemId, quantity: 1, price: 66.68, vatUse: 'none' as const },
      ];
      for (const vatRegime of ['general', 'intra_eu'] as const) {
        const { id } = await create('PINV', { lines, vatRegime });
        await company.run((trx) => postInvoice(trx, ctx, id, { ifMatch: null }));
      }
      await company.run((trx) => replaceSettings(trx, ctx, 'tax', { surchargeRegime: true }));
      await create('PDN', { lines: [{ itemId, quantity: 3, price: 1.11 }] });
      await create('SINV', { lines: [{ itemId, quantity: 1, price: 10 }] });
      await connect(
        company.url,
        async (client) => {
          const { rows: kept } = await client.query(LOST);
          await client.query('update document_lines set lost_tax = 0');
          await migrate(company.url, [{ name: 'x-again', up }]);
          assert.deepEqual((await client.query(LOST)).rows, kept);
          // 21 % of 33.33 and 66.68: 7 and 14; 26.2 % of 3.33 for the retailer: 0.70 and 0.17.
          const lost = kept.map(({ lost: tax }: { lost: number }) => tax);
          assert.deepEqual(lost, [7, 0, 14, 7, 0, 14, 0.87, 0]);
        },
        30_000,
      );
    } finally {
      await company.close();
    }
  });
});
