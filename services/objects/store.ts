/** Where the bytes of attachments are, if not in the database: a store that speaks Amazon's S3 protocol (decision 0185). */
import type { Readable } from 'node:stream';
import type { ObjectStoreConfig } from '../../config/objects.ts';
import { S3Store } from './s3.ts';

/** Bytes by key. All of it may be repeated. */
export interface ObjectStore {
  put(key: string, content: Uint8Array, sha256: string): Promise<void>;
  /** @returns null when there is nothing under the key */
  get(key: string): Promise<Readable | null>;
  /** Also when there is nothing under the key. */
  remove(key: string): Promise<void>;
}

const stores = new WeakMap<ObjectStoreConfig, ObjectStore>();

/** The configured store, one for each configuration; null if attachments are in the database. */
export function objectStoreOf(config: ObjectStoreConfig | undefined): ObjectStore | null {
  if (config === undefined) return null;
  const known = stores.get(config);
  if (known !== undefined) return known;
  const store = new S3Store(config);
  stores.set(config, store);
  return store;
}
