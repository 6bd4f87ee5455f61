/** Builds an operation of the OpenAPI document from the declaration of its route. */
import type { TSchema } from 'typebox';
import { closed } from '../../services/platform/validation/validate.ts';
import { pathParameters, querySchema } from '../pipeline/parameters.ts';
import { schemaMediaType } from '../pipeline/pipeline.ts';
import { Preview } from '../previews/schemas.ts';
import type { Route } from '../route.ts';
import { publishedBody } from './bodies.ts';
import { type Components, describe, type Json } from './components.ts';
import { answerExample, bodyExample } from './examples.ts';
import { answerHeaders, refer, requestHeaders } from './headers.ts';
import type { Problems } from './problems.ts';

const JSON_TYPE = 'application/json';

export function operation(route: Route, components: Components, problems: Problems): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(route.signed === true ? { security: [{ bearer: [] }, {}] } : {}),
    ...(route.previews === true ? { 'x-preview': components.place(Preview, 'answer') } : {}),
    ...(route.access.includes(':') ? { 'x-permission': route.access } : {}),
    parameters: [
      ...parameters(pathParameters(route), 'path', components),
      ...parameters(querySchema(route), 'query', components),
      ...requestHeaders(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...requestBody(route, components),
    responses: { ...answers(route, components), ...unchanged(route), ...problems.forRoute(route) },
  };
}

function requestBody(route: Route, components: Components): Json {
  if (route.upload !== undefined) return { requestBody: uploadBody(route.upload.mediaTypes) };
  const body = publishedBody(route);
  if (body === undefined) return {};
  const schema = components.place(closed(body), 'body');
  const content = { [JSON_TYPE]: { schema, example: bodyExample(route) } };
  return { requestBody: { required: route.bodyOptional !== true, content } };
}

function uploadBody(mediaTypes: readonly string[]): Json {
  const file = { type: 'string', format: 'binary', description: 'The file itself' };
  const form = { type: 'object', required: ['file'], properties: { file } };
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }]));
  return { required: true, content: { ...content, 'multipart/form-data': { schema: form } } };
}

function parameters(schema: TSchema, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] };
  return Object.entries(properties).map(([name, member]) => {
    const { description: _said, ...placed } = components.place(member, 'parameter') as Json;
    const description = describe(name, member as Json, 'parameter');
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(placed.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: placed,
    };
  });
}

function answers(route: Route, components: Components): Json {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      answer(route, Number(status), schema, components),
    ]),
  );
}

function answer(route: Route, status: number, schema: TSchema | null, components: Components): Json {
  const headers = refer(answerHeaders(route, status));
  if (schema === null) return { description: 'Done; no content', headers };
  // A response without a schema is a file of any type.
  if (Object.keys(schema).length === 0) return { description: 'The file', headers, content: { '*/*': {} } };
  const type = schemaMediaType(schema);
  const content = type === JSON_TYPE ? { example: answerExample(route, schema) } : {};
  return {
    description: WORDS[status] ?? 'The requested data',
    headers,
    // Only JSON is described: with several types under one status, generated clients cannot tell which one they get.
    ...(route.formats === undefined ? {} : { 'x-files': route.formats }),
    content: { [type]: { schema: components.place(schema, 'answer'), ...content } },
  };
}

const WORDS: Readonly<Record<number, string>> = {
  201: 'Created; its address is in Location',
  202: 'Accepted for processing in the background',
  503: 'A required part of the service does not answer',
};

/** The response to a GET whose ETag the client already has. */
function unchanged(route: Route): Json {
  if (!requestHeaders(route).includes('If-None-Match')) return {};
  return {
    304: { description: 'Not changed since the version in If-None-Match', headers: refer(answerHeaders(route, 200)) },
  };
}
