/**
 * Records the first two minutes with the service for the README: `npm run recording`. Starts a service of its own on the usual
 * ports, which must be free, types the commands of "The first calls" into a shell, and writes what the terminal shows to
 * docs/first-minutes.cast (asciicast 2). Pauses longer than two seconds are cut short by whoever plays it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const TARGET = join(ROOT, 'docs/first-minutes.cast');
const SIZE = { width: 110, height: 32 };
const READY = 'Ctrl-C stops everything';
const DONE = '\u0001done\u0001';
const PROMPT = '\u001b[32m$\u001b[0m ';
const KEY_MS = 18;
const START_MS = 10 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'recording-'));
const events: [number, 'o', string][] = [];
const begun = Date.now();

/** Puts what a terminal shows into the recording. */
function show(text: string): void {
  const shown = text
    .replaceAll(folder, '.data')
    .replaceAll(ROOT, '.')
    .replaceAll(homedir(), '~')
    .replaceAll(/\r?\n/g, '\r\n');
  events.push([(Date.now() - begun) / 1000, 'o', shown]);
}

async function type(command: string): Promise<void> {
  show(PROMPT);
  for (const key of command) {
    show(key === '\n' ? '\n> ' : key);
    await sleep(key === '\n' ? KEY_MS * 5 : KEY_MS);
  }
  show('\n');
}

/** Calls back with output until it has a text. */
async function shownUntil(from: ChildProcess, text: string, tell: (chunk: string) => void, ms: number): Promise<void> {
  let all = '';
  const timeout = AbortSignal.timeout(ms);
  while (!all.includes(text)) {
    if (from.exitCode !== null) throw new Error(`${from.spawnfile} has ended: ${all}`);
    const [chunk] = (await once(from.stdout as NonNullable<ChildProcess['stdout']>, 'data', { signal: timeout })) as [
      Buffer,
    ];
    all += chunk.toString();
    tell(chunk.toString());
  }
}

/** The commands of the README from an empty service to the PDF of an invoice: all but logging in again. */
function commands(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const section = readme.slice(
    readme.indexOf('## The first calls'),
    readme.indexOf('To see a whole month of business'),
  );
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trimEnd());
  return blocks.filter((block) => !block.includes('/api/auth/login'));
}

const env = { ...process.env, DATA_DIR: folder, FORCE_COLOR: '1' };
const service = spawn(process.execPath, ['runtime/run.mjs', 'runtime/start'], {
  cwd: ROOT,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const shell = spawn('bash', ['--norc'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
try {
  await type('npm ci && npm start');
  await shownUntil(service, READY, show, START_MS);
  service.stdout?.resume();
  show('\n\u001b[2m# in a second terminal\u001b[0m\n');
  for (const command of [...commands(), 'wc -c invoice.pdf']) {
    await type(command);
    shell.stdin?.write(`exec 2>&1\n${command}\nprintf '${DONE}'\n`);
    await shownUntil(shell, DONE, (chunk) => show(chunk.replaceAll(DONE, '')), 60_000);
    await sleep(700);
  }
  const header = {
    version: 2,
    ...SIZE,
    idle_time_limit: 2,
    title: 'The first two minutes',
    env: { TERM: 'xterm-256color' },
  };
  writeFileSync(TARGET, `${[header, ...events].map((line) => JSON.stringify(line)).join('\n')}\n`);
  process.stdout.write(
    `${events.length} events, ${((Date.now() - begun) / 1000).toFixed(0)} s, in docs/first-minutes.cast\n`,
  );
} finally {
  shell.stdin?.end();
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
