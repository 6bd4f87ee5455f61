/** Files that people attach to records; their bytes are in the table of files or in an object store. */
import type { JsonRow } from '../base.ts';
import { flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Attachment extends versionedTable('attachments', {
  /** The audit log's name of the record's kind. */
  entityType: text(),
  entityId: uuid(),
  name: text(),
  contentType: text(),
  /** In bytes. */
  size: integer(),
  /** Hash of the content, in hexadecimal digits. */
  sha256: text(),
  /** User who attached it; null for an API key. */
  userId: optional(uuid()),
  /** Actor who attached it if it was not a user, as in the audit log. */
  actor: optional(text()),
  /** Whether the bytes are in the object store. */
  inStore: flag(),
}) {
  static override entityType = 'Attachment';
  static override access = 'subject.attachments' as const;
  static override hidden: readonly string[] = ['tenantId', 'inStore'];
  /** Name of the person who attached it, if loaded. */
  declare author: string | null | undefined;

  static override toJson(row: JsonRow): JsonRow {
    const { author = null, ...shown } = super.toJson(row);
    return { ...shown, author };
  }
}
