/** An object store with Amazon's S3 protocol: checks signatures, and keeps objects in its own folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

const BUCKET = 'attachments';
/** The only key that the store accepts. */
const KEY = 'S3RVER';

export interface TestObjectStore {
  /** Settings of the service for it. */
  readonly env: Readonly<Record<string, string>>;
  /** May be repeated. */
  close(): Promise<void>;
}

/** Starts a store with an empty bucket, on a free port. */
export async function startObjectStore(): Promise<TestObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'objects-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  // The client signs by the clock of the store's answers. Node dates these by the system's clock, even if the tests' is moved.
  server.httpServer.prependListener('request', (_, response) => response.setHeader('Date', new Date().toUTCString()));
  let closed: Promise<void> | undefined;
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEY,
      S3_SECRET_ACCESS_KEY: KEY,
    },
    async close() {
      closed ??= server.close();
      await closed;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
