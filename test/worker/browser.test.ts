import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { findChromium } from '../../runtime/chromium.ts';
import { Browser } from '../../worker/browser.ts';
import { pdfText } from '../helpers/pdf-text.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { testChromium } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly uid: number;
  readonly args: string;
}

function processes(): Process[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,uid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => {
    const [pid, parent, uid, ...args] = row.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), uid: Number(uid), args: args.join(' ') };
  });
}

function descendants(pid: number, all = processes()): Process[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendants(child.pid, all)]);
}

/** Empty for what the sandbox has closed to others, or what has ended meanwhile. */
function processEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

describe('the browser that prints', function () {
  this.timeout(60_000);
  const browser = new Browser(testChromium, pino({ level: 'silent' }));
  after(() => browser.close());

  it('fetches nothing and runs no script while printing', async () => {
    const receiver = await startReceiver();
    const html = `<body><img src="${receiver.url}/image"><iframe src="${receiver.url}/frame"></iframe>
      <link rel="stylesheet" href="${receiver.url}/style"><script>fetch('${receiver.url}/script')</script>text`;
    const pdf = Buffer.from(await browser.print({ html, footer: '<span></span>' }));
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(receiver.received, []);
    await receiver.close();
  });

  it('renders pictures at twice the resolution, and fetches nothing for them', async () => {
    const receiver = await startReceiver();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="76" height="30"><rect width="76" height="30" fill="#0f0"/>
      <image href="${receiver.url}/image" width="9" height="9"/><script>fetch('${receiver.url}/script')</script></svg>`;
    const png = Buffer.from(await browser.draw({ svg, width: 76, height: 30 }));
    // A PNG tells its size in the first block.
    assert.deepEqual([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], ['PNG', 152, 60]);
    assert.deepEqual(receiver.received, []);
    await receiver.close();
  });

  it('has the fonts that documents name, whatever fonts the machine has', async () => {
    const families = ['Noto Sans', 'Noto Serif', 'Noto Sans Mono'];
    const html = families.map((family) => `<p style="font-family: '${family}'">Factura <b>1.234,56 €</b></p>`).join('');
    const footer = `<span style="font: 7pt 'Noto Serif'">1/1</span>`;
    const pdf = Buffer.from(await browser.print({ html, footer })).toString('latin1');
    const fonts = [...pdf.matchAll(/\/FontName \/(?:[A-Z]{6}\+)?([\w-]+)/g)].map(([, name]) => name);
    const expected = ['NotoSans', 'NotoSansMono', 'NotoSerif'].flatMap((name) => [`${name}-Bold`, `${name}-Regular`]);
    assert.deepEqual([...new Set(fonts)].sort(), expected.sort());
  });

  it('reads no file of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'browser-test-'));
    chmodSync(folder, 0o755);
    const file = pathToFileURL(join(folder, 'secret.html')).href;
    writeFileSync(join(folder, 'secret.html'), '<p>Betriebsgeheimnis');
    const html = `<body>Rechnung <iframe src="${file}"></iframe><object data="${file}"></object><embed src="${file}">
      <link rel="stylesheet" href="${file}"><iframe srcdoc="<iframe src='${file}'></iframe>"></iframe>`;
    const text = await pdfText(await browser.print({ html, footer: '<span></span>' }));
    rmSync(folder, { recursive: true });
    assert.match(text, /Rechnung/);
    assert.doesNotMatch(text, /geheimnis/);
  });

  it('prints large tables one at a time, without tags, and keeps no page of them', async () => {
    const found = await testChromium();
    const chromium = await found.launch();
    const own = new Browser(async () => ({ ...found, launch: async () => chromium }), pino({ level: 'silent' }));
    const table = (rows: number) => ({
      html: `<table>${'<tr><td>1<td>2'.repeat(rows)}</table>`,
      footer: '<span></span>',
    });
    const isTagged = (pdf: Uint8Array) => Buffer.from(pdf).includes('/StructTreeRoot');
    try {
      assert.ok(isTagged(await own.print(table(10))));
      const kept = (await chromium.pages()).length;
      let most = 0;
      chromium.on('targetcreated', async () => {
        most = Math.max(most, (await chromium.pages()).length);
      });
      const pdfs = await Promise.all([own.print(table(5001)), own.print(table(5001))]);
      assert.deepEqual(pdfs.map(isTagged), [false, false]);
      assert.deepEqual([most, (await chromium.pages()).length], [kept + 1, kept]);
    } finally {
      await own.close();
    }
  });

  it('is restarted after a crash', async () => {
    const print = () => browser.print({ html: '<p>text', footer: '<span></span>' });
    await print();
    const children = processes().filter(({ parent, args }) => parent === process.pid && /chrom/i.test(args));
    assert.equal(children.length, 1);
    process.kill(children[0]?.pid ?? 0, 'SIGKILL');
    await eventually(async () => assert.ok((await print()).length > 500, 'a PDF is printed'));
  });

  describe('in a service that knows secrets', () => {
    const SECRETS = { DATABASE_URL: 'postgres://secret', ENCRYPTION_KEY: 'k'.repeat(40), JWT_SECRET: 'j'.repeat(40) };
    const NEEDED = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'].concat([
      'HOME',
      'XDG_CACHE_HOME',
      'XDG_CONFIG_HOME',
      'TMPDIR',
      'PWD',
    ]);
    const log: string[] = [];
    let chromium: Awaited<ReturnType<typeof findChromium>>;
    let knowing: Browser | undefined;
    let started: Process[];
    before(async function () {
      if (process.platform !== 'linux') this.skip();
      Object.assign(process.env, SECRETS);
      chromium = await findChromium();
      knowing = new Browser(async () => chromium, pino({}, { write: (entry: string) => void log.push(entry) }));
      await knowing.print({ html: '<p>text', footer: '<span></span>' });
      started = descendants(process.pid).filter(({ args }) => /chrom/i.test(args));
      assert.ok(started.length > 2, 'the browser has processes');
    });
    after(async () => {
      for (const name of Object.keys(SECRETS)) delete process.env[name];
      await knowing?.close();
    });

    it('has its own environment, without the secrets of the service', () => {
      // Chromium writes the titles of its further processes over their environments; the first one's stays.
      const main = started.filter(({ parent }) => parent === process.pid).flatMap(({ pid }) => processEnvironment(pid));
      const names = new Set(main.map((variable) => variable.split('=')[0] ?? ''));
      assert.ok(names.has('PATH'), 'its environment is read');
      for (const name of NEEDED) names.delete(name);
      assert.deepEqual([...names], []);
      const all = started.flatMap(({ pid }) => processEnvironment(pid)).join('\n');
      for (const [name, value] of Object.entries(SECRETS)) assert.ok(!all.includes(name) && !all.includes(value), name);
    });

    it('runs as its own user where the machine allows', function () {
      if (process.getuid?.() !== 0 || !chromium.isolation.user) this.skip();
      for (const { uid } of started) assert.notEqual(uid, 0);
    });

    it('logs whether it runs in its sandbox', () => {
      const { sandbox } = chromium.isolation;
      assert.match(log.join(''), sandbox ? /"level":30.*in its sandbox/ : /"level":40.*without its sandbox/);
    });
  });
});
