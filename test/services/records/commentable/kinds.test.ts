import assert from 'node:assert/strict';
import { ROUTES } from '../../../../api/routes.ts';
import { COMMENTABLE_KINDS } from '../../../../services/records/commentable/kinds.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('commentable records', () => {
  const company = useCompany();

  it('gives each commentable kind a path that the API answers', () => {
    const read = new Set(ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const addresses = COMMENTABLE_KINDS.map(({ path }) => path(':id'));
    assert.deepEqual(
      addresses.filter((address) => !read.has(address)),
      [],
    );
  });

  it('deletes the comments and files of a deleted record', async () => {
    const rows = await company.rows(
      `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname like '%_subject_gone'`,
    );
    const tables = new Set(COMMENTABLE_KINDS.map(({ table }) => table));
    assert.deepEqual(rows.map(({ name }) => String(name)).sort(), [...tables].sort());
  });
});
