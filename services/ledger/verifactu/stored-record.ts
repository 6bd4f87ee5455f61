/** Records as they are stored, in the terms of the domain. */
import type { Link, Recorded } from '../../../domain/ledger/verifactu/records.ts';

/** The columns of a record that say what it reports, and its place in the chain; `r` is the record. */
export const STORED_COLUMNS =
  'r.id, r.seq, r.kind, r.document_id, r.record, r.version, r.previous, r.generated_at, r.generated_text, r.hash';

export interface StoredRecordRow {
  readonly id: string;
  readonly seq: number;
  readonly kind: Recorded['kind'];
  readonly document_id: string;
  readonly record: Recorded['record'];
  readonly version: string;
  readonly previous: NonNullable<Link['previous']> | null;
  readonly generated_at: string;
  readonly generated_text: string;
  readonly hash: string;
}

/** The record of a row, with its link in the chain. */
export function storedRecord({ kind, record, previous, generated_text, hash }: StoredRecordRow): Recorded {
  const link: Link = { ...(previous === null ? {} : { previous }), generatedAt: generated_text, hash };
  return { kind, record, link } as Recorded;
}
