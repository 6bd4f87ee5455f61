/** Holds answers against the description of the interface: every answer that a test gets must be one that it promises. */
import assert from 'node:assert/strict';
import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { docsRoutes } from '../../api/docs/routes.ts';
import { withoutAlias } from '../../api/middleware/aliases.ts';
import { buildOpenApi } from '../../api/openapi/document.ts';
import { COMMON_ANSWER_HEADERS } from '../../api/openapi/headers.ts';
import { healthRoutes } from '../../api/operation/health/routes.ts';
import { ROUTES } from '../../api/routes.ts';
import { closed } from '../../services/platform/validation/validate.ts';
import { apiOperations, type Json, resolve } from './openapi-gaps.ts';

interface Given {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Answered before the request is read, so by no operation. */
const OF_CONNECTIONS = new Set([405, 408, 431]);

/** Headers that say how an answer is carried, not what it is. */
const CARRIERS =
  /^(access-control-.*|allow|cache-control|connection|content-(encoding|length|security-policy|type)|date|keep-alive|transfer-encoding|vary|x-content-type-options)$/;

/** @throws AssertionError when the description does not promise this answer; what it does not describe passes */
export function assertConforms({ method, path, status, headers, body }: Given): void {
  const [address = ''] = path.split('?', 1);
  const operation = find(method === 'HEAD' ? 'GET' : method, withoutAlias(address));
  if (operation === undefined || OF_CONNECTIONS.has(status)) return;
  const told = `${method} ${path} → ${status}`;
  const previews = previewed(operation, path, status);
  const responses = operation.responses as Record<string, Json | undefined>;
  const declared = previews ?? responses[status] ?? (status >= 400 ? responses.default : undefined);
  assert.ok(declared, `${told} is not described: ${JSON.stringify(body)}`);
  const answer = resolve(description().document, declared);
  const described = [...COMMON_ANSWER_HEADERS, ...Object.keys((answer.headers as Json | undefined) ?? {})];
  const known = new Set(described.map((name) => name.toLowerCase()));
  for (const name of headers.keys()) {
    assert.ok(known.has(name) || CARRIERS.test(name), `${told}: the header ${name} is not described`);
  }
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1);
  const content = (answer.content as Record<string, Json> | undefined) ?? {};
  if (body === undefined && (method === 'HEAD' || Object.keys(content).length === 0)) return;
  const files = Object.values((answer['x-files'] as Json | undefined) ?? {});
  assert.ok(
    [type, type.replace(/\/.*/, '/*'), '*/*'].some((range) => content[range] !== undefined) || files.includes(type),
    `${told}: ${type} is not described`,
  );
  if (content[type] === undefined || !/[/+]json/.test(type)) return;
  // Members were asked for.
  const asked = new URLSearchParams(path.split('?', 2)[1]);
  if (status === 200 && (asked.has('fields') || asked.has('expand'))) return;
  const valid = schemaValidator(content[type].schema as Json);
  if (!valid(body))
    assert.fail(`${told} is not as described: ${JSON.stringify(valid.errors?.slice(0, 3))} ${show(body)}`);
  const codes = answer['x-codes'] as string[] | undefined;
  const { code } = body as { code?: string };
  if (codes !== undefined) assert.ok(codes.includes(String(code)), `${told}: the code ${code} is not described`);
}

/** The answer to a preview: the headers of the act, and its own description. */
function previewed(operation: Json, path: string, status: number): Json | undefined {
  const isPreview = status === 200 && new URLSearchParams(path.split('?', 2)[1]).get('preview') === 'true';
  if (!isPreview) return undefined;
  const [, act] = Object.entries(operation.responses as Json).find(([code]) => code < '300') ?? [];
  const { headers } = resolve(description().document, act as Json);
  return { headers, content: { 'application/json': { schema: operation['x-preview'] } } };
}

function show(body: unknown): string {
  return JSON.stringify(body).slice(0, 2000);
}

/** Whether the answer to a GET may be 304. */
export function mayBeKnown(path: string): boolean {
  const [address = ''] = path.split('?', 1);
  return Object.hasOwn((find('GET', address)?.responses as Json | undefined) ?? {}, '304');
}

interface Description {
  readonly document: Json;
  readonly ajv: Ajv;
  readonly operations: readonly { readonly method: string; readonly form: RegExp; readonly operation: Json }[];
}

let built: Description | undefined;

/** Made when the first answer comes, and once. Objects take no members but those described. */
export function description(): Description {
  built ??= build();
  return built;
}

function build(): Description {
  const routes = [...ROUTES, ...healthRoutes({} as never, {} as never)];
  const described = [...routes, ...docsRoutes(routes, { url: undefined, namespace: 'default' })];
  const document = closed(JSON.parse(JSON.stringify(buildOpenApi(described))) as never) as Json;
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('binary', true);
  ajv.addSchema(document, 'openapi');
  const operations = apiOperations(document)
    .map(([place, operation]) => {
      const [method = '', path = ''] = place.split(' ');
      return { method, path, form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), operation };
    })
    .sort(({ path: one }, { path: other }) => (specific(one) < specific(other) ? -1 : 1));
  return { document, ajv, operations };
}

/** Fixed words before parameters, as the service tells paths apart. */
function specific(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}

function find(method: string, path: string): Json | undefined {
  const { operations } = description();
  const first = operations.find(({ form }) => form.test(path));
  return operations.find((one) => one.method === method && one.form.source === first?.form.source)?.operation;
}

const validators = new WeakMap<Json, ValidateFunction>();

/** Compiled once for each schema of the description. */
export function schemaValidator(schema: Json): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as Json;
  const compiled = description().ajv.compile(absolute);
  validators.set(schema, compiled);
  return compiled;
}
