/** The kinds of records that can be commented on and carry attachments. */
import type { Reader } from '../../../db/database.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { fragment, joined, toStatement, type Value, where } from '../../../db/queries/fragments.ts';
import { runOn } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { canRead, type Permissions } from '../../platform/visibility/reading.ts';
import { RESOURCES } from '../master-data/index.ts';

/** A kind of record. */
export interface CommentableKind {
  /** As in the audit log: SalesInvoice, BusinessPartner. */
  readonly entityType: string;
  /** The API's path of a record. */
  readonly path: (id: string) => string;
  readonly table: string;
  readonly conditions: Readonly<Record<string, Value>>;
}

/** Reference to one record. */
export interface CommentableRecord {
  readonly entityType: string;
  readonly entityId: string;
}

export const COMMENTABLE_KINDS: readonly CommentableKind[] = [
  ...DOC_TYPES.map((docType): CommentableKind => {
    const { entityType, path } = DOCUMENT_TYPES[docType];
    return { ...kind(entityType, path, 'documents'), conditions: { doc_type: docType } };
  }),
  ...RESOURCES.filter(({ parent }) => parent === undefined).map(({ model, path }) =>
    kind(model.entityType, path, model.tableName),
  ),
  kind(JournalEntry.entityType, '/api/journal-entries', JournalEntry.tableName),
];

const BY_NAME = new Map(COMMENTABLE_KINDS.map((each) => [each.entityType, each]));

/** Entity types of commentable records, as in the audit log. */
export const COMMENTABLE_TYPES: readonly string[] = [...BY_NAME.keys()];

function kind(entityType: string, path: string, table: string): CommentableKind {
  return { entityType, path: (id) => `${path}/${id}`, table, conditions: {} };
}

/** The API's address of a record. */
export function recordPath({ entityType, entityId }: CommentableRecord): string | undefined {
  return BY_NAME.get(entityType)?.path(entityId);
}

/**
 * Checks that a record exists and may be read.
 * @param member that must be readable as well: `attachments`
 * @throws ServiceError validation_failed pointing to the entity type, or to the id, also if the record may not be read
 */
export async function assertCommentable(
  reader: Reader,
  permissions: Permissions,
  { entityType, entityId }: CommentableRecord,
  member?: string,
): Promise<void> {
  const found = BY_NAME.get(entityType);
  if (found === undefined) {
    throw invalidMember('/entityType', 'invalid_choice', `must be one of ${COMMENTABLE_TYPES.join(', ')}`);
  }
  const { table, conditions } = found;
  const sql = joined([fragment(`select 1 from ${table}`), where({ id: entityId, ...conditions })]);
  const rows = canRead(permissions, entityType, member) ? await runOn(reader, toStatement(sql)) : [];
  if (rows.length === 0) {
    throw invalidMember('/entityId', 'invalid_reference', 'refers to a record that does not exist');
  }
}
