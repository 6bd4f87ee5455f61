import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newId } from '../../../../db/ids.ts';
import { link, openTill } from '../../../api/trade/payments/till.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { use, useApp, useReceiver, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { ALLOWED_TARGETS } from '../../../helpers/targets.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

const SECRET = `whsec_${Buffer.from('a secret of the forms of webhooks').toString('base64')}`;

describe('webhooks receive', function () {
  this.timeout(120_000);
  const app = useApp({ clock: REAL_CLOCK, env: { WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS } });
  const till = use(() => openTill(app));
  const temporal = useTemporal();
  const receiver = useReceiver();
  useWorker(() =>
    testConfig({ url: app.databaseUrl, ...temporal }, { ENCRYPTION_KEY: app.deps.config.encryptionKey ?? '' }),
  );
  before(() => arrived({})); // what setting up told

  async function register(path: string, body: Record<string, unknown>): Promise<string> {
    const retry_policy = { max_attempts: 5, retry_delay_seconds: [0] };
    const answer = await app.client.post('/api/webhooks', { url: receiver.url + path, retry_policy, ...body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id;
  }
  const bodies = (path: string) => receiver.at(path).map(({ body }) => JSON.parse(body));
  /** Waits until as many requests have come at each path, and every event is with those who want it. */
  const arrived = (counts: Record<string, number>) =>
    eventually(async () => {
      const { count } = await app.database.withSystem((trx) =>
        trx('outbox').whereNull('processed_at').count().first<{ count: string }>(),
      );
      assert.equal(Number(count), 0, 'events wait for the relay');
      const found = Object.keys(counts).map((path) => [path, receiver.at(path).length]);
      assert.deepEqual(Object.fromEntries(found), counts);
    }, 60_000);
  /** Waits for the log of a webhook: an attempt is entered only after its answer, so later than the receiver has counted it. */
  const logged = (id: string, total: number, query = '') =>
    eventually(async () => {
      const { body } = await app.client.get(`/api/webhooks/${id}/logs${query}`);
      assert.equal(body.pagination.total, total);
      return body.data as { status: string; event: string; document_id: string }[];
    });
  const invoicePaid = async (amount: number) => {
    const invoice = await till.invoice('sales', amount);
    const { body } = await till.pay('in', amount, { linked_documents: [link(invoice.id, amount)] });
    return { invoice, payment: body.data as { id: string } };
  };

  it('payments as skipped while they are inactive', async () => {
    const id = await register('/inactive', { event: 'payment.registered', active: false });
    await till.pay('in', 7);
    await arrived({ '/inactive': 0 });
    const [entry] = await logged(id, 1);
    assert.deepEqual([entry?.status, entry?.event], ['skipped', 'payment.registered']);
  });

  it('events in a query, when they are sent by GET', async () => {
    await register('/get', { event: 'payment.registered', method: 'GET', secret: SECRET });
    await till.pay('in', 12.34);
    await arrived({ '/get': 1 });
    const [request] = receiver.at('/get');
    const raw = new URL(request?.path ?? '', receiver.url).searchParams.get('payload') ?? '';
    assert.equal(JSON.parse(raw).data.amount, 12.34);
    const hmac = createHmac('sha256', SECRET).update(`${request?.headers['x-service-timestamp']}.${raw}`).digest('hex');
    assert.equal(request?.headers['x-service-signature'], `sha256=${hmac}`);
  });

  it('notifications of the types that they want', async () => {
    await register('/some', { event: 'notification.created', filter_types: ['mention', 'system_alert'] });
    await register('/every', { event: 'notification.created' });
    await register('/listed', { name: 'Listed', events: ['notification.*'] });
    for (const type of ['mention', 'payment_received', 'system_alert']) {
      const data = {
        notification_id: newId(),
        type,
        title: 'T',
        body: 'B',
        user_id: app.userId,
        tenant_id: app.tenantId,
      };
      await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
        trx.raw(
          `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
            values (?, ?, 'notification.created', 'Notification', ?, ?, now())`,
          [newId(), app.tenantId, data.notification_id, JSON.stringify(data)],
        ),
      );
    }
    await arrived({ '/some': 2, '/every': 3, '/listed': 3 });
    const types = (path: string) =>
      bodies(path)
        .map(({ data }) => data.type as string)
        .sort();
    assert.deepEqual(types('/some'), ['mention', 'system_alert']);
    assert.deepEqual(types('/every'), ['mention', 'payment_received', 'system_alert']);
    assert.deepEqual(types('/listed'), types('/every'));
    assert.deepEqual(Object.keys(bodies('/every')[0]), ['event', 'timestamp', 'data']);
    assert.deepEqual(Object.keys(bodies('/listed')[0]), ['id', 'event', 'timestamp', 'tenant_id', 'data']);
  });

  describe('payments by payment.registered:', () => {
    let id: string;
    let paid: Awaited<ReturnType<typeof invoicePaid>>;
    let out: { readonly id: string };
    before(async () => {
      receiver.answer('/registered', (response, nth) => status(nth === 1 ? 500 : 200)(response));
      id = await register('/registered', { event: 'payment.registered', secret: SECRET });
      await register('/all', { name: 'All', events: ['*'] });
      paid = await invoicePaid(100);
      await arrived({ '/registered': 2 });
      out = (await till.pay('out', 40)).body.data;
      // Draft, posting, payment, what it changed, the other payment; the owner is notified of posting and payments.
      await arrived({ '/registered': 3, '/all': 8 });
    });

    it('both directions, in the shorter envelope', async () => {
      const [first, , last] = bodies('/registered');
      assert.deepEqual(Object.keys(first), ['event', 'timestamp', 'data']);
      assert.equal(first.event, 'payment.registered');
      const { invoice, payment } = paid;
      assert.deepEqual(first.data, {
        payment_id: payment.id,
        type: 'in',
        partner_id: till.customerId,
        amount: 100,
        payment_date: till.today,
        linked_documents: [{ document_type: 'sales_invoice', document_id: invoice.id, new_document_status: 'paid' }],
      });
      assert.deepEqual(
        { payment_id: last.data.payment_id, type: last.data.type, linked_documents: last.data.linked_documents },
        { payment_id: out.id, type: 'out', linked_documents: [] },
      );
      await logged(id, 3, '?event=payment.registered');
    });

    it('the same bytes each time, signed', () => {
      const requests = receiver.at('/registered');
      assert.equal(requests.length, 3);
      assert.equal(requests[0]?.body, requests[1]?.body);
      assert.equal(requests[0]?.headers['webhook-id'], requests[1]?.headers['webhook-id']);
      for (const { headers, body } of requests) {
        const hmac = createHmac('sha256', SECRET).update(`${headers['x-service-timestamp']}.${body}`).digest('hex');
        assert.equal(headers['x-service-signature'], `sha256=${hmac}`);
        assert.equal(headers['x-service-event'], 'payment.registered');
        new StandardWebhook(SECRET).verify(body, headers as Record<string, string>);
      }
    });

    it('and by their own names, when they want "all", which are those of the first form', () => {
      const heard = bodies('/all').map(({ event }) => event as string);
      assert.ok(!heard.includes('payment.registered'));
      assert.ok(
        heard.includes('payment.received') && heard.includes('payment.made') && heard.includes('document.locked'),
      );
    });
  });

  describe('only what their filters let through:', () => {
    const filter = (field: string, operator: string, value?: unknown) => ({ field, operator, value });
    const ids: Record<string, string> = {};
    let small: { readonly id: string };
    let big: { readonly id: string };
    before(async () => {
      const large = [filter('total', 'greater_than', '199.99')];
      const webhooks = {
        '/large': { name: 'Large', events: ['document.locked'], filters: large },
        '/off': { name: 'Off', events: ['document.*'], filters: large, status: 'inactive' },
        '/group': { name: 'Group', events: ['*'], filters: [filter('document.total', 'equals', 200)] },
        '/paid': {
          event: 'payment.registered',
          filters: [
            filter('data.linked_documents.new_document_status', 'contains', 'partial'),
            filter('type', 'equals', 'in'),
          ],
        },
        '/fields': {
          name: 'Fields',
          events: ['document.updated', 'document.locked'],
          filters: [
            filter('changed_fields', 'contains', 'paymentStatus'),
            filter('event', 'not_equals', 'document.locked'),
          ],
        },
      };
      for (const [path, body] of Object.entries(webhooks)) ids[path] = await register(path, body);
      small = await till.invoice('sales', 199.99);
      big = await till.invoice('sales', 200);
      await till.pay('in', 199.99, { linked_documents: [link(small.id, 199.99)] });
      await till.pay('in', 50, { linked_documents: [link(big.id, 50)] });
      await arrived({ '/large': 1, '/group': 3, '/paid': 1, '/fields': 2, '/off': 0 });
    });
    const documents = (path: string) =>
      bodies(path)
        .map(({ event, data }) => `${event} ${data.document_id}`)
        .sort();
    const ALL = ['document.created', 'document.locked', 'document.updated'];

    it('documents by their totals', () => {
      assert.deepEqual(documents('/large'), [`document.locked ${big.id}`]);
      assert.deepEqual(
        documents('/group'),
        ALL.map((event) => `${event} ${big.id}`),
      );
    });

    it('payments by the documents that they pay', () => {
      assert.deepEqual(
        bodies('/paid').map(({ data }) => data.amount),
        [50],
      );
    });

    it('changes by the changed fields', () => {
      assert.deepEqual(documents('/fields'), [`document.updated ${small.id}`, `document.updated ${big.id}`].sort());
    });

    it('nothing else: the rest is not logged even while they are inactive', async () => {
      await logged(ids['/large'] ?? '', 1);
      assert.deepEqual(
        (await logged(ids['/off'] ?? '', ALL.length)).map(({ status, document_id }) => ({ status, document_id })),
        ALL.map(() => ({ status: 'skipped', document_id: big.id })),
      );
    });
  });
});
