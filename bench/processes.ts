/** What the processes of a service use, by its parts; as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the clock by which /proc counts: 100 a second on every Linux. */
const TICKS = 100;

/** The first that the command line of a process fits says which part it belongs to. */
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
}

/** @param root the process that started all others */
export function usageByPart(root: number): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { pid, ticks, pages } of processTree(root)) {
    const command = readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';
    const part = PARTS.find(([pattern]) => pattern.test(command))?.[1] ?? 'start';
    const { cpu, memory } = usages.get(part) ?? { cpu: 0, memory: 0 };
    usages.set(part, { cpu: cpu + ticks / TICKS, memory: memory + pages * 4096 });
  }
  return usages;
}

/** Seconds of CPU of all of them. */
export function cpuSeconds(root: number): number {
  return [...usageByPart(root).values()].reduce((sum, { cpu }) => sum + cpu, 0);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
}

/** A process with all its descendants. */
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

/** Undefined for a process that has ended. */
function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
