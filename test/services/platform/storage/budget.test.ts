import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { putFile } from '../../../../services/platform/files/files.ts';
import { readStorage } from '../../../../services/platform/storage/budget.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('the bytes of a company', () => {
  const company = useCompany();

  const store = (bytes: number, entityId: string = randomUUID()) =>
    company.run((trx) =>
      putFile(trx, company.ctx, {
        kind: 'task_input',
        name: 'f',
        contentType: 'text/plain',
        entityId,
        entityVersion: 1,
        content: Buffer.alloc(bytes),
      }),
    );
  const changes = async () => (await company.rows('select id from storage_changes')).length;

  it('are summed up while many add to them, and nothing is lost', async () => {
    const before = await company.run(readStorage);
    await Promise.all(Array.from({ length: 300 }, () => store(1000)));
    const after = await company.run(readStorage);
    assert.equal(after.used - before.used, 300 * 1200);
    assert.ok((await changes()) < 300);
  });

  it('follow replaced and deleted files, and not what is rolled back', async () => {
    const before = await company.run(readStorage);
    const entityId = randomUUID();
    await store(1000, entityId);
    await store(5000, entityId);
    assert.equal((await company.run(readStorage)).used - before.used, 5200);
    await assert.rejects(
      company.run(async (trx) => {
        await trx.raw('delete from files where entity_id = ?', [entityId]);
        throw new Error('no');
      }),
      /no/,
    );
    assert.equal((await company.run(readStorage)).used - before.used, 5200);
    await company.run((trx) => trx.raw('delete from files where entity_id = ?', [entityId]));
    assert.equal((await company.run(readStorage)).used, before.used);
  });
});
