/** Stores what the tax agency has answered, and tells whoever follows the invoices. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { query } from '../../../../db/sql.ts';
import type { AgencyError, Answer, RecordAnswer, RecordState } from '../../../../domain/ledger/verifactu/answers.ts';
import { isTechnical, pauseSeconds, retrySeconds } from '../../../../domain/ledger/verifactu/sending.ts';
import type { Message, RecordToSend } from './prepare.ts';
import { sendNoSooner } from './problems.ts';
import { tellOfRefusals } from './tell.ts';

/** What became of a message. */
export interface Stored {
  /** Seconds until the next one. */
  readonly seconds: number;
  /** Records of the chain that wait. */
  readonly waiting: number;
  readonly accepted: number;
  /** Records that the agency refused, or wants corrected. */
  readonly wrong: number;
}

interface Result {
  readonly recordId: string;
  readonly status: RecordState;
  readonly error: AgencyError | null;
  readonly duplicate: boolean;
}

/** Stores an answer; a repetition changes nothing. */
export async function storeAnswer(trx: Db, ctx: Context, message: Message, answer: Answer): Promise<Stored> {
  const results = message.records.flatMap(
    (record, nth) => result(message, record, answerTo(answer, record, nth)) ?? [],
  );
  const added = await addResults(trx, ctx, message, results);
  await emitResults(trx, ctx, message, answer, added);
  const wrong = added.filter(({ status }) => status !== 'accepted');
  if (wrong.length > 0) await tellOfRefusals(trx, ctx, { count: wrong.length, error: wrong[0]?.error ?? null });
  const isComplete = results.length === message.records.length;
  await query(
    trx,
    `update verifactu_submissions
     set answered_at = case when :isComplete::boolean then coalesce(answered_at, :now::timestamptz) end, state = coalesce(state, :state),
       csv = coalesce(csv, :csv), presented_at = coalesce(presented_at, :presentedAt::timestamptz), error = null
     where id = :id::uuid`,
    {
      id: message.submissionId,
      isComplete,
      now: ctx.now.toISOString(),
      state: answer.state,
      csv: answer.csv,
      presentedAt: answer.presentedAt,
    },
  );
  const waiting = await moveOn(trx, ctx, message, isComplete, answer.waitSeconds);
  return { ...waiting, accepted: added.length - wrong.length, wrong: wrong.length };
}

/** Lines have the ids of records; the agency's order helps where one is missing. */
function answerTo(answer: Answer, record: RecordToSend, nth: number): RecordAnswer | undefined {
  const named = answer.records.find(({ reference }) => reference === record.id);
  if (named !== undefined) return named;
  const placed = answer.records[nth];
  return placed?.reference === null ? placed : undefined;
}

/**
 * What an answer means for a record; null if it must be sent again.
 * A message without a known answer may have arrived: then the agency says that it has the records already, and in what state.
 */
function result({ repeated }: Message, { id }: RecordToSend, answer: RecordAnswer | undefined): Result | null {
  if (answer === undefined || (answer.error !== null && answer.state === 'rejected' && isTechnical(answer.error)))
    return null;
  const { duplicateOf } = answer;
  if (duplicateOf !== null && repeated && duplicateOf.state !== 'rejected') {
    const status = duplicateOf.state === 'annulled' ? 'accepted' : duplicateOf.state;
    return { recordId: id, status, error: duplicateOf.error, duplicate: true };
  }
  return { recordId: id, status: answer.state, error: answer.error, duplicate: duplicateOf !== null };
}

async function addResults(
  trx: Db,
  ctx: Context,
  { submissionId }: Message,
  results: readonly Result[],
): Promise<readonly Result[]> {
  const rows = results.map((one) => ({
    id: newId(),
    record_id: one.recordId,
    status: one.status,
    error: one.error,
    duplicate: one.duplicate,
  }));
  const added = await query<{ record_id: string }>(
    trx,
    `insert into verifactu_results (id, tenant_id, record_id, submission_id, status, error, duplicate, answered_at)
     select r.id, :tenantId::uuid, r.record_id, :submissionId::uuid, r.status, r.error, r.duplicate, :now::timestamptz
     from jsonb_to_recordset(:rows::jsonb) as r (id uuid, record_id uuid, status text, error jsonb, duplicate boolean)
     on conflict (tenant_id, record_id) do nothing returning record_id`,
    { tenantId: ctx.tenantId, submissionId, now: ctx.now.toISOString(), rows: JSON.stringify(rows) },
  );
  const ids = new Set(added.map(({ record_id }) => record_id));
  return results.filter(({ recordId }) => ids.has(recordId));
}

/** One event for each record, about its invoice. */
async function emitResults(trx: Db, ctx: Context, message: Message, { csv }: Answer, results: readonly Result[]) {
  if (results.length === 0) return;
  const documents = await query<{ id: string; document_id: string }>(
    trx,
    'select id, document_id from verifactu_records where id = any(:ids::uuid[])',
    { ids: results.map(({ recordId }) => recordId) },
  );
  const documentIds = new Map(documents.map(({ id, document_id }) => [id, document_id]));
  const records = new Map(message.records.map((record) => [record.id, record]));
  const changes = new Changes(ctx);
  for (const { recordId, status, error } of results) {
    const [documentId, sent] = [documentIds.get(recordId), records.get(recordId)];
    if (documentId === undefined || sent === undefined) continue;
    const payload = {
      record_id: recordId,
      document_id: documentId,
      kind: sent.kind,
      number: sent.record.invoice.number,
      status,
      csv,
      error_code: error?.code ?? null,
      error_text: error?.text ?? null,
    };
    const name = status === 'rejected' ? 'verifactu.rejected' : 'verifactu.accepted';
    changes.emit({ type: 'SalesInvoice', id: documentId }, { name, payload });
  }
  await changes.write(trx);
}

/** Moves the chain on behind what was answered; taken last, since postings wait for its row. */
async function moveOn(
  trx: Db,
  ctx: Context,
  { chainId, submissionId }: Message,
  isComplete: boolean,
  waitSeconds: number,
): Promise<{ readonly seconds: number; readonly waiting: number }> {
  const [chain] = await query<{ waiting: number; failures: number }>(
    trx,
    `update verifactu_chains c
     set sent_seq = case when :isComplete::boolean then greatest(c.sent_seq, s.last_seq) else c.sent_seq end,
       failures = case when :isComplete::boolean then 0 else c.failures + 1 end, problem = null
     from verifactu_submissions s where c.id = :chainId::uuid and s.id = :submissionId::uuid
     returning c.seq - c.sent_seq as waiting, c.failures`,
    { chainId, submissionId, isComplete },
  );
  const { waiting = 0, failures = 0 } = chain ?? {};
  const seconds = isComplete
    ? pauseSeconds(waitSeconds, waiting)
    : Math.max(waitSeconds, retrySeconds('unreachable', failures));
  await sendNoSooner(trx, ctx, chainId, seconds);
  return { seconds, waiting };
}
