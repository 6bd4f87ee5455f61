/** The OpenAPI 3.1 description, made from the route declarations. */
import type { TSchema } from 'typebox';
import { SERVICE_VERSION } from '../../config/version.ts';
import { closed } from '../../services/validation/validate.ts';
import { mediaTypeOf } from '../pipeline.ts';
import { pathParameters } from '../pipeline-parameters.ts';
import type { Route } from '../route.ts';
import { Components, type Json } from './components.ts';
import { describeWebhooks } from './events.ts';
import { INTRODUCTION } from './introduction.ts';
import { problemResponses, problemSchema, problemsOf } from './problems.ts';

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
      description: INTRODUCTION,
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
    responses: { ...answers(route, components), ...problemsOf(route, headersOf(route).includes('If-Match')) },
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
