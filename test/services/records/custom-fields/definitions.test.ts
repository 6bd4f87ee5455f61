import assert from 'node:assert/strict';
import type { TenantModel } from '../../../../db/models/base.ts';
import { loadActiveFields, lockActiveFields } from '../../../../services/records/custom-fields/definitions.ts';
import { customFields } from '../../../../services/records/master-data/custom-fields.ts';
import type { HookScope } from '../../../../services/records/resources/declaration.ts';
import { changeOne, createOne } from '../../../../services/records/resources/rows.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('active custom fields', () => {
  const company = useCompany();

  it('come in their order, and anew when the definitions have changed', async () => {
    const { ctx, run } = company;
    const change = (work: (scope: HookScope) => Promise<TenantModel>) =>
      run(async (trx) => {
        const scope = { trx, ctx, role: 'owner' };
        await customFields.lock?.(scope);
        return work(scope);
      });
    const define = (field_name: string, position: number) =>
      change((scope) =>
        createOne(customFields, scope, { table_name: 'Item', label: 'L', type: 'TEXT', field_name, position }),
      );
    const names = (version?: number) =>
      run(async (trx) => {
        const known = version === undefined ? ctx : { ...ctx, customFieldsVersion: version };
        return (await loadActiveFields(trx, known, 'Item')).map(({ fieldName }) => fieldName);
      });
    assert.deepEqual(await names(), []);
    await define('late', 2);
    const early = await define('early', 1);
    assert.deepEqual(await names(), ['early', 'late']);
    const [counter] = await company.rows(`select next from counters where name = 'custom_fields'`);
    const version = Number(counter?.next);
    assert.deepEqual(await names(version), ['early', 'late']);
    assert.deepEqual(await names(0), [], 'a company that never had any');
    await change((scope) => changeOne(customFields, scope, early, { active: false }));
    assert.deepEqual(await names(version), ['early', 'late'], 'what is kept under the version');
    assert.deepEqual(await names(version + 1), ['late']);

    // A transaction's view of its own changes is not cached: it may be rolled back.
    const undone = change(async (scope) => {
      await createOne(customFields, scope, { table_name: 'Item', label: 'L', type: 'TEXT', field_name: 'undone' });
      const own = await lockActiveFields(scope.trx, { ...ctx, customFieldsVersion: version + 1 }, 'Item');
      assert.ok(own.some(({ fieldName }) => fieldName === 'undone'));
      throw new Error('rolled back');
    });
    await assert.rejects(undone, /rolled back/);
    await define('done', 3);
    assert.deepEqual(await names(version + 2), ['late', 'done']);
  });
});
