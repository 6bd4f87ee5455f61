/** Records the processes of a start on disk, so that the next start can end those that a killed one has left behind. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere, writeWhole } from './files.ts';
import { processIdentity, signalGroup } from './process-identity.ts';

export interface RecordedProcess {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
}

/** Records a new process in `directory`. */
export function recordProcess(directory: string, name: string, pid: number, stopSignal: NodeJS.Signals): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return;
  mkdirSync(directory, { recursive: true });
  const record: RecordedProcess = { name, pid, identity, stopSignal };
  writeWhole(join(directory, `${pid}.json`), JSON.stringify(record));
}

/** Removes the record of a process that has ended. */
export function forgetProcess(directory: string, pid: number): void {
  rmSync(join(directory, `${pid}.json`), { force: true });
}

/**
 * Ends the recorded processes that are still running, in parallel: with a signal to stop, and a kill after `graceMs`.
 * @returns the names of those that were still running
 */
export async function endRecordedProcesses(directory: string, graceMs = 5000): Promise<string[]> {
  mkdirSync(directory, { recursive: true });
  const ended: string[] = [];
  await Promise.all(
    readdirSync(directory).map(async (file) => {
      const record = parseRecord(readIfThere(join(directory, file)));
      if (record !== undefined && processIdentity(record.pid) === record.identity) {
        ended.push(record.name);
        await endProcess(record, graceMs);
      }
      rmSync(join(directory, file), { force: true });
    }),
  );
  return ended;
}

/** Signals a process to stop, and kills it after `graceMs`. */
export async function endProcess(record: Omit<RecordedProcess, 'name'>, graceMs: number): Promise<void> {
  const alive = () => processIdentity(record.pid) === record.identity;
  signalGroup(record.pid, record.stopSignal);
  const deadline = Date.now() + graceMs;
  while (alive() && Date.now() < deadline) await sleep(50);
  if (alive()) signalGroup(record.pid, 'SIGKILL');
  while (alive()) await sleep(20);
}

function parseRecord(text: string | undefined): RecordedProcess | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Partial<RecordedProcess>;
    const { name, pid, identity, stopSignal } = value;
    if (typeof name !== 'string' || typeof pid !== 'number' || pid <= 1) return undefined;
    if (typeof identity !== 'string' || stopSignal === undefined) return undefined;
    return { name, pid, identity, stopSignal };
  } catch (error) {
    // A file that is not a record names no process: it is removed with the others.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
