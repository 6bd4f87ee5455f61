import assert from 'node:assert/strict';
import puppeteer, { type Browser } from 'puppeteer';
import { useApp } from '../helpers/hooks.ts';
import { testChromium } from '../helpers/servers.ts';

describe('the page at /docs, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;

  const app = useApp();
  before(async () => {
    const { executablePath } = await testChromium();
    browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'], headless: true });
  });
  after(() => browser?.close());

  it('shows every group of routes, keeps to its policy, and sends requests', async () => {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 1600 });
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.address}/docs#/Operation/isLive`);
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

    assert.deepEqual(complaints, []);
    const elsewhere = asked.filter((url) => !url.startsWith(app.address) && !url.startsWith('data:'));
    assert.deepEqual(elsewhere, [], 'nothing is loaded from elsewhere');
  });
});
