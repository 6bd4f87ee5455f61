/** The socket of the embedded PostgreSQL, in its data directory. The parts of the service use it because TCP is slower. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Server {
  /** The data directory. */
  readonly directory: string;
  readonly port: number;
}

/** Prefix of the names of sockets and their locks; the port follows. */
const NAME = '.s.PGSQL.';
/** Maximum length of a socket's path, in bytes, on the strictest systems. */
const PATH_BYTES = 103;

/** Whether there is a socket: not on Windows, nor if its path would be too long. */
function hasSocket({ directory, port }: Server): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(directory, `${NAME}${port}`)) <= PATH_BYTES;
}

/** The setting with which PostgreSQL, which runs in its data directory, creates the socket. */
export function socketDirectories(server: Server): string {
  return hasSocket(server) ? '.' : '';
}

/**
 * Returns the address of the same database through the socket; null without a socket.
 * @param url its address through TCP
 */
export function socketUrl(server: Server, url: string): string | null {
  // The driver uses the host at the end. The first one still names this machine in messages.
  return hasSocket(server) ? `${url}?host=${encodeURIComponent(server.directory)}` : null;
}

/** Removes sockets and locks of a killed server: a lock naming a process id that is in use again would prevent the next start. */
export function clearSockets(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(NAME)) rmSync(join(directory, name), { force: true });
  }
}
