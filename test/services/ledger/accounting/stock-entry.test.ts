import assert from 'node:assert/strict';
import { replaceAccounting } from '../../../../services/ledger/accounting/config.ts';
import { adjustStock } from '../../../../services/trade/stock/operations/adjust.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('stock count entry', () => {
  const company = useCompany();
  before(async () => {
    await company.stockUp(company.itemId, 10);
  });

  const count = async (countedQuantity: number, reason?: string) => {
    const { ctx, itemId, warehouseId } = company;
    const lines = [{ itemId, countedQuantity }];
    const input = { warehouseId, lines, ...(reason === undefined ? {} : { reason }) };
    const made = await company.run((trx) => adjustStock(trx, ctx, input));
    const entered = await company.rows(
      `select e.description, a.code, (l.debit - l.credit)::float8 as amount from journal_entries e join journal_lines l on l.entry_id = e.id
       join accounts a on a.id = l.account_id where e.source_id = ? order by l.line_number`,
      [String(made.id)],
    );
    return { code: made.code, entered };
  };

  it('enters missing and surplus goods at cost', async () => {
    const missing = await count(7, 'Rotura');
    const description = `Regularización de existencias ${missing.code} · Rotura`;
    assert.deepEqual(missing.entered, [
      { description, code: '300', amount: -3.6 },
      { description, code: '610', amount: 3.6 },
    ]);
    const found = await count(8);
    assert.deepEqual(
      found.entered.map(({ code, amount }) => [code, amount]),
      [
        ['300', 1.2],
        ['610', -1.2],
      ],
    );
  });

  it('is omitted without differences, or if the company enters the variation once a year', async () => {
    assert.deepEqual((await count(8)).entered, []);
    await company.run((trx) => replaceAccounting(trx, company.ctx, { stockCountEntries: false }, null));
    assert.deepEqual((await count(2)).entered, []);
  });
});
