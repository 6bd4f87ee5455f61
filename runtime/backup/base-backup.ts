/**
 * Takes a base backup of a PostgreSQL server over its replication protocol, as pg_basebackup does, which the embedded server does not
 * bring. The server may be used meanwhile: with the log that it writes until the end, which is part of it, the backup has the state of its
 * end.
 */
import { PassThrough, type Readable } from 'node:stream';
import pg from 'pg';

/** A message of the server, as the driver hands it on. */
interface CopyData {
  readonly chunk: Buffer;
}
interface Connection {
  query(text: string): void;
  readonly stream: { pause(): void; resume(): void };
}

/** Kinds of messages of a backup: the beginning of an archive, and a part of it. Others tell the progress. */
const ARCHIVE = 'n'.charCodeAt(0);
const PART = 'd'.charCodeAt(0);

const COMMAND = `BASE_BACKUP (LABEL 'backup', CHECKPOINT 'fast', WAL true, WAIT false)`;

/**
 * Begins a base backup.
 * @param url of the server, as a login that may replicate
 * @returns the data directory as a tar archive; its stream fails if the backup does
 */
export async function baseBackup(url: string): Promise<Readable> {
  // The driver passes on any parameter of the start of a connection; its types do not know this one.
  const client = new pg.Client({ connectionString: url, replication: 'true' } as pg.ClientConfig);
  const backup = new BaseBackup();
  client.on('error', (error) => backup.handleError(error));
  await client.connect();
  client.query(backup as unknown as pg.Submittable);
  backup.archive.once('close', () => void client.end().catch(() => undefined));
  return backup.archive;
}

/** The command, as the driver runs it: it calls these methods with the server's messages. */
class BaseBackup {
  readonly archive = new PassThrough({ highWaterMark: 1024 * 1024 });
  #archives = 0;
  #isPaused = false;
  #connection: Connection | undefined;

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(COMMAND);
  }

  handleCopyData({ chunk }: CopyData): void {
    if (chunk[0] === ARCHIVE) {
      this.#archives += 1;
      if (this.#archives > 1) this.handleError(new Error('The server has tablespaces, which a backup cannot have'));
    }
    if (chunk[0] !== PART || this.archive.destroyed) return;
    // The driver uses its buffer again.
    const hasRoom = this.archive.write(Buffer.from(chunk.subarray(1)));
    if (hasRoom || this.#isPaused) return;
    this.#isPaused = true;
    this.#connection?.stream.pause();
    this.archive.once('drain', () => {
      this.#isPaused = false;
      this.#connection?.stream.resume();
    });
  }

  handleError(error: Error): void {
    this.archive.destroy(error);
  }

  handleReadyForQuery(): void {
    if (!this.archive.destroyed) this.archive.end();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
