import assert from 'node:assert/strict';
import { configuredKeys } from '../../../../services/platform/encryption/seal.ts';
import { unsubscribeLink } from '../../../../services/reports/daily-summary/links.ts';
import { OWNER } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('api: links that end daily summaries', () => {
  const app = useApp();
  const settings = '/api/notifications/settings';
  const link = () => unsubscribeLink(configuredKeys(app.deps.config), { tenantId: app.tenantId, userId: app.userId });
  const choose = (on: boolean) => app.client.patch(settings, { email_enabled: on });
  const wants = async () => (await app.client.get(settings)).body.email_enabled;
  /** Sends the POST of mail programs (RFC 8058, section 3.1). */
  const click = (path: string, body = 'List-Unsubscribe=One-Click') =>
    fetch(app.address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });

  it('ends the summaries by a POST without a token, however often it is repeated', async () => {
    await choose(true);
    const [first, second] = [await click(link()), await click(link())];
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.equal(await first.text(), await second.text());
    assert.equal(await wants(), false);
    const [log] = (await app.client.get('/api/audit-logs?entityType=NotificationSettings')).body.data;
    assert.equal(log.actor, 'unsubscribe_link');
    await choose(true);
    assert.equal((await app.client.get(settings)).body.mention, true);
  });

  it('answers a GET with a page and a button, and changes nothing', async () => {
    await choose(true);
    const answer = await fetch(app.address + link());
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    const html = await answer.text();
    assert.match(html, /<html lang="es">.*Almacenes Prueba SL.*<form method="post"><button>No recibir más<\/button>/s);
    assert.equal(await wants(), true);
    const multipart = new FormData();
    multipart.set('List-Unsubscribe', 'One-Click');
    assert.equal((await fetch(app.address + link(), { method: 'POST', body: multipart })).status, 200);
    assert.equal(await wants(), false);
  });

  it('refuses forged links without changing anything', async () => {
    await choose(true);
    const { id } = (await app.client.post('/api/users', { ...OWNER, email: 'ana@example.test', role: 'sales' })).body
      .data;
    const forged = [
      link().replace(/.$/, (sign) => (sign === '0' ? '1' : '0')),
      link().replace(app.userId, id),
      link().replace(app.tenantId, id),
      link().replace(/signature=.*/, 'signature=x'),
    ];
    for (const path of forged) {
      assertProblem(await app.anonymous.post(path), 404, 'not_found');
      assertProblem(await app.anonymous.get(path), 404, 'not_found');
    }
    assertProblem(await app.anonymous.post(link().replace(/&signature.*/, '')), 400, 'invalid_parameter');
    assert.equal(await wants(), true);
  });
});
