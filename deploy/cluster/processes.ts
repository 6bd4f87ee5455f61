/** Starts and ends the parts of a cluster, which go on when the command that started them has ended. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, runCommand, spawnCommand } from '../../runtime/command.ts';
import { StartError } from '../../runtime/errors.ts';
import { readIfThere, writeWhole } from '../../runtime/files.ts';
import { processIdentity, signalGroup } from '../../runtime/process-identity.ts';
import { endProcess } from '../../runtime/process-record.ts';
import type { Place } from './place.ts';

export interface Part {
  readonly name: string;
  /** The program that it runs; it may prepare files first. @param release folder of the service that a part of it runs */
  command(release: string): Command | Promise<Command>;
  /** Whether it works; asked until it does. @param log what it has written since its start */
  isReady(log: string): boolean | Promise<boolean>;
  readonly stopSignal: NodeJS.Signals;
  /** Milliseconds in which it ends by itself. */
  readonly stopMs: number;
}

interface Recorded {
  readonly pid: number;
  readonly identity: string;
}

const READY_MS = 120_000;
const LOOK_MS = 100;

/** The process of a part; undefined if it does not run. */
export function runningPid(place: Place, name: string): number | undefined {
  const record = recorded(place, name);
  return record !== undefined && processIdentity(record.pid) === record.identity ? record.pid : undefined;
}

/** Starts a part, unless it runs, and waits until it works. @throws StartError if it ends or is not ready in time */
export async function startPart(place: Place, part: Part, release: string): Promise<void> {
  if (runningPid(place, part.name) !== undefined) return;
  const log = place.path('logs', `${part.name}.log`);
  const command = await part.command(release);
  const child = spawnCommand(command, { file: log }, false);
  // A log that has become too long begins anew.
  const begin = statSync(log).size;
  child.unref();
  child.on('error', () => undefined);
  const pid = child.pid;
  const identity = pid === undefined ? undefined : processIdentity(pid);
  if (pid === undefined || identity === undefined) throw new StartError(`${part.name} cannot be started: see ${log}`);
  writeWhole(recordPath(place, part.name), JSON.stringify({ pid, identity }));
  const until = performance.now() + READY_MS;
  for (;;) {
    if (runningPid(place, part.name) === undefined) throw new StartError(`${part.name} has ended: see ${log}`);
    if (await part.isReady(readFileSync(log).subarray(begin).toString())) return;
    if (performance.now() > until) throw new StartError(`${part.name} is not ready: see ${log}`);
    await sleep(LOOK_MS);
  }
}

/** Ends a part as a service manager does: with a signal, and a kill if it takes too long. */
export async function stopPart(place: Place, part: Part): Promise<void> {
  const record = recorded(place, part.name);
  if (record === undefined) return;
  await endProcess({ ...record, stopSignal: part.stopSignal }, part.stopMs);
  rmSync(recordPath(place, part.name), { force: true });
}

/** Sends a signal to a part and its children. */
export async function signalPart(place: Place, name: string, signal: NodeJS.Signals): Promise<void> {
  const pid = runningPid(place, name);
  if (pid === undefined) return;
  signalGroup(pid, signal);
  if (signal !== 'SIGKILL') return;
  while (runningPid(place, name) !== undefined) await sleep(LOOK_MS);
}

/** Runs a command to its end. @throws StartError with its output if it fails */
export async function runStep(name: string, command: Command): Promise<void> {
  const { code, output } = await runCommand(command);
  if (code !== 0) throw new StartError(`${name} failed (exit code ${code}):\n${output}`);
}

function recorded(place: Place, name: string): Recorded | undefined {
  const text = readIfThere(recordPath(place, name));
  return text === undefined ? undefined : (JSON.parse(text) as Recorded);
}

function recordPath(place: Place, name: string): string {
  return place.path('processes', `${name}.json`);
}
