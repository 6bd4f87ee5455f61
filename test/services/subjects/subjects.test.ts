import assert from 'node:assert/strict';
import { ROUTES } from '../../../api/routes.ts';
import { SUBJECT_KINDS } from '../../../services/subjects/subjects.ts';
import { useCompany } from '../../helpers/hooks.ts';

describe('subjects of comments and files', () => {
  const company = useCompany();

  it('have an address that the API answers', () => {
    const read = new Set(ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const addresses = SUBJECT_KINDS.map(({ path }) => path(':id'));
    assert.deepEqual(
      addresses.filter((address) => !read.has(address)),
      [],
    );
  });

  it('take along what is about them when they are deleted', async () => {
    const rows = await company.rows(
      `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname like '%_subject_gone'`,
    );
    const tables = new Set(SUBJECT_KINDS.map(({ table }) => table));
    assert.deepEqual(rows.map(({ name }) => String(name)).sort(), [...tables].sort());
  });
});
