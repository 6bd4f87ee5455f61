import assert from 'node:assert/strict';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import type { Context } from '../../../db/context.ts';
import { notifyUser } from '../../../services/messages/notifications/notify.ts';
import { endTask, reportProgress } from '../../../services/platform/tasks/report.ts';
import { startTask } from '../../../services/platform/tasks/tasks.ts';
import { OWNER } from '../../helpers/app.ts';
import { NOW } from '../../helpers/clock.ts';
import { useApp } from '../../helpers/hooks.ts';
import { testChromium } from '../../helpers/servers.ts';
import { eventually } from '../../helpers/worker.ts';

const HOSTILE = '<img src=x onerror="document.title=1"> of Ana & Co';

describe('the page at /docs/notifications, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let elsewhere = '';
  const complaints: string[] = [];
  const asked: string[] = [];

  const app = useApp();
  before(async () => {
    const { executablePath } = await testChromium();
    browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--lang=en-GB'], headless: true });
    const company = { name: 'Otra SL', taxId: 'B12345674', country: 'ES' };
    elsewhere = (await app.client.post('/api/tenants', company)).body.data.id;
  });
  after(() => browser?.close());
  beforeEach(async () => {
    complaints.length = 0;
    asked.length = 0;
    page = await (await browser.createBrowserContext()).newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.address}/docs/notifications`);
  });
  afterEach(async () => {
    const origin = app.address.replace('http:', '');
    const foreign = asked.filter((url) => !url.startsWith('data:') && new URL(url).host !== origin.slice(2));
    assert.deepEqual([complaints, foreign], [[], []], 'nothing fails, nothing is loaded from elsewhere');
    assert.deepEqual(
      asked.filter((url) => url.includes('eyJ')),
      [],
      'no token is in an address',
    );
    await page.browserContext().close();
  });

  const context = (tenantId = app.tenantId): Context => {
    return { tenantId, userId: app.userId, actor: 'test', requestId: 'test', now: NOW };
  };
  const tell = (title: string, tenantId = app.tenantId) => {
    const ctx = context(tenantId);
    const text = { title, body: `About ${title}` };
    return app.database.withTenant(ctx, (trx) =>
      notifyUser(trx, ctx, app.userId, 'task_completed', { ...text, es: text }),
    );
  };
  const shows = (selector: string, text: string) =>
    page.waitForFunction(
      `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`,
      { timeout: 10_000 },
    );
  const titles = () => page.$$eval('#list strong', (shown) => shown.map(({ textContent }) => textContent));
  async function signIn() {
    await page.type('#email', OWNER.email);
    await page.type('#password', OWNER.password);
    await page.click('#login button');
    await shows('#state', 'Live');
  }
  const unread = async () => (await app.client.get('/api/notifications/unread-count')).body.unread_count as number;

  it('shows what comes, with the unread count, as plain text, and nothing of another company', async () => {
    await tell('Before');
    await signIn();
    await tell('Elsewhere', elsewhere);
    await tell(HOSTILE);
    await shows('#list li:first-child strong', HOSTILE);
    assert.deepEqual(await titles(), [HOSTILE, 'Before']);
    await shows('#unread', `${await unread()} unread`);
    assert.equal(await page.$('#list img'), null);
    const kept = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    assert.deepEqual(kept, [0, 0, '']);
    await page.select('#company', elsewhere);
    await shows('#list li:first-child strong', 'Elsewhere');
    assert.deepEqual(await titles(), ['Elsewhere']);
  });

  it('marks one as read, and all', async () => {
    await tell('One');
    await tell('Two');
    await signIn();
    const before = await unread();
    await page.click('#list li:first-child button');
    await shows('#unread', `${before - 1} unread`);
    assert.equal(await unread(), before - 1);
    await page.click('#read-all');
    await page.waitForSelector('#unread', { hidden: true });
    assert.deepEqual([await unread(), await page.$('#list button')], [0, null]);
  });

  it('leaves the focus where people go on', async () => {
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.parentElement.id');
    await tell('First');
    await tell('Second');
    const { body } = await app.client.get('/api/notifications?limit=2');
    const [second, first] = body.data.map(({ id }: { id: string }) => `n-${id}`);
    await page.type('#email', OWNER.email);
    await page.type('#password', 'no password of mine');
    await page.click('#login button');
    await shows('#problem', 'password');
    assert.equal(await focused(), 'login');
    await page.$eval('#password', (field) => Object.assign(field, { value: '' }));
    await page.type('#password', OWNER.password);
    await page.keyboard.press('Enter');
    await shows('#state', 'Live');
    assert.equal(await focused(), 'who');
    await page.click(`#${second} button`);
    await page.waitForSelector(`#${second}.unread`, { hidden: true });
    await eventually(async () => assert.equal(await focused(), first));
    await page.click('#read-all');
    await page.waitForSelector('#unread', { hidden: true });
    await eventually(async () => assert.equal(await focused(), 'read-all'));
  });

  it('shows how far a task is', async () => {
    await signIn();
    const ctx = context();
    const work = { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' } as const;
    const { id } = await app.database.withTenant(ctx, (trx) => startTask(trx, ctx, work));
    await app.database.withTenant(ctx, (trx) => reportProgress(trx, ctx, id, { progress: 40, message: '4 of 10' }));
    await shows('#task-list', '4 of 10');
    assert.equal(await page.$eval('#task-list progress', ({ value }) => value), 40);
    await app.database.withTenant(ctx, (trx) => endTask(trx, ctx, id, { message: 'Done' }));
    await shows('#task-list', 'completed');
    const next = await app.database.withTenant(ctx, (trx) => startTask(trx, ctx, work));
    await app.database.withTenant(ctx, (trx) => reportProgress(trx, ctx, next.id, { progress: 1, message: '1 of 99' }));
    await page.waitForSelector(`#t-${next.id}`);
    assert.equal((await app.client.del(`/api/tasks/${next.id}`)).status, 204);
    await page.waitForSelector(`#t-${next.id}`, { hidden: true });
    assert.ok(await page.$(`#t-${id}`), 'the other one stays');
  });

  it('comes back after the network was away, and has missed nothing', async () => {
    await tell('Seen');
    await signIn();
    await page.setOfflineMode(true);
    await shows('#state', 'Disconnected');
    for (const title of ['Missed 1', 'Missed 2']) await tell(title);
    await page.setOfflineMode(false);
    await shows('#list li:first-child strong', 'Missed 2');
    assert.deepEqual((await titles()).slice(0, 3), ['Missed 2', 'Missed 1', 'Seen']);
    await shows('#state', 'Live');
  });

  it('keeps nothing after signing out, which ends the session', async () => {
    await tell('Mine');
    await signIn();
    await shows('#list', 'Mine');
    await page.click('#sign-out');
    await shows('#state', 'Signed out');
    assert.deepEqual([await titles(), await page.$eval('#who', ({ textContent }) => textContent)], [[], '']);
    await tell('After');
    const ended = asked.filter((url) => url.endsWith('/api/auth/logout'));
    assert.equal(ended.length, 1);
    assert.deepEqual(await titles(), []);
  });

  it('says when a session ends elsewhere, and why somebody is not let in', async () => {
    await page.type('#token', 'no token at all');
    await page.click('#paste button');
    await shows('#problem', 'token');
    const { email, password } = OWNER;
    const { body } = await app.anonymous.post('/api/auth/login', { email, password });
    await page.$eval('#token', (field, token) => Object.assign(field, { value: token }), body.token);
    await page.click('#paste button');
    await shows('#state', 'Live');
    await app.as(body.token).post('/api/auth/logout', {});
    await shows('#problem', 'Signed out');
    assert.ok(await page.$('#desk[hidden]'));
  });

  it('says that a browser cannot be subscribed, and shows what is pushed', async () => {
    await page.browserContext().setPermission(app.address, { permission: { name: 'notifications' }, state: 'granted' });
    const devtools = await page.createCDPSession();
    await devtools.send('ServiceWorker.enable');
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first !== undefined) resolve(first.registrationId);
      });
    });
    await signIn();
    await page.click('#push');
    // No push service can be reached from here.
    await shows('#problem', 'did not subscribe');
    await shows('#push', 'Turn on push');
    const target = await browser.waitForTarget((one) => one.url() === `${app.address}/docs/notifications-worker.js`);
    const worker = await target.worker();
    // The Chromium of tests has no place for notifications: what would be shown is kept.
    await worker?.evaluate(
      'self.shown = []; registration.showNotification = async (...shown) => self.shown.push(shown)',
    );
    const data = JSON.stringify({ notification_id: 'n1', title: HOSTILE, body: 'Paid', action_url: null });
    const registrationId = await registered;
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: app.address, registrationId, data });
    const shown = () => worker?.evaluate('self.shown');
    await eventually(async () => assert.deepEqual(await shown(), [[HOSTILE, { body: 'Paid', tag: 'n1' }]]));
  });
});
