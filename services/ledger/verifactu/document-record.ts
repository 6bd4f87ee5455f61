/** The part of an invoice that shows its last record for the tax agency. */
import { type AgencyError, RECORD_STATES } from '../../../domain/ledger/verifactu/answers.ts';
import { explained } from '../../../domain/ledger/verifactu/errors.ts';
import { type Environment, lookupUrl } from '../../../domain/ledger/verifactu/qr.ts';
import type { InvoiceKey } from '../../../domain/ledger/verifactu/records.ts';
import type { Decimal } from '../../../domain/money.ts';

/** `queued` until an answer is known, also while it is sent. */
export const RECORD_STATUSES = ['queued', ...RECORD_STATES] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** The last record of an invoice, as it is loaded with the invoice. */
export interface DocumentRecord {
  readonly id: string;
  readonly kind: 'registration' | 'annulment';
  readonly status: RecordStatus;
  readonly hash: string;
  readonly csv: string | null;
  readonly error: AgencyError | null;
  /** By which it is looked up: from its last registration. */
  readonly invoice: InvoiceKey;
  readonly total: Decimal;
  readonly environment: Environment;
}

/** SQL for the company's environment. */
export const ENVIRONMENT = `coalesce((select value->>'environment' from settings where name = 'verifactu'), 'test')`;

/** SQL of the last record as JSON, null if there is none; `d` is the invoice. */
export const DOCUMENT_RECORD = `(
  select jsonb_build_object('id', r.id, 'kind', r.kind, 'status', coalesce(e.status, 'queued'), 'hash', r.hash, 'csv', s.csv,
    'error', e.error, 'invoice', g.record->'invoice', 'total', g.record->>'total', 'environment', ${ENVIRONMENT})
  from (select * from verifactu_records where document_id = d.id order by seq desc limit 1) r
  join lateral (select record from verifactu_records where document_id = d.id and kind = 'registration' order by seq desc limit 1) g on true
  left join verifactu_results e on e.record_id = r.id
  left join verifactu_submissions s on s.id = e.submission_id)`;

/** The record as clients see it on the invoice. */
export function documentRecordToJson(record: DocumentRecord | null) {
  if (record === null) return null;
  const { id, kind, status, hash, csv, error, environment, invoice, total } = record;
  const qrUrl = lookupUrl(environment, invoice, total);
  return { recordId: id, kind, status, hash, csv, qrUrl, errors: error === null ? [] : [explained(error)] };
}
