/**
 * Launches Chromium isolated from the service: with its own environment and home, no network, its sandbox, and another user if this
 * process is root. Isolation that the machine does not allow is left out and reported.
 */
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer';
import { NOBODY_ELSE } from '../config/programs.ts';
import { bareEnvironment } from './environment.ts';
import { onPath } from './go-install.ts';
import { givingWay, NICENESS } from './niceness.ts';

/** Isolation of a browser, in addition to its environment, home and arguments. */
export interface Isolation {
  /** Whether it runs as another user than this process. */
  readonly user: boolean;
  /** Whether it has its own network namespace, without connections. */
  readonly network: boolean;
  /** Whether Chromium's own sandbox surrounds its renderers. */
  readonly sandbox: boolean;
}

const ARGS = [
  // Containers give /dev/shm too little room; without hinting, text has the same width on every machine.
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  // If it shares the machine's network, all its requests fail, even to this machine.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-pings',
];

/** Lists the isolations that this machine may support, best first. The last one has no requirements. */
export function isolations(env: NodeJS.ProcessEnv): readonly Isolation[] {
  const root = process.getuid?.() === 0;
  const has = (program: string) => process.platform === 'linux' && onPath(program, env).length > 0;
  const all = [true, false].flatMap((user) =>
    [true, false].flatMap((sandbox) => [true, false].map((network) => ({ user, network, sandbox }))),
  );
  return all.filter(({ user, network, sandbox }) => {
    if (user && !(root && has('setpriv'))) return false;
    if (network && !has('unshare')) return false;
    return !(sandbox && root && !user); // Chromium refuses to run its sandbox as root.
  });
}

/** Describes an isolation for the log: as another user, in its sandbox, without a network. */
export function isolationText({ user, network, sandbox }: Isolation): string {
  return [
    user ? 'as a user of its own' : 'as the user of this process',
    sandbox ? 'in its sandbox' : 'without its sandbox',
    network ? 'without a network' : 'with the network disabled by its settings',
  ].join(', ');
}

/**
 * Launches a browser with an isolation.
 * @param fonts environment variables with the location of its fonts
 * @param timeout in milliseconds
 * @throws Error if it does not start with this isolation
 */
export async function launchApart(
  executablePath: string,
  isolation: Isolation,
  { env, fonts, timeout }: { env: NodeJS.ProcessEnv; fonts: Readonly<Record<string, string>>; timeout: number },
): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer');
  const home = mkdtempSync(join(tmpdir(), 'browser-'));
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    if (isolation.user) chownSync(home, NOBODY_ELSE, NOBODY_ELSE);
    const args = puppeteer.defaultArgs({
      headless: true,
      userDataDir: join(home, 'profile'),
      args: isolation.sandbox ? ARGS : ['--no-sandbox', ...ARGS],
    });
    const [apart = executablePath, ...rest] = [...prefix(isolation, env), executablePath, ...args];
    const { file, args: all } = givingWay({ file: apart, args: rest }, NICENESS.chromium, env);
    const browser = await puppeteer.launch({
      executablePath: file,
      ignoreDefaultArgs: true,
      args: [...all],
      env: { ...bareEnvironment(env), ...fonts, ...homeAt(home) },
      // So no other process on this machine can connect to it.
      pipe: true,
      timeout,
      // The launcher decides when it ends.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    browser.process()?.once('exit', removeHome);
    return browser;
  } catch (error) {
    removeHome();
    throw error;
  }
}

/** Command prefix that changes the user and removes the network. Each program replaces itself by the next, so there is one process. */
function prefix({ user, network }: Isolation, env: NodeJS.ProcessEnv): string[] {
  const [unshare = ''] = onPath('unshare', env);
  const [setpriv = ''] = onPath('setpriv', env);
  const ids = [`--reuid=${NOBODY_ELSE}`, `--regid=${NOBODY_ELSE}`, '--clear-groups', '--no-new-privs'];
  return [
    ...(network ? [unshare, '--net', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'])] : []),
    ...(user ? [setpriv, ...ids] : []),
  ];
}

/** Environment variables that make it write only into its home. */
function homeAt(home: string): Record<string, string> {
  return { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') };
}
