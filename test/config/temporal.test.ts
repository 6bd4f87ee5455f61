import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type IncomingHttpHeaders } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { createWorkflowClient } from '../../api/workflow-client.ts';
import { type Config, ConfigError, loadConfig } from '../../config/index.ts';
import { requireTemporal } from '../../runtime/temporal.ts';
import { reachTemporal } from '../../worker/connect.ts';
import { testCompanyNames, testTemporal } from '../helpers/servers.ts';
import { useTestRuntime } from '../helpers/worker.ts';

/** Made once for a hundred years: an authority, and certificates by it for the name temporal.test. */
const path = (name: string) => fileURLToPath(new URL(`../helpers/certificates/${name}`, import.meta.url));
const TLS = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: path('ca.pem'),
  TEMPORAL_TLS_CLIENT_CERT_PATH: path('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: path('client.key'),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
};
const KEY = 'the-api-key-of-the-tests';

function configProblems(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
  return [];
}
const serverOptions = { cert: readFileSync(path('server.pem')), key: readFileSync(path('server.key')) };

describe('the way to Temporal', function () {
  this.timeout(60_000);

  it('is in the clear unless something of TLS is given', () => {
    assert.equal(loadConfig({ TEMPORAL_ADDRESS: 'temporal:7233' }).temporal.tls, undefined);
    for (const env of [TLS, { TEMPORAL_TLS: 'true' }, { TEMPORAL_API_KEY: KEY }]) {
      assert.ok(loadConfig({ TEMPORAL_ADDRESS: 'temporal:7233', ...env }).temporal.tls !== undefined);
    }
  });

  it('is refused when half of it is given, without repeating the key', () => {
    const address = { TEMPORAL_ADDRESS: 'temporal:7233' };
    const { TEMPORAL_TLS_CLIENT_KEY_PATH: _, ...withoutKey } = TLS;
    const { TEMPORAL_TLS_CLIENT_CERT_PATH: __, ...withoutCertificate } = TLS;
    assert.match(
      configProblems({ ...address, ...withoutKey }).join(),
      /^TEMPORAL_TLS_CLIENT_KEY_PATH is missing: give it/,
    );
    assert.match(
      configProblems({ ...address, ...withoutCertificate }).join(),
      /^TEMPORAL_TLS_CLIENT_CERT_PATH is missing/,
    );
    assert.match(
      configProblems({ ...address, TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere/ca.pem' }).join(),
      /^TEMPORAL_TLS_SERVER_CA_CERT_PATH is "\/nowhere\/ca.pem": give the path of a file that exists/,
    );
    for (const env of [{ ...address, TEMPORAL_API_KEY: KEY, TEMPORAL_TLS: 'false' }, { TEMPORAL_API_KEY: KEY }]) {
      const problems = configProblems(env).join();
      assert.match(problems, /^TEMPORAL_(TLS is "false": give true|ADDRESS is missing)/);
      assert.doesNotMatch(problems, new RegExp(KEY));
    }
    assert.match(configProblems({ TEMPORAL_TLS: 'true' }).join(), /cannot be used for the embedded server/);
  });

  it('is proven at both ends, for the API, workers and the start alike', async () => {
    useTestRuntime();
    const temporal = new URL(`tcp://${(await testTemporal()).address}`);
    const options = { ...serverOptions, ca: readFileSync(path('ca.pem')), requestCert: true, ALPNProtocols: ['h2'] };
    const proxy = createServer(options, (socket) => {
      const server = connect(Number(temporal.port), temporal.hostname);
      socket.pipe(server).pipe(socket);
      for (const end of [socket, server]) end.on('error', () => socket.destroy() && server.destroy());
    });
    proxy.on('tlsClientError', () => undefined); // those who show nothing are turned away
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const isUp = async (env: Record<string, string>) => {
      const client = createWorkflowClient(loadConfig({ TEMPORAL_ADDRESS: address, ...env }), testCompanyNames());
      return client.isUp().finally(() => client.close());
    };
    try {
      const { temporal } = loadConfig({ TEMPORAL_ADDRESS: address, ...TLS });
      await requireTemporal({ ...temporal, address });
      const connection = await reachTemporal({ ...temporal, address }, new AbortController().signal);
      await connection.close();
      assert.equal(await isUp(TLS), true);
      assert.equal(await isUp({}), false, 'in the clear');
      assert.equal(await isUp({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: path('ca.pem') }), false, 'another name');
      const { TEMPORAL_TLS_SERVER_CA_CERT_PATH: _, ...untrusted } = TLS;
      assert.equal(await isUp(untrusted), false, 'by an authority that nobody knows');
      const { TEMPORAL_TLS_CLIENT_CERT_PATH: __, TEMPORAL_TLS_CLIENT_KEY_PATH: ___, ...anonymous } = TLS;
      assert.equal(await isUp(anonymous), false, 'without a certificate of its own');
    } finally {
      proxy.close();
    }
  });

  it('carries the API key with every call', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = createSecureServer(serverOptions, (request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'content-type': 'application/grpc', 'grpc-status': '12' }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const config: Config = loadConfig({
      TEMPORAL_ADDRESS: `127.0.0.1:${(server.address() as AddressInfo).port}`,
      TEMPORAL_NAMESPACE: 'ours',
      TEMPORAL_API_KEY: KEY,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: TLS.TEMPORAL_TLS_SERVER_CA_CERT_PATH,
      TEMPORAL_TLS_SERVER_NAME: TLS.TEMPORAL_TLS_SERVER_NAME,
    });
    const client = createWorkflowClient(config, testCompanyNames());
    try {
      assert.equal(await client.isUp(), false);
      assert.deepEqual([seen[0]?.authorization, seen[0]?.['temporal-namespace']], [`Bearer ${KEY}`, 'ours']);
    } finally {
      await client.close();
      server.close();
    }
  });
});
