/** How things stand between a company and the tax agency. */
import type { VerifactuConfig } from '../../../../config/verifactu.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db, Reader } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { isPersonsTaxId } from '../../../../domain/identifiers.ts';
import type { AgencyError, AnswerState } from '../../../../domain/ledger/verifactu/answers.ts';
import { explained } from '../../../../domain/ledger/verifactu/errors.ts';
import type { Problem } from '../../../../domain/ledger/verifactu/sending.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { wakeSender } from './wake.ts';

interface StatusRow {
  readonly queued: number;
  readonly oldest: string | null;
  readonly next_send_at: string | null;
  readonly problem: Problem | null;
  readonly rejected: number;
  readonly with_errors: number;
  readonly valid_until: string | null;
}

/** Records are counted by what became of the last one of each invoice: a corrected one is no longer wrong. */
const STATUS = `
  with latest as (
    select distinct on (r.document_id) r.document_id, e.status from verifactu_results w
    join verifactu_records x on x.id = w.record_id
    join verifactu_records r on r.document_id = x.document_id
    left join verifactu_results e on e.record_id = r.id
    where w.status <> 'accepted'
    order by r.document_id, r.seq desc
  )
  select coalesce(sum(c.seq - c.sent_seq), 0)::int as queued, min(c.next_send_at) as next_send_at,
    (select min(r.generated_at) from verifactu_chains o join verifactu_records r on r.chain_id = o.id and r.seq = o.sent_seq + 1) as oldest,
    (select problem from verifactu_chains where problem is not null and seq > sent_seq limit 1) as problem,
    (select count(*)::int from latest where status = 'rejected') as rejected,
    (select count(*)::int from latest where status = 'accepted_with_errors') as with_errors,
    (select valid_until from verifactu_certificates) as valid_until
  from verifactu_chains c`;

interface SubmissionRow {
  readonly id: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly incident: boolean;
  readonly attempts: number;
  readonly sent_at: string;
  readonly answered_at: string | null;
  readonly state: AnswerState | null;
  readonly csv: string | null;
  readonly presented_at: string | null;
  readonly error: AgencyError | null;
}

/** Messages to the agency, for lists. */
export const SUBMISSIONS_SQL = `
  select id, first_seq, last_seq, incident, attempts, sent_at, answered_at, state, csv, presented_at, error from verifactu_submissions`;

/** From when the law demands records (RD 1007/2023, final provision 4, as amended by RD-ley 15/2025). */
function legalStart(taxId: string): string {
  return isPersonsTaxId('ES', taxId) ? '2027-07-01' : '2027-01-01';
}

/** Reads the state. */
export async function readStatus(reader: Reader, { maker }: VerifactuConfig) {
  const [[row], [last], { enabled, environment, outside, mandatoryFrom }, { taxId }] = await Promise.all([
    query<StatusRow>(reader, STATUS, {}),
    query<SubmissionRow>(reader, `${SUBMISSIONS_SQL} order by sent_at desc, id desc limit 1`, {}),
    loadSettings(reader, 'verifactu'),
    loadSettings(reader, 'company'),
  ]);
  const problem = row?.problem ?? null;
  return {
    enabled,
    environment,
    outside,
    mandatoryFrom: outside === null ? (mandatoryFrom ?? legalStart(taxId)) : null,
    programDeclared: maker !== undefined,
    certificateUntil: row?.valid_until ?? null,
    queued: row?.queued ?? 0,
    oldestQueuedAt: row?.oldest ?? null,
    nextSendAt: (row?.queued ?? 0) > 0 ? (row?.next_send_at ?? null) : null,
    rejected: row?.rejected ?? 0,
    acceptedWithErrors: row?.with_errors ?? 0,
    problem: problem === null ? null : { ...problem, error: problem.error === null ? null : explained(problem.error) },
    lastSubmission: last === undefined ? null : submissionToJson(last),
  };
}

/** A message as clients see it. */
export function submissionToJson(row: SubmissionRow) {
  return {
    id: row.id,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    incident: row.incident,
    attempts: row.attempts,
    sentAt: row.sent_at,
    answeredAt: row.answered_at,
    state: row.state,
    csv: row.csv,
    presentedAt: row.presented_at,
    error: row.error === null ? null : explained(row.error),
  };
}

/**
 * Sends what waits, after somebody has mended what kept it from being sent. What the agency has stated as waiting time passes first.
 * @throws ServiceError invalid_transition if nothing waits
 */
export async function resumeSending(trx: Db, ctx: Context): Promise<void> {
  const [waiting] = await query(trx, 'select 1 from verifactu_chains where seq > sent_seq limit 1', {});
  if (waiting === undefined)
    throw new ServiceError('invalid_transition', 'Nothing can be resumed because no records wait to be sent');
  await wakeSender(trx, ctx);
}
