/** Detects type and size of an image from its header alone, whatever the sender calls it. */

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export interface ImageInfo {
  readonly type: ImageType;
  /** Pixels when decoded; 0 for vector drawings, which have none. */
  readonly pixels: number;
}

/** @returns undefined for other kinds of files, or if the header is incomplete */
export function imageInfo(bytes: Uint8Array): ImageInfo | undefined {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return png(bytes, view) ?? gif(bytes, view) ?? webp(bytes, view) ?? jpeg(bytes, view) ?? svg(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The data ends before the size.
    throw error;
  }
}

function png(bytes: Uint8Array, view: DataView): ImageInfo | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12)) return undefined;
  return { type: 'image/png', pixels: view.getUint32(16) * view.getUint32(20) };
}

function gif(bytes: Uint8Array, view: DataView): ImageInfo | undefined {
  if (!startsWith(bytes, 'GIF87a') && !startsWith(bytes, 'GIF89a')) return undefined;
  return { type: 'image/gif', pixels: view.getUint16(6, true) * view.getUint16(8, true) };
}

/** Reads the three forms of WebP: lossy, lossless, and extended with the canvas size. */
function webp(bytes: Uint8Array, view: DataView): ImageInfo | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return undefined;
  const size = (width: number, height: number): ImageInfo => ({ type: 'image/webp', pixels: width * height });
  if (startsWith(bytes, 'VP8 ', 12)) return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (startsWith(bytes, 'VP8L', 12)) {
    const bits = view.getUint32(21, true);
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (!startsWith(bytes, 'VP8X', 12)) return undefined;
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1;
  return size(three(24), three(27));
}

/** Reads a JPEG, a sequence of segments; one of the frame headers (C0–CF except three) has the size. */
function jpeg(bytes: Uint8Array, view: DataView): ImageInfo | undefined {
  if (!startsWith(bytes, '\xff\xd8\xff')) return undefined;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { type: 'image/jpeg', pixels: view.getUint16(at + 5) * view.getUint16(at + 7) };
  }
  return undefined;
}

/** Markup that may precede an SVG element, with its end mark: a declaration, comments, a document type. */
const BEFORE_SVG = [
  ['<?xml', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE svg', '>'],
] as const;

/** Reads an SVG drawing; refuses entities of its own, which could multiply. */
function svg(bytes: Uint8Array): ImageInfo | undefined {
  let text = new TextDecoder().decode(bytes).trimStart();
  if (/<!ENTITY/i.test(text)) return undefined;
  for (let part = beforeSvg(text); part !== undefined; part = beforeSvg(text)) {
    const end = text.indexOf(part[1], part[0].length);
    if (end < 0) return undefined;
    text = text.slice(end + part[1].length).trimStart();
  }
  return /^<svg[\s/>]/i.test(text) ? { type: 'image/svg+xml', pixels: 0 } : undefined;
}

function beforeSvg(text: string) {
  return BEFORE_SVG.find(([start]) => text.startsWith(start));
}

function startsWith(bytes: Uint8Array, characters: string, at = 0): boolean {
  return [...characters].every((sign, index) => bytes[at + index] === sign.charCodeAt(0));
}

/** Maximum bytes of a printable image. */
export const MAX_IMAGE_BYTES = 1024 * 1024;
/** About 64 MB when decoded. */
export const MAX_PIXELS = 16_000_000;

/** Explains why bytes cannot be printed as an image; undefined if they can. */
export function imageFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_IMAGE_BYTES) return 'is larger than 1 MiB';
  const image = imageInfo(bytes);
  if (image === undefined) return 'is no PNG, JPEG, GIF, WebP or SVG';
  return image.pixels > MAX_PIXELS ? 'has more than 16 million pixels' : undefined;
}
