import assert from 'node:assert/strict';
import { databaseName, serverUrls } from '../../config/database-urls.ts';
import { ConfigError, loadConfig } from '../../config/index.ts';

function configProblems(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
  return [];
}

describe('configuration', () => {
  it('needs nothing: everything has a default', () => {
    const config = loadConfig({});
    assert.equal(config.production, false);
    assert.equal(config.dataDir, '.data');
    assert.deepEqual([config.api.host, config.api.port], ['127.0.0.1', 3000]);
    assert.deepEqual(config.embedded, { postgresPort: 5433, temporalPort: 7233, temporalUiPort: 8233 });
    assert.equal(config.database.url, undefined);
    assert.equal(config.temporal.address, undefined);
    assert.equal(config.temporal.namespace, 'default');
  });

  it('reads what is given', () => {
    const config = loadConfig({
      PORT: ' 8080 ',
      DATABASE_URL: 'postgres://app:pw@db:5432/business',
      TEMPORAL_ADDRESS: '[::1]:7233',
      CORS_ORIGINS: 'https://a.example, ,https://b.example',
    });
    assert.equal(config.api.port, 8080);
    assert.equal(config.temporal.address, '[::1]:7233');
    assert.deepEqual(config.api.corsOrigins, ['https://a.example', 'https://b.example']);
    assert.equal(config.database.migrationUrl, config.database.url);
  });

  it('reads a database of several servers, all of which are its own', () => {
    const several = 'postgres://app:p%40w@first:5433,second,[::1]:5434/business?sslmode=verify-full';
    const { database, webhooks } = loadConfig({ DATABASE_URL: several });
    assert.equal(database.url, several);
    assert.deepEqual(serverUrls(several), [
      'postgres://app:p%40w@first:5433/business?sslmode=verify-full',
      'postgres://app:p%40w@second/business?sslmode=verify-full',
      'postgres://app:p%40w@[::1]:5434/business?sslmode=verify-full',
    ]);
    assert.equal(databaseName(several), 'first:5433,second:5432,[::1]:5434/business');
    for (const [host, port] of [
      ['first', 5433],
      ['second', 5432],
      ['::1', 5434],
    ])
      assert.ok(
        webhooks.targets.own.some((server) => server.host === host && server.port === port),
        `${host}`,
      );
    assert.match(
      configProblems({ DATABASE_URL: 'postgres://app:pw@first:1,second:x/b' }).join(),
      /^DATABASE_URL is not/,
    );
    const one = 'postgres://app:pw@/business?host=/tmp';
    assert.deepEqual(serverUrls(one), [one]);
  });

  it('has migrations and commands go to PostgreSQL itself where a pooler is in between', () => {
    const pooled = { DATABASE_URL: 'postgres://app:pw@pooler/b', DATABASE_DIRECT_URL: 'postgres://app:pw@db/b' };
    const { database, webhooks } = loadConfig(pooled);
    assert.equal(database.directUrl, pooled.DATABASE_DIRECT_URL);
    assert.equal(database.migrationUrl, pooled.DATABASE_DIRECT_URL);
    assert.ok(webhooks.targets.own.some(({ host, port }) => host === 'db' && port === 5432));
    const owner = 'postgres://owner:pw@db/b';
    assert.equal(loadConfig({ ...pooled, MIGRATION_DATABASE_URL: owner }).database.migrationUrl, owner);
  });

  it('reads whom to tell of the machine, and from when', () => {
    assert.deepEqual(loadConfig({}).alerts, { operatorTenantId: undefined, diskLowBytes: 2 * 1024 ** 3 });
    const id = '018f3c9e-5a7b-7c3d-9e1f-2a3b4c5d6e7f';
    const config = loadConfig({ OPERATOR_TENANT_ID: id.toUpperCase(), DISK_LOW_MIB: '512' });
    assert.deepEqual(config.alerts, { operatorTenantId: id, diskLowBytes: 512 * 1024 ** 2 });
    assert.deepEqual(configProblems({ OPERATOR_TENANT_ID: 'the first', DISK_LOW_MIB: '-1' }), [
      'OPERATOR_TENANT_ID is "the first": give an id such as 018f3c9e-5a7b-7c3d-9e1f-2a3b4c5d6e7f',
      'DISK_LOW_MIB is "-1": give a whole number from 0 to 100000000',
    ]);
  });

  it('finds the address for links by itself, or takes the one that is given', () => {
    const found = (env: Record<string, string>) => loadConfig(env).appUrl;
    assert.equal(found({ PORT: '8080' }), 'http://127.0.0.1:8080');
    assert.equal(found({ HOST: '0.0.0.0' }), 'http://localhost:3000');
    assert.equal(found({ HOST: '::1' }), 'http://[::1]:3000');
    assert.equal(found({ APP_URL: 'https://erp.example.com/app/' }), 'https://erp.example.com/app');
    for (const bad of ['erp.example.com', 'javascript:alert(1)']) {
      assert.match(configProblems({ APP_URL: bad }).join(), /^APP_URL is ".*": give an address/, bad);
    }
  });

  it('takes an empty variable as absent', () => {
    const config = loadConfig({ PORT: '', DATABASE_URL: '  ', JWT_SECRET: '' });
    assert.equal(config.api.port, 3000);
    assert.equal(config.database.url, undefined);
    assert.equal(config.auth.jwtSecret, undefined);
  });

  it('names all bad variables at once, each with its remedy', () => {
    const problems = configProblems({
      PORT: '3000a',
      POSTGRES_PORT: '70000',
      NODE_ENV: 'prod',
      DATABASE_URL: 'mysql://app:geheim@db/business',
      TEMPORAL_ADDRESS: 'temporal',
      JWT_SECRET: 'short',
    });
    for (const name of ['PORT', 'POSTGRES_PORT', 'NODE_ENV', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRET']) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`${name} is `) && problem.includes(': give')),
        `${name} in ${problems.join(' | ')}`,
      );
    }
    assert.equal(problems.length, 6);
  });

  it('takes proxies by number or network, and never whoever calls', () => {
    const trusted = (TRUST_PROXY: string) => loadConfig({ TRUST_PROXY }).api.trustProxy;
    assert.deepEqual(['', '0', 'false', '2'].map(trusted), [0, 0, 0, 2]);
    assert.deepEqual(trusted('10.0.0.0/8, 192.0.2.7, fd00::/8, ::1'), [
      '10.0.0.0/8',
      '192.0.2.7/32',
      'fd00::/8',
      '::1/128',
    ]);
    for (const bad of ['true', '11', '-1', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0', 'proxy', '10.0.0.0/8,1']) {
      assert.match(
        configProblems({ TRUST_PROXY: bad }).join(),
        /^TRUST_PROXY is ".*": give the number of proxies/,
        bad,
      );
    }
  });

  it('never repeats a secret', () => {
    const text = configProblems({
      DATABASE_URL: 'mysql://app:geheim@db/x',
      JWT_SECRET: 'geheim',
      ENCRYPTION_KEY: 'geheim',
    });
    assert.doesNotMatch(text.join('\n'), /geheim/);
  });

  it('opens private targets to webhooks only by name, wherever the service listens', () => {
    const keys = { JWT_SECRET: 's'.repeat(32), ENCRYPTION_KEY: 's'.repeat(32) };
    for (const env of [{}, { HOST: '0.0.0.0' }, { HOST: 'localhost' }, { NODE_ENV: 'production', ...keys }]) {
      const { allowPrivate, allowed } = loadConfig(env).webhooks.targets;
      assert.deepEqual([allowPrivate, allowed], [false, []]);
    }
    const OUTBOUND_ALLOWED_TARGETS = '127.0.0.1:9000, [::1]:9000,printer.local:*';
    assert.deepEqual(loadConfig({ OUTBOUND_ALLOWED_TARGETS }).webhooks.targets.allowed, [
      { host: '127.0.0.1', port: 9000 },
      { host: '::1', port: 9000 },
      { host: 'printer.local', port: null },
    ]);
  });

  it('opens networks to outgoing requests by name, too', () => {
    const WEBHOOK_ALLOWED_TARGETS = '10.1.0.0/16:443, [fd12::/16]:*';
    assert.deepEqual(
      loadConfig({ OUTBOUND_ALLOWED_TARGETS: 'a:1', WEBHOOK_ALLOWED_TARGETS }).webhooks.targets.allowed,
      [
        { host: 'a', port: 1 },
        { host: '10.1.0.0/16', port: 443 },
        { host: 'fd12::/16', port: null },
      ],
    );
    assert.match(configProblems({ SERVICE_ADDRESSES: '10.1.0.0/16:443' }).join(), /^SERVICE_ADDRESSES has/);
    for (const bad of [
      '127.0.0.1',
      'x:0',
      '10.1.0.0/33:1',
      'x/8:1',
      '[fd12::/129]:1',
      'x:65536',
      'http://x:1',
      '*:9000/',
      '::1:9000',
      'a b:1',
    ]) {
      assert.match(
        configProblems({ OUTBOUND_ALLOWED_TARGETS: bad }).join(),
        /^OUTBOUND_ALLOWED_TARGETS has ".*": give host:port/,
        bad,
      );
    }
  });

  it('starts the Temporal UI by default only where nobody else can reach the service', () => {
    const port = (env: Record<string, string>) => loadConfig(env).embedded.temporalUiPort;
    for (const HOST of ['', '127.0.0.1', '127.1.2.3', 'localhost', '::1']) assert.equal(port({ HOST }), 8233, HOST);
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'shop.example.com', '127.0.0.1.example.com'])
      assert.equal(port({ HOST }), 0, HOST);
    assert.equal(port({ TRUST_PROXY: '1' }), 0);
    assert.equal(port({ APP_URL: 'https://erp.example.com' }), 0);
    assert.equal(port({ TRUST_PROXY: '1', TEMPORAL_UI_PORT: '8233' }), 8233);
    assert.equal(port({ TEMPORAL_UI_PORT: '0' }), 0);
  });

  it('demands the secrets in production', () => {
    const problems = configProblems({ NODE_ENV: 'production' });
    assert.ok(problems.some((problem) => problem.startsWith('JWT_SECRET is missing')));
    assert.ok(problems.some((problem) => problem.startsWith('ENCRYPTION_KEY is missing')));
  });
});
