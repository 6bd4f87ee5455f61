/** Clients that stop: in the middle of an answer, or of what they send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Stalled {
  readonly socket: Socket;
  /** The head of the answer, as far as it came before the client stopped reading. */
  readonly head: string;
  /** Resolves when the server has closed the connection, which the client notices by what it reads then. */
  closed(): Promise<void>;
}

/** Asks for something, reads the first bytes of the answer and then no more. */
export async function stopReading(address: string, token: string, path: string): Promise<Stalled> {
  const socket = open(address);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return {
    socket,
    head: first.toString('latin1'),
    async closed() {
      const end = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      await end;
    },
  };
}

/** Sends the head of a request without its body. */
export function stopSending(address: string, token: string, request: string, headers: readonly string[]): Socket {
  const socket = open(address);
  const lines = [`${request} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${token}`, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}

function open(address: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // the server may cut it off, which is what is looked at
  return socket;
}
