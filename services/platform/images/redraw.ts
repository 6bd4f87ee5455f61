/**
 * Redraws customers' images: the output is a PNG that the service made itself, whatever the input. Each image is handled in its own
 * process, without the service's environment and with limits on memory and time, so that a hostile image ends only that process.
 */
import { spawn } from 'node:child_process';
import { ownProgram } from '../../../config/programs.ts';
import { imageFault, imageInfo } from '../../../domain/platform/images.ts';

const TIMEOUT_MS = 5000;
/** KiB of data and seconds of CPU that the process may use. */
const LIMITS = 'ulimit -d 786432 && ulimit -t 20';
/** Maximum bytes of output; 1,200 × 1,200 pixels cannot produce more. */
const MAX_DRAWN = 8 * 1024 * 1024;

/** Thrown to refuse an image; the message continues a sentence: "is larger than 1 MiB". */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

export interface RedrawOptions {
  /** Environment of the process, e.g. where fonts are. */
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit per image; 5 s by default. */
  readonly timeoutMs?: number;
}

/**
 * Redraws an image as a PNG of at most 1,200 pixels per side: its first frame, upright, in sRGB, without metadata.
 * @throws ImageRefused for anything but a printable image
 */
export async function redraw(bytes: Uint8Array, options: RedrawOptions = {}): Promise<Buffer> {
  const fault = imageFault(bytes);
  if (fault !== undefined) throw new ImageRefused(fault);
  const { code, output, late } = await runOn(bytes, options);
  if (late) throw new ImageRefused('takes too long to be drawn');
  if (code !== 0 || output.length > MAX_DRAWN || imageInfo(output)?.type !== 'image/png') {
    throw new ImageRefused('cannot be drawn: it is damaged, or needs more than a logo may');
  }
  return output;
}

function runOn(
  bytes: Uint8Array,
  { env = {}, timeoutMs = TIMEOUT_MS }: RedrawOptions,
): Promise<{ code: number | null; output: Buffer; late: boolean }> {
  const { file, args } = ownProgram('services/platform/images/redraw-process');
  const [command, ...rest] =
    process.platform === 'win32' ? [file, ...args] : ['/bin/sh', '-c', `${LIMITS} && exec "$0" "$@"`, file, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command ?? file, rest, { env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let size = 0;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_DRAWN + 1) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    child.stdin.on('error', () => undefined); // The process ended before reading everything; its exit code tells.
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(chunks), late });
    });
    child.stdin.end(bytes);
  });
}
