/** Comments that people make on records. */
import type { JsonRow } from '../base.ts';
import { list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Comment extends versionedTable('comments', {
  /** The audit log's name of the record's kind. */
  entityType: text(),
  entityId: uuid(),
  body: text(),
  /** Its author; null if an API key wrote it. */
  userId: optional(uuid()),
  /** The author if it was not a user, as in the audit log. */
  actor: optional(text()),
  /** The mentioned users who may read the record. */
  mentions: list<string[]>(),
}) {
  static override entityType = 'Comment';
  static override access = 'subject' as const;
  /** Name of its author, if loaded. */
  declare author: string | null | undefined;

  static override toJson(row: JsonRow): JsonRow {
    const { author = null, ...shown } = super.toJson(row);
    return { ...shown, author };
  }
}
