/** Submissions of invoices to FACe as they are stored. */
import type { Db, Reader } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { notFound } from '../../../../domain/errors.ts';
import type { FaceError } from '../../../../domain/trade/einvoice/face/answers.ts';
import type { CancellationStatus, SubmissionStatus } from '../../../../domain/trade/einvoice/face/statuses.ts';
import { camelCase } from '../../../../domain/words.ts';

export interface Submission {
  readonly id: string;
  readonly documentId: string;
  /** Number of the invoice. */
  readonly number: string;
  readonly environment: 'test' | 'production';
  readonly email: string;
  readonly status: SubmissionStatus;
  readonly code: number | null;
  readonly comment: string | null;
  readonly registryCode: string | null;
  readonly errors: readonly FaceError[] | null;
  readonly failures: number;
  readonly nextAt: string | null;
  readonly fileId: string | null;
  readonly cancellation: CancellationStatus | null;
  readonly cancellationReason: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly changedAt: string;
}

/** A submission as it is read: members by their columns. */
export type SubmissionRow = Readonly<Record<string, unknown>>;

/** Submissions, for lists. */
export const SUBMISSIONS_SQL = `
  select f.id, f.document_id, d.code as number, f.environment, f.email, f.status, f.code, f.comment, f.registry_code, f.errors, f.failures,
    f.next_at, f.file_id, f.cancellation, f.cancellation_reason, f.created_at, f.sent_at, f.changed_at
  from face_submissions f join documents d on d.id = f.document_id`;

function submission(row: SubmissionRow): Submission {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [camelCase(column), value])) as never;
}

/** Reads a submission. @throws ServiceError not_found */
export async function readSubmission(reader: Reader, id: string): Promise<Submission> {
  const [row] = await query<SubmissionRow>(reader, `${SUBMISSIONS_SQL} where f.id = :id::uuid`, { id });
  if (row === undefined) throw notFound('The submission');
  return submission(row);
}

/** The last submission of an invoice; undefined if there is none. */
export async function lastSubmission(reader: Reader, documentId: string): Promise<Submission | undefined> {
  const last = `${SUBMISSIONS_SQL} where f.document_id = :documentId::uuid order by f.created_at desc, f.id desc limit 1`;
  const [row] = await query<SubmissionRow>(reader, last, { documentId });
  return row && submission(row);
}

/** The submission about which something is due first; undefined if nothing is. */
export async function dueSubmission(reader: Reader, now: Date): Promise<Submission | undefined> {
  const due = `${SUBMISSIONS_SQL} where f.next_at <= :now::timestamptz order by f.next_at, f.id limit 1`;
  const [row] = await query<SubmissionRow>(reader, due, { now: now.toISOString() });
  return row && submission(row);
}

/** The submissions of a company that FACe may or may not have: those that wait, and those under way. */
export async function unsettledSubmissions(reader: Reader): Promise<readonly Submission[]> {
  const rows = await query<SubmissionRow>(
    reader,
    `${SUBMISSIONS_SQL} where f.status in ('waiting', 'sending') order by f.id`,
    {},
  );
  return rows.map(submission);
}

/** A submission as clients see it. */
export function submissionToJson({ fileId, errors, failures: _, nextAt: __, ...shown }: Submission) {
  return { ...shown, errors: errors ?? [], attachmentId: fileId };
}

/** The same, from a row. */
export function submissionRowToJson(row: SubmissionRow) {
  return submissionToJson(submission(row));
}

/** Members to store; those left out stay as they are. */
export type Stored = Partial<
  Pick<
    Submission,
    'status' | 'code' | 'comment' | 'registryCode' | 'failures' | 'fileId' | 'cancellation' | 'cancellationReason'
  > & {
    readonly errors: readonly FaceError[] | null;
    readonly nextAt: Date | null;
    readonly sentAt: Date;
  }
>;

const COLUMNS: Readonly<Record<keyof Stored, string>> = {
  status: 'status = :status',
  code: 'code = :code::integer',
  comment: 'comment = :comment',
  registryCode: 'registry_code = :registryCode',
  failures: 'failures = :failures::integer',
  fileId: 'file_id = :fileId::uuid',
  cancellation: 'cancellation = :cancellation',
  cancellationReason: 'cancellation_reason = :cancellationReason',
  errors: 'errors = :errors::jsonb',
  nextAt: 'next_at = :nextAt::timestamptz',
  sentAt: 'sent_at = :sentAt::timestamptz',
};

/**
 * Stores what has become of a submission.
 * @param known the submission as it was read: a request to cancel that came since is not lost
 * @param from statuses that it must have
 * @returns whether it is as expected; if not, nothing is stored
 */
export async function storeSubmission(
  trx: Db,
  now: Date,
  known: Pick<Submission, 'id' | 'cancellation'>,
  from: readonly SubmissionStatus[],
  values: Stored,
): Promise<boolean> {
  const names = Object.keys(values) as (keyof Stored)[];
  const moved =
    values.status === undefined
      ? []
      : [`changed_at = case when status = :status then changed_at else :now::timestamptz end`];
  const stored = await query(
    trx,
    `update face_submissions set ${[...names.map((name) => COLUMNS[name]), ...moved].join(', ')}
     where id = :id::uuid and status = any(:from::text[]) and cancellation is not distinct from :known::text returning id`,
    {
      id: known.id,
      known: known.cancellation,
      from: [...from],
      now: now.toISOString(),
      ...Object.fromEntries(names.map((name) => [name, plain(values[name])])),
    },
  );
  return stored.length > 0;
}

function plain(value: Stored[keyof Stored]): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
