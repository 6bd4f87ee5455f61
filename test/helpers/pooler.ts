/**
 * Shares PostgreSQL connections as PgBouncer does in transaction mode: a transaction gets any of them, prepared statements follow their
 * client, and nothing else of a session does. It refuses what PgBouncer refuses.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';

export interface Pooler {
  /** URL of the same database through the pooler. */
  readonly url: string;
  /** The most transactions that have waited for a connection at once. */
  readonly mostWaiting: number;
  close(): Promise<void>;
}

/** Messages of a client up to a Sync, of whose answers some are not its own. */
interface Segment {
  /** Whether the answer to a Close is to be left out, and that to a Parse. */
  closes: boolean;
  parses: boolean;
  /** Whether the client prepares the statement itself. */
  isOwn: boolean;
}

interface ServerConnection {
  readonly socket: Socket;
  readonly prepared: Set<string>;
  client: PooledClient | null;
}

const SSL_REQUEST = 80_877_103;

/** @param size connections to the server */
export async function startPooler(url: string, size: number): Promise<Pooler> {
  const logins = Array.from({ length: size }, () => new pg.Client({ connectionString: url }));
  const free = await Promise.all(logins.map(openServerConnection));
  const waiting: ((connection: ServerConnection) => void)[] = [];
  let mostWaiting = 0;
  const take = async () => {
    const connection = free.pop();
    if (connection !== undefined) return connection;
    const turn = new Promise<ServerConnection>((resolve) => void waiting.push(resolve));
    mostWaiting = Math.max(mostWaiting, waiting.length);
    return await turn;
  };
  const give = (connection: ServerConnection) => {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new PooledClient(socket, take, give);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: pooled.href,
    get mostWaiting() {
      return mostWaiting;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await Promise.all(
        logins.map((login) => new Promise((resolve) => rawSocket(login).destroy().once('close', resolve))),
      );
    },
  };
}

/** Logs in with the driver, and takes its socket over. */
async function openServerConnection(login: pg.Client): Promise<ServerConnection> {
  login.on('error', () => undefined);
  await login.connect();
  const socket = rawSocket(login);
  for (const event of ['data', 'error', 'close', 'end']) socket.removeAllListeners(event);
  const connection: ServerConnection = { socket, prepared: new Set(), client: null };
  socket.on('error', () => undefined);
  socket.on(
    'data',
    messages((type, body) => connection.client?.answered(type, body)),
  );
  return connection;
}

function rawSocket(login: pg.Client): Socket {
  return (login as unknown as { connection: { stream: Socket } }).connection.stream;
}

class PooledClient {
  readonly #socket: Socket;
  readonly #take: () => Promise<ServerConnection>;
  readonly #give: (connection: ServerConnection) => void;
  #connection: ServerConnection | null = null;
  /** Messages that wait for a connection; null while none is being waited for. */
  #queue: [type: string, body: Buffer][] | null = null;
  /** Texts and parameters of its statements, by its own names. */
  readonly #statements = new Map<string, Buffer>();
  readonly #segments: Segment[] = [];
  #segment: Segment = newSegment();

  constructor(socket: Socket, take: () => Promise<ServerConnection>, give: (connection: ServerConnection) => void) {
    this.#socket = socket;
    this.#take = take;
    this.#give = give;
    socket.on('error', () => undefined);
    socket.once('data', (startup: Buffer) => this.#welcome(startup));
  }

  #welcome(startup: Buffer): void {
    if (startup.readInt32BE(4) === SSL_REQUEST) {
      this.#socket.write('N');
      this.#socket.once('data', (next: Buffer) => this.#welcome(next));
      return;
    }
    if (startup.subarray(8).toString().split('\0').includes('options')) {
      const fields = ['SFATAL', 'VFATAL', 'C08P01', 'Munsupported startup parameter: options'];
      this.#socket.end(message('E', Buffer.from(`${fields.join('\0')}\0\0`)));
      return;
    }
    this.#socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
    this.#socket.on(
      'data',
      messages((type, body) => this.#sent(type, body)),
    );
  }

  #sent(type: string, body: Buffer): void {
    if (type === 'X') {
      this.#socket.end();
      return;
    }
    if (this.#connection !== null) {
      this.#forward(this.#connection, type, body);
      return;
    }
    if (this.#queue !== null) {
      this.#queue.push([type, body]);
      return;
    }
    this.#queue = [[type, body]];
    void this.#take().then((connection) => {
      const queue = this.#queue ?? [];
      this.#queue = null;
      this.#connection = connection;
      connection.client = this;
      for (const [one, content] of queue) this.#forward(connection, one, content);
    });
  }

  #forward({ socket, prepared }: ServerConnection, type: string, body: Buffer): void {
    if (type === 'P') {
      const [name, rest] = text(body);
      if (name !== '') {
        this.#statements.set(name, rest);
        this.#segment.isOwn = true;
        this.#prepare(socket, prepared, rest);
        return;
      }
    }
    if (type === 'B') {
      const [portal, afterPortal] = text(body);
      const [name, rest] = text(afterPortal);
      const statement = this.#statements.get(name);
      if (statement !== undefined) {
        if (!this.#segment.isOwn && !prepared.has(serverName(statement))) {
          this.#segment.parses = true;
          this.#prepare(socket, prepared, statement);
        }
        socket.write(message('B', Buffer.concat([Buffer.from(`${portal}\0${serverName(statement)}\0`), rest])));
        return;
      }
    }
    if (type === 'D' && body[0] === 'S'.charCodeAt(0)) {
      const statement = this.#statements.get(text(body.subarray(1))[0]);
      if (statement !== undefined) {
        socket.write(message('D', Buffer.from(`S${serverName(statement)}\0`)));
        return;
      }
    }
    if (type === 'S' || type === 'Q') {
      this.#segments.push(this.#segment);
      this.#segment = newSegment();
    }
    socket.write(message(type, body));
  }

  /** Prepares a statement, also if the connection has it already. */
  #prepare(socket: Socket, prepared: Set<string>, statement: Buffer): void {
    const name = serverName(statement);
    this.#segment.closes = true;
    prepared.add(name);
    socket.write(message('C', Buffer.from(`S${name}\0`)));
    socket.write(message('P', Buffer.concat([Buffer.from(`${name}\0`), statement])));
  }

  answered(type: string, body: Buffer): void {
    const [segment] = this.#segments;
    if (type === '3' && segment?.closes) return;
    if (type === '1' && segment?.parses) return;
    this.#socket.write(message(type, body));
    if (type !== 'Z') return;
    this.#segments.shift();
    const connection = this.#connection;
    if (connection === null || this.#segments.length > 0 || body.toString() !== 'I') return;
    this.#connection = null;
    connection.client = null;
    this.#give(connection);
  }
}

function newSegment(): Segment {
  return { closes: false, parses: false, isOwn: false };
}

/** The same for all clients that prepare the same statement. */
function serverName(statement: Buffer): string {
  return createHash('sha1').update(statement).digest('hex');
}

/** The text at the beginning, which ends with a zero, and what follows it. */
function text(body: Buffer): [string, Buffer] {
  const end = body.indexOf(0);
  return [body.subarray(0, end).toString(), body.subarray(end + 1)];
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Splits what arrives into messages. */
function messages(each: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      each(String.fromCharCode(rest[0] as number), rest.subarray(5, end));
      rest = rest.subarray(end);
    }
  };
}
