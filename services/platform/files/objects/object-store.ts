/** A store of bytes by key. */
import type { Readable } from 'node:stream';

/** Stores bytes by key. All operations may be repeated. */
export interface ObjectStore {
  put(key: string, content: Uint8Array, sha256: string): Promise<void>;
  /** @returns null if nothing is stored under the key */
  get(key: string): Promise<Readable | null>;
  /** Succeeds even if nothing is stored under the key. */
  remove(key: string): Promise<void>;
}
