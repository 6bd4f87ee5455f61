/** Reads an image from its input and writes it as a PNG (redraw.ts starts it). Any failure is exit code 1, without a word: what fails is the image. */
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { NOBODY_ELSE } from '../../config/programs.ts';
import { imageInfo, MAX_PIXELS } from '../../domain/images.ts';

/** Of each side: 10 cm in print. */
const SIDE = 1200;
const DEFAULT_DENSITY = 72;
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`);

try {
  giveUpRights();
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.concurrency(1);
  process.stdout.write(await draw(await buffer(process.stdin)));
} catch {
  process.exitCode = 1;
}

/** Everything that is needed of the machine has been loaded: from here on there is only the image. */
function giveUpRights(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000'); // it goes first when memory is short
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY_ELSE);
  process.setuid?.(NOBODY_ELSE);
}

async function draw(bytes: Buffer): Promise<Buffer> {
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
  const density = imageInfo(bytes)?.type === 'image/svg+xml' ? await densityOf(bytes) : DEFAULT_DENSITY;
  return sharp(bytes, { ...limits, density })
    .autoOrient()
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png()
    .toBuffer();
}

/** A drawing has no pixels of its own: it is drawn as large as is needed. */
async function densityOf(bytes: Buffer): Promise<number> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false, density: DEFAULT_DENSITY }).metadata();
  const density = (DEFAULT_DENSITY * SIDE) / Math.max(width, height, 1);
  return Math.min(100_000, Math.max(1, density));
}
