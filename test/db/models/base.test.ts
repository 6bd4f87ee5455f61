import assert from 'node:assert/strict';
import { type JsonRow, shownForm, type TenantModelClass } from '../../../db/models/base.ts';
import { Item, Partner, Period, Tax } from '../../../db/models/records/master-data.ts';
import { runOn } from '../../../db/sql.ts';
import { useCompany } from '../../helpers/hooks.ts';

describe('rows of models', () => {
  const company = useCompany();
  const CUSTOM = { a: [1, null], b: 'ñ', c: 1.5 };

  for (const model of [Item, Partner, Period, Tax] as unknown as TenantModelClass[]) {
    it(`of ${model.tableName} are read as they are shown`, async () => {
      const [shown, read] = await company.run(async (trx) => {
        if ('custom' in model.columns) {
          await trx(model.tableName)
            .where({ id: company.itemId })
            .orWhere({ id: company.customerId })
            .update({ custom: CUSTOM });
        }
        const text = `select * from ${model.tableName} order by id`;
        const rows = await runOn<JsonRow>(trx, { text });
        return [rows.map((row) => model.toJson(row)), await runOn<JsonRow>(trx, { text, form: shownForm(model) })];
      });
      assert.ok(read.length > 0);
      assert.deepEqual(read, shown);
      assert.equal(JSON.stringify(read), JSON.stringify(shown), 'their members have another order');
      assert.ok(read.every((row) => !('tenantId' in row) && !('custom' in row)));
      if ('custom' in model.columns)
        assert.ok(read.some(({ custom_a, custom_b }) => Array.isArray(custom_a) && custom_b === 'ñ'));
    });
  }
});
