import assert from 'node:assert/strict';
import { companiesDue, queueSummaries } from '../../../../services/reports/daily-summary/queue.ts';
import { openTrade } from '../../../api/trade/documents/trade.ts';
import { OWNER } from '../../../helpers/app.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { sendMails } from '../../../helpers/mails.ts';

const PASSWORD = 'a password of their own choice';
/** The company is in Madrid, two hours ahead of UTC in June. */
const at = (time: string) => new Date(`2026-06-${time}Z`);

type Person = Record<'email' | 'id' | 'membershipId', string>;

describe('daily summaries', function () {
  this.timeout(60_000);
  const clock = { now: at('14T05:00:00') };
  beforeEach(() => {
    clock.now = at('14T05:00:00');
  });
  const app = useApp({ clock, env: { MAIL_RECIPIENTS_PER_HOUR: '1' } }, { each: true });
  const trade = use(() => openTrade(app, 1000), { each: true });
  const login = async (email: string, password: string) =>
    app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
  const owner = () => login(OWNER.email, OWNER.password);
  const settings = '/api/notifications/settings';
  async function subscribe(role: string, locale = 'es') {
    const email = `${role}.${locale}@example.test`;
    const made = await (await owner()).post('/api/users', { email, name: role, password: PASSWORD, role, locale });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await (await login(email, PASSWORD)).patch(settings, { email_enabled: true })).status, 200);
    const { id, membershipId } = made.body.data as Record<'id' | 'membershipId', string>;
    return { email, id, membershipId };
  }
  const run = (now: Date) => {
    clock.now = now;
    const ctx = { tenantId: app.tenantId, userId: null, actor: 'test', requestId: 'test', now };
    return queueSummaries(app.database, ctx, { limits: { recipientsPerHour: 2 }, alive: () => {} });
  };
  /** An invoice of 121 that is due at once, and a draft. */
  async function trading() {
    const client = await owner();
    const invoice = {
      dueDate: '2026-06-14',
      partnerId: trade.customerId,
      lines: [{ itemId: trade.itemId, quantity: 1, price: 100 }],
    };
    const { body } = await client.post('/api/sales/invoices', invoice);
    assert.equal((await client.post(`/api/sales/invoices/${body.data.id}/post`)).status, 200);
    await client.post('/api/sales/invoices', invoice);
  }

  it('go once a date to each who wants one, whatever the runs', async () => {
    await trading();
    const { email } = await subscribe('accountant');
    assert.equal(await run(at('15T05:59:59')), 0);
    assert.deepEqual(await Promise.all([run(at('15T06:00:00')), run(at('15T06:00:00'))]).then((n) => n.sort()), [0, 1]);
    assert.equal(await run(at('15T20:00:00')), 0);
    assert.equal(await run(at('14T20:00:00')), 0);
    assert.deepEqual(
      (await sendMails(app)).map(({ to }) => to),
      [email],
    );
    assert.equal(await run(at('16T06:00:00')), 1);
  });

  it('tell what is due in the language of the reader, and nothing of accounting to who may not see it', async () => {
    await trading();
    for (const [role, locale] of [
      ['accountant', 'en'],
      ['sales', 'es'],
      ['hr', 'es'],
    ] as const) {
      await subscribe(role, locale);
    }
    assert.equal(await run(at('15T06:00:00')), 2);
    const texts = new Map((await sendMails(app)).map((mail) => [mail.to, mail.text]));
    const [accountant, sales] = [texts.get('accountant.en@example.test'), texts.get('sales.es@example.test')];
    // 100 and 21 % of VAT, due on the 14th.
    assert.match(String(accountant), /Customers, overdue: 1 \(€121\.00\)/);
    assert.match(String(sales), /Factura de venta: 1/);
    assert.doesNotMatch(String(sales), /Clientes|\b121\b/);
  });

  it('come to nobody with nothing to tell, who has left, or who is locked', async () => {
    const { id } = await subscribe('accountant');
    assert.equal(await run(at('15T06:00:00')), 0);
    clock.now = at('14T05:00:00');
    await trading();
    const left = await subscribe('sales');
    clock.now = at('16T05:00:00');
    assert.equal((await (await owner()).patch(`/api/users/${id}`, { active: false })).status, 200);
    assert.equal((await (await owner()).del(`/api/users/${left.id}`)).status, 204);
    assert.equal(await run(at('16T06:00:00')), 0);
  });

  it('begin tomorrow for who asks for them after eight', async () => {
    await trading();
    clock.now = at('15T06:00:00');
    await subscribe('accountant');
    assert.equal(await run(at('15T06:15:00')), 0);
    assert.equal(await run(at('16T06:00:00')), 1);
  });

  it('have a limit of their own, beyond which they wait, and use up no other', async () => {
    await trading();
    for (const locale of ['es', 'en', 'ca']) await subscribe('accountant', locale);
    // Two summaries an hour, and the third later; besides, one recipient of other mails, who is still free for a document.
    assert.deepEqual([await run(at('15T06:00:00')), await run(at('15T06:15:00'))], [2, 0]);
    assert.deepEqual([await run(at('15T07:00:01')), await run(at('15T09:00:00'))], [1, 0]);
    const client = await owner();
    const [{ id }] = (await client.get('/api/sales/invoices?status=O')).body.data;
    const sent = await client.post(`/api/sales/invoices/${id}/send`, { to: 'a@example.test' });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  });

  it('do not come twice when the company moves to another time zone', async () => {
    await trading();
    await subscribe('accountant');
    assert.equal(await run(at('15T06:00:00')), 1);
    const move = async (timezone: string) =>
      assert.equal((await (await owner()).put('/api/config/format', { timezone })).status, 200);
    await move('America/New_York');
    assert.equal(await run(at('15T12:00:00')), 0);
    await move('Pacific/Auckland');
    // The 16th has its eight o'clock there at 20:00 UTC of the 15th.
    assert.equal(await run(at('15T19:59:59')), 0);
    assert.equal(await run(at('15T20:00:00')), 1);
  });

  it('do not go any more when their reader has changed their mind, role or address', async () => {
    await trading();
    const people = [await subscribe('accountant', 'es'), await subscribe('accountant', 'en'), await subscribe('admin')];
    assert.deepEqual([await run(at('15T06:00:00')), await run(at('15T07:00:01'))], [2, 1]);
    const [first, second, third] = people as [Person, Person, Person];
    const changes = [
      await (await login(first.email, PASSWORD)).patch(settings, { email_enabled: false }),
      await (await owner()).patch(`/api/memberships/${second.membershipId}`, { role: 'hr' }),
      await (await owner()).patch(`/api/users/${third.id}`, { email: 'other@example.test' }),
    ];
    assert.deepEqual(
      changes.map(({ status }) => status),
      [200, 200, 200],
      JSON.stringify(changes.map(({ body }) => body)),
    );
    assert.deepEqual(await sendMails(app), []);
  });

  it('are looked for where somebody may be due', async () => {
    const due = async (now: Date) => (await companiesDue(app.database, now, null)).companies;
    assert.deepEqual(await due(at('15T06:00:00')), []);
    await subscribe('accountant');
    assert.deepEqual(await due(at('15T06:00:00')), [app.tenantId]);
    await run(at('15T06:00:00'));
    assert.deepEqual(await due(at('15T06:00:00')), []);
  });
});
