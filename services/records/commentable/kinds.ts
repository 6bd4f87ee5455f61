/** The kinds of records that can be commented on and carry attachments, with the permission to read each. */
import type { Reader } from '../../../db/database.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { fragment, joined, toStatement, type Value, where } from '../../../db/queries/fragments.ts';
import { runOn } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type Permission, ROLES, type Role } from '../../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { RESOURCES } from '../master-data/index.ts';

/** A kind of record. */
export interface CommentableKind {
  /** As in the audit log: SalesInvoice, BusinessPartner. */
  readonly entityType: string;
  /** Permission required to read such a record. */
  readonly permission: Permission;
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
    const { entityType, resource, path } = DOCUMENT_TYPES[docType];
    return { ...kind(entityType, `${resource}:read`, path, 'documents'), conditions: { doc_type: docType } };
  }),
  ...RESOURCES.filter(({ parent }) => parent === undefined).map(({ model, permission, path }) =>
    kind(model.entityType, `${permission}:read`, path, model.tableName),
  ),
  kind(JournalEntry.entityType, 'journal_entries:read', '/api/journal-entries', JournalEntry.tableName),
];

const BY_NAME = new Map(COMMENTABLE_KINDS.map((each) => [each.entityType, each]));

/** Entity types of commentable records, as in the audit log. */
export const COMMENTABLE_TYPES: readonly string[] = [...BY_NAME.keys()];

function kind(entityType: string, permission: Permission, path: string, table: string): CommentableKind {
  return { entityType, permission, path: (id) => `${path}/${id}`, table, conditions: {} };
}

/** Entity types that may be read with these permissions. */
export function readableTypes(permissions: ReadonlySet<string>): string[] {
  return COMMENTABLE_KINDS.filter(({ permission }) => permissions.has(permission)).map(({ entityType }) => entityType);
}

/** Whether people with a role may read records of a kind. */
export function canRead(role: Role, entityType: string): boolean {
  const found = BY_NAME.get(entityType);
  return found !== undefined && ROLES[role].permissions.has(found.permission);
}

/** The API's address of a record. */
export function recordPath({ entityType, entityId }: CommentableRecord): string | undefined {
  return BY_NAME.get(entityType)?.path(entityId);
}

/**
 * Checks that a record exists and may be read.
 * @throws ServiceError validation_failed pointing to the entity type, or to the id, also if the record may not be read
 */
export async function assertCommentable(
  reader: Reader,
  permissions: ReadonlySet<string>,
  { entityType, entityId }: CommentableRecord,
): Promise<void> {
  const found = BY_NAME.get(entityType);
  if (found === undefined) {
    throw invalidMember('/entityType', 'invalid_choice', `must be one of ${COMMENTABLE_TYPES.join(', ')}`);
  }
  const { permission, table, conditions } = found;
  const sql = joined([fragment(`select 1 from ${table}`), where({ id: entityId, ...conditions })]);
  const rows = permissions.has(permission) ? await runOn(reader, toStatement(sql)) : [];
  if (rows.length === 0) {
    throw invalidMember('/entityId', 'invalid_reference', 'refers to a record that does not exist');
  }
}
