/** A DNS server for tests: gives the configured answers over UDP. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };

export interface Names {
  /** `host:port` */
  readonly address: string;
  /** Names asked for, each with the family of addresses. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** @param answer the addresses of a name, as bytes; null for a server that is silent */
export async function startNames(answer: (name: string, family: 4 | 6) => readonly number[][] | null): Promise<Names> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const labels: string[] = [];
    let at = 12;
    while (question[at]) {
      const length = question[at] as number;
      labels.push(question.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = question.readUInt16BE(at + 1);
    const family = TYPES[type] ?? 4;
    asked.push(`${labels.join('.')}/${family}`);
    const addresses = answer(labels.join('.'), family);
    if (addresses === null) return;
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2); // an answer, recursion available
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    const records = addresses.map((bytes) =>
      // The name by reference to the question, type, class, one second, length, address.
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}
