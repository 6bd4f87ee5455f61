import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0102-lost-taxes-of-left-regimes.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { replaceSettings } from '../../../services/settings/settings.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { creating } from '../../helpers/documents.ts';
import { useCompany } from '../../helpers/hooks.ts';

const LOST = `select d.doc_type, d.status, l.line_number, l.lost_tax::float8 as lost, d.deduction_regime, d.lost_tax_unknown as unknown
  from document_lines l join documents d on d.id = l.document_id order by d.id, l.line_number`;

describe('migration 0102', () => {
  const company = useCompany();

  it('keeps the lost tax of purchases of a surcharge regime that was left, and marks drafts', async () => {
    const create = creating<{ id: string }>(company);
    const { ctx, itemId } = company;
    const regime = (surchargeRegime: boolean) =>
      company.run((trx) => replaceSettings(trx, ctx, 'tax', { surchargeRegime }));
    const lines = [
      { itemId, quantity: 1, price: 33.33 },
      { itemId, quantity: 1, price: 66.68 },
    ];
    await regime(true);
    const { id } = await create('PINV', { lines });
    await company.run((trx) => postInvoice(trx, ctx, id, { ifMatch: null }));
    await create('PDN', { lines });
    await regime(false);
    await create('PINV', { lines });
    await connect(
      company.url,
      async (client) => {
        const { rows: kept } = await client.query(LOST);
        await client.query('update document_lines set lost_tax = 0; update documents set deduction_regime = null');
        for (const name of ['x-once', 'x-again']) await migrate(company.url, [{ name, up }]);
        const { rows } = await client.query(LOST);
        // 26.2 % of 33.33 and 100.01: 8.73 and 26.20 in all; of the general regime nothing is lost.
        assert.deepEqual(
          rows.map(({ lost }: { lost: number }) => lost),
          [8.73, 17.47, 8.73, 17.47, 0, 0],
        );
        const drafts = kept.map((row: { status: string }) => ({ ...row, unknown: row.status === 'D' }));
        assert.deepEqual(rows, drafts);
      },
      30_000,
    );
  });
});
