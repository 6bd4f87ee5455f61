/** The API description and its pages: everything is served from here, nothing from the internet. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { binary, flag } from '../services/validation/schemas.ts';
import { errorsPage, REFERENCE_PAGE, REFERENCE_SCRIPT } from './docs-pages.ts';
import { buildOpenApi } from './openapi/document.ts';
import { defineRoute, type Route, type RouteResponse } from './route.ts';

const TAG = 'Documentation';
/** Links at `/`: browsers follow one, others can read them. */
const ENTRANCES = { docs: '/docs', openapi: '/api/openapi.json', health: '/health/ready' };
const ENTRANCE = Type.Object({
  docs: Type.String({ description: 'The documentation' }),
  openapi: Type.String({ description: 'The OpenAPI description' }),
  health: Type.String({ description: 'Whether requests can be served' }),
});
/** The viewer's prebuilt files, by their names in the page. */
const VIEWER = { script: 'swagger-ui-dist/swagger-ui-bundle.js', style: 'swagger-ui-dist/swagger-ui.css' };
const JAVASCRIPT = 'text/javascript';

/** The viewer styles its parts from its script, hence the inline styles; scripts come only from files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param described the documented routes; the pages' own are added */
export function docsRoutes(described: readonly Route[]): Route[] {
  const pages = [
    page('/docs', 'docs', 'The API documentation', () => REFERENCE_PAGE),
    page('/docs/errors', 'docsErrors', 'Every error code, and what to do about it', errorsPage),
  ];
  const files = [
    part('/docs/reference.js', 'docsReferenceScript', JAVASCRIPT, async () => Buffer.from(REFERENCE_SCRIPT)),
    part('/docs/viewer.js', 'docsViewerScript', JAVASCRIPT, installed(VIEWER.script)),
    part('/docs/viewer.css', 'docsViewerStyle', 'text/css', installed(VIEWER.style)),
  ];
  const root = defineRoute({
    method: 'GET',
    path: '/',
    id: 'root',
    summary: 'Leads to the documentation',
    description: 'Browsers are redirected; others get the addresses.',
    tag: TAG,
    access: 'public',
    responses: { 302: ENTRANCE },
    handler: async () => ({ status: 302, body: ENTRANCES, headers: { Location: ENTRANCES.docs } }),
  });
  const documents = new Map<boolean, unknown>();
  const description: Route = defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    id: 'openapi',
    summary: 'The OpenAPI 3.1 description',
    description: 'For client generators; `webhooks=false` omits the requests that the service sends.',
    tag: TAG,
    access: 'public',
    query: Type.Object({
      webhooks: Type.Optional(
        flag({
          default: true,
          description: 'false omits webhook requests: some generators take them for operations',
        }),
      ),
    }),
    responses: { 200: Type.Object({}, { additionalProperties: true }) },
    handler: async ({ query: { webhooks = true } }): Promise<RouteResponse> => {
      const document = documents.get(webhooks) ?? buildOpenApi([...described, description, ...pages], { webhooks });
      documents.set(webhooks, document);
      return { status: 200, body: document };
    },
  });
  return [description, root, ...pages, ...files];
}

function page(path: string, id: string, summary: string, html: () => string): Route {
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary,
    description: 'An HTML page. It loads nothing from elsewhere.',
    tag: TAG,
    access: 'public',
    responses: { 200: binary('text/html') },
    handler: async (): Promise<RouteResponse> => ({
      status: 200,
      body: Buffer.from(html()),
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Cache-Control': 'no-cache',
      },
    }),
  });
}

/** A script or style sheet of the page. */
function part(path: string, id: string, type: string, load: () => Promise<Buffer>): Route {
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary: 'Part of the page at /docs',
    description: 'A file that the page loads.',
    tag: TAG,
    access: 'public',
    responses: { 200: binary(type) },
    handler: async (): Promise<RouteResponse> => ({
      status: 200,
      body: await load(),
      headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'public, max-age=3600' },
    }),
  });
}

/** A file of an installed package, read once. */
function installed(name: string): () => Promise<Buffer> {
  let loaded: Promise<Buffer> | undefined;
  return () => {
    loaded ??= readFile(createRequire(import.meta.url).resolve(name));
    return loaded;
  };
}
