import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { freePort } from '../../runtime/ports.ts';
import { createClient, type TestClient } from '../helpers/client.ts';
import { use, useReceiver, useTemporal } from '../helpers/hooks.ts';
import { createTestDatabase } from '../helpers/servers.ts';
import { ALLOWED_TARGETS } from '../helpers/targets.ts';
import { eventually } from '../helpers/worker.ts';
import { ServiceProcess } from './service-process.ts';

const COMPANY = { name: 'Frutas García SL', taxId: 'B12345674', country: 'ES' };
const ADMIN = { email: 'olga@example.test', name: 'Olga', password: 'correct horse battery staple' };
const CANARY = 'Secreto de la empresa';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

describe('traces', function () {
  this.timeout(180_000);
  const database = use(createTestDatabase, { close: ({ drop }) => drop() });
  const temporal = useTemporal();
  const collector = useReceiver();
  const receiver = useReceiver();
  const parts: ServiceProcess[] = [];
  let client: TestClient;

  before(async () => {
    const port = await freePort();
    const secret = () => randomBytes(24).toString('hex');
    const env = {
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      JWT_SECRET: secret(),
      ENCRYPTION_KEY: secret(),
      OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
      PORT: String(port),
    };
    const queues = ['--queues', 'documents,webhooks,automations'];
    parts.push(new ServiceProcess('api/server', [], env), new ServiceProcess('worker/main', queues, env));
    await parts[0]?.says('Listening on');
    await parts[1]?.says('Working on');
    const address = `http://127.0.0.1:${port}`;
    const { body } = await createClient(address).post('/api/setup/init', { company: COMPANY, admin: ADMIN });
    client = createClient(address, body.token);
  });
  after(() => Promise.all(parts.map((part) => part.stop())));

  const spans = (trace: string): Span[] =>
    collector
      .at('/v1/traces')
      .flatMap(({ body }) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans: some }) => some)
      .filter(({ traceId }) => traceId === trace);
  const named = (all: readonly Span[], name: string) =>
    all.find((span) => span.name === name) ?? assert.fail(`no ${name} in ${all.map((one) => one.name)}`);
  const attribute = ({ attributes }: Span, name: string) =>
    Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

  /** The body of an order, whose customer and item are made for it. */
  const order = async () => {
    const first = async (path: string) => (await client.get(path)).body.data[0].id;
    const partner = await client.post('/api/partners', {
      code: 'TRACED',
      name: CANARY,
      groupId: await first('/api/partnerGroups?isCustomer=true'),
    });
    const item = await client.post('/api/items', { code: 'TRACED', name: CANARY, uomId: await first('/api/uom') });
    const lines = [{ itemId: item.body.data.id, quantity: 1, price: 2 }];
    return { partnerId: partner.body.data.id, lines };
  };

  it('lead from a request through outbox, workflow and activity to the call of another server', async () => {
    const hook = { name: 'traced', url: `${receiver.url}/hook`, events: ['document.created'] };
    assert.equal((await client.post('/api/webhooks', hook)).status, 201);
    const rule = {
      name: 'traced',
      trigger: { type: 'document.created' },
      actions: [{ type: 'http.request', url: `${receiver.url}/rule`, method: 'POST', body: {} }],
    };
    assert.equal((await client.post('/api/automations', rule)).status, 201);
    const trace = randomBytes(16).toString('hex');
    const caller = randomBytes(8).toString('hex');
    const made = await client.post('/api/sales', await order(), { traceparent: `00-${trace}-${caller}-01` });
    assert.equal(made.status, 201, JSON.stringify(made.body));

    const all = await eventually(() => {
      const found = spans(trace);
      for (const name of ['POST /api/sales', 'activity deliverWebhook', 'activity callAction']) named(found, name);
      return found;
    }, 60_000);
    const request = named(all, 'POST /api/sales');
    const handed = named(all, 'hand over document.created');
    const delivery = named(all, 'activity deliverWebhook');
    const action = named(all, 'activity callAction');
    assert.deepEqual([request.parentSpanId, handed.parentSpanId], [caller, request.spanId]);
    assert.equal(delivery.parentSpanId, handed.spanId);
    assert.equal(action.parentSpanId, named(all, 'run rule on document.created').spanId);
    assert.equal(attribute(request, 'http.response.status_code'), 201);
    assert.match(String(attribute(delivery, 'temporal.workflow_id')), /\/delivery\/|webhook/);
    for (const [path, activity] of [
      ['/hook', delivery],
      ['/rule', action],
    ] as const) {
      const call = all.find((one) => one.parentSpanId === activity.spanId && one.name === 'call POST');
      assert.equal(receiver.at(path)[0]?.headers.traceparent, `00-${trace}-${call?.spanId}-01`);
    }
    assert.ok(
      collector.received.every(({ headers: { authorization } }) => authorization === 'Bearer of-the-collector'),
    );
    assert.ok(!collector.received.some(({ body }) => body.includes(CANARY)), 'no data of a company');
  });

  it('begin with the service where a caller names none, and leave out health checks', async () => {
    const { headers } = await client.get('/api/items');
    const id = String(headers.get('x-request-id'));
    await client.get('/health/ready');
    const found = await eventually(() => {
      const bodies = collector.received.map(({ body }) => body).filter((body) => body.includes(id));
      assert.equal(bodies.length, 1);
      return bodies[0] as string;
    });
    assert.ok(found.includes('GET /api/items'));
    assert.ok(!collector.received.some(({ body }) => body.includes('/health')));
  });
});
