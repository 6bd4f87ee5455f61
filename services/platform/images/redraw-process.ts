/**
 * Reads an image from stdin and writes it as a PNG (started by redraw.ts). Any failure is exit code 1 without a message: the image is
 * always the cause.
 */
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { NOBODY_ELSE } from '../../../config/programs.ts';
import { imageInfo, MAX_PIXELS } from '../../../domain/platform/images.ts';

/** Maximum pixels of each side: 10 cm in print. */
const SIDE = 1200;
const DEFAULT_DENSITY = 72;
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Svg'].map((name) => `VipsForeignLoad${name}Buffer`);

try {
  dropPrivileges();
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  sharp.concurrency(1);
  process.stdout.write(await draw(await buffer(process.stdin)));
} catch {
  process.exitCode = 1;
}

/** Drops privileges once everything needed from the machine is loaded: from then on only the image is processed. */
function dropPrivileges(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000'); // The first to be killed when memory is short.
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(NOBODY_ELSE);
  process.setuid?.(NOBODY_ELSE);
}

async function draw(bytes: Buffer): Promise<Buffer> {
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
  const density = imageInfo(bytes)?.type === 'image/svg+xml' ? await readDensity(bytes) : DEFAULT_DENSITY;
  return sharp(bytes, { ...limits, density })
    .autoOrient()
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png()
    .toBuffer();
}

/** Chooses the density of a vector drawing, which has no pixels of its own, for the required size. */
async function readDensity(bytes: Buffer): Promise<number> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false, density: DEFAULT_DENSITY }).metadata();
  const density = (DEFAULT_DENSITY * SIDE) / Math.max(width, height, 1);
  return Math.min(100_000, Math.max(1, density));
}
