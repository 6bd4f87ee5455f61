/** Changing what is neither printed nor booked of a document, in every state: custom fields, internal notes and tags. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { documentEvent } from './events.ts';
import type { LoadedDocument } from './stored.ts';
import { KEEP_PAPER, writeState } from './write-state.ts';

/** Members that no state keeps from changing, besides custom fields. */
export const ANNOTATIONS = ['internalNotes', 'tags'] as const;

/**
 * Writes the members; no period has to be open for them.
 * @param keepsPaper whether nothing changes that is printed
 * @throws ConcurrentChange
 */
export async function writeAnnotations(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  next: LoadedDocument,
  { fields, keepsPaper }: { readonly fields: readonly string[]; readonly keepsPaper: boolean },
): Promise<Record<string, unknown>> {
  const { internalNotes, tags, custom } = next.row;
  return writeState(trx, ctx, document, next, {
    set: 'internal_notes = :internalNotes, tags = :tags::jsonb, custom = :custom::jsonb',
    bindings: { internalNotes, tags: JSON.stringify(tags), custom: JSON.stringify(custom) },
    event: documentEvent('document.updated', next.row, { fields }),
    anyPeriod: true,
    ...(keepsPaper ? { beside: KEEP_PAPER } : {}),
  });
}
