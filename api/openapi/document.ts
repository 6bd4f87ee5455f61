/** The OpenAPI 3.1 document, built from the route declarations. */
import { SERVICE_VERSION } from '../../config/version.ts';
import type { Route } from '../route.ts';
import { Components, type Json } from './components.ts';
import { describeEvents, EVENTS_TAG } from './events.ts';
import { ANSWER_HEADERS, COMMON_ANSWER_HEADERS, COMMON_REQUEST_HEADERS, REQUEST_HEADERS } from './headers.ts';
import { INTRODUCTION } from './introduction.ts';
import { operation } from './operation.ts';
import { Problems, problemSchema } from './problems.ts';
import { shareParts } from './sharing.ts';
import { describeTags } from './tags.ts';

/**
 * Builds the document.
 * @param options `webhooks: false` omits the requests that the service sends, which some generators mistake for
 * operations
 * @returns a document for JSON.stringify
 */
export function buildOpenApi(routes: readonly Route[], { webhooks = true } = {}): Json {
  const components = new Components();
  const problems = new Problems(components.place(problemSchema, 'answer'));
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components, problems) };
  }
  const events = webhooks ? describeEvents(components) : undefined;
  const { schemas } = components;
  const parameters: Json = Object.fromEntries(
    apart(REQUEST_HEADERS, COMMON_REQUEST_HEADERS).map(([name, header]) => [name, { name, in: 'header', ...header }]),
  );
  shareParts({ paths, ...(events === undefined ? {} : { webhooks: events }), components: { schemas, parameters } });
  const tags = new Set([...routes.map((route) => route.tag), ...(webhooks ? [EVENTS_TAG] : [])]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Management Service',
      version: SERVICE_VERSION,
      description: INTRODUCTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: describeTags(tags),
    paths,
    ...(events === undefined ? {} : { webhooks: events }),
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key' } },
      responses: problems.responses,
      examples: problems.examples,
      headers: Object.fromEntries(apart(ANSWER_HEADERS, COMMON_ANSWER_HEADERS)),
      parameters,
    },
  };
}

/** The headers that only some operations have. */
function apart<Headers extends object>(headers: Headers, common: readonly string[]): [string, object][] {
  return Object.entries(headers).filter(([name]) => !common.includes(name));
}
