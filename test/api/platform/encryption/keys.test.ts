import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const NEXT = 'the key of all that comes next, 32 characters and more';

describe('a service whose keys have changed', () => {
  const app = useApp();

  /** Another process on the same database. */
  async function withKeys<T>(env: Record<string, string>, work: (other: TestApp) => Promise<T>): Promise<T> {
    const other = await startTestApp({ setUp: false, env, deps: { database: app.database } });
    try {
      return await work(other);
    } finally {
      await other.stop();
    }
  }
  const present = () => {
    const { auth, encryptionKey = '' } = app.deps.config;
    return { JWT_SECRET: auth.jwtSecret ?? '', ENCRYPTION_KEY: encryptionKey };
  };

  it('takes the access tokens of before until they expire, and signs none with the secret of before', async () => {
    await withKeys({ JWT_SECRET: NEXT }, async (other) => {
      assertProblem(await other.as(app.token).get('/api/uom'), 401, 'invalid_token');
    });
    await withKeys({ JWT_SECRET: NEXT, JWT_SECRET_PREVIOUS: present().JWT_SECRET }, async (other) => {
      assert.equal((await other.as(app.token).get('/api/uom')).status, 200);
    });
  });

  it('repeats the answers of before, or says that it cannot; it does nothing twice', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const unit = { code: 'ONCE', name: 'Once' };
    const first = await app.client.post('/api/uom', unit, key);
    assert.equal(first.status, 201);
    await withKeys({ ENCRYPTION_KEY: NEXT, ENCRYPTION_KEY_PREVIOUS: present().ENCRYPTION_KEY }, async (other) => {
      const again = await other.as(app.token).post('/api/uom', unit, key);
      assert.deepEqual([again.status, again.body], [201, first.body]);
    });
    await withKeys({ ENCRYPTION_KEY: NEXT }, async (other) => {
      assertProblem(await other.as(app.token).post('/api/uom', unit, key), 503, 'unavailable');
    });
  });
});
