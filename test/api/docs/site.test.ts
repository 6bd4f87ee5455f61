import assert from 'node:assert/strict';
import { useApp } from '../../helpers/hooks.ts';

/** Pages of the site and what else links on them may lead to. */
const OTHERS = ['/docs/try', '/docs/notifications', '/api/openapi.json'];

describe('the pages at /docs', function () {
  this.timeout(60_000);
  const app = useApp({ setUp: false });
  const read = async (path: string) => {
    const { status, body } = await app.anonymous.get(path);
    assert.equal(status, 200, path);
    return String(body);
  };
  const linksIn = (html: string) => [...html.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href]) => String(href));
  const idsIn = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => String(id));
  /** All pages, found by following links from the first one. */
  const all = async () => {
    const pages = new Map<string, string>();
    const waiting = ['/docs'];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      if (pages.has(path)) continue;
      const html = await read(path);
      pages.set(path, html);
      for (const href of linksIn(html)) {
        const [target = ''] = href.split('#');
        if (target.startsWith('/docs') && !OTHERS.includes(target)) waiting.push(target);
      }
    }
    return pages;
  };

  it('have no link that leads nowhere, and no id twice', async () => {
    const pages = await all();
    assert.ok(pages.size > 80, String(pages.size));
    const broken: string[] = [];
    for (const [path, html] of pages) {
      const ids = idsIn(html);
      assert.equal(new Set(ids).size, ids.length, `${path}: ${ids.filter((id, at) => ids.indexOf(id) !== at)}`);
      for (const href of linksIn(html)) {
        const [target = '', id] = href.split('#');
        if (OTHERS.includes(target) || target.startsWith('https:')) continue;
        const there = target === '' ? html : pages.get(target);
        const isThere = there !== undefined && (id === undefined || idsIn(there).includes(decodeURIComponent(id)));
        if (!isThere) broken.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('show each operation once, with examples for curl, TypeScript and Python', async () => {
    const { paths } = (await app.anonymous.get('/api/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
    };
    const pages = [...(await all()).entries()].filter(([path]) => path.startsWith('/docs/reference/'));
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.values(item).map((one) => ({ ...one, path })),
    );
    for (const { operationId, path } of operations) {
      const found = pages.flatMap(([, html]) => html.split(`<article class="operation" id="${operationId}">`).slice(1));
      assert.equal(found.length, 1, operationId);
      const [text = ''] = (found[0] ?? '').split('</article>');
      assert.ok(text.includes(`<code>${path}</code>`), operationId);
      for (const language of ['sh', 'ts', 'python'])
        assert.equal(text.split(`data-language="${language}"`).length, 2, `${operationId} ${language}`);
    }
  });

  it('are found by their words: headings of the guide, and operations by summary, path and id', async () => {
    const { body } = await app.anonymous.get('/docs/search.json');
    const entries = body as { path: string; title: string; words: string }[];
    const find = (word: string) =>
      entries.filter(({ title, words }) => `${title} ${words}`.includes(word)).map(({ path }) => path);
    assert.ok(find('createSalesInvoice').includes('/docs/reference/sales#createSalesInvoice'));
    assert.ok(find('/api/payments/in').includes('/docs/reference/payments#registerPaymentIn'));
    assert.ok(find('Closing a year').includes('/docs/guide/accounting#closing-a-year'));
    assert.ok(entries.length > 600, String(entries.length));
  });

  it('need no script to be read, and refuse what is not there', async () => {
    assert.match(await read('/docs'), /<h2 id="quick-start">/);
    for (const path of ['/docs/guide/nothing', '/docs/reference/__proto__', '/docs/guide/before-you-begin/x']) {
      const { status, body } = await app.anonymous.get(path);
      assert.deepEqual([status, body.code], [404, 'not_found'], path);
    }
  });
});
