/** A server behind connections that a test can cut, and refuse for a while. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttableProxy {
  readonly host: string;
  readonly port: number;
  /** Ends all connections; new ones are made as before. */
  cut(): void;
  /** Ends all connections the next time that a client sends this text, which does not arrive. */
  cutAt(text: string): void;
  /** Ends all connections and refuses new ones, until `up`. */
  down(): void;
  up(): void;
  /** Connections that were asked for since the start. */
  readonly asked: number;
  close(): Promise<void>;
}

/** @param address host:port */
export async function startProxy(address: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const open = new Set<Socket>();
  let isUp = true;
  let asked = 0;
  let fatal: string | null = null;
  const proxy = createServer((socket) => {
    asked++;
    if (!isUp) return socket.on('error', () => undefined).destroy();
    const server = connect(Number(port), hostname);
    socket.on('data', (chunk: Buffer) => {
      if (fatal === null || !chunk.includes(fatal)) server.write(chunk);
      else {
        fatal = null;
        cut();
      }
    });
    socket.on('end', () => server.end());
    server.pipe(socket);
    for (const end of [socket, server]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => socket.destroy() && server.destroy() && open.delete(end));
    }
    return undefined;
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    for (const end of open) end.destroy();
  };
  return {
    host: '127.0.0.1',
    port: (proxy.address() as AddressInfo).port,
    cut,
    cutAt(text) {
      fatal = text;
    },
    down() {
      isUp = false;
      cut();
    },
    up() {
      isUp = true;
    },
    get asked() {
      return asked;
    },
    async close() {
      proxy.close();
      cut();
    },
  };
}
