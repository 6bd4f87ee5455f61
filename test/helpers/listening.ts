/** The ports that processes listen on, by the kernel's tables (Linux). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

interface Listener {
  /** As the kernel has it, in hexadecimal. */
  readonly address: string;
  readonly port: number;
}

/** Sockets on which a process listens. */
export function listeners(pid: number): Listener[] {
  const sockets = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      sockets.add(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // closed meanwhile
    }
  }
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, ...rest]) => state === LISTEN && sockets.has(`socket:[${rest[5]}]`))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':');
        return { address, port: Number.parseInt(port, 16) };
      }),
  );
}

/** Ports on which a process and its descendants listen; those of PostgreSQL come and go. */
export function listeningPorts(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  const ports = [
    ...listeners(pid).map(({ port }) => port),
    ...children.flatMap((child) => portsIfThere(Number(child))),
  ];
  return [...new Set(ports)];
}

function portsIfThere(pid: number): number[] {
  try {
    return listeningPorts(pid);
  } catch (error) {
    // It has ended meanwhile: its folder is gone, or the process behind an open file of it (ESRCH).
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
