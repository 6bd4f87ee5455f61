/** Finds free TCP ports, and checks given ones. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { errorCode, StartError } from './errors.ts';

/** Listens for a moment. @returns the bound port */
function bind(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** Ports that no system gives to outgoing connections: such a one would take the port before its server listens. */
const SERVER_PORTS = { from: 20_000, to: 32_767 };
const TRIES = 50;

/** Finds a port on which nothing listens at the moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 1; attempt < TRIES; attempt += 1) {
    const port = await bind(host, randomInt(SERVER_PORTS.from, SERVER_PORTS.to + 1)).catch(() => undefined);
    if (port !== undefined) return port;
  }
  return bind(host, 0);
}

export interface WantedPort {
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Checks that all ports can be listened on.
 * @throws StartError with a line for each that cannot, naming the port and its variable
 */
export async function requirePorts(wanted: readonly WantedPort[]): Promise<void> {
  const problems: string[] = [];
  const seen = new Map<number, string>();
  for (const { variable, host, port } of wanted) {
    const other = seen.get(port);
    if (other !== undefined) problems.push(`${variable} and ${other} are both ${port}: set two different ports`);
    seen.set(port, variable);
    const code = await bind(host, port).then(() => undefined, errorCode);
    if (code === 'EADDRINUSE') {
      problems.push(`Port ${port} is taken: stop what listens there, or set ${variable} to another port`);
    } else if (code === 'EACCES') {
      problems.push(`Port ${port} may not be used by this user: set ${variable} to a port above 1023`);
    } else if (code !== undefined) {
      problems.push(`${host}:${port} cannot be listened on (${code}): HOST must be an address of this machine`);
    }
  }
  if (problems.length > 0) throw new StartError(problems.join('\n'));
}
