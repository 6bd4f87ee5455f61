/** The API description and its pages. Everything is served from here, nothing from the internet. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type TSchema, Type } from 'typebox';
import { notFound, refusedParameter } from '../../domain/errors.ts';
import { binary, flag, text } from '../../services/platform/validation/schemas.ts';
import { chosenTags, tagNames } from '../openapi/chosen.ts';
import type { Json } from '../openapi/components.ts';
import { buildOpenApi } from '../openapi/document.ts';
import { Packed } from '../packed.ts';
import { defineRoute, type Route } from '../route.ts';
import type { TemporalUi } from './site/operators.ts';
import { Site } from './site/site.ts';
import { TRY_PAGE, TRY_SCRIPT } from './try.ts';

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

/** The other pages need nothing but their own files and the service. */
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
/** Files of the notifications page. */
const NOTIFICATIONS = {
  Style: 'notifications.css',
  Script: 'notifications.js',
  Session: 'notifications-session.js',
  Live: 'notifications-live.js',
  Push: 'notifications-push.js',
  Worker: 'notifications-worker.js',
};

/** Pages of the site with an address of their own, with the id of their route and what they show. */
const PAGES: readonly (readonly [path: string, id: string, summary: string])[] = [
  ['/docs', 'docs', 'The documentation'],
  ['/docs/webhooks', 'docsWebhooks', 'Webhooks: events, signatures, retries'],
  ['/docs/clients', 'docsClients', 'Clients for programs'],
  ['/docs/command-line', 'docsCommandLine', 'The command line'],
  ['/docs/documents', 'docsDocuments', 'States of documents'],
  ['/docs/errors', 'docsErrors', 'All error codes, with remedies'],
  ['/docs/operators', 'docsOperators', 'For operators: searches in the Temporal UI'],
];

const SEARCH_ENTRY = Type.Object(
  {
    path: Type.String({ description: 'Its address' }),
    title: Type.String({ description: 'Heading or summary' }),
    page: Type.String({ description: 'The page that it is on' }),
    words: Type.String({ description: 'Words of its text' }),
  },
  { title: 'SearchEntry' },
);

