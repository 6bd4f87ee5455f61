import assert from 'node:assert/strict';
import puppeteer, { type Browser } from 'puppeteer';
import { useApp } from '../../../helpers/hooks.ts';
import { mailedToken } from '../../../helpers/mails.ts';
import { testChromium } from '../../../helpers/servers.ts';

describe('the invitation page in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;

  const app = useApp();
  before(async () => {
    const { executablePath } = await testChromium();
    browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--lang=en-GB'], headless: true });
  });
  after(() => browser?.close());

  it('asks for a password if needed, accepts, and sends the token to the service only', async () => {
    const email = 'nina@example.test';
    await app.client.post('/api/users', { email, name: 'Nina' });
    const token = await mailedToken(app, email);
    const page = await browser.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.address}/invitations#${token}`);
    const says = (text: string) => page.waitForSelector(`#message::-p-text(${text})`);
    await page.click('#accept');
    await says('Choose a password');
    await page.type('#password', 'correct horse battery');
    await page.click('#accept');
    await says('You are now a member of Almacenes Prueba SL');
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      asked.filter(
        (url) => new URL(url).search.includes('inv_') || (!/^data:/.test(url) && !url.startsWith(app.address)),
      ),
      [],
    );
    const login = await app.anonymous.post('/api/auth/login', { email, password: 'correct horse battery' });
    assert.equal(login.status, 200);
  });
});
