/** Each ready automation, taken as it stands, run to its effect on the real servers. */
import assert from 'node:assert/strict';
import { daysAfter } from '../../../../domain/days.ts';
import { automationScheduleId } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { openTill } from '../../../api/trade/payments/till.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { use, useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig, triggerSchedule } from '../../../helpers/worker.ts';

interface Ready {
  readonly key: string;
  readonly language: string;
  readonly automation: { readonly trigger: { readonly type: string } };
}

/** Temporal takes its time with the first schedules of a namespace while the machine is busy. */
const WAIT_MS = 150_000;

describe('ready automations do what they say:', function () {
  this.timeout(2 * WAIT_MS);
  const temporal = useTemporal();
  const app = useApp(() => ({ clock: REAL_CLOCK }));
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const till = use(() => openTill(app));
  const rules = new Map<string, string>();

  const posted = async (path: string, body: object) => {
    const { status, body: answer } = await app.client.post(path, body);
    assert.ok(status < 300, `POST ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data as { id: string; code: string };
  };
  const document = (path: string, price: number, more: object = {}) => {
    const partnerId = path.startsWith('/api/sales') ? till.customerId : till.supplierId;
    return posted(path, { partnerId, lines: [{ description: 'Transporte', quantity: 1, price }], ...more });
  };
  const now = (key: string) => {
    const ids = { tenantId: app.tenantId, automationId: rules.get(key) ?? '' };
    return triggerSchedule(temporal.client, automationScheduleId(ids));
  };
  const read = (table: string, columns: readonly string[]) =>
    app.database.readTenant(app, async (db) => (await db(table).select([...columns])) as Record<string, string>[]);
  const told = (title: string) =>
    eventually(async () => {
      const titles = (await read('notifications', ['title'])).map((row) => row.title);
      assert.ok(titles.includes(title), `${title}: ${JSON.stringify(titles)}`);
    }, WAIT_MS);
  const mailed = (subject: string, to: string) =>
    eventually(async () => {
      const { body } = await app.client.get('/api/emails?limit=100');
      const mails = (body.data as { subject: string; to: unknown }[]).filter((mail) => mail.subject === subject);
      assert.deepEqual([mails.length, JSON.stringify(mails[0]?.to).includes(to)], [1, true], JSON.stringify(body.data));
    }, WAIT_MS);

  before(async () => {
    await app.client.patch(`/api/partners/${till.customerId}`, { email: 'cliente@example.test' });
    for (const role of ['purchasing', 'sales']) {
      await posted('/api/users', {
        email: `${role}@example.test`,
        name: role,
        password: 'twenty letters of a word',
        role,
      });
    }
    const { body } = await app.client.get('/api/automations/templates');
    for (const { key, language, automation } of body.data as Ready[]) {
      if (language === 'es') rules.set(key, (await posted('/api/automations', automation)).id);
    }
  });

  it('overdue_reminder', async () => {
    const dueDate = daysAfter(till.today, -7);
    const { code } = await till.invoice('sales', 50, { date: dueDate, dueDate });
    await till.invoice('sales', 50, { date: dueDate, dueDate: daysAfter(till.today, -6) });
    await now('overdue_reminder');
    await mailed(`Recordatorio: factura ${code}`, 'cliente@example.test');
  });

  it('welcome_mail', async () => {
    const { name } = (await app.client.get('/api/company')).body;
    await now('welcome_mail');
    await mailed(`Le damos la bienvenida a ${name}`, 'cliente@example.test');
  });

  it('low_stock', async () => {
    const uom = (await app.client.get('/api/uom')).body.data[0];
    const { code } = await posted('/api/items', { name: 'Casi agotado', uomId: uom.id, minStock: 5 });
    await now('low_stock');
    await told(`Existencias bajas: ${code}`);
  });

  it('big_order', async () => {
    const { code } = await document('/api/sales', 20_000);
    await told(`Pedido grande ${code}`);
  });

  it('lock_at_end_of_day', async () => {
    const note = `/api/sales/delivery-notes/${(await document('/api/sales/delivery-notes', 10)).id}`;
    const dueAt = await eventually(async () => {
      const { lockDueAt } = (await app.client.get(note)).body.data;
      assert.equal(lockDueAt?.slice(0, 10), till.today, `the day ends at ${lockDueAt}`);
      return lockDueAt as string;
    }, WAIT_MS);
    // The day is over.
    const at = new Date(Date.now() - 1000).toISOString();
    await app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      await trx('documents').where({ lock_due_at: dueAt }).update({ lock_due_at: at });
    });
    const { body: refused } = await app.client.patch(note, { internalNotes: 'late' });
    assert.equal(refused.code, 'document_locked', JSON.stringify(refused));
    await posted(`${note}/invoice`, {});
    await eventually(async () => assert.equal((await app.client.get(note)).body.data.lockedAt, at), WAIT_MS);
  });

  it('weekly_report', async () => {
    await now('weekly_report');
    await eventually(async () => {
      const tasks = await read('tasks', ['type', 'input']);
      assert.deepEqual(
        tasks.map(({ type, input }) => [type, (input as unknown as { report: string }).report]),
        [['report', 'pl']],
      );
    }, WAIT_MS);
  });

  it('payment_thanks', async () => {
    await till.paid(35, []);
    await mailed('Gracias por su pago', 'cliente@example.test');
  });

  it('purchase_without_reference', async () => {
    await document('/api/purchases/invoices', 30);
    await told('Factura de compra sin número');
  });

  it('late_orders', async () => {
    const { code } = await document('/api/sales', 10, { date: daysAfter(till.today, -14) });
    await now('late_orders');
    await told(`El pedido ${code} va con retraso`);
  });

  it('nightly_matching', async () => {
    const invoice = await till.invoice('sales', 77);
    const payment = await till.paid(77, [], { reference: invoice.code });
    await now('nightly_matching');
    await eventually(async () => {
      const { body } = await app.client.get(`/api/payments/in/${payment}`);
      assert.equal(body.data.status, 'linked');
    }, WAIT_MS);
  });
});
