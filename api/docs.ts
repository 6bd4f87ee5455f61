/** The API description and its pages. Everything is served from here, nothing from the internet. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Type } from 'typebox';
import { binary, flag } from '../services/platform/validation/schemas.ts';
import { errorsPage, REFERENCE_PAGE, REFERENCE_SCRIPT } from './docs-pages.ts';
import { buildOpenApi } from './openapi/document.ts';
import { Packed } from './packed.ts';
import { defineRoute, type Route } from './route.ts';

const TAG = 'Documentation';
/** Links at `/`. Browsers are redirected; other clients can read them. */
const ENTRANCES = { docs: '/docs', openapi: '/api/openapi.json', health: '/health/ready' };
const ENTRANCE = Type.Object({
  docs: Type.String({ description: 'The documentation' }),
  openapi: Type.String({ description: 'The OpenAPI description' }),
  health: Type.String({ description: 'Whether requests can be served' }),
});
/** The viewer's prebuilt files, by their role in the page. */
const VIEWER = { script: 'swagger-ui-dist/swagger-ui-bundle.js', style: 'swagger-ui-dist/swagger-ui.css' };
const JAVASCRIPT = 'text/javascript';

/** Inline styles are allowed because the viewer's script sets them; scripts come only from files. */
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

/** The notifications page needs nothing but its own files and the service. */
const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Files of the notifications page, in `docs/`. */
const NOTIFICATIONS = {
  Style: 'notifications.css',
  Script: 'notifications.js',
  Session: 'notifications-session.js',
  Live: 'notifications-live.js',
  Push: 'notifications-push.js',
  Worker: 'notifications-worker.js',
};

/** Builds the documentation routes. @param described the documented routes; the pages' own are added */
export function docsRoutes(described: readonly Route[]): Route[] {
  const pages = [
    page('/docs', 'docs', 'The API documentation', async () => REFERENCE_PAGE),
    page('/docs/errors', 'docsErrors', 'All error codes, with remedies', async () => errorsPage()),
    page(
      '/docs/notifications',
      'docsNotifications',
      'Your notifications, live in a browser',
      ownFile('notifications.html'),
      STRICT_POLICY,
    ),
  ];
  const files = [
    part('/docs/reference.js', 'docsReferenceScript', JAVASCRIPT, async () => Buffer.from(REFERENCE_SCRIPT)),
    part('/docs/viewer.js', 'docsViewerScript', JAVASCRIPT, packageFile(VIEWER.script)),
    part('/docs/viewer.css', 'docsViewerStyle', 'text/css', packageFile(VIEWER.style)),
    ...Object.entries(NOTIFICATIONS).map(([name, file]) =>
      part(`/docs/${file}`, `docsNotifications${name}`, file.endsWith('.css') ? 'text/css' : JAVASCRIPT, ownFile(file)),
    ),
  ];
  const root = defineRoute({
    method: 'GET',
    path: '/',
    id: 'root',
    summary: 'Find the documentation',
    description: 'Browsers are redirected; other clients get the addresses.',
    tag: TAG,
    access: 'public',
    responses: { 302: ENTRANCE },
    handler: async () => ({ status: 302, body: ENTRANCES, headers: { Location: ENTRANCES.docs } }),
  });
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
          description: 'false omits webhook requests, which some generators mistake for operations',
        }),
      ),
    }),
    responses: { 200: Type.Object({}, { additionalProperties: true }) },
    headers: ['ETag'],
    whole: true,
    prepare: async () => {
      await complete.prepare();
      await withoutWebhooks.prepare();
    },
    handler: ({ query: { webhooks = true }, accepts }) => (webhooks ? complete : withoutWebhooks).answer(accepts),
  });
  const [complete, withoutWebhooks] = [true, false].map((webhooks) => {
    const load = () => JSON.stringify(buildOpenApi([...described, description, ...pages], { webhooks }));
    return new Packed(load, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'private, no-cache',
    });
  }) as [Packed, Packed];
  return [description, root, ...pages, ...files];
}

function page(
  path: string,
  id: string,
  summary: string,
  load: () => Promise<string | Buffer>,
  policy: string = CONTENT_SECURITY_POLICY,
): Route {
  const packed = new Packed(load, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
  });
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary,
    description: 'An HTML page that loads nothing from other servers.',
    tag: TAG,
    access: 'public',
    responses: { 200: binary('text/html') },
    headers: ['ETag'],
    whole: true,
    handler: ({ accepts }) => packed.answer(accepts),
  });
}

/** A script or style sheet of a page. */
function part(path: string, id: string, type: string, load: () => Promise<Buffer>): Route {
  const packed = new Packed(load, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=3600',
  });
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary: 'File of a page at /docs',
    description: 'A file loaded by the page.',
    tag: TAG,
    access: 'public',
    responses: { 200: binary(type) },
    headers: ['ETag'],
    whole: true,
    handler: ({ accepts }) => packed.answer(accepts),
  });
}

/** Loads a file of an installed package. */
function packageFile(name: string): () => Promise<Buffer> {
  return () => readFile(createRequire(import.meta.url).resolve(name));
}

/** Loads one of our own files. */
function ownFile(name: string): () => Promise<Buffer> {
  return () => readFile(new URL(`docs/${name}`, import.meta.url));
}
