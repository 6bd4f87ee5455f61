/** Finds a Chromium that runs on this machine. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser } from 'puppeteer';
import { type Isolation, isolations, launchApart } from './chromium-launch.ts';
import { ownModule, runCommand } from './command.ts';
import { errorMessage } from './errors.ts';
import { createWholeFolder, sharedCacheDirectory } from './files.ts';
import { fontEnvironment } from './fonts.ts';
import { onPath } from './go-install.ts';

export interface Chromium {
  readonly executablePath: string;
  /** Its isolation, as far as this machine supports it. */
  readonly isolation: Isolation;
  launch(): Promise<Browser>;
}

const NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
const PLACES = [
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const LAUNCH_MS = 30_000;

/**
 * Finds the first Chromium that launches: PUPPETEER_EXECUTABLE_PATH, an installed one, the one in the npm package (unpacked once into a
 * cache), puppeteer's own download.
 * @param env usually `process.env`
 * @throws Error with a remedy if none runs
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<Chromium> {
  const fonts = await fontEnvironment(env);
  const explicit = env.PUPPETEER_EXECUTABLE_PATH;
  if (explicit) {
    const found = await launchable(explicit, env, fonts);
    if (typeof found !== 'string') return found;
    throw new Error(
      `PUPPETEER_EXECUTABLE_PATH is "${explicit}", which does not run as a Chromium (${found}): correct or unset it`,
    );
  }
  const failures: string[] = [];
  for (const candidates of [installed, bundled, downloaded]) {
    for (const path of await candidates(env, failures)) {
      const found = await launchable(path, env, fonts);
      if (typeof found !== 'string') return found;
      failures.push(`${path}: ${found}`);
    }
  }
  throw new Error(
    `No Chromium runs here: install chromium or google-chrome, or set PUPPETEER_EXECUTABLE_PATH (${failures.join('; ') || 'none found'})`,
  );
}

function installed(env: NodeJS.ProcessEnv): string[] {
  return [...new Set([...NAMES.flatMap((name) => onPath(name, env)), ...PLACES.filter((path) => existsSync(path))])];
}

/** Executables of the npm package: with the system's libraries, then with those of the package. */
async function bundled(env: NodeJS.ProcessEnv, failures: string[]): Promise<string[]> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return [];
  try {
    const folder = await unpacked(env);
    return [join(folder, 'with-system-libraries'), join(folder, 'with-own-libraries')];
  } catch (error) {
    failures.push(`@sparticuz/chromium: ${errorMessage(error)}`);
    return [];
  }
}

async function downloaded(): Promise<string[]> {
  const { default: puppeteer } = await import('puppeteer');
  const path = await puppeteer.executablePath();
  return existsSync(path) ? [path] : [];
}

/** Returns the folder of the unpacked package. */
async function unpacked(env: NodeJS.ProcessEnv): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest = join(dirname(main), '../../package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(sharedCacheDirectory(env), `browser-${version}`);
  await createWholeFolder(folder, async (draft) => {
    // The package unpacks its libraries only if it believes that it runs on that service.
    const unpackEnv = { ...env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    const { code, output } = await runCommand(
      ownModule('runtime/chromium-unpack', [], unpackEnv),
      AbortSignal.timeout(120_000),
    );
    if (code !== 0) throw new Error(`unpacking failed: ${output.split('\n').at(-1)}`);
    chmodSync(join(draft, 'chromium'), 0o755);
    // The TypeScript loader also caches in TMPDIR.
    for (const name of readdirSync(draft)) if (name.startsWith('tsx-')) rmSync(join(draft, name), { recursive: true });
    writeLauncher(draft, folder, 'with-system-libraries', '');
    writeLauncher(draft, folder, 'with-own-libraries', `export LD_LIBRARY_PATH='${folder}/al2023/lib'\n`);
  });
  return folder;
}

function writeLauncher(draft: string, folder: string, name: string, setting: string): void {
  const script = `#!/bin/sh\n${setting}exec '${folder}/chromium' "$@"\n`;
  writeFileSync(join(draft, name), script, { mode: 0o755 });
}

/**
 * Launches a browser for a moment, with the best isolation that works.
 * @returns how to launch it, or why it cannot be launched
 */
async function launchable(
  executablePath: string,
  env: NodeJS.ProcessEnv,
  fonts: Record<string, string>,
): Promise<Chromium | string> {
  let failure = '';
  for (const isolation of isolations(env)) {
    const launch = () => launchApart(executablePath, isolation, { env, fonts, timeout: LAUNCH_MS });
    try {
      const browser = await launch();
      await browser.close();
      return { executablePath, isolation, launch };
    } catch (error) {
      failure = errorMessage(error).split('\n')[0] ?? '';
    }
  }
  return failure;
}
