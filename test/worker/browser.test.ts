import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pino } from 'pino';
import { Browser } from '../../worker/browser.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { testChromium } from '../helpers/servers.ts';
import { eventually } from '../helpers/worker.ts';

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

  it('has the fonts that documents name, whatever the machine has', async () => {
    const families = ['Noto Sans', 'Noto Serif', 'Noto Sans Mono'];
    const html = families.map((family) => `<p style="font-family: '${family}'">Factura <b>1.234,56 €</b></p>`).join('');
    const footer = `<span style="font: 7pt 'Noto Serif'">1/1</span>`;
    const pdf = Buffer.from(await browser.print({ html, footer })).toString('latin1');
    const fonts = [...pdf.matchAll(/\/FontName \/(?:[A-Z]{6}\+)?([\w-]+)/g)].map(([, name]) => name);
    const expected = ['NotoSans', 'NotoSansMono', 'NotoSerif'].flatMap((name) => [`${name}-Bold`, `${name}-Regular`]);
    assert.deepEqual([...new Set(fonts)].sort(), expected.sort());
  });

  it('is started again after it died', async () => {
    const print = () => browser.print({ html: '<p>text', footer: '<span></span>' });
    await print();
    const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, parent, program]) => Number(parent) === process.pid && /chrom/i.test(program ?? ''));
    assert.equal(children.length, 1);
    process.kill(Number(children[0]?.[0]), 'SIGKILL');
    await eventually(async () => assert.ok((await print()).length > 500, 'a PDF is printed'));
  });
});
