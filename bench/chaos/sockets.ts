/** Clients of `/ws/notifications`, which connect again whenever they are cut off. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectSocket } from '../../test/helpers/sockets.ts';
import type { Stage } from '../stage.ts';

const PAUSE_MS = 200;

export interface Listener {
  /** Ids of the notifications that have come, in their order, with those that came twice. */
  readonly came: readonly string[];
  readonly connections: number;
  /** Resolves once it listens for the first time. */
  readonly ready: Promise<void>;
  stop(): void;
}

/** Listens until it is stopped. */
export function listen({ address, token }: Pick<Stage, 'address' | 'token'>): Listener {
  const came: string[] = [];
  const listener = { came, connections: 0, isOn: true, end: () => undefined as unknown };
  let tellReady = () => undefined as unknown;
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  const go = async () => {
    while (listener.isOn) {
      const last = came.at(-1);
      const path = last === undefined ? '' : `?last_id=${last}`;
      const client = connectSocket(address, { path, headers: { Authorization: `Bearer ${token}` } });
      listener.end = () => client.socket.terminate();
      listener.connections++;
      void client.ready.then(tellReady, () => undefined);
      client.socket.on('error', () => undefined);
      client.socket.on('message', (text) => {
        const { type, data } = JSON.parse(String(text)) as { type: string; data?: { id: string } };
        if (type === 'notification' && data !== undefined) came.push(data.id);
      });
      await client.closed.catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  };
  void go();
  return Object.assign(listener, {
    ready,
    stop() {
      listener.isOn = false;
      listener.end();
    },
  });
}
