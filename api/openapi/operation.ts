/** Builds an operation of the OpenAPI document from the declaration of its route. */
import type { TSchema } from 'typebox';
import { pascalCase } from '../../domain/words.ts';
import { closed } from '../../services/platform/validation/validate.ts';
import { pathParameters, querySchema } from '../pipeline/parameters.ts';
import { schemaMediaType } from '../pipeline/pipeline.ts';
import { Preview } from '../previews/schemas.ts';
import type { Route } from '../route.ts';
import { publishedBody } from './bodies.ts';
import { type Components, describe, type Json } from './components.ts';
import { answerExample, bodyExample, sampleValue } from './examples.ts';
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
      ...parameters(route, pathParameters(route), 'path', components),
      ...parameters(route, querySchema(route), 'query', components),
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
  const schema = components.placeAs([`${pascalCase(route.id)}Body`], closed(body), 'body');
  const content = { [JSON_TYPE]: { schema, example: bodyExample(route) } };
  return { requestBody: { required: route.bodyOptional !== true, content } };
}

function uploadBody(mediaTypes: readonly string[]): Json {
  const file = { type: 'string', format: 'binary', description: 'The file itself' };
  const form = { type: 'object', required: ['file'], properties: { file } };
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: file }]));
  // Generators that take one type of content take the first.
  return { required: true, content: { 'multipart/form-data': { schema: form }, ...content } };
}

function parameters(route: Route, declared: TSchema, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = declared as { properties?: Record<string, TSchema>; required?: string[] };
  return Object.entries(properties).map(([name, member]) => {
    const { description: _said, ...schema } = member as Json;
    const isFilter = schema.anyOf !== undefined;
    const placed = components.placeAs(filterTitles(route, name), schema, 'parameter') as Json;
    const description = describe(name, member as Json, 'parameter');
    return {
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(placed.type === 'array' ? { style: 'form', explode: false } : {}),
      // A value, or an object of operators.
      ...(isFilter ? { style: 'deepObject', explode: true } : {}),
      schema: placed,
    };
  });
}

/** Titles for the filter by a choice, which has no name of its own: lists share it where they have the same choices. */
function filterTitles({ id }: Route, name: string): string[] {
  const title = `${pascalCase(name)}Filter`;
  return [title, `${pascalCase(id.replace(/^list/, ''))}${title}`];
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
  if (schema === null) return { description: 'Done; no content', ...headers };
  // A response without a schema is a file of any type.
  if (Object.keys(schema).length === 0) return { description: 'The file', ...headers, content: { '*/*': {} } };
  const type = schemaMediaType(schema);
  const placed = components.placeAs([`${pascalCase(route.id)}Answer`], schema, 'answer');
  const content = type === JSON_TYPE ? answerSample(route, schema, components) : {};
  return {
    description: WORDS[status] ?? 'The requested data',
    ...headers,
    // Only JSON is described: with several types under one status, generated clients cannot tell which one they get.
    ...(route.formats === undefined ? {} : { 'x-files': route.formats }),
    content: { [type]: { schema: placed, ...content } },
  };
}

/** The example of a response: that of the record's schema, unless the route has its own or the schema has no name. */
function answerSample(route: Route, schema: TSchema, components: Components): Json {
  const own = route.examples?.answer !== undefined && Object.keys(route.examples.answer).length > 0;
  const record = recordSchema(schema);
  if (own || record?.title === undefined || Array.isArray(record.type))
    return { example: answerExample(route, schema) };
  components.exemplify(record.title, () => sampleValue(record as Json, 'answer'));
  return {};
}

/** The schema of `data`, or of its entries. */
function recordSchema(schema: TSchema): { readonly title?: string; readonly type?: unknown } | undefined {
  const { data } = (schema as { properties?: Record<string, { items?: object }> }).properties ?? {};
  return data?.items ?? data;
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
    304: { description: 'Not changed since the version in If-None-Match', ...refer(answerHeaders(route, 200)) },
  };
}
