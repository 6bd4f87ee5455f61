import assert from 'node:assert/strict';
import { up } from '../../../db/migrations/0021-supplier-references.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { createDocument } from '../../../services/trade/create.ts';
import { testCompany } from '../../helpers/company.ts';

describe('migration 0021', () => {
  it('tells invoices apart that have the same number of their supplier, and lets none repeat one from then on', async () => {
    const company = await testCompany();
    try {
      await connect(
        company.url,
        async (client) => {
          await client.query('drop index documents_supplier_reference_key');
          const enter = async (supplierReference: string) => {
            const lines = [{ itemId: company.itemId, quantity: 1 }];
            const input = { partnerId: company.supplierId, lines };
            const { id } = await company.run((trx) => createDocument(trx, company.ctx, 'PINV', input));
            await client.query('update documents set supplier_reference = $2 where id = $1', [id, supplierReference]);
            return id;
          };
          const ids = [await enter('F-1'), await enter('f-1 '), await enter('F-2')];
          await client.query(up);
          const { rows } = await client.query<{ name: string }>(
            `select supplier_reference as name from documents where doc_type = 'PINV' order by created_at, id`,
          );
          assert.deepEqual(
            rows.map(({ name }) => name),
            ['F-1', `f-1  (${ids[1]})`, 'F-2'],
          );
          await assert.rejects(enter('F-2'), /documents_supplier_reference_key/);
        },
        30_000,
      );
    } finally {
      await company.close();
    }
  });
});
