import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import { useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';

describe('the language of what people read', () => {
  const app = useApp();
  const refused = (asked?: string, more: Record<string, string> = {}) =>
    app.client.post(
      '/api/partners',
      { name: '' },
      { ...(asked === undefined ? {} : { 'Accept-Language': asked }), ...more },
    );

  it('of refusals is the one that the client prefers', async () => {
    for (const asked of ['es', 'es-ES,es;q=0.9,en;q=0.8', 'ca, es;q=0.5', 'fr,es;q=0.2,en;q=0.1']) {
      const answer = await refused(asked);
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.headers.get('content-language'), 'es', asked);
      assert.equal(answer.body.title, 'La petición no es válida');
      assert.equal(answer.body.detail, '/groupId: es obligatorio (y 1 más)');
      assert.deepEqual(answer.body.errors[1], { pointer: '/name', code: 'too_short', message: 'no debe estar vacío' });
    }
    for (const asked of [undefined, '*', 'en', 'fr', 'de-DE,de;q=0.9', 'en,es;q=0.9', ';;;', 'es;q=0']) {
      const answer = await refused(asked);
      assert.equal(answer.headers.get('content-language'), 'en', asked);
      assert.equal(answer.body.title, 'The request is not valid');
    }
  });

  it('of refusals is kept with the answers of idempotency keys', async () => {
    const key = { 'Idempotency-Key': newId() };
    const first = await refused('es', key);
    const again = await refused('es', key);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.headers.get('content-language'), 'es');
    assert.equal(again.body.detail, first.body.detail);
  });

  it('of tasks is the one that the client prefers, or else that of the person', async () => {
    const { body } = await app.client.post(
      '/api/import/uom',
      `code;name\n${Array.from({ length: 501 }, (_, row) => `L${row};x\n`).join('')}`,
      { 'Content-Type': 'text/csv' },
    );
    const message = async (asked: string | null) => {
      const headers = { Authorization: `Bearer ${app.token}`, ...(asked === null ? {} : { 'Accept-Language': asked }) };
      // biome-ignore lint/suspicious/noExplicitAny: as answers of the test client
      const read = async (path: string): Promise<any> =>
        (await fetch(`${app.address}/api/tasks${path}`, { headers })).json();
      const task = await read(`/${body.task_id}`);
      const list = await read('');
      const progress = await read(`/${body.task_id}/progress`);
      assert.equal(list.data[0].message, task.data.message);
      assert.equal(progress.message, task.data.message);
      return task.data.message;
    };
    assert.match(await message('es'), /^Esperando para importar /);
    assert.match(await message(null), /^Waiting to import /);
    const { body: me } = await app.client.get('/api/auth/me');
    const { status } = await app.client.patch(`/api/users/${me.user.id}`, { locale: 'es-ES' });
    assert.equal(status, 200);
    assert.match(await message(null), /^Esperando para importar /);
    assert.match(await message('en'), /^Waiting to import /);
  });
});
