/** Records of issued invoices as clients see them. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import type { AgencyError } from '../../../domain/ledger/verifactu/answers.ts';
import { explained } from '../../../domain/ledger/verifactu/errors.ts';
import { type Environment, lookupUrl } from '../../../domain/ledger/verifactu/qr.ts';
import type { Annulment, InvoiceKey, Registration } from '../../../domain/ledger/verifactu/records.ts';
import { ENVIRONMENT, type RecordStatus } from './document-record.ts';

/** Records with what became of them, and the place where their invoices are looked up. */
export const RECORDS_SQL = `
  select r.id, coalesce(e.status, 'queued') as status, e.error, e.answered_at, s.csv, r.chain_id, r.seq, r.kind, r.document_id,
    r.record->'invoice'->>'number' as number,
    (r.record->'invoice'->>'date')::date as date, r.record, r.version, r.previous, r.generated_at, r.generated_text, r.hash,
    ${ENVIRONMENT} as environment
  from verifactu_records r
  left join verifactu_results e on e.tenant_id = r.tenant_id and e.record_id = r.id
  left join verifactu_submissions s on s.tenant_id = e.tenant_id and s.id = e.submission_id`;

interface RecordRow {
  readonly id: string;
  readonly status: RecordStatus;
  readonly error: AgencyError | null;
  readonly answered_at: string | null;
  readonly csv: string | null;
  readonly chain_id: string;
  readonly seq: number;
  readonly kind: 'registration' | 'annulment';
  readonly document_id: string;
  readonly number: string;
  readonly date: string;
  readonly record: Registration | Annulment;
  readonly version: string;
  readonly previous: (InvoiceKey & { readonly hash: string }) | null;
  readonly generated_text: string;
  readonly hash: string;
  readonly environment: Environment;
}

/** A record as clients see it. */
export function recordToJson(row: RecordRow) {
  const { record } = row;
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    csv: row.csv,
    answeredAt: row.answered_at,
    errors: row.error === null ? [] : [explained(row.error)],
    documentId: row.document_id,
    chainId: row.chain_id,
    seq: row.seq,
    number: row.number,
    date: row.date,
    type: 'type' in record ? record.type : null,
    total: 'total' in record ? Number(record.total) : null,
    generatedAt: row.generated_text,
    hash: row.hash,
    previousHash: row.previous?.hash ?? null,
    programVersion: row.version,
    qrUrl: 'total' in record ? lookupUrl(row.environment, record.invoice, record.total) : null,
    record,
  };
}

/** Reads a record as clients see it. @throws ServiceError not_found */
export async function readRecord(reader: Reader, id: string) {
  const sql = `select * from (${RECORDS_SQL}) records where id = :id::uuid`;
  const [row] = await query<RecordRow>(reader, sql, { id });
  if (row === undefined) throw notFound('The record');
  return recordToJson(row);
}

/** Reads the last record of an invoice that has one, as clients see it. */
export async function readLastRecord(reader: Reader, documentId: string) {
  const sql = `select * from (${RECORDS_SQL}) records where document_id = :documentId::uuid order by seq desc limit 1`;
  const [row] = await query<RecordRow>(reader, sql, { documentId });
  if (row === undefined) throw notFound('The record');
  return recordToJson(row);
}
