/** To-dos and approvals over HTTP: who sees them, who ends them, and what is refused. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { assignToDo } from '../../../../services/messages/to-dos/to-dos.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/to-dos';

describe('to-dos', () => {
  const app = useApp();
  const sales = use(() => addMember(app, 'sales'));
  const buyer = use(() => addMember(app, 'purchasing'));
  const give = async (body: object, client = app.client) => {
    const made = await client.post(PATH, { title: 'Call the customer', ...body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.data as { id: string; version: number };
  };
  const approval = (to: { user_id?: string; role?: 'sales' }, hours = 1) => {
    const ctx = { tenantId: app.tenantId, userId: null, actor: 'test', requestId: newId(), now: app.clock.now };
    const due_at = new Date(app.clock.now.getTime() + hours * 3_600_000).toISOString();
    const asked = { user_id: to.user_id ?? null, role: to.role ?? null };
    const given = { kind: 'approval', title: 'Pay it?', body: '', due_at, document_id: null, ...asked } as const;
    return app.database.withTenant(ctx, async (trx) => (await assignToDo(trx, ctx, given)).toDo.id);
  };
  const ids = async (client = app.client, query = '') =>
    (await client.get(`${PATH}${query}`)).body.data.map(({ id }: { id: string }) => id) as string[];

  it('are seen by whoever must do them, by their author and by administrators, and notified', async () => {
    const { id } = await give({ user_id: sales.id, due_at: '2026-07-01T10:00:00Z' });
    const { id: ofRole } = await give({ role: 'sales' }, buyer.client);
    assert.deepEqual(await ids(sales.client), [ofRole, id]);
    assert.deepEqual(await ids(buyer.client), [ofRole]);
    assert.deepEqual(await ids(app.client, '?status=open&role[empty]=true'), [id]);
    assertProblem(await buyer.client.get(`${PATH}/${id}`), 404, 'not_found');
    assertProblem(await buyer.client.post(`${PATH}/${id}/done`), 404, 'not_found');
    const { body: inbox } = await sales.client.get('/api/notifications');
    assert.deepEqual(
      inbox.data.map((one: { action_url: string }) => one.action_url),
      [`${PATH}/${ofRole}`, `${PATH}/${id}`],
    );
  });

  it('are done and opened again by whoever sees them, changed and deleted by their author', async () => {
    const { id } = await give({ role: 'sales' }, buyer.client);
    const done = await sales.client.post(`${PATH}/${id}/done`, { comment: 'They will call back' });
    assert.deepEqual(
      [done.body.data.status, done.body.data.ended_by, done.body.data.comment],
      ['done', sales.id, 'They will call back'],
    );
    assertProblem(await sales.client.post(`${PATH}/${id}/done`), 409, 'invalid_transition');
    assertProblem(await buyer.client.patch(`${PATH}/${id}`, { title: 'Other' }), 409, 'invalid_transition');
    const again = await sales.client.post(`${PATH}/${id}/reopen`);
    assert.deepEqual([again.body.data.status, again.body.data.comment], ['open', null]);
    assertProblem(await sales.client.patch(`${PATH}/${id}`, { title: 'Other' }), 403, 'forbidden');
    assertProblem(await sales.client.del(`${PATH}/${id}`), 403, 'forbidden');
    const moved = await buyer.client.patch(`${PATH}/${id}`, { user_id: buyer.id });
    assert.deepEqual([moved.body.data.user_id, moved.body.data.role], [buyer.id, null]);
    assert.ok(!(await ids(sales.client)).includes(id));
    assert.equal((await buyer.client.del(`${PATH}/${id}`)).status, 204);
  });

  it('are refused for nobody, two, strangers, roles that nobody has, and documents of nobody', async () => {
    for (const [body, pointer] of [
      [{}, '/user_id'],
      [{ user_id: sales.id, role: 'sales' }, '/user_id'],
      [{ user_id: newId() }, '/user_id'],
      [{ role: 'hr' }, '/role'],
      [{ user_id: sales.id, document_id: newId() }, '/document_id'],
      [{ user_id: sales.id, status: 'done' }, '/status'],
    ] as const) {
      const answer = await app.client.post(PATH, { title: 'Call', ...body });
      assertProblem(answer, 422, 'validation_failed');
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    const { id } = await give({ user_id: sales.id });
    assertProblem(await app.client.patch(`${PATH}/${id}`, { user_id: null }), 422, 'validation_failed');
  });

  it('that are approvals are answered once, in time, by those who are asked', async () => {
    const id = await approval({ role: 'sales' });
    assertProblem(await app.client.post(`${PATH}/${id}/approve`), 403, 'forbidden');
    assertProblem(await app.client.post(`${PATH}/${id}/done`), 409, 'invalid_transition');
    assertProblem(await app.client.del(`${PATH}/${id}`), 409, 'invalid_transition');
    const answers = await Promise.all(['approve', 'refuse'].map((verb) => sales.client.post(`${PATH}/${id}/${verb}`)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const late = await approval({ user_id: sales.id }, -1);
    assertProblem(await sales.client.post(`${PATH}/${late}/approve`), 409, 'invalid_transition');
    const { id: ordinary } = await give({ user_id: sales.id });
    assertProblem(await sales.client.post(`${PATH}/${ordinary}/approve`), 409, 'invalid_transition');
  });
});
