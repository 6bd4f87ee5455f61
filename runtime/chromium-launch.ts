/**
 * Launches Chromium apart from the service: it has an environment and a home of its own, no network, its sandbox, and another user
 * where this process is root. What the machine does not allow of this is left out, and can be told.
 */
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer';
import { NOBODY_ELSE } from '../config/programs.ts';
import { bareEnvironment } from './environment.ts';
import { givingWay, NICENESS } from './niceness.ts';
import { onPath } from './temporal-cli.ts';

/** Isolation of a browser beyond its environment, home and arguments. */
export interface Isolation {
  /** Another user than this process's. */
  readonly user: boolean;
  /** Its own network namespace, which leads nowhere. */
  readonly network: boolean;
  /** Chromium's own sandbox around its renderers. */
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

/** The isolations that this machine may support, best first. The last one needs nothing. */
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

/** For the log: as another user, in its sandbox, without a network. */
export function isolationText({ user, network, sandbox }: Isolation): string {
  return [
    user ? 'as a user of its own' : 'as the user of this process',
    sandbox ? 'in its sandbox' : 'without its sandbox',
    network ? 'without a network' : 'kept off the network by its settings',
  ].join(', ');
}

/**
 * @param fonts variables that say where its fonts are
 * @param timeout milliseconds that it may take
 * @throws when it does not start like this
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
      // Nobody else on this machine can connect to it.
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

/** The programs that take its user and network away. Each becomes the next, so that the process stays one. */
function prefix({ user, network }: Isolation, env: NodeJS.ProcessEnv): string[] {
  const [unshare = ''] = onPath('unshare', env);
  const [setpriv = ''] = onPath('setpriv', env);
  const ids = [`--reuid=${NOBODY_ELSE}`, `--regid=${NOBODY_ELSE}`, '--clear-groups', '--no-new-privs'];
  return [
    ...(network ? [unshare, '--net', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'])] : []),
    ...(user ? [setpriv, ...ids] : []),
  ];
}

/** It writes only into its home. */
function homeAt(home: string): Record<string, string> {
  return { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config') };
}
