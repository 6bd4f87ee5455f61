import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { checkInTurn } from '../../../../services/access/sessions/passwords.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PASSWORD = 'correct horse battery';

describe('api: password hashing in turns', () => {
  const app = useApp({ env: { DATABASE_POOL_SIZE: '2' } });

  it('holds no connection while waiting', async () => {
    const made = await app.client.post('/api/users', { email: 'a@example.test', name: 'A', password: PASSWORD });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Takes all places, whatever the number of cores.
    const places = Array.from({ length: availableParallelism() + 2 }, (_, index) =>
      checkInTurn(`others ${index}`, () => released),
    );
    const waiting = [
      ...Array.from({ length: 6 }, (_, index) =>
        app.client.post('/api/users', { email: `u${index}@example.test`, name: 'U', password: PASSWORD }),
      ),
      app.client.patch(`/api/users/${made.body.data.id}`, { password: `${PASSWORD} new` }),
    ];
    for (let request = 0; request < 10; request++) assert.equal((await app.client.get('/api/uom')).status, 200);
    release();
    await Promise.all(places);
    for (const answer of waiting) assert.ok([200, 201].includes((await answer).status));
  });

  it('is refused within a transaction', async () => {
    const body = { email: 'part@example.test', name: 'Part' };
    const send = (more: object) =>
      app.client.post('/api/transactions', {
        operations: [{ id: 'user', method: 'POST', path: '/api/users', body: { ...body, ...more } }],
      });
    const refused = await send({ password: PASSWORD });
    assertProblem(refused, 422, 'validation_failed');
    assert.match(JSON.stringify(refused.body.errors), /not_applicable/);
    assert.equal((await send({})).status, 200);
  });
});
