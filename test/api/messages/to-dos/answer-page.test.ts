/** Approvals answered by the link in a mail. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { answerLink } from '../../../../services/messages/to-dos/links.ts';
import { queueApprovalMails } from '../../../../services/messages/to-dos/mails.ts';
import { assignToDo } from '../../../../services/messages/to-dos/to-dos.ts';
import { configuredKeys } from '../../../../services/platform/encryption/seal.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { deliverMails } from '../../../helpers/mails.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('api: links that answer approvals', () => {
  const app = useApp();
  const sales = use(() => addMember(app, 'sales'));
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'test', requestId: newId(), now: app.clock.now });
  const ask = (body = 'Is <b>it</b> right?', hours = 1) =>
    app.database.withTenant(ctx(), async (trx) => {
      const due_at = new Date(app.clock.now.getTime() + hours * 3_600_000).toISOString();
      const asked = { user_id: null, role: 'sales', document_id: null } as const;
      const given = { kind: 'approval', title: 'Pay & ship', body, due_at, ...asked } as const;
      const { toDo, recipients } = await assignToDo(trx, ctx(), given);
      await queueApprovalMails(trx, ctx(), { recipientsPerHour: 100 }, toDo, recipients);
      return toDo.id;
    });
  const link = (toDoId: string, userId = sales.id) =>
    answerLink(configuredKeys(app.deps.config), { tenantId: app.tenantId, toDoId, userId });
  const status = async (id: string) => (await app.client.get(`/api/to-dos/${id}`)).body.data;
  const click = (path: string) => fetch(app.address + path, { method: 'POST' });

  it('are in the mails to each who is asked, while it is open', async () => {
    const id = await ask();
    const ended = await ask();
    await sales.client.post(`/api/to-dos/${ended}/refuse`);
    const mails = await deliverMails({ database: app.database }, app.clock.now);
    const [mail] = mails.filter(({ text }) => text?.includes('/api/to-dos/answer?'));
    assert.deepEqual([mail?.to, mail?.subject], [sales.email, 'Por aprobar: Pay & ship']);
    assert.match(
      mail?.text ?? '',
      new RegExp(`https://erp\\.example\\.test/api/to-dos/answer\\?company=${app.tenantId}&to_do=${id}`),
    );
    assert.equal(mails.filter(({ text }) => text?.includes('/api/to-dos/answer?')).length, 1);
  });

  it('open a page that changes nothing, whose buttons answer', async () => {
    const id = await ask();
    const page = await fetch(app.address + link(id));
    const html = await page.text();
    assert.match(
      html,
      /<h1>Pay &amp; ship<\/h1>.*Is &lt;b&gt;it&lt;\/b&gt; right\?.*Aprobar<\/button>.*Rechazar<\/button>/s,
    );
    assert.equal((await status(id)).status, 'open');
    const [, action = ''] = /formaction="([^"]+)">Aprobar/.exec(html) ?? [];
    const first = await (await click(action.replaceAll('&amp;', '&'))).text();
    assert.match(first, /<p role="status">Está aprobado\.<\/p>/);
    const { status: ends, ended_by: by } = await status(id);
    assert.deepEqual([ends, by], ['approved', sales.id]);
    const [entry] = (await app.client.get(`/api/audit-logs?entityType=ToDo&entityId=${id}`)).body.data;
    assert.deepEqual([entry?.actor, entry?.userId], ['answer_link', null]);
    // A later answer, also the other one, changes nothing.
    assert.match(await (await click(`${link(id)}&answer=refused`)).text(), /Está aprobado\./);
  });

  it('are refused if they are forged, of somebody else, or their reader is no longer asked', async () => {
    const id = await ask();
    for (const path of [
      link(id).replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
      link(id).replace(sales.id, app.userId),
      link(newId()),
      link(id, app.userId),
    ]) {
      assertProblem(await app.anonymous.get(path), 404, 'not_found');
      assertProblem(await app.anonymous.post(`${path}&answer=approved`), 404, 'not_found');
    }
    assertProblem(await app.anonymous.post(link(id)), 400, 'invalid_parameter');
    assertProblem(await app.anonymous.post(`${link(id)}&answer=done`), 400, 'invalid_parameter');
    assert.equal((await status(id)).status, 'open');
    const late = await ask('Late', -1);
    assert.match(await (await click(`${link(late)}&answer=approved`)).text(), /El plazo para responder ha terminado/);
    assert.equal((await status(late)).status, 'open');
  });
});
