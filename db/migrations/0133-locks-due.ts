import { concurrently } from './concurrent-indexes.ts';

/** Closed documents have a lifecycle only while a lock is due: the comparison reads these, in order of their ids. */
export const up = concurrently({
  name: 'documents_lock_due',
  table: 'documents',
  of: '(id) where lock_due_at is not null',
});
