import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { useApp } from '../helpers/hooks.ts';
import { testChromium } from '../helpers/servers.ts';

/** Findings of axe-core, as far as we look at them. */
interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

describe('the pages at /docs, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;

  const app = useApp();
  before(async () => {
    const { executablePath } = await testChromium();
    browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'], headless: true });
  });
  after(() => browser?.close());

  /** Opens a page. `close` asserts that it kept to its policy, and loaded nothing from elsewhere. */
  async function open(path: string, width = 1280): Promise<Page & { closeSound(): Promise<void> }> {
    const page = await browser.newPage();
    await page.setViewport({ width, height: 1600 });
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.address}${path}`);
    return Object.assign(page, {
      async closeSound() {
        await page.close();
        assert.deepEqual(complaints, []);
        const elsewhere = asked.filter((url) => !url.startsWith(app.address) && !url.startsWith('data:'));
        assert.deepEqual(elsewhere, [], 'nothing is loaded from elsewhere');
      },
    });
  }

  it('try requests out: every group is there, and a request is answered', async () => {
    const page = await open('/docs/try#/Operation/isLive');
    await page.waitForSelector('.opblock-tag');
    const { body } = await app.anonymous.get('/api/openapi.json');
    const tags = await page.$$eval('.opblock-tag', (shown) => shown.map((tag) => tag.getAttribute('data-tag')));
    assert.deepEqual(new Set(tags), new Set((body as { tags: { name: string }[] }).tags.map(({ name }) => name)));

    await page.waitForSelector('#operations-Operation-isLive .execute');
    await page.click('#operations-Operation-isLive .execute');
    await page.waitForSelector('#operations-Operation-isLive .live-responses-table');
    const answer = await page.$eval('.live-responses-table', (table) => table.textContent);
    assert.match(answer ?? '', /200/);
    const sent = await page.$eval('#operations-Operation-isLive .curl', (command) => command.textContent);
    assert.doesNotMatch(sent ?? '', /X-Request-Id/, 'what is optional is sent only when it is filled in');
    await page.closeSound();
  });

  it('find operations from the keyboard, and show examples in the chosen language', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('create a sales invoice');
    await page.waitForSelector('#site-found:not([hidden]) li');
    await page.keyboard.press('ArrowDown');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/docs/reference/sales#createSalesInvoice');
    const shown = () =>
      page.$$eval('#createSalesInvoice .sample', (samples) =>
        samples.filter((one) => one.checkVisibility()).map((one) => one.textContent),
      );
    assert.match((await shown()).join(), /^curlcurl -sS/);
    await page.select('#site-language', 'python');
    assert.match((await shown()).join(), /^Pythonanswer = client\.sales\.invoices\.create/);
    await page.reload();
    assert.equal((await shown()).length, 1, 'it is remembered');
    await page.closeSound();
  });

  it('open the Temporal UI with what operators look for', async () => {
    const page = await open('/docs/operators');
    await page.$eval('[name=company]', (input) => {
      input.value = '';
    });
    await page.type('[name=company]', 'nu-co');
    const queries = await page.$$eval('tr[data-query] code', (codes) => codes.map((code) => code.textContent));
    assert.ok(queries.includes('Company = "nu-co" AND ExecutionStatus = "Failed"'), queries.join('\n'));
    assert.ok(
      queries.every((query) => !query?.includes('{')),
      'nothing is left to fill in',
    );
    await page.closeSound();
  });

  it('can be read by everybody: contrast, names, landmarks and order, in light and in dark', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const path of [
      '/docs',
      '/docs/guide/payments',
      '/docs/reference/partners',
      '/docs/errors',
      '/docs/operators',
    ]) {
      for (const theme of ['light', 'dark']) {
        const page = await open(path);
        await page.select('#site-theme', theme);
        await page.evaluate(axe);
        const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Finding[];
        const words = found.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`);
        assert.deepEqual(words, [], `${path}, ${theme}`);
        await page.closeSound();
      }
    }
  });

  it('fit a narrow screen', async () => {
    const page = await open('/docs/reference/partners', 380);
    const { scrollWidth, clientWidth } = await page.$eval('html', ({ scrollWidth, clientWidth }) => ({
      scrollWidth,
      clientWidth,
    }));
    assert.ok(scrollWidth <= clientWidth + 1, `${scrollWidth} of ${clientWidth}`);
    await page.closeSound();
  });
});
