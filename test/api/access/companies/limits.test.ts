import assert from 'node:assert/strict';
import type { TestClient } from '../../../helpers/client.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const company = { name: 'Further SL', taxId: 'B20000006' };
const password = 'correct horse battery';

describe('companies', () => {
  const app = useApp({ env: { COMPANIES_PER_ACCOUNT: '4', COMPANIES_PER_SERVICE: '9' } });

  async function administrator(client: TestClient, email: string, tenantId?: string): Promise<TestClient> {
    const made = await client.post('/api/users', { email, name: email, password, role: 'admin' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { token } = (await app.anonymous.post('/api/auth/login', { email, password })).body;
    return app.as(token, tenantId);
  }
  const statuses = async (client: TestClient, count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => client.post('/api/tenants', company)));
    return all.map(({ status }) => status);
  };

  it('are founded one at a time by the same person', async () => {
    const found = await statuses(app.client, 20);
    const made = found.filter((status) => status === 201).length;
    assert.ok(made >= 1 && made <= 3, `${made} were created`);
    assert.ok(
      found.every((status) => [201, 409, 429].includes(status)),
      found.join(),
    );
  });

  it('are limited for each person, whatever accounts their companies make', async () => {
    while ((await app.client.post('/api/tenants', company)).status === 201);
    assertProblem(await app.client.post('/api/tenants', company), 409, 'company_limit');
    const tenants = (await app.client.get('/api/auth/me')).body.tenants as { id: string }[];
    assert.equal(tenants.length, 4);
    const puppet = await administrator(app.client, 'puppet@example.com');
    assertProblem(await puppet.post('/api/tenants', company), 409, 'company_limit');
    const second = app.as(app.token, tenants.find(({ id }) => id !== app.tenantId)?.id);
    assertProblem(
      await (await administrator(second, 'other@example.com')).post('/api/tenants', company),
      409,
      'company_limit',
    );
  });

  it('are limited for the service, and those of other people are not counted for a person', async () => {
    for (const email of ['one@example.com', 'two@example.com']) {
      const person = await administrator(app.client, email);
      await app.database.withSystem((trx) =>
        trx.raw('update users set email_verified_at = now() where email = ?', [email]),
      );
      while ((await person.post('/api/tenants', company)).status === 201);
      const refused = await person.post('/api/tenants', company);
      assertProblem(refused, 409, 'company_limit');
      assert.match(refused.body.detail, email.startsWith('one') ? /COMPANIES_PER_ACCOUNT/ : /COMPANIES_PER_SERVICE/);
    }
    const [row] = await app.database.withSystem(
      async (trx) => (await trx.raw('select count(*)::int as count from tenants')).rows as { count: number }[],
    );
    assert.equal(row?.count, 9);
  });
});
