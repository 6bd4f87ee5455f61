import assert from 'node:assert/strict';
import { insertMissingRows, patchRows, removeRows } from '../../db/bulk-write.ts';
import { CostCenter } from '../../db/models/master-data.ts';
import { type TestCompany, testCompany } from '../helpers/company.ts';

describe('many rows at once', () => {
  let company: TestCompany;
  before(async () => {
    company = await testCompany();
    await company.run((trx) =>
      insertMissingRows(
        trx,
        company.ctx,
        CostCenter,
        ['B1', 'B2', 'B3'].map((code) => ({ code, name: code, active: true })),
        ['code'],
      ),
    );
  });
  after(() => company?.close());

  const read = () =>
    company.run(async (trx) => await CostCenter.query(trx).where('code', 'like', 'B_').orderBy('code'));
  const audits = async (action: string) =>
    await company.rows(
      `select old_value ->> 'name' as old, new_value ->> 'name' as new, old_value ->> 'version' as before, new_value ->> 'version' as after
       from audit_logs where entity_type = 'CostCenter' and action = ? and coalesce(old_value, new_value) ->> 'code' like 'B_'
       order by coalesce(old_value, new_value) ->> 'code'`,
      [action],
    );

  it('are changed with an audit record each, or not at all when one has changed', async () => {
    const [one, two] = await read();
    assert.ok(one && two);
    const rows = [one, two].map((current, at) => ({ current, values: { name: `Name ${at}` } }));
    await company.run((trx) => patchRows(trx, company.ctx, CostCenter, rows));
    assert.deepEqual(
      (await read()).map(({ name, version }) => [name, version]),
      [
        ['Name 0', 2],
        ['Name 1', 2],
        ['B3', 1],
      ],
    );
    assert.deepEqual(await audits('UPDATE'), [
      { old: 'B1', new: 'Name 0', before: '1', after: '2' },
      { old: 'B2', new: 'Name 1', before: '1', after: '2' },
    ]);
    const [, , three] = await read();
    assert.ok(three);
    const stale = [
      { current: three, values: { name: 'No' } },
      { current: one, values: { name: 'No' } },
    ];
    await assert.rejects(
      company.run((trx) => patchRows(trx, company.ctx, CostCenter, stale)),
      { code: 'unavailable' },
    );
    assert.equal((await read())[2]?.name, 'B3');
  });

  it('are deleted with an audit record each, or not at all when one has changed', async () => {
    const rows = await read();
    const [one] = rows;
    assert.ok(one);
    const stale = rows.map((row) => (row === one ? Object.assign(new CostCenter(), row, { version: 1 }) : row));
    await assert.rejects(
      company.run((trx) => removeRows(trx, company.ctx, CostCenter, stale)),
      { code: 'unavailable' },
    );
    assert.equal((await read()).length, 3);
    await company.run((trx) => removeRows(trx, company.ctx, CostCenter, rows));
    assert.deepEqual(await read(), []);
    assert.deepEqual(
      (await audits('DELETE')).map(({ old }) => old),
      ['Name 0', 'Name 1', 'B3'],
    );
  });
});
