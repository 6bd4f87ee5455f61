import assert from 'node:assert/strict';
import { creating } from '../../helpers/documents.ts';
import { useCompany } from '../../helpers/hooks.ts';

const COLUMNS = `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
  where table_name = 'documents' and is_generated = 'NEVER' and column_name not in ('id', 'document_date', 'lost_tax_unknown', 'date')`;

describe('migration 0076', () => {
  const company = useCompany();

  it('dates invoices of suppliers that a process of the previous release writes, and marks them', async () => {
    const create = creating<{ id: string }>(company);
    const { id } = await create('PINV', { lines: [{ itemId: company.itemId, quantity: 1, price: 10 }] });
    const [columns] = await company.rows(COLUMNS);
    const undone = company.run(async (trx) => {
      const read = async () =>
        (await trx('documents').whereNot({ id }).first('date', 'document_date', 'lost_tax_unknown')) as object;
      // As the previous release does, which knows neither column.
      await trx.raw(
        `insert into documents (id, date, ${columns?.names}) select gen_random_uuid(), '2026-06-10', ${columns?.names}
         from documents where id = ?`,
        [id],
      );
      const marked = { lost_tax_unknown: true };
      assert.deepEqual(await read(), { date: '2026-06-10', document_date: '2026-06-10', ...marked });
      await trx('documents').whereNot({ id }).update({ date: '2026-06-08' });
      assert.deepEqual(await read(), { date: '2026-06-08', document_date: '2026-06-08', ...marked });
      throw new Error('undo');
    });
    await assert.rejects(undone, /undo/);
    const [own] = await company.rows('select document_date = date as same, lost_tax_unknown as unknown from documents');
    assert.deepEqual(own, { same: true, unknown: false });
  });
});
