/** Records of issued invoices as clients see them. */

import { type Environment, lookupUrl } from '../../../domain/ledger/verifactu/qr.ts';
import type { Annulment, InvoiceKey, Registration } from '../../../domain/ledger/verifactu/records.ts';

/** Records with the place where their invoices are looked up. */
export const RECORDS_SQL = `
  select r.id, r.chain_id, r.seq, r.kind, r.document_id, r.record->'invoice'->>'number' as number,
    (r.record->'invoice'->>'date')::date as date, r.record, r.version, r.previous, r.generated_at, r.generated_text, r.hash,
    coalesce((select value->>'environment' from settings where name = 'verifactu'), 'test') as environment
  from verifactu_records r`;

interface RecordRow {
  readonly id: string;
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
