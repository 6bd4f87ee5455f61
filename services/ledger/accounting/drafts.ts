/** Writes draft entries: head with lines, and audit record. Their periods must be open. */
import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../../../db/changes/changes.ts';
import type { Entity } from '../../../db/changes/trail.ts';
import { newId } from '../../../db/ids.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import type { Row } from '../../../db/models/table.ts';

/** The contents of a draft. */
export type DraftEntry = Pick<
  Row<typeof JournalEntry>,
  'date' | 'periodId' | 'fiscalYear' | 'kind' | 'description' | 'draftLines' | 'lineCount' | 'total'
>;

/** The area of entries that people make. */
export const MANUAL_AREA = 'general';

/** Columns that are null in a draft. */
const UNPOSTED = { number: null, sourceType: null, sourceId: null, reversalOf: null, postedAt: null } as const;

/** Adds a draft. @returns its id */
export function addDraft(changes: Changes, draft: DraftEntry): string {
  const { userId, now } = changes.ctx;
  const at = now.toISOString();
  const made = { createdBy: userId, version: 1, createdAt: at, updatedAt: at };
  const row = { id: newId(), ...draft, ...UNPOSTED, status: 'draft' as const, ...made };
  changes
    .hold(MANUAL_AREA, row.periodId)
    .insert(JournalEntry, [row])
    .audit(auditEntity(row), null, JournalEntry.toJson(row));
  return row.id;
}

/**
 * Changes a draft; writes nothing if nothing differs.
 * @param before as read, locked
 */
export function changeDraft(changes: Changes, before: JournalEntry, draft: DraftEntry): void {
  const members = Object.keys(draft) as (keyof DraftEntry)[];
  if (members.every((member) => isDeepStrictEqual(draft[member], before[member]))) return;
  const after = { ...before, ...draft, updatedAt: changes.ctx.now.toISOString(), version: before.version + 1 };
  changes.hold(MANUAL_AREA, before.periodId, after.periodId).update(JournalEntry, [{ before, after }]);
  changes.audit(auditEntity(after), JournalEntry.toJson({ ...before }), JournalEntry.toJson(after));
}

/** Deletes a draft. @param draft as read, locked */
export function deleteDraft(changes: Changes, draft: JournalEntry): void {
  changes.hold(MANUAL_AREA, draft.periodId).remove(JournalEntry, [draft]);
  changes.audit(auditEntity(draft), JournalEntry.toJson({ ...draft }), null);
}

function auditEntity({ id }: { readonly id: string }): Entity {
  return { type: JournalEntry.entityType, id };
}
