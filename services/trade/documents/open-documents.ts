/** Documents of all companies that should have a running lifecycle. Ids, statuses and numbers only. */
import type { Database } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import type { DocType, DocumentStatus } from '../../../domain/trade/documents/types.ts';

export interface OpenDocument {
  readonly documentId: string;
  readonly tenantId: string;
  readonly docType: DocType;
  readonly status: DocumentStatus;
  readonly code: string | null;
  readonly partnerId: string | null;
  /** When it will be locked. */
  readonly lockDueAt: string | null;
  /** When a quotation expires. */
  readonly expiresAt: string | null;
}

const COLUMNS = `id as "documentId", tenant_id as "tenantId", doc_type as "docType", status, code, partner_id as "partnerId",
  lock_due_at as "lockDueAt", expires_at as "expiresAt"`;

const pageSql = (condition: string) =>
  `select ${COLUMNS} from documents where ${condition} and id > :after::uuid order by id limit :limit`;

/** Lists the next page in order of ids. @param after the last id of the previous page; null for the first page */
export async function listOpenDocuments(
  database: Database,
  after: string | null,
  limit: number,
): Promise<OpenDocument[]> {
  return database.withSystem((trx) =>
    query<OpenDocument>(
      trx,
      // Each part uses its own index.
      `(${pageSql(`status in (${STATE.draft}, ${STATE.open}, ${STATE.partial})`)})
       union all (${pageSql(`lock_due_at is not null and status = ${STATE.closed}`)}) order by "documentId" limit :limit`,
      { after: after ?? '00000000-0000-0000-0000-000000000000', limit },
    ),
  );
}

/** Reads documents in their current state; deleted ones are absent. */
export async function readCurrentDocuments(database: Database, ids: readonly string[]): Promise<OpenDocument[]> {
  return database.withSystem((trx) =>
    query<OpenDocument>(trx, `select ${COLUMNS} from documents where id = any(:ids::uuid[])`, { ids: [...ids] }),
  );
}
