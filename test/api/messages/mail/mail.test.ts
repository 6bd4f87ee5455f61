import assert from 'node:assert/strict';
import { mailHandlers } from '../../../../worker/mail-handlers.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { NOW } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { deliverMails, sendMails } from '../../../helpers/mails.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../../trade/documents/trade.ts';

const PASSWORD = 'a password of their own choice';

describe('api: mail', function () {
  this.timeout(60_000);
  const clock = { now: NOW };
  const app = useApp({ clock, env: { MAIL_RECIPIENTS_PER_HOUR: '40' } });
  const trade = use(() => openTrade(app, 1000));
  /** Moves past the hourly limit. */
  beforeEach(() => {
    clock.now = new Date(clock.now.getTime() + 3_600_001);
  });

  const invoice = async () => {
    const client = await owner();
    const path = '/api/sales/invoices';
    const line = { itemId: trade.itemId, quantity: 1 };
    const { body } = await client.post(path, { partnerId: trade.customerId, lines: [line] });
    assert.equal((await client.post(`${path}/${body.data.id}/post`)).status, 200);
    return { id: String(body.data.id), url: `${path}/${body.data.id}` };
  };
  const owner = async () => {
    const login = { email: 'owner@example.test', password: 'correct horse battery staple' };
    return app.as((await app.anonymous.post('/api/auth/login', login)).body.token);
  };
  const member = async (role: string): Promise<TestClient> => {
    const email = `${role}${clock.now.getTime()}@example.test`;
    const made = await (await owner()).post('/api/users', { email, name: role, password: PASSWORD, role });
    assert.equal(made.status, 201);
    return app.as((await app.anonymous.post('/api/auth/login', { email, password: PASSWORD })).body.token);
  };
  const kinds = () => mailHandlers(app.deps.config);
  const refuse = (address: string) =>
    deliverMails({ database: app.database, kinds: kinds() }, clock.now, (one) =>
      one === address ? { said: 'refused', reason: '550 No such user' } : { said: 'taken', reason: '' },
    );

  it("queues a mail with a document, using the template in the partner's language", async () => {
    const { url } = await invoice();
    const client = await owner();
    const { body: posted } = await client.get(url);
    const { body } = await client.post(`${url}/send`, { to: 'a@example.test' });
    const { id, status } = body.data.email;
    assert.deepEqual([status, body.data.sentAt], ['queued', null]);
    const listed = await client.get(`/api/emails?documentId=${posted.data.id}`);
    assert.deepEqual(
      listed.body.data.map((one: Record<string, unknown>) => [one.id, one.to, one.status, one.document]),
      [[id, 'a@example.test', 'queued', { id: posted.data.id, docType: 'SINV', code: posted.data.code }]],
    );
    const { body: one } = await client.get(`/api/emails/${id}`);
    assert.ok(one.data.subject.includes(posted.data.code), one.data.subject);
    assert.match(one.data.text, /adjunto/);
    assert.match(one.data.html, /<p>/);
    const [mail] = await sendMails(app);
    assert.deepEqual([mail?.id, mail?.attachments.length], [id, 1]);
    assert.equal((await client.get(url)).body.data.sentAt, clock.now.toISOString());
    assert.deepEqual((await client.get(`/api/emails/${id}`)).body.data.status, 'sent');
  });

  it('queues one mail for requests with the same Idempotency-Key', async () => {
    const { id, url } = await invoice();
    const client = await owner();
    const send = () => client.post(`${url}/send`, { to: 'once@example.test' }, { 'Idempotency-Key': `send-${id}` });
    const [first, again] = [await send(), await send()];
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal((await client.get(`/api/emails?documentId=${id}`)).body.pagination.total, 1);
  });

  it('filters, sorts and exports mails like all lists', async () => {
    const client = await owner();
    const { url } = await invoice();
    await client.post(`${url}/send`, { to: 'list@example.test', subject: '=SUM(A1)' });
    await refuse('list@example.test');
    for (const filter of ['to[contains]=list@', 'status=failed&sort=-sentAt', 'q=No such user', 'error[empty]=false']) {
      const { body } = await client.get(`/api/emails?${filter}`);
      assert.ok(
        body.data.some((one: { to: string }) => one.to === 'list@example.test'),
        filter,
      );
    }
    const file = await client.get('/api/emails?format=csv&subject[contains]=SUM');
    assert.equal(file.status, 200);
    assert.match(file.body, /list@example\.test/);
    assert.doesNotMatch(file.body, /(^|,)"?=SUM/m);
    assertProblem(await client.get('/api/emails?text=x'), 400, 'invalid_parameter');
  });

  it('resends a mail as a new one, to the recipients who did not receive it', async () => {
    const client = await owner();
    const { url } = await invoice();
    const { body } = await client.post(`${url}/send`, { to: 'ok@example.test; no@example.test' });
    const path = `/api/emails/${body.data.email.id}`;
    assertProblem(await client.post(`${path}/resend`), 409, 'invalid_transition');
    await refuse('no@example.test');
    const first = await client.get(path);
    assert.deepEqual([first.body.data.status, first.body.data.error], ['sent', 'no@example.test: 550 No such user']);
    const again = await client.post(`${path}/resend`);
    assert.deepEqual([again.status, again.body.data.to, again.body.data.status], [201, 'no@example.test', 'queued']);
    const [mail] = await sendMails(app);
    assert.deepEqual([mail?.id, mail?.to, mail?.text], [again.body.data.id, 'no@example.test', first.body.data.text]);
    const whole = await client.post(`/api/emails/${again.body.data.id}/resend`);
    assert.equal(whole.body.data.to, 'no@example.test');
    await sendMails(app);
  });

  it('shows mails to those who may read the document or requested the mail, and to nobody else', async () => {
    const { url } = await invoice();
    const { body } = await (await owner()).post(`${url}/send`, { to: 'secret@example.test' });
    await (await owner()).post('/api/users', { email: 'new@example.test', name: 'New' });
    await sendMails(app);
    const path = `/api/emails/${body.data.email.id}`;
    for (const [role, sees, resends] of [
      ['sales', 200, 201],
      ['viewer', 200, 403],
      ['hr', 404, 404],
      ['purchasing', 404, 404],
    ] as const) {
      const client = await member(role);
      assert.equal((await client.get(path)).status, sees, role);
      const listed = await client.get('/api/emails?limit=500');
      const seen = listed.body.data.map((one: { to: string }) => one.to);
      assert.equal(seen.includes('secret@example.test'), sees === 200, role);
      assert.ok(!seen.includes('new@example.test'), role);
      assert.equal((await client.post(`${path}/resend`)).status, resends, role);
      await sendMails(app);
    }
  });

  it('lists mails of invitations without their text; only the invitation can send them again', async () => {
    const client = await owner();
    await client.post('/api/users', { email: 'invited@example.test', name: 'Invited' });
    const [mail] = await sendMails(app);
    const { body } = await client.get('/api/emails?to=invited@example.test');
    assert.deepEqual([body.data[0].kind, body.data[0].status, body.data[0].id], ['invitation', 'sent', mail?.id]);
    assert.equal((await client.get(`/api/emails/${mail?.id}`)).body.data.text, null);
    assertProblem(await client.post(`/api/emails/${mail?.id}/resend`), 409, 'invalid_transition');
  });

  it('refuses line breaks, too many recipients and invalid addresses without queueing anything', async () => {
    const client = await owner();
    const { url } = await invoice();
    const many = Array.from({ length: 21 }, (_, nth) => `a${nth}@example.test`).join(',');
    for (const [body, pointer] of [
      [{ to: 'a@example.test\r\nBcc: b@example.test' }, '/to'],
      [{ to: 'a@example.test\n' }, '/to'],
      [{ to: many }, '/to'],
      [{ to: 'Ana <a@example.test>' }, '/to'],
      [{ to: 'a@example.test', subject: 'x\r\nBcc: b@example.test' }, '/subject'],
      [{ to: 'a@example.test', subject: 'x\u2028y' }, '/subject'],
      [{ to: 'a@example.test', body: 'x'.repeat(20_001) }, '/body'],
    ] as const) {
      const answer = await client.post(`${url}/send`, body);
      assert.deepEqual([answer.status, answer.body.errors?.[0].pointer], [422, pointer], JSON.stringify(answer.body));
    }
    assert.deepEqual(await sendMails(app), []);
  });

  it("limits the recipients of a company's mails within an hour", async () => {
    const client = await owner();
    const { url } = await invoice();
    const twenty = Array.from({ length: 20 }, (_, nth) => `a${nth}@example.test`).join(',');
    for (let nth = 0; nth < 2; nth++) assert.equal((await client.post(`${url}/send`, { to: twenty })).status, 200);
    const refused = await client.post(`${url}/send`, { to: 'one@example.test' });
    assertProblem(refused, 429, 'too_many_requests');
    assert.equal(refused.headers.get('Retry-After'), '3600');
    // Invitations have a separate limit.
    assert.equal((await client.post('/api/users', { email: 'after@example.test', name: 'After' })).status, 201);
    assert.equal((await sendMails(app)).length, 3);
  });
});
