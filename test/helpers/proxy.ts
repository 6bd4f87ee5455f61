/** A server behind connections that a test can cut, and refuse for a while. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
  /** Lets nothing through, without an end to connections, until `flow`. */
  hold(): void;
  flow(): void;
  /** Lets everything through later from now on; 0 = at once. */
  delay(ms: number): void;
  /** Connections that were asked for since the start. */
  readonly asked: number;
  close(): Promise<void>;
}

/** @param address host:port */
export async function startProxy(address: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const open = new Set<Socket>();
  let isUp = true;
  let isHeld = false;
  let asked = 0;
  let fatal: string | null = null;
  let [delayMs, held] = [0, Promise.resolve()];
  let release = () => undefined as unknown;
  /** Passes on the data of one direction in order: at once, later, or when it flows again. */
  const passing = () => {
    let waiting: Promise<void> | null = null;
    return (pass: () => unknown) => {
      if (waiting === null && delayMs === 0 && !isHeld) return void pass();
      const due = Promise.all([waiting, sleep(delayMs), held]);
      const own = due.then(() => {
        if (waiting === own) waiting = null;
        pass();
      });
      waiting = own;
    };
  };
  const proxy = createServer((socket) => {
    asked++;
    if (!isUp) return socket.on('error', () => undefined).destroy();
    const server = connect(Number(port), hostname);
    const toServer = passing();
    const toClient = passing();
    socket.on('data', (chunk: Buffer) => {
      if (fatal === null || !chunk.includes(fatal)) toServer(() => server.write(chunk));
      else {
        fatal = null;
        cut();
      }
    });
    socket.on('end', () => toServer(() => server.end()));
    server.on('data', (chunk: Buffer) => toClient(() => socket.write(chunk)));
    server.on('end', () => toClient(() => socket.end()));
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
    hold() {
      isHeld = true;
      held = new Promise((resolve) => {
        release = () => resolve();
      });
    },
    flow() {
      isHeld = false;
      release();
    },
    delay(ms) {
      delayMs = ms;
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
