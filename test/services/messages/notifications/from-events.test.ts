import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import type { Role } from '../../../../domain/permissions.ts';
import { notifyOfEvents } from '../../../../services/messages/notifications/from-events.ts';
import { endTask } from '../../../../services/platform/tasks/report.ts';
import { startTask } from '../../../../services/platform/tasks/tasks.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { relayEvents } from '../../../helpers/relay.ts';

const ROLES: readonly Role[] = ['admin', 'accountant', 'sales', 'purchasing', 'warehouse', 'hr', 'viewer'];

interface Told {
  readonly role: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
}

describe('notifyOfEvents', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const clients: Partial<Record<Role, TestClient>> = {};
  before(async () => {
    for (const role of ROLES) {
      const [email, password] = [`${role}@example.test`, 'a password of the members'];
      // Users without a locale have the company's language, Spanish.
      await app.client.post('/api/users', {
        email,
        name: role,
        password,
        role,
        locale: role === 'sales' ? 'en-GB' : null,
      });
      clients[role] = app.as((await app.anonymous.post('/api/auth/login', { email, password })).body.token);
    }
    await relay();
    await forget();
  });
  afterEach(() => forget());

  const rows = <Row extends object>(sql: string) =>
    app.database.withTenant({ tenantId: app.tenantId }, async (trx) => (await trx.raw(sql)).rows as Row[]);
  const forget = () => rows('delete from notifications');
  const relay = () => relayEvents(app.database, app.deps.now);
  const told = () =>
    rows<Told>(
      `select m.role, n.type, n.title, n.body from notifications n join memberships m on m.user_id = n.user_id
       order by m.role, n.id`,
    );
  const toldRoles = async () => (await told()).map(({ role }) => role);
  const choose = (chosen: object, client = app.client) => client.patch('/api/notifications/settings', chosen);

  it('notifies owner, admin and sales of a posted sales invoice, each in their language', async () => {
    const { id, code } = await till.invoice('sales', 1210.5);
    await relay();
    const amount = 'Café Central, 1.210,50\u00a0€';
    const spanish = { type: 'document_locked', title: `Se ha contabilizado la factura de venta ${code}`, body: amount };
    assert.deepEqual(await told(), [
      { role: 'admin', ...spanish },
      { role: 'owner', ...spanish },
      {
        role: 'sales',
        type: 'document_locked',
        title: `Sales invoice ${code} was posted`,
        body: 'Café Central, €1,210.50',
      },
    ]);
    const { body } = await app.client.get('/api/notifications');
    assert.deepEqual(body.data[0].metadata, { document_type: 'sales_invoice', document_id: id });
    assert.deepEqual([body.data[0].action_url, body.data[0].action_label], [`/api/sales/invoices/${id}`, 'Ver']);
    assert.equal((await app.client.get(body.data[0].action_url)).status, 200);
  });

  it('does not notify creators who may no longer read the record', async () => {
    const { body } = await app.client.get('/api/memberships?role=sales');
    const [{ id: membership }] = body.data;
    const lines = [{ itemId: till.itemId, quantity: 1, price: 10 }];
    const draft = await clients.sales?.post('/api/sales/invoices', { partnerId: till.customerId, lines });
    await app.client.patch(`/api/memberships/${membership}`, { role: 'hr' });
    const posted = await app.client.post(`/api/sales/invoices/${draft?.body.data.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    await relay();
    assert.deepEqual(await toldRoles(), ['admin', 'owner']);
    await app.client.patch(`/api/memberships/${membership}`, { role: 'sales' });
  });

  it('notifies purchasing of a purchase invoice', async () => {
    await till.invoice('purchases', 50, { supplierReference: 'A-1' });
    await relay();
    assert.deepEqual(await toldRoles(), ['admin', 'owner', 'purchasing']);
  });

  it('notifies accountants of payments received and made', async () => {
    const received = await till.pay('in', 100, { reference: 'R-7' });
    await till.pay('out', 20);
    await relay();
    const [first] = (await told()).filter(({ role }) => role === 'accountant');
    assert.deepEqual(first, {
      role: 'accountant',
      type: 'payment_received',
      title: 'Cobro de 100,00\u00a0€',
      body: 'Café Central, R-7',
    });
    assert.deepEqual(
      (await told()).map(({ role, type }) => `${role} ${type}`),
      ['accountant', 'admin', 'owner'].flatMap((role) => [`${role} payment_received`, `${role} payment_made`]),
    );
    const { body } = await app.client.get('/api/notifications?type=payment_received');
    assert.equal(body.data[0].action_url, `/api/payments/in/${received.body.data.id}`);
    assert.equal((await app.client.get(body.data[0].action_url)).status, 200);
  });

  it('notifies the creator of the document, whatever their role', async () => {
    await choose({ document_locked: false });
    const draft = await (clients.accountant as TestClient).post('/api/sales/invoices', {
      partnerId: till.customerId,
      lines: [{ description: 'Servicio', quantity: 1, price: 5, taxGroupId: till.taxGroupId }],
    });
    assert.equal(draft.status, 201, JSON.stringify(draft.body));
    await app.client.post(`/api/sales/invoices/${draft.body.data.id}/post`, {});
    await relay();
    assert.deepEqual(await toldRoles(), ['accountant', 'admin', 'sales']);
    await choose({ document_locked: null });
  });

  it('notifies the creator of a task that ended, and nobody else', async () => {
    const task = { kind: 'import', permission: null, input: {}, message: 'Started', title: 'import' } as const;
    const ctx = { tenantId: app.tenantId, userId: app.userId, actor: null, requestId: newId(), now: app.deps.now() };
    const taskId = await app.database.withTenant(ctx, async (trx) => {
      const { id } = await startTask(trx, ctx, task);
      assert.equal(await endTask(trx, ctx, id, { message: 'Failed', error: 'Row 3 is wrong' }), true);
      return id;
    });
    await relay();
    const title = 'Su importación ha fallado';
    assert.deepEqual(await told(), [{ role: 'owner', type: 'task_completed', title, body: 'Row 3 is wrong' }]);
    const [notification] = (await app.client.get('/api/notifications')).body.data;
    assert.deepEqual([notification.action_url, notification.metadata], [`/api/tasks/${taskId}`, { task_id: taskId }]);
  });

  it('leaves out people who are locked or whose account is deactivated', async () => {
    const users = new Map<string, { id: string; membershipId: string }>(
      (await app.client.get('/api/users')).body.data.map((user: { role: string }) => [user.role, user]),
    );
    const [admin, accountant] = [users.get('admin'), users.get('accountant')];
    const set = async (active: boolean) => {
      assert.equal((await app.client.patch(`/api/memberships/${admin?.membershipId}`, { active })).status, 200);
      await app.database.withSystem((trx) => trx('users').where({ id: accountant?.id }).update({ active }));
    };
    try {
      await set(false);
      await till.pay('in', 9);
      await relay();
      assert.deepEqual(await toldRoles(), ['owner']);
    } finally {
      await set(true);
    }
  });

  it('leaves out unwanted types, and own actions if so chosen', async () => {
    await choose({ payment_received: false });
    await choose({ exclude_own: true }, clients.admin);
    await till.pay('in', 10);
    const byAdmin = { partner_id: till.customerId, amount: 3, payment_date: till.today, payment_method: 'transfer' };
    assert.equal((await clients.admin?.post('/api/payments/in', byAdmin))?.status, 201);
    await relay();
    // The owner wants neither; the admin gets only the owner's payment; the accountant gets both.
    assert.deepEqual(await toldRoles(), ['accountant', 'accountant', 'admin']);
    await choose({ payment_received: null });
    await choose({ exclude_own: null }, clients.admin);
  });

  it('creates each notification once, even if the relay repeats an event or the notification was deleted', async () => {
    await till.pay('in', 10);
    const [{ id } = { id: '' }] = await rows<{ id: string }>(
      `select id from outbox where event = 'payment.received' order by seq desc limit 1`,
    );
    await relay();
    assert.equal((await told()).length, 3);
    const again = () => notifyOfEvents(app.database, app.tenantId, [id], app.deps.now());
    await Promise.all([again(), again()]);
    assert.equal((await told()).length, 3);
    await forget();
    await again();
    assert.deepEqual(await told(), []);
  });

  it('reaches webhooks as notification.created, and the relay only if one wants it', async () => {
    const emitted = () =>
      rows<{ payload: { type: string; user_id: string }; processed: boolean }>(
        `select payload, processed_at is not null as processed from outbox where event = 'notification.created'
         order by seq desc limit 3`,
      );
    await till.pay('in', 11);
    await relay();
    assert.deepEqual(
      (await emitted()).map(({ processed }) => processed),
      [true, true, true],
    );
    const hook = { name: 'All', url: 'https://hooks.example.com/n', events: ['notification.*'] };
    assert.equal((await app.client.post('/api/webhooks', hook)).status, 201);
    await till.pay('in', 12);
    const [{ id } = { id: '' }] = await rows<{ id: string }>(
      `select id from outbox where event = 'payment.received' order by seq desc limit 1`,
    );
    await notifyOfEvents(app.database, app.tenantId, [id], app.deps.now());
    const pending = await emitted();
    assert.deepEqual(
      pending.map(({ processed }) => processed),
      [false, false, false],
    );
    assert.ok(pending.some(({ payload }) => payload.user_id === app.userId && payload.type === 'payment_received'));
  });
});
