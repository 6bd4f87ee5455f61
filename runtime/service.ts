/** `npm start`: starts and stops everything that the service needs on one machine. */

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type Config, ConfigError, loadConfig } from '../config/index.ts';
import { type AppPart, appEnvironment, startApps } from './apps.ts';
import { type DataDirectory, openDataDirectory } from './data-dir.ts';
import { errorMessage, StartError } from './errors.ts';
import { localAddress } from './health.ts';
import { lockDataDirectory } from './lock.ts';
import { watchNpm } from './npm-parent.ts';
import { freePort, requirePorts, type WantedPort } from './ports.ts';
import { endRecordedProcesses } from './process-record.ts';
import { type Servers, startServers } from './servers.ts';
import { Supervisor } from './supervisor.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Time after which another Ctrl-C means "stop at once": one Ctrl-C may arrive twice, from the terminal and from npm. */
const INSIST_AFTER_MS = 1000;

/**
 * Runs the service until the stop signal.
 * @param env usually `process.env`
 * @param apps the parts of the service, started after the servers
 * @returns the exit code: 0 after a clean stop, 1 if the start failed or a part has died for good
 */
export async function runService(env: NodeJS.ProcessEnv, apps: readonly AppPart[]): Promise<number> {
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const unwatch = watchNpm(env, stop);
  try {
    await serve(loadConfig(env), env, apps, stopping.signal);
    return 0;
  } catch (error) {
    const known = error instanceof StartError || error instanceof ConfigError;
    process.stderr.write(`${known ? error.message : `The start failed: ${errorMessage(error)}`}\n`);
    if (!known && env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    return 1;
  } finally {
    unwatch();
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
}

async function serve(
  config: Config,
  env: NodeJS.ProcessEnv,
  apps: readonly AppPart[],
  stop: AbortSignal,
): Promise<void> {
  const data = openDataDirectory(config.dataDir);
  const lock = await lockDataDirectory(data.root);
  const supervisor = new Supervisor(data.processes, print);
  const requested = () => {
    lock.stopping();
    insistOnSecondSignal(supervisor);
    void supervisor.stop();
  };
  stop.addEventListener('abort', requested, { once: true });
  try {
    if (stop.aborted) return;
    await bringUp(config, env, apps, data, supervisor);
    if (!supervisor.signal.aborted) await once(supervisor.signal, 'abort');
    if (supervisor.signal.reason instanceof StartError) throw supervisor.signal.reason;
  } catch (error) {
    // A part that has died for good also aborts the current step, like a stop: show the message of the part.
    if (supervisor.signal.reason instanceof StartError) throw supervisor.signal.reason;
    if (!stop.aborted) throw error;
  } finally {
    stop.removeEventListener('abort', requested);
    await supervisor.stop();
    rmSync(data.connections, { force: true });
    lock.release();
    if (stop.aborted) print('Stopped.');
  }
}

async function bringUp(
  config: Config,
  env: NodeJS.ProcessEnv,
  apps: readonly AppPart[],
  data: DataDirectory,
  supervisor: Supervisor,
): Promise<void> {
  rmSync(data.connections, { force: true });
  const orphans = await endRecordedProcesses(data.processes);
  if (orphans.length > 0) print(`Ended processes that an earlier start left running: ${orphans.join(', ')}`);
  await requirePorts(wantedPorts(config));
  const port = config.api.port === 0 ? await freePort(config.api.host) : config.api.port;

  const address = localAddress(config.api.host, port);
  const host = config.api.host.includes(':') ? `[${config.api.host}]` : config.api.host;
  const servers = await startServers(config, env, data, supervisor, print, `${host}:${port}`);
  await startApps(apps, appEnvironment(config, env, data, servers, port), address, supervisor, print);
  announce(address, servers, data);
}

function wantedPorts(config: Config): WantedPort[] {
  const { api, database, temporal, embedded } = config;
  const host = '127.0.0.1';
  const wanted: WantedPort[] = [{ variable: 'PORT', host: api.host, port: api.port }];
  if (database.url === undefined) wanted.push({ variable: 'POSTGRES_PORT', host, port: embedded.postgresPort });
  if (temporal.address === undefined) {
    wanted.push({ variable: 'TEMPORAL_PORT', host, port: embedded.temporalPort });
    if (embedded.temporalUiPort !== 0)
      wanted.push({ variable: 'TEMPORAL_UI_PORT', host, port: embedded.temporalUiPort });
  }
  return wanted;
}

function announce(address: string, { temporal }: Servers, data: DataDirectory): void {
  print(
    [
      '',
      'Ready.',
      `  API           ${address}`,
      `  Docs          ${address}/docs`,
      ...(temporal === undefined
        ? []
        : [`  Temporal UI   ${temporal.ui ?? '(off: set TEMPORAL_UI_PORT)'}`, `  Temporal CLI  ${temporal.cli}`]),
      `  Data          ${data.root}`,
      '',
      'Try it:',
      `  curl ${address}/api/setup/status`,
      '  or the first calls of README.md',
      '',
      'Ctrl-C stops everything.',
    ].join('\n'),
  );
}

function insistOnSecondSignal(supervisor: Supervisor): void {
  const begun = Date.now();
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (Date.now() - begun > INSIST_AFTER_MS) supervisor.kill();
    });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ignores that the reader of the output is gone (`npm start | head`). */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
