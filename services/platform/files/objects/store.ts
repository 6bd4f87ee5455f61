/** The object store for attachments that are not kept in the database, by Amazon's S3 protocol (decision 0185). */
import type { ObjectStoreConfig } from '../../../../config/objects.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store } from './s3.ts';

const stores = new WeakMap<ObjectStoreConfig, ObjectStore>();

/** Returns the configured store, one per configuration; null if attachments are in the database. */
export function sharedObjectStore(config: ObjectStoreConfig | undefined): ObjectStore | null {
  if (config === undefined) return null;
  const known = stores.get(config);
  if (known !== undefined) return known;
  const store = new S3Store(config);
  stores.set(config, store);
  return store;
}
