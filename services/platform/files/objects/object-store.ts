/** A store of bytes by key. */
import type { Readable } from 'node:stream';

/** Bytes by key. All of it may be repeated. */
export interface ObjectStore {
  put(key: string, content: Uint8Array, sha256: string): Promise<void>;
  /** @returns null when there is nothing under the key */
  get(key: string): Promise<Readable | null>;
  /** Also when there is nothing under the key. */
  remove(key: string): Promise<void>;
}
