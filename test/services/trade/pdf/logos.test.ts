import assert from 'node:assert/strict';
import { pino } from 'pino';
import { redraw } from '../../../../services/platform/images/redraw.ts';
import { Outbound } from '../../../../services/platform/outbound/outbound.ts';
import { Logos } from '../../../../services/trade/pdf/logos.ts';
import { useReceiver } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { LOCAL_TARGETS, PUBLIC_TARGETS } from '../../../helpers/targets.ts';

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The picture redrawn, as a data URI. */
const DATA_URI = `data:image/png;base64,${(await redraw(PNG)).toString('base64')}`;
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>';
const MIB = 1024 * 1024;

describe('logos of documents', () => {
  let log: Record<string, unknown>[];
  let now: Date;
  const open = new Outbound({ targets: LOCAL_TARGETS });
  const guarded = new Outbound({ targets: PUBLIC_TARGETS });

  const receiver = useReceiver();
  beforeEach(() => {
    log = [];
    now = new Date('2026-06-15T10:00:00Z');
  });
  after(async () => {
    await open.close();
    await guarded.close();
  });

  function logos(outbound = open, timeoutMs = 5000, rest: { redraw?: typeof redraw } = {}): Logos {
    const logger = pino({}, { write: (entry: string) => void log.push(JSON.parse(entry) as Record<string, unknown>) });
    return new Logos({ outbound, logger, now: () => now, timeoutMs, ...rest });
  }
  const serve = (path: string, body: string | Buffer, type = 'image/png') =>
    receiver.answer(path, (response) => response.writeHead(200, { 'Content-Type': type }).end(body));
  const reason = () => log.at(-1)?.reason;

  it('become part of the page, by what they are and not by what they are called', async () => {
    serve('/logo', PNG, 'text/html');
    assert.equal(await logos().load('company', `${receiver.url}/logo?v=1#top`), DATA_URI);
    serve('/drawing', DRAWING, 'text/plain');
    assert.match((await logos().load('company', `${receiver.url}/drawing`)) ?? '', /^data:image\/png;base64,/);
    assert.equal(await logos().draw('company', PNG), DATA_URI);
    assert.deepEqual(log, []);
  });

  it('come over a few redirects, but not over many', async () => {
    receiver.answer('/moved', status(302, { Location: '/moved-on' }));
    receiver.answer('/moved-on', status(301, { Location: `${receiver.url}/logo` }));
    assert.equal(await logos().load('company', `${receiver.url}/moved`), DATA_URI);
    receiver.answer('/circle', status(302, { Location: '/circle' }));
    assert.equal(await logos().load('company', `${receiver.url}/circle`), null);
    assert.match(String(reason()), /too many redirects/);
    assert.equal(receiver.at('/circle').length, 4);
  });

  it("never come from the service's own network, nor by another protocol", async () => {
    const { port } = new URL(receiver.url);
    serve('/private', PNG);
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      assert.equal(await logos(guarded).load('company', `http://${host}:${port}/private`), null, host);
      assert.match(String(reason()), /private, loopback/);
    }
    assert.equal(receiver.at('/private').length, 0);
    receiver.answer('/away', status(302, { Location: 'ftp://example.com/logo.png' }));
    assert.equal(await logos().load('company', `${receiver.url}/away`), null);
  });

  it('are left out when they are too large, of another kind, too slow or not there', async () => {
    serve('/large', Buffer.concat([PNG, Buffer.alloc(MIB)]));
    serve('/page', '<html><body>not found</body></html>');
    const huge = Buffer.from(PNG);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    serve('/huge', huge);
    serve('/damaged', PNG.subarray(0, 40));
    receiver.answer('/gone', status(404));
    receiver.answer('/slow', (response) => response.write(PNG.subarray(0, 10)));
    const refused: [string, RegExp][] = [
      ['/large', /larger than 1 MiB/],
      ['/page', /no PNG/],
      ['/huge', /16 million pixels/],
      ['/gone', /404/],
      ['/slow', /./],
      ['/damaged', /cannot be drawn/],
    ];
    for (const [path, expected] of refused) {
      assert.equal(await logos(open, 300).load('company', `${receiver.url}${path}`), null, path);
      assert.match(String(reason()), expected);
    }
    for (const url of ['no address', 'file:///etc/passwd', 'http://user:secret@127.0.0.1/', 'http://127.0.0.1:1/']) {
      assert.equal(await logos().load('company', url), null, url);
    }
    assert.doesNotMatch(JSON.stringify(log), /secret|passwd/);
  });

  it('are kept for a while, and longer while their server fails', async () => {
    const url = `${receiver.url}/kept`;
    serve('/kept', PNG);
    const source = logos();
    await source.load('company', url);
    assert.equal(await source.load('company', url), DATA_URI);
    assert.equal(receiver.at('/kept').length, 1);
    now = new Date(now.getTime() + 11 * 60_000);
    receiver.answer('/kept', status(500));
    assert.equal(await source.load('company', url), DATA_URI);
    assert.equal(await source.load('company', url), DATA_URI);
    assert.equal(receiver.at('/kept').length, 2);
    now = new Date(now.getTime() + 2 * 60_000);
    serve('/kept', DRAWING);
    const changed = await source.load('company', url);
    assert.match(changed ?? '', /^data:image\/png/);
    assert.notEqual(changed, DATA_URI);
  });

  it('of one company that fail say nothing of those of another, and are not tried for each document', async () => {
    receiver.answer('/hostile', status(500));
    serve('/good', PNG);
    const source = logos();
    for (let document = 0; document < 5; document++) {
      assert.equal(await source.load('hostile', `${receiver.url}/hostile`), null);
    }
    assert.equal(receiver.at('/hostile').length, 1, 'once, whatever number of attempts');
    for (let number = 0; number < 10; number++) await source.load('hostile', `${receiver.url}/hostile?${number}`);
    assert.equal(receiver.at('/hostile').length, 3, 'nor by changing the address');
    for (let document = 0; document < 3; document++) {
      assert.equal(await source.load('other', `${receiver.url}/good`), DATA_URI);
    }
    assert.equal(receiver.at('/good').length, 1);
    now = new Date(now.getTime() + 11 * 60_000);
    serve('/hostile', PNG);
    assert.equal(await source.load('hostile', `${receiver.url}/hostile`), DATA_URI, 'it is tried again later');
  });

  it('are fetched once for documents that are made at the same time', async () => {
    serve('/together', PNG);
    const source = logos();
    const loaded = await Promise.all(
      Array.from({ length: 5 }, () => source.load('company', `${receiver.url}/together`)),
    );
    assert.deepEqual(new Set(loaded), new Set([DATA_URI]));
    assert.equal(receiver.at('/together').length, 1);
  });

  it('are forgotten when there are many', async () => {
    serve('/many', Buffer.concat([PNG, Buffer.alloc(MIB - PNG.length)]));
    // Drawing is irrelevant here.
    const source = logos(open, 5000, { redraw: async (bytes) => Buffer.from(bytes) });
    for (let number = 0; number < 25; number++) await source.load(`company ${number}`, `${receiver.url}/many`);
    assert.equal(receiver.at('/many').length, 25);
    await source.load('company 24', `${receiver.url}/many`);
    assert.equal(receiver.at('/many').length, 25);
    await source.load('company 0', `${receiver.url}/many`);
    assert.equal(receiver.at('/many').length, 26);
  });
});