/** Builds the documentation routes. @param described the documented routes; the pages' own are added */
export function docsRoutes(described: readonly Route[], temporalUi: TemporalUi): Route[] {
  const site = new Site(() => JSON.parse(documentText(true)) as Json, temporalUi);
  const pages = [
    ...PAGES.map(([path, id, summary]) => page(path, id, summary, () => ownPage(site, path), STRICT_POLICY)),
    sitePages(site, '/docs/guide/:page', 'docsGuide', 'A chapter of the guide'),
    sitePages(site, '/docs/reference/:page', 'docsReference', 'A group of operations'),
    page('/docs/try', 'docsTry', 'Try requests out in the browser', async () => TRY_PAGE),
    page(
      '/docs/notifications',
      'docsNotifications',
      'Your notifications, live in a browser',
      ownFile('notifications.html'),
      STRICT_POLICY,
    ),
  ];
  const files = [
    part(
      '/docs/search.json',
      'docsSearch',
      'application/json',
      async () => Buffer.from(await site.searchEntries()),
      Type.Array(SEARCH_ENTRY),
    ),
    part('/docs/site.js', 'docsScript', JAVASCRIPT, ownFile('site.js')),
    part('/docs/site.css', 'docsStyle', 'text/css', ownFile('site.css')),
    part('/docs/try.js', 'docsTryScript', JAVASCRIPT, async () => Buffer.from(TRY_SCRIPT)),
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
    description:
      'For client generators; `webhooks=false` omits the requests that the service sends, and `tags` all but some groups of operations, ' +
      'for clients that need no more.',
    tag: TAG,
    access: 'public',
    query: Type.Object({
      webhooks: Type.Optional(
        flag({
          default: true,
          description: 'false omits webhook requests, which some generators mistake for operations',
        }),
      ),
      tags: Type.Optional(
        text({
          max: 500,
          description: 'Groups of operations, separated by commas, with what they need: Sales,Partners',
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
    handler: ({ query: { webhooks = true, tags }, accepts }) =>
      (tags === undefined ? (webhooks ? complete : withoutWebhooks) : partly(tags)).answer(accepts),
  });
  let whole: Json | undefined;
  const parts = new Map<string, Packed>();
  /** The groups that are asked for. The last ones stay packed. @throws ServiceError invalid_parameter */
  function partly(asked: string): Packed {
    whole ??= JSON.parse(documentText(false)) as Json;
    const document = whole;
    const known = tagNames(document);
    const tags = [...new Set(asked.split(',').map((tag) => tag.trim()))].sort();
    const other = tags.find((tag) => !known.includes(tag));
    if (other !== undefined) throw refusedParameter('tags', `cannot contain ${other}; there are ${known.join(', ')}`);
    const name = tags.join();
    const packed = parts.get(name) ?? packedJson(() => JSON.stringify(chosenTags(document, tags)));
    parts.delete(name);
    parts.set(name, packed);
    if (parts.size > MAX_PARTS) parts.delete(parts.keys().next().value as string);
    return packed;
  }
  const texts = new Map<boolean, string>();
  // The pages show the same document.
  function documentText(webhooks: boolean): string {
    const text =
      texts.get(webhooks) ?? JSON.stringify(buildOpenApi([...described, description, ...pages], { webhooks }));
    texts.set(webhooks, text);
    return text;
  }
  const [complete, withoutWebhooks] = [true, false].map((webhooks) => packedJson(() => documentText(webhooks))) as [
    Packed,
    Packed,
  ];
  return [description, root, ...pages, ...files];
}

/** Choices of groups that stay packed. */
const MAX_PARTS = 50;

function packedJson(load: () => string): Packed {
  return new Packed(load, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'private, no-cache',
  });
}

/** One of the pages that are always there. */
async function ownPage(site: Site, path: string): Promise<string> {
  const html = await site.page(path);
  if (html === undefined) throw new Error(`The site must have the page ${path}`);
  return html;
}

/** Members that the routes of all pages share. */
const HTML_PAGE = {
  description: 'An HTML page that loads nothing from other servers.',
  tag: TAG,
  access: 'public',
  responses: { 200: binary('text/html') },
  headers: ['ETag'],
  whole: true,
} as const;

/** Pages of the site under one path, each packed when it is first asked for. */
function sitePages(site: Site, path: string, id: string, summary: string): Route {
  const packed = new Map<string, Packed>();
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary,
    ...HTML_PAGE,
    params: Type.Object({ page: Type.String({ maxLength: 100, description: 'Its name in the address' }) }),
    async handler({ params, accepts }) {
      const address = path.replace(':page', params.page);
      let found = packed.get(address);
      if (found === undefined) {
        const html = await site.page(address);
        if (html === undefined) throw notFound('This page');
        found = packedPage(async () => html, STRICT_POLICY);
        packed.set(address, found);
      }
      return found.answer(accepts);
    },
  });
}

function packedPage(load: () => Promise<string | Buffer>, policy: string): Packed {
  return new Packed(load, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
  });
}

function page(
  path: string,
  id: string,
  summary: string,
  load: () => Promise<string | Buffer>,
  policy: string = CONTENT_SECURITY_POLICY,
): Route {
  const packed = packedPage(load, policy);
  return defineRoute({
    method: 'GET',
    path,
    id,
    summary,
    ...HTML_PAGE,
    prepare: () => packed.prepare(),
    handler: ({ accepts }) => packed.answer(accepts),
  });
}

/** A script or style sheet of a page. */
function part(
  path: string,
  id: string,
  type: string,
  load: () => Promise<Buffer>,
  answer: TSchema = binary(type),
): Route {
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
    responses: { 200: answer },
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
  return () => readFile(new URL(name, import.meta.url));
}
