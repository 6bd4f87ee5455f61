/** Attacks on the service's own servers from inside, with everything open that an operator can open. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../../../config/index.ts';
import { withLocalService } from '../../../../config/local.ts';
import { targetFault } from '../../../../domain/integrations/webhooks/targets.ts';
import { Outbound, OutboundError } from '../../../../services/platform/outbound/outbound.ts';
import { Logos } from '../../../../services/trade/pdf/logos.ts';
import { useReceiver } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';

const OPEN = {
  WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  OUTBOUND_ALLOWED_TARGETS: '127.0.0.1:*,[::1]:*,localhost:*,0.0.0.0:*,rebound.example:*',
};
/** Names that not every DNS knows. */
const NAMES = new Set(['LOCALHOST.', 'rebound.example', 'x.rebound.example']);
const SMTP = { MAIL_FROM: 'erp@example.com' };
const S3 = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'k', S3_SECRET_ACCESS_KEY: 's' };

/** Each way in which a server of the service gets its address, with that server on a port of this machine. */
const CONFIGURATIONS: Record<string, (port: string, dataDir: string) => Record<string, string>> = {
  'the API by default': (PORT) => ({ PORT }),
  'the API on all addresses': (PORT) => ({ PORT, HOST: '0.0.0.0' }),
  'the API on all addresses of IPv6': (PORT) => ({ PORT, HOST: '::' }),
  'the API by name': (PORT) => ({ PORT, HOST: 'localhost' }),
  'the API behind a proxy': (PORT) => ({ PORT, TRUST_PROXY: '1', APP_URL: 'https://erp.example.com' }),
  'the proxy on this machine': (port) => ({ APP_URL: `http://127.0.0.1:${port}` }),
  'the embedded PostgreSQL': (POSTGRES_PORT) => ({ POSTGRES_PORT }),
  'the embedded Temporal': (TEMPORAL_PORT) => ({ TEMPORAL_PORT }),
  'the UI of the embedded Temporal': (TEMPORAL_UI_PORT) => ({ TEMPORAL_UI_PORT }),
  'PostgreSQL by address': (port) => ({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/x` }),
  'PostgreSQL by name': (port) => ({ DATABASE_URL: `postgres://a:b@localhost:${port}/x` }),
  'PostgreSQL for migrations': (port) => ({ MIGRATION_DATABASE_URL: `postgresql://a:b@localhost:${port}/x` }),
  'Temporal by address': (port) => ({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` }),
  'Temporal by IPv6': (port) => ({ TEMPORAL_ADDRESS: `[::1]:${port}` }),
  'Temporal by name': (port) => ({ TEMPORAL_ADDRESS: `localhost:${port}` }),
  'the mail server': (port) => ({ ...SMTP, SMTP_URL: `smtp://localhost:${port}` }),
  'the object store': (port) => ({ ...S3, S3_ENDPOINT: `http://localhost:${port}` }),
  'a further server': (port) => ({ SERVICE_ADDRESSES: `192.0.2.3:8080, localhost:${port}` }),
  'what npm start runs, for a worker beside it': (port, DATA_DIR) => {
    writeFileSync(
      join(DATA_DIR, 'connections.env'),
      `DATABASE_URL=postgres://a@b/c\nSERVICE_ADDRESSES=127.0.0.1:${port}\n`,
    );
    return { DATA_DIR };
  },
  'what npm start runs with servers from elsewhere, for a worker beside it': (port, DATA_DIR) => {
    writeFileSync(join(DATA_DIR, 'connections.env'), `SERVICE_ADDRESSES=127.0.0.1:${port}\n`);
    return { DATA_DIR, DATABASE_URL: 'postgres://app:pw@192.0.2.1/other', TEMPORAL_ADDRESS: '192.0.2.2:7233' };
  },
};

describe("outgoing HTTP to the service's own servers", function () {
  this.timeout(120_000);
  const own = useReceiver();
  const other = useReceiver();
  const port = () => new URL(own.url).port;
  let dataDir: string;
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'own-'));
  });
  after(() => rmSync(dataDir, { recursive: true }));

  /** The names of own servers are looked up first, which may take a while where DNS does not answer. */
  const send = (outbound: Outbound, url: string, timeoutMs = 30_000) =>
    outbound.send({ url, method: 'POST', headers: {}, body: 'x', timeoutMs, maxAnswerBytes: 10 });
  const isBlocked = (error: unknown) => error instanceof OutboundError && error.code === 'blocked_address';
  /** Every way to write this machine: literals, names, addresses of its network. */
  const hosts = () => [
    ...['127.0.0.1', '127.0.0.2', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0', 'localhost', 'LOCALHOST.'],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:0:0]',
      '[64:ff9b::7f00:1]',
      'rebound.example',
      'x.rebound.example',
    ],
    ...Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  ];

  for (const [name, environment] of Object.entries(CONFIGURATIONS)) {
    it(`never reaches ${name}`, async () => {
      const env = withLocalService({ DATA_DIR: join(dataDir, 'none'), ...environment(port(), dataDir), ...OPEN });
      const { targets } = loadConfig(env).webhooks;
      const resolve = async () => ['127.0.0.1'];
      for (const outbound of [new Outbound({ targets }), new Outbound({ targets, resolve })]) {
        try {
          for (const host of hosts()) {
            // A name that DNS does not know leads nowhere.
            if (NAMES.has(host) && !(await isAnswered(outbound, host))) continue;
            await assert.rejects(send(outbound, `http://${host}:${port()}/`), isBlocked, host);
            await assert.rejects(send(outbound, `https://${host}:${port()}/`), isBlocked, host);
          }
          assert.equal((await send(outbound, `${other.url}/`)).status, 200, 'what is open stays open');
        } finally {
          await outbound.close();
        }
      }
      assert.equal(own.received.length, 0);
    });
  }

  /** Whether the name leads to this machine. */
  const isAnswered = (outbound: Outbound, host: string) =>
    send(outbound, `http://${host}:${new URL(other.url).port}/`, 5000).then(
      () => true,
      () => false,
    );

  it('is refused when it is saved already, where the address shows it', () => {
    const { targets } = loadConfig({
      ...OPEN,
      PORT: '3100',
      TEMPORAL_UI_PORT: '8233',
      APP_URL: 'https://erp.example.com',
      TEMPORAL_ADDRESS: 'temporal:7233',
    }).webhooks;
    for (const url of [
      ...['http://127.0.0.1:3100/metrics', 'http://localhost:3100', 'http://[::1]:3100', 'http://127.0.0.1:8233/api'],
      ...['http://127.0.0.1:5433', 'http://0.0.0.0:7233', 'http://temporal:7233', 'https://erp.example.com/api/x'],
    ]) {
      assert.equal(targetFault(url, targets)?.code, 'private_address', url);
    }
    for (const url of [
      'http://127.0.0.1:9000',
      'http://temporal:9000',
      'http://erp.example.com:8443/',
      'https://x.example',
    ])
      assert.equal(targetFault(url, targets), null, url);
  });

  it('is refused in networks that are open by name, with what is outside of them', () => {
    const { targets } = loadConfig({
      PORT: '3100',
      OUTBOUND_ALLOWED_TARGETS: '10.1.0.0/16:443,[fd12::/16]:*,127.0.0.0/8:*,169.254.0.0/16:*',
      SERVICE_ADDRESSES: '10.1.0.9:443',
    }).webhooks;
    for (const url of [
      'https://10.1.2.3/',
      'https://[::ffff:10.1.2.3]/',
      'http://[fd12::1]:9/',
      'http://127.0.0.1:9000',
    ]) {
      assert.equal(targetFault(url, targets), null, url);
    }
    for (const url of [
      ...['https://10.2.0.1/', 'http://10.1.2.3/', 'http://[fd13::1]/', 'http://169.254.169.254/'],
      ...['https://10.1.0.9/', 'http://127.0.0.1:3100/'],
    ]) {
      assert.equal(targetFault(url, targets)?.code, 'private_address', url);
    }
  });

  it('compares a public address that others may share by its name only', async () => {
    const { targets } = loadConfig({ APP_URL: 'https://erp.example.com' }).webhooks;
    const shared = { ...targets, own: [...targets.own, { host: '2fff::1', port: 443, shared: true }] };
    const outbound = new Outbound({ targets: shared, resolve: async () => ['2fff::1'] });
    try {
      await assert.rejects(send(outbound, 'https://erp.example.com/'), isBlocked);
      await assert.rejects(send(outbound, 'https://ERP.example.com./'), isBlocked);
      const failed = await send(outbound, 'https://neighbour.example/').catch((error: OutboundError) => error.code);
      assert.notEqual(failed, 'blocked_address');
    } finally {
      await outbound.close();
    }
  });

  it('opens private networks by their switch, but this machine only by its address and port', async () => {
    const flag = loadConfig({ WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' }).webhooks;
    const outbound = new Outbound(flag);
    const named = new Outbound(loadConfig({ OUTBOUND_ALLOWED_TARGETS: new URL(other.url).host }).webhooks);
    try {
      assert.equal(targetFault('http://10.0.0.5:9000', flag.targets), null);
      for (const host of hosts().filter((host) => !NAMES.has(host)))
        await assert.rejects(send(outbound, `http://${host}:${new URL(other.url).port}/`), isBlocked, host);
      assert.equal((await send(named, other.url)).status, 200);
      await assert.rejects(send(named, own.url), isBlocked);
    } finally {
      await outbound.close();
      await named.close();
    }
    assert.equal(own.received.length, 0);
  });

  it('is not reached by redirects either', async () => {
    const { targets } = loadConfig({ ...OPEN, PORT: port() }).webhooks;
    const outbound = new Outbound({ targets });
    const logos = new Logos({ outbound, logger: pino({ level: 'silent' }), now: () => new Date() });
    try {
      for (const [index, code] of [301, 302, 303, 307, 308].entries()) {
        other.answer('/away', status(code, { location: `${own.url}/metrics` }));
        assert.equal((await send(outbound, `${other.url}/away`)).status, code);
        assert.equal(await logos.load(`tenant-${index}`, `${other.url}/away`), null);
      }
    } finally {
      await outbound.close();
    }
    assert.equal(own.received.length, 0);
  });
});
