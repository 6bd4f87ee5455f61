import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ROUTES } from '../../../api/routes.ts';
import { ERROR_CODES } from '../../../domain/errors.ts';
import { startTestApp } from '../../helpers/app.ts';
import { useApp } from '../../helpers/hooks.ts';
import { type Json, resolve } from '../../helpers/openapi-gaps.ts';

/** Every object within a JSON value. */
function* objects(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const entry of Object.values(value)) yield* objects(entry);
}

describe('the description of the interface', () => {
  let document: Json & { paths: Record<string, Record<string, Json>> };
  const app = useApp({ setUp: false });
  before(async () => {
    document = (await app.anonymous.get('/api/openapi.json')).body;
  });

  /** The parameters of an operation, those among the components too. */
  const parametersIn = (operation: Json) =>
    (operation.parameters as Json[]).map((one) => resolve(document, one)) as {
      name?: string;
      in?: string;
      required?: boolean;
      style?: string;
      schema?: Json;
    }[];

  it('holds every route with its parameters, bodies and problems', () => {
    assert.equal(document.openapi, '3.1.0');
    for (const route of ROUTES) {
      const operation = document.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
      assert.ok(operation, `${route.method} ${route.path}`);
      assert.equal(operation.operationId, route.id);
      assert.equal('requestBody' in operation, (route.body ?? route.upload) !== undefined, route.id);
      const responses = operation.responses as Json;
      for (const status of [...Object.keys(route.responses), '400', 'default'])
        assert.ok(responses[status], `${route.id} ${status}`);
      if (route.access !== 'public') assert.ok('401' in responses, route.id);
      const parameters = parametersIn(operation);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        inPath,
        [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]),
        route.id,
      );
    }
  });

  it('has unique operation ids and references that resolve', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    let references = 0;
    for (const { $ref } of objects(document)) {
      if (typeof $ref !== 'string') continue;
      references++;
      const steps = $ref
        .slice(2)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      const target = steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], document);
      assert.ok(target, $ref);
    }
    assert.ok(references > 100);
  });

  it('uses only words of JSON Schema and OpenAPI in its schemas', () => {
    const text = JSON.stringify(document);
    assert.doesNotMatch(text, /decimalPlaces|x-list|http-url/);
  });

  it('names the filters of a list', () => {
    const byName = new Map(
      parametersIn(document.paths['/api/partners']?.get ?? {}).map((parameter) => [parameter.name, parameter]),
    );
    for (const name of ['page', 'limit', 'sort', 'q', 'nif', 'groupId', 'createdAt']) assert.ok(byName.has(name), name);
    assert.deepEqual(
      [...byName.values()].filter(({ required }) => required === true),
      [],
    );
    const { style, schema = {} } = byName.get('name') ?? {};
    const [value, operators] = resolve(document, schema).anyOf as Json[];
    assert.deepEqual([style, value], ['deepObject', { type: 'string' }]);
    assert.ok('contains' in (resolve(document, operators ?? {}).properties as Json));
  });

  it('begins with what a newcomer needs first', () => {
    const { description } = document.info as { description: string };
    assert.deepEqual(
      [...description.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading),
      ['Quick start', 'Authentication', 'API keys', 'Pagination and filters', 'Errors', 'Idempotency', 'Money'],
    );
    const paths = [...description.matchAll(/`(GET|POST) (\/api\/[^`]*)`/g)];
    assert.ok(paths.length > 0);
    for (const [, method = '', path = ''] of paths) assert.ok(document.paths[path]?.[method.toLowerCase()], path);
  });

  it('is where / leads', async () => {
    const answer = await fetch(app.address, { redirect: 'manual', headers: { Accept: 'text/html' } });
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/docs']);
    for (const path of Object.values((await answer.json()) as Record<string, string>)) {
      const { status } = await app.anonymous.get(path);
      assert.ok(status === 200 || path === '/health/ready', `${path} ${status}`);
    }
  });

  it('is shown by pages that load nothing from elsewhere', async () => {
    const files = ['site.js', 'site.css', 'try.js', 'viewer.js', 'viewer.css'].map((name) => `/docs/${name}`);
    for (const path of ['/docs', '/docs/try', '/docs/errors', ...files]) {
      assert.equal((await app.anonymous.get(path)).status, 200, path);
    }
    const { headers, body } = await app.anonymous.get('/docs');
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.doesNotMatch(body, /(?:src|href|action)="https?:/);
  });
});

describe('error codes', () => {
  it('are the same in code, in docs/errors.md and on the page', async () => {
    const markdown = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const documented = [...markdown.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (\S.*?) +\| \S.*\|$/gm)];
    assert.deepEqual(
      documented.map(([, code, status, title]) => `${code} ${status} ${title}`).sort(),
      Object.entries(ERROR_CODES)
        .map(([code, { status, title }]) => `${code} ${status} ${title}`)
        .sort(),
    );
    const app = await startTestApp({ setUp: false });
    try {
      const { body } = await app.anonymous.get('/docs/errors');
      for (const code of Object.keys(ERROR_CODES)) assert.ok(body.includes(`id="${code}"`), code);
    } finally {
      await app.stop();
    }
  });
});
