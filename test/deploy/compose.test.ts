import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { CORE_SCHEMA, load } from 'js-yaml';
import { loadConfig } from '../../config/index.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { QUEUES } from '../../worker/queues.ts';
import { composeFile, composeText, composeVariables, isOneShot, ROOT, services } from './compose.ts';

const require = createRequire(import.meta.url);
/** Names of secrets. `KEEP_…` sets a retention time. */
const SECRET = /^(?!KEEP_).*(PASSWORD|SECRET|KEY|TOKEN|PWD)/;
const lasting = () => Object.entries(services).filter(([, service]) => !isOneShot(service));
const ownServices = Object.entries(services).filter(([, service]) => service.build !== undefined);

function composeValidator() {
  const file = join(dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json');
  const { $schema, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/); // the specification's own, not ISO 8601
  return ajv.compile(schema);
}

describe('docker-compose.temporal.yml', () => {
  it('keeps to the Compose Specification', () => {
    const validate = composeValidator();
    assert.equal(validate(composeFile), true, JSON.stringify(validate.errors, null, 2));
  });

  it('would be refused with an unknown member or a wrong condition', () => {
    const validate = composeValidator();
    assert.equal(validate({ services: { api: { image: 'x', replicas: 2 } } }), false);
    assert.equal(validate({ services: { api: { image: 'x', depends_on: { db: { condition: 'ready' } } } } }), false);
  });

  it('gives no secret a default and requires each with a message', () => {
    const variables = composeVariables(composeText);
    assert.ok(variables.length > 10);
    const optional = [
      'METRICS_TOKEN', // without it, metrics are for loopback only
      'JWT_SECRET_PREVIOUS', // there is none but while keys are changed
      'ENCRYPTION_KEY_PREVIOUS',
      'S3_ACCESS_KEY_ID', // without a store, attachments are in the database
      'S3_SECRET_ACCESS_KEY',
    ];
    for (const { name, operator } of variables) {
      if (SECRET.test(name) && !optional.includes(name)) assert.equal(operator, ':?', `${name} must be required`);
      else assert.equal(operator, ':-', `${name} must have a default`);
    }
    const literals = Object.entries(services).flatMap(([service, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([name, value]) => SECRET.test(name) && !/^\$\{/.test(String(value)))
        .map(([name]) => `${service}.${name}`),
    );
    assert.deepEqual(literals, []);
  });

  it('names every variable in the example file or in the deployment page', () => {
    const example = readFileSync(`${ROOT}deploy/example.env`, 'utf8');
    const page = readFileSync(`${ROOT}docs/deployment.md`, 'utf8');
    for (const { name, operator } of composeVariables(composeText)) {
      if (operator === ':?') assert.match(example, new RegExp(`^${name}=$`, 'm'), `${name} in deploy/example.env`);
      else assert.ok(page.includes(`\`${name}\``), `${name} in docs/deployment.md`);
    }
  });

  it('pins every image', () => {
    for (const [name, { image }] of Object.entries(services)) {
      assert.match(image, /:[^/]+$/, `${name} has no tag`);
      assert.doesNotMatch(image, /:latest\b|:-latest/, name);
    }
  });

  it('watches every service that stays up, and restarts it', () => {
    for (const [name, service] of Object.entries(services)) {
      if (isOneShot(service)) continue;
      assert.ok(service.healthcheck, `${name} has no health check`);
      assert.equal(service.restart, 'unless-stopped', name);
    }
  });

  it('watches workers by their sign of life: nothing listens in them', () => {
    const workers = Object.entries(services).filter(([name]) => name.startsWith('worker-'));
    assert.equal(workers.length, 4);
    for (const [name, { healthcheck }] of workers) {
      assert.deepEqual(healthcheck?.test, ['CMD', 'node', 'deploy/worker-health.mjs'], name);
    }
  });

  it('waits for what each service needs, in the state that it can reach', () => {
    for (const [name, { depends_on = {} }] of Object.entries(services)) {
      for (const [target, { condition }] of Object.entries(depends_on)) {
        const service = services[target];
        assert.ok(service, `${name} waits for ${target}, which is not there`);
        const expected = isOneShot(service) ? 'service_completed_successfully' : 'service_healthy';
        assert.equal(condition, expected, `${name} → ${target}`);
      }
    }
  });

  it('limits the memory of every service', () => {
    for (const [name, { mem_limit: limit = '' }] of Object.entries(services)) assert.match(limit, /^\d+[mg]$/, name);
  });

  it('has connections for all processes', () => {
    const [, most] = /max_connections=(\d+)/.exec(services.postgres?.command?.join(' ') ?? '') ?? [];
    const [, pool] = /DATABASE_POOL_SIZE:-(\d+)/.exec(composeText) ?? [];
    const processes = lasting().reduce((sum, [, { deploy }]) => sum + (deploy?.replicas ?? 0), 0);
    // Temporal's frontend, history, matching and worker have up to 20 for each of two stores.
    const needed = processes * (Number(pool) + 1) + 4 * 2 * 20;
    assert.ok(Number(most) >= needed + 10, `${needed} of ${most}, some of which the superuser keeps`);
  });

  it('publishes ports on this machine only', () => {
    const ports = Object.values(services).flatMap(({ ports = [] }) => ports);
    assert.ok(ports.length >= 3);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
  });

  it('runs two API processes and two workers for each queue, on as many ports as there are API processes', () => {
    for (const [name, { deploy }] of lasting())
      if (/^(api|worker-.*)$/.test(name)) assert.equal(deploy?.replicas, 2, name);
    assert.match(services.api?.ports?.[0] ?? '', /:-3000-3001\}/);
    const queues = ownServices.flatMap(([, { command = [] }]) =>
      command.includes('--queues') ? (command[command.indexOf('--queues') + 1] ?? '').split(',') : [],
    );
    assert.deepEqual(queues.toSorted(), [...QUEUES].sort());
    const page = readFileSync(`${ROOT}docs/deployment.md`, 'utf8');
    const named = [...page.matchAll(/--queues (\S+)`/g)].flatMap(([, list = '']) => list.split(','));
    assert.deepEqual(named.sort(), [...QUEUES].sort());
  });

  it('has the balancer of the cluster, with all variables of its file, in front of each API process', () => {
    const { environment = {}, volumes = [] } = services.balancer ?? {};
    const used = [...readFileSync(`${ROOT}deploy/caddy/Caddyfile`, 'utf8').matchAll(/\{\$(\w+)\}/g)];
    assert.deepEqual(Object.keys(environment).sort(), [...new Set(used.map(([, name]) => name))].sort());
    assert.deepEqual(volumes, ['./deploy/caddy/Caddyfile:/etc/caddy/Caddyfile:ro']);
    const replicas = Array.from({ length: services.api?.deploy?.replicas ?? 0 }, (_, index) => index + 1);
    const names = replicas.map((number) => `${composeFile.name}-api-${number}:3000`);
    assert.equal(environment.API_SERVERS, names.join(' '));
  });

  it('gives the service only variables that it knows, with values that it accepts', () => {
    const known = new Set<string>();
    loadConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));
    assert.ok(known.has('DATABASE_URL') && known.has('NODE_ENV'));
    for (const [name, { environment = {}, command = [] }] of ownServices) {
      if (!command[1]?.startsWith('dist/')) continue; // database set-up reads PostgreSQL's own variables
      for (const variable of Object.keys(environment)) assert.ok(known.has(variable), `${name}: ${variable}`);
      assert.equal(loadConfig(withValues(environment)).production, true);
    }
  });

  it('has the Temporal server serve queues as that of npm start does', () => {
    const file = load(readFileSync(`${ROOT}deploy/temporal/dynamic-config.yaml`, 'utf8'), { schema: CORE_SCHEMA });
    const settings = Object.entries(file as Record<string, { value: unknown }[]>).map(
      ([name, [entry]]) => `${name}=${entry?.value}`,
    );
    const server = { cli: 'temporal', file: 'file', port: 1, uiPort: undefined, namespace: 'default', durable: true };
    const { args } = temporalCommand(server);
    const given = args.filter((_, index) => args[index - 1] === '--dynamic-config-value');
    const queues = given.filter((setting) => !setting.startsWith('frontend.httpAllowedHosts='));
    assert.deepEqual(settings.toSorted(), queues.toSorted());
    assert.ok(given.includes('matching.enableFairness=true'));
  });

  it('starts programs that the build makes', () => {
    const { include } = JSON.parse(readFileSync(`${ROOT}tsconfig.build.json`, 'utf8')) as { include: string[] };
    for (const [name, { command = [] }] of ownServices) {
      const program = command[1] ?? '';
      const source = program.replace(/^dist\/(.*)\.js$/, '$1.ts');
      assert.ok(existsSync(`${ROOT}${source}`), `${name} starts ${program}, whose source is not there`);
      if (program.startsWith('dist/')) assert.ok(include.includes(source.split('/')[0] ?? ''), program);
    }
  });

  it('mounts files that are there', () => {
    for (const [name, { volumes = [] }] of Object.entries(services)) {
      for (const volume of volumes.filter((entry) => entry.startsWith('./'))) {
        assert.ok(existsSync(ROOT + volume.split(':')[0]), `${name}: ${volume}`);
        assert.match(volume, /:ro$/, `${name}: ${volume} is writable`);
      }
    }
  });

  it('leaves workers more time to stop than they take', () => {
    for (const [name, service] of ownServices) {
      if (!isOneShot(service)) assert.ok(Number.parseInt(service.stop_grace_period ?? '0', 10) > 25, name);
    }
  });
});

/** The environment as Compose would pass it, with 32-character secrets. */
function withValues(environment: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\w+:([-?])([^}]*)\}/g, (_, operator, rest) =>
        operator === '-' ? rest : 'x'.repeat(32),
      ),
    ]),
  );
}
