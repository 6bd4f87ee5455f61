/** The OpenAPI 3.1 description, made from the route declarations. */
import type { TSchema } from 'typebox';
import { SERVICE_VERSION } from '../config/version.ts';
import { ERROR_CODES } from '../domain/errors.ts';
import { closed } from '../services/validation/validate.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import { mediaTypeOf } from './pipeline.ts';
import { pathParameters } from './pipeline-parameters.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** Collects schemas that have a title under components, once each, and refers to them from where they are used. */
class Components {
  readonly schemas: Json = {};
  readonly #taken = new Map<string, string>();

  place(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((entry) => this.place(entry));
    if (typeof node !== 'object' || node === null) return node;
    const placed = Object.fromEntries(Object.entries(node).flatMap(([key, value]) => this.#entry(key, value)));
    return typeof placed.title === 'string' && placed.type === 'object' ? this.#refer(placed.title, placed) : placed;
  }

  /** Our own keywords in the words of JSON Schema. */
  #entry(key: string, value: unknown): [string, unknown][] {
    if (key === 'decimalPlaces') return [['multipleOf', Number(`1e-${value}`)]];
    if (key === 'x-list' || key === 'x-measure') return [];
    if (key === 'format' && value === 'http-url') return [['format', 'uri']];
    return [[key, this.place(value)]];
  }

  #refer(title: string, schema: Json): Json {
    const form = JSON.stringify(schema);
    let name = title;
    for (let suffix = 2; (this.#taken.get(name) ?? form) !== form; suffix++) name = `${title}${suffix}`;
    this.#taken.set(name, form);
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

const problemSchema = {
  type: 'object',
  title: 'Problem',
  description: 'RFC 9457. See /docs/errors for the codes.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901)' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    uses: {
      type: 'array',
      description: 'With in_use: what uses it, named as in the audit log, and how many of them',
      items: {
        type: 'object',
        required: ['entityType', 'count'],
        properties: {
          entityType: { type: 'string' },
          count: { type: 'integer' },
          atLeast: { type: 'boolean', description: 'Not all were counted' },
        },
      },
    },
  },
};

const HEADERS: Readonly<Record<string, Json>> = {
  'x-tenant-id': {
    description: "The company; the token's own when absent",
    schema: { type: 'string', format: 'uuid' },
  },
  'X-Request-Id': { description: 'Repeated in the answer, in logs and in the audit log', schema: { type: 'string' } },
  'Idempotency-Key': {
    description: 'A repeat with the same key and body within 24 h gets the first answer and has no further effect',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-Match': { description: 'The ETag that was read; a stale one is a 412', schema: { type: 'string' } },
};

/** @returns a document that JSON.stringify can take */
export function buildOpenApi(routes: readonly Route[]): Json {
  const components = new Components();
  const problem = components.place(problemSchema);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Management Service',
      version: SERVICE_VERSION,
      description: 'Log in at POST /api/auth/login and send the token as `Authorization: Bearer <token>`.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks((schema) => components.place(schema)),
    components: {
      schemas: components.schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key' } },
      responses: problemResponses(problem),
      parameters: Object.fromEntries(
        Object.entries(HEADERS).map(([name, header]) => [name, { name, in: 'header', required: false, ...header }]),
      ),
    },
  };
}

function problemResponses(schema: unknown): Json {
  const statuses = [...new Set(Object.values(ERROR_CODES).map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(ERROR_CODES).filter(([, error]) => error.status === status);
      const description = codes.map(([code, { title }]) => `\`${code}\`: ${title}`).join('\n\n');
      return [`Problem${status}`, { description, content: { 'application/problem+json': { schema } } }];
    }),
  );
}

function operation(route: Route, components: Components): Json {
  const body = route.body && components.place(closed(route.body));
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(route.access.includes(':') ? { 'x-permission': route.access } : {}),
    parameters: [
      ...members(pathParameters(route), 'path', components),
      ...(route.query ? members(route.query, 'query', components) : []),
      ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(route.upload === undefined ? {} : { requestBody: uploadBody(route.upload.mediaTypes) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: route.bodyOptional !== true, content: { 'application/json': { schema: body } } } }),
    responses: { ...answers(route, components), ...problemsOf(route) },
  };
}

function uploadBody(mediaTypes: readonly string[]): Json {
  const file = { type: 'string', format: 'binary' };
  const form = { type: 'object', required: ['file'], properties: { file } };
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }]));
  return { required: true, content: { ...content, 'multipart/form-data': { schema: form } } };
}

function members(schema: TSchema, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] };
  return Object.entries(properties).map(([name, member]) => {
    const description = (member as { description?: string }).description;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: components.place(member),
    };
  });
}

function headersOf(route: Route): string[] {
  const changes = route.method !== 'GET' && (route.method !== 'POST' || route.path.includes(':id'));
  return [
    'X-Request-Id',
    ...(route.access === 'public' ? [] : ['x-tenant-id']),
    ...(route.method === 'POST' && route.access !== 'public' ? ['Idempotency-Key'] : []),
    ...(changes && route.access !== 'public' ? ['If-Match'] : []),
  ];
}

function answers(route: Route, components: Components): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: Number(status) < 300 ? 'Success' : 'See the body',
        ...(schema === null ? {} : { content: contentOf(route, Number(status), schema, components) }),
      },
    ]),
  );
}

function contentOf({ formats = {} }: Route, status: number, schema: TSchema, components: Components): Json {
  const files = status < 300 ? Object.values(formats) : [];
  return {
    [mediaTypeOf(schema)]: { schema: components.place(schema) },
    ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  };
}

/** The problems that the conventions make possible for such a route; what a service refuses besides stands in its description. */
function problemsOf(route: Route): Json {
  const writes = route.method !== 'GET';
  const statuses = [
    400,
    ...(route.access === 'public' ? [] : [401, 403]),
    ...(route.path.includes(':') ? [404] : []),
    406,
    ...(writes ? [409, 413, 415, 422] : []),
    ...(headersOf(route).includes('If-Match') ? [412] : []),
    429,
    500,
    503,
  ].filter((status) => !(status in route.responses));
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}
