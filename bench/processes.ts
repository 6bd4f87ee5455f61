/** CPU and memory of a service's processes, by part, as counted by Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: 100 on every Linux. */
const TICKS = 100;

/** Parts of the service by command line; the first match counts. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/chrom/i, 'Chromium'],
  [/postgres/, 'PostgreSQL'],
  [/temporal.*server/, 'Temporal'],
  [/api\/server/, 'API'],
  [/worker\/main/, 'worker'],
];

export interface Usage {
  /** Seconds of CPU since their start, with those of ended children. */
  readonly cpu: number;
  /** Resident memory in bytes. */
  readonly memory: number;
  /** Seconds that their main threads were ready to run, but had no processor. */
  readonly waited: number;
}

/** Measures the usage of each part. @param root the process that started all others */
export function usageByPart(root: number): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { pid, ticks, pages } of processTree(root)) {
    const part = partName(pid);
    const { cpu, memory, waited } = usages.get(part) ?? { cpu: 0, memory: 0, waited: 0 };
    usages.set(part, { cpu: cpu + ticks / TICKS, memory: memory + pages * 4096, waited: waited + readWait(pid) });
  }
  return usages;
}

/** The processes of a part: the first one first, on which its others depend. */
export function partProcesses(root: number, part: string): number[] {
  return processTree(root).flatMap(({ pid }) => (partName(pid) === part ? [pid] : []));
}

/** A process and all its descendants. */
export function withDescendants(root: number): number[] {
  return processTree(root).map(({ pid }) => pid);
}

function partName(pid: number): string {
  const command = readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';
  return PARTS.find(([pattern]) => pattern.test(command))?.[1] ?? 'start';
}

/** Total seconds of CPU of a process and its descendants. */
export function cpuSeconds(root: number): number {
  return [...usageByPart(root).values()].reduce((sum, { cpu }) => sum + cpu, 0);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
}

/** Lists a process with all its descendants. */
function processTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === root);
  // It grows during iteration.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function readProcess(pid: number): Process | undefined {
  const stat = readProc(pid, 'stat');
  // The name is in parentheses and may contain anything.
  const fields = stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  if (fields === undefined) return undefined;
  const [parent = 0, ...rest] = fields.slice(1);
  const ticks = rest.slice(9, 13).reduce((sum, part) => sum + part, 0);
  return { pid, parent, ticks, pages: rest[19] ?? 0 };
}

/** Seconds that the main thread of a process waited for a processor. */
function readWait(pid: number): number {
  const [, waited = 0] = readProc(pid, 'schedstat')?.split(' ').map(Number) ?? [];
  return waited / 1e9;
}

/** Reads a file of /proc; undefined if the process has ended. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
