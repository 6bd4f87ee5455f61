import assert from 'node:assert/strict';
import { COMPANY, OWNER } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';

describe('api: set-up', () => {
  const app = useApp({ setUp: false });

  const init = (company: object, admin: object) => app.anonymous.post('/api/setup/init', { company, admin });

  it('reports that nothing is set up yet', async () => {
    const { status, body } = await app.anonymous.get('/api/setup/status');
    assert.equal(status, 200);
    assert.deepEqual(
      { initialized: body.initialized, database: body.checks.database, worker: body.checks.worker },
      { initialized: false, database: 'ok', worker: 'down' },
    );
    assert.match(body.version, /^\d+\.\d+\.\d+/);
  });

  it('refuses bad input with pointers, and writes nothing', async () => {
    const cases: [object, object, string][] = [
      [COMPANY, { ...OWNER, password: 'elevenchars' }, '/admin/password'],
      [COMPANY, { ...OWNER, email: 'nobody' }, '/admin/email'],
      [COMPANY, { email: OWNER.email, name: OWNER.name }, '/admin/password'],
      [{ ...COMPANY, name: '' }, OWNER, '/company/name'],
      [{ name: 'No tax id' }, OWNER, '/company/taxId'],
      [{ ...COMPANY, taxId: 'B12345678' }, OWNER, '/company/taxId'],
      [{ ...COMPANY, country: 'Spain' }, OWNER, '/company/country'],
      [{ ...COMPANY, fiscalYearStart: '02-30' }, OWNER, '/company/fiscalYearStart'],
      [{ ...COMPANY, colour: 'red' }, OWNER, '/company/colour'],
      [{ ...COMPANY, city: 'Mur\u0000cia' }, OWNER, '/company/city'],
    ];
    for (const [company, admin, pointer] of cases) {
      const { status, body } = await init(company, admin);
      assert.deepEqual([status, body.errors?.[0]?.pointer], [422, pointer]);
    }
    assert.equal((await app.anonymous.get('/api/setup/status')).body.initialized, false);
  });

  it('runs once under concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => init(COMPANY, OWNER)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.body.code, 'already_initialized');
    const done = answers.find(({ status }) => status === 201);
    assert.equal(done?.body.tenant.name, COMPANY.name);
    assert.equal(done?.headers.get('Location'), `/api/tenants/${done?.body.tenant.id}`);
    const me = await app.as(done?.body.token).get('/api/auth/me');
    assert.deepEqual([me.body.user.email, me.body.role], [OWNER.email, 'owner']);
    assert.equal((await app.anonymous.get('/api/setup/status')).body.initialized, true);
    const again = await init(COMPANY, { ...OWNER, email: 'other@example.com' });
    assert.equal(again.status, 409);
  });
});
