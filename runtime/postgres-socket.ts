/** The socket of the embedded PostgreSQL, in its data directory: it spares the parts of the service the way through TCP. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Server {
  /** The data directory. */
  readonly directory: string;
  readonly port: number;
}

/** What the names of sockets and of their locks begin with; the port follows. */
const NAME = '.s.PGSQL.';
/** The longest path of a socket, in bytes, on the systems that allow the least. */
const PATH_BYTES = 103;

/** Whether there is one: not on Windows, nor where its path would be too long. */
function hasSocket({ directory, port }: Server): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(directory, `${NAME}${port}`)) <= PATH_BYTES;
}

/** Where PostgreSQL, which runs in its data directory, shall make it. */
export function socketDirectories(server: Server): string {
  return hasSocket(server) ? '.' : '';
}

/**
 * The same database through the socket; null where there is none.
 * @param url its address through TCP
 */
export function socketUrl(server: Server, url: string): string | null {
  // The driver takes the host from the end. The one before still stands for this machine in messages.
  return hasSocket(server) ? `${url}?host=${encodeURIComponent(server.directory)}` : null;
}

/** Removes what a killed server has left: a lock that names a process, by now any other, would keep the next from starting. */
export function clearSockets(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(NAME)) rmSync(join(directory, name), { force: true });
  }
}
