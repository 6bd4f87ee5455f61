import assert from 'node:assert/strict';
import { up } from '../../../db/migrations/0073-deductions.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { replaceSettings } from '../../../services/settings/settings.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { testCompany } from '../../helpers/company.ts';
import { creating } from '../../helpers/documents.ts';

/** The columns were not there before. */
const BEFORE = `
  alter table documents drop column pro_rata;
  alter table document_lines drop column deductible_percent, drop column lost_tax;
  alter table journal_lines drop column tax_subject`;
const LOST = `select d.doc_type, l.line_number, l.lost_tax::float8 as lost from document_lines l join documents d on d.id = l.document_id
  order by d.id, l.line_number`;

describe('migration 0073', () => {
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
          await client.query(BEFORE);
          await client.query(`begin; ${up} commit;`);
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
