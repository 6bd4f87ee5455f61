import assert from 'node:assert/strict';
import fc from 'fast-check';
import { imageInfo } from '../../../domain/platform/images.ts';

const text = (value: string) => Buffer.from(value, 'latin1');
/** Numbers of one (or with `2` two) bytes each, the high one first. */
const bytes = (...values: number[]) => Buffer.from(values);

const PNG = Buffer.concat([
  text('\x89PNG\r\n\x1a\n'),
  bytes(0, 0, 0, 13),
  text('IHDR'),
  bytes(0, 0, 1, 0),
  bytes(0, 0, 0, 2),
]);
const GIF = Buffer.concat([text('GIF89a'), bytes(10, 1, 3, 0)]);
const JPEG = Buffer.concat([
  bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xc0),
  bytes(0xff, 0xc4, 0, 2),
  bytes(0xff, 0xc2, 0, 17, 8, 1, 0, 0, 3),
]);
const riff = (kind: string, ...rest: number[]) =>
  Buffer.concat([text('RIFF'), bytes(0, 0, 0, 0), text(`WEBP${kind}`), bytes(0, 0, 0, 0, ...rest)]);
const LOSSY = riff('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x10, 0x40, 0x02, 0x00);
const LOSSLESS = riff('VP8L', 0x2f, 0x0f, 0x40, 0x00, 0x00);
const EXTENDED = riff('VP8X', 0, 0, 0, 0, 0xff, 0xff, 0x01, 0x01, 0, 0);

describe('images by their head', () => {
  it('are known with the pixels they unpack to', () => {
    assert.deepEqual(imageInfo(PNG), { type: 'image/png', pixels: 512 });
    assert.deepEqual(imageInfo(GIF), { type: 'image/gif', pixels: 266 * 3 });
    assert.deepEqual(imageInfo(JPEG), { type: 'image/jpeg', pixels: 256 * 3 });
    assert.deepEqual(imageInfo(LOSSY), { type: 'image/webp', pixels: 16 * 2 });
    assert.deepEqual(imageInfo(LOSSLESS), { type: 'image/webp', pixels: 16 * 2 });
    assert.deepEqual(imageInfo(EXTENDED), { type: 'image/webp', pixels: 0x20000 * 2 });
  });

  it('are drawings when they are SVG, whatever stands before it', () => {
    const drawings = [
      '<svg/>',
      '<svg width="1"></svg>',
      '\uFEFF <?xml version="1.0"?>\n<!-- made by hand --><!DOCTYPE svg PUBLIC "x" "y">\n<!-- > --><svg xmlns="x">',
    ];
    for (const drawing of drawings) assert.equal(imageInfo(Buffer.from(drawing))?.type, 'image/svg+xml', drawing);
  });

  it('are nothing else', () => {
    const others = [
      '',
      'GIF8',
      'text',
      '<html><svg></svg></html>',
      '<svgx>',
      '<?xml <svg>',
      '<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>',
      `${'<!---->'.repeat(100_000)}<html>`,
      '%PDF-1.7',
    ];
    for (const other of others) assert.equal(imageInfo(Buffer.from(other)), undefined, other.slice(0, 40));
  });

  it('never fail, however they are cut or damaged', () => {
    const samples = [PNG, GIF, JPEG, LOSSY, LOSSLESS, EXTENDED];
    for (const sample of samples) {
      for (let length = 0; length < sample.length; length++)
        assert.equal(imageInfo(sample.subarray(0, length)), undefined);
    }
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.uint8Array({ maxLength: 40 }), fc.nat(20), (sample, noise, at) => {
        imageInfo(Buffer.concat([sample.subarray(0, at), noise]));
      }),
    );
  });
});
