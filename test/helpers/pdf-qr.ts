/** Reads QR codes from pages of PDFs, as a phone would from paper. */
import { createCanvas } from '@napi-rs/canvas';
import jsqr from 'jsqr';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Pixels for each point, a 72nd of an inch. */
const SCALE = 3;
const MM_PER_POINT = 25.4 / 72;

/** Lengths in millimetres. */
export interface FoundQr {
  readonly text: string;
  readonly side: number;
  /** From the top of the page to the code, and from its left edge to the middle of it. */
  readonly top: number;
  readonly middle: number;
  readonly pageWidth: number;
  /** White on all sides of the code. */
  readonly quiet: number;
}

/** The code on a page; null if there is none. @param page from 1 */
export async function pageQr(pdf: Uint8Array, page = 1): Promise<FoundQr | null> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const sheet = await (await task.promise).getPage(page);
  const viewport = sheet.getViewport({ scale: SCALE });
  const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  await sheet.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise;
  const pixels = new Uint8ClampedArray(context.getImageData(0, 0, width, height).data);
  await task.destroy();
  const found = (jsqr as unknown as typeof jsqr.default)(pixels, width, height);
  if (found === null) return null;
  const mm = (length: number) => (length / SCALE) * MM_PER_POINT;
  const { topLeftCorner: start, topRightCorner: end, bottomLeftCorner: foot } = found.location;
  const isDark = (x: number, y: number) => (pixels[(Math.round(y) * width + Math.round(x)) * 4] ?? 255) < 128;
  const edge = (x: number) => {
    for (let y = Math.round(start.y); y <= foot.y; y++) if (isDark(x, y)) return true;
    return false;
  };
  let white = 2;
  while (white < start.x && !edge(start.x - white) && !edge(end.x + white)) white++;
  return {
    text: found.data,
    side: mm(end.x - start.x),
    top: mm(start.y),
    middle: mm((start.x + end.x) / 2),
    pageWidth: mm(width),
    quiet: mm(white),
  };
}
