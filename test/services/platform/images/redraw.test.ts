import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { ImageRefused, redraw } from '../../../../services/platform/images/redraw.ts';

const RED = { r: 200, g: 0, b: 0 };
const square = (side = 40) => sharp({ create: { width: side, height: side, channels: 3, background: RED } });

const OPEN = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:xi="http://www.w3.org/2001/XInclude" width="200" height="100">`;
const svg = (content: string) => Buffer.from(`${OPEN}${content}</svg>`);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, body, crc]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A valid PNG of black, a bit for each pixel: some kilobytes for a hundred million of them. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

/** Returns the size and colours of a redrawn image, and the colour of its first pixel. */
async function drawn(bytes: Uint8Array) {
  const image = sharp(await redraw(bytes));
  const { format, width, height, space, pages } = await image.metadata();
  const [r, g, b] = await image.removeAlpha().raw().toBuffer();
  return { format, width, height, space, pages, colour: { r, g, b } };
}

const near = (one: unknown, other: typeof RED) => {
  for (const [name, value] of Object.entries(one as typeof RED))
    assert.ok(Math.abs(value - other[name as keyof typeof RED]) < 20, `${name} is ${value}`);
};

describe('images that are drawn again', function () {
  this.timeout(60_000);

  for (const format of ['png', 'jpeg', 'gif', 'webp'] as const)
    it(`${format} comes out as a PNG of the same picture`, async () => {
      const { colour, ...rest } = await drawn(await square().toFormat(format).toBuffer());
      assert.deepEqual(rest, { format: 'png', width: 40, height: 40, space: 'srgb', pages: undefined });
      near(colour, RED);
    });

  it('in the colours of presses, many megapixels or upright by their notes come out as screens show them', async () => {
    const cmyk = await drawn(await square().toColourspace('cmyk').jpeg().toBuffer());
    assert.equal(cmyk.space, 'srgb');
    near(cmyk.colour, { r: 200, g: 0, b: 0 });
    const large = await drawn(await square(3000).png().toBuffer());
    assert.deepEqual([large.width, large.height], [1200, 1200]);
    const turned = await square(40).resize(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const upright = await drawn(turned);
    assert.deepEqual([upright.width, upright.height], [20, 40]);
  });

  it('that move are their first picture', async () => {
    const blue = await square().tint('blue').png().toBuffer();
    const moving = await sharp([await square().png().toBuffer(), blue], { join: { animated: true } })
      .gif()
      .toBuffer();
    assert.equal((await sharp(moving, { animated: true }).metadata()).pages, 2);
    const { pages, height, colour } = await drawn(moving);
    assert.deepEqual([pages, height], [undefined, 40]);
    near(colour, RED);
  });

  it('bring nothing along: no words, no other file behind them', async () => {
    const words = '<script>alert(1)</script>';
    const text = chunk('tEXt', Buffer.from(`Comment\0${words}`));
    const png = await square().png().toBuffer();
    const polyglot = Buffer.concat([png.subarray(0, 33), text, png.subarray(33), Buffer.from(`PK\x03\x04${words}`)]);
    assert.ok((await redraw(polyglot)).indexOf('script') < 0);
  });

  it('are drawings as large as print needs them', async () => {
    const { width, height, format } = await drawn(svg('<rect width="200" height="100" fill="red"/>'));
    assert.deepEqual({ format, width, height }, { format: 'png', width: 1200, height: 600 });
  });

  it('are drawings that read nothing of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redraw-'));
    chmodSync(folder, 0o755);
    const picture = join(folder, 'picture.png');
    writeFileSync(picture, await square(100).png().toBuffer());
    writeFileSync(join(folder, 'words.txt'), 'words');
    const url = (name: string) => pathToFileURL(join(folder, name)).href;
    const blank = await redraw(svg('<rect width="1" height="1"/>'));
    for (const reading of [
      `<image width="200" height="100" xlink:href="${url('picture.png')}"/>`,
      `<image width="200" height="100" href="picture.png"/>`,
      `<text y="50" font-size="40"><xi:include href="${url('words.txt')}" parse="text"/></text>`,
      `<style>@import url("${url('words.txt')}");</style>`,
    ])
      assert.deepEqual(await redraw(svg(`<rect width="1" height="1"/>${reading}`)), blank, reading);
    rmSync(folder, { recursive: true });
  });

  it('are drawings without the picture of gigabytes that somebody has put into them', async () => {
    const url = `data:image/png;base64,${blackPng(40_000, 20_000).toString('base64')}`;
    const bomb = svg(`<image width="200" height="100" xlink:href="${url}"/>`);
    assert.deepEqual(await redraw(bomb), await redraw(svg('')));
  });

  const uses = (levels: number) =>
    Array.from({ length: levels }, (_, level) => {
      const below = level === 0 ? '<rect width="1" height="1"/>' : `<use xlink:href="#l${level - 1}"/>`.repeat(10);
      return `<g id="l${level}">${below}</g>`;
    }).join('');
  const bombs: [string, () => Buffer, RegExp][] = [
    ['a pixel wide and a billion high', () => makeBlackPng(1, 1_000_000_000), /more than 16 million pixels/],
    ['of more pixels than their head is believed', () => blackPng(8000, 8000), /more than 16 million pixels/],
    [
      'a drawing of a billion pixels',
      () => Buffer.from(`${OPEN.replaceAll(/"[12]00"/g, '"1000000000"')}</svg>`),
      /drawn/,
    ],
    [
      'a drawing that repeats itself without end',
      () => svg(`<defs>${uses(30)}</defs><use xlink:href="#l29"/>`),
      /drawn/,
    ],
    ['cut off', () => blackPng(100, 100).subarray(0, 60), /cannot be drawn/],
    ['of a kind that is not printed', () => Buffer.from('II*\0\x08\0\0\0', 'latin1'), /no PNG, JPEG, GIF, WebP or SVG/],
  ];
  function makeBlackPng(width: number, height: number): Buffer {
    const png = blackPng(1, 1);
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    return png;
  }
  for (const [what, bytes, reason] of bombs)
    it(`are refused when they are ${what}, and harm nothing`, async () => {
      await assert.rejects(redraw(bytes(), { timeoutMs: 3000 }), (error: Error) => {
        assert.ok(error instanceof ImageRefused, String(error));
        assert.match(error.message, reason);
        return true;
      });
      assert.equal((await drawn(await square().png().toBuffer())).width, 40);
    });
});
