/** Stores what the tax agency has answered, and tells whoever follows the invoices. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { query } from '../../../../db/sql.ts';
import type { AgencyError, Answer, RecordAnswer, RecordState } from '../../../../domain/ledger/verifactu/answers.ts';
import { isTechnical, pauseSeconds } from '../../../../domain/ledger/verifactu/sending.ts';
import type { Message, RecordToSend } from './prepare.ts';
import { noteFailure, sendNoSooner } from './problems.ts';
import { tellOfRefusals } from './tell.ts';

/** The outcome of a message. */
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
  const find = lineFinder(answer);
  const results = message.records.flatMap((record, nth) => result(message, record, find(record, nth)) ?? []);
  const added = await addResults(trx, ctx, message, results);
  await emitResults(trx, ctx, message, answer, added);
  const wrong = added.filter(({ status }) => status !== 'accepted');
  if (wrong.length > 0) await tellOfRefusals(trx, ctx, { count: wrong.length, error: wrong[0]?.error ?? null });
  const isComplete = results.length === message.records.length;
  await noteAnswer(trx, ctx, message, answer, isComplete);
  const counts = { accepted: added.length - wrong.length, wrong: wrong.length };
  if (isComplete) return { ...counts, ...(await moveOn(trx, ctx, message, answer.waitSeconds)) };
  const { submissionId, chainId, records } = message;
  const found = { chainId, code: 'unreachable', error: unanswered(answer) } as const;
  const seconds = Math.max(answer.waitSeconds, await noteFailure(trx, ctx, submissionId, found));
  return { ...counts, seconds, waiting: records.length - results.length };
}

async function noteAnswer(trx: Db, ctx: Context, { submissionId }: Message, answer: Answer, isComplete: boolean) {
  await query(
    trx,
    `update verifactu_submissions
     set answered_at = case when :isComplete::boolean then coalesce(answered_at, :now::timestamptz) end, state = coalesce(state, :state),
       csv = coalesce(csv, :csv), presented_at = coalesce(presented_at, :presentedAt::timestamptz), error = null
     where id = :id::uuid`,
    {
      id: submissionId,
      isComplete,
      now: ctx.now.toISOString(),
      state: answer.state,
      csv: answer.csv,
      presentedAt: answer.presentedAt,
    },
  );
}

/** Why some records must be sent again: the agency has failed with them, or has left them out. */
function unanswered({ records }: Answer): AgencyError {
  const failed = records.find(({ error }) => error !== null && isTechnical(error));
  return failed?.error ?? { code: '0', text: 'The answer does not name all records' };
}

/** Lines have the ids of records; the agency's order helps where one is missing. */
function lineFinder({ records }: Answer): (record: RecordToSend, nth: number) => RecordAnswer | undefined {
  const named = new Map(records.map((line) => [line.reference, line]));
  return ({ id }, nth) => {
    const placed = records[nth];
    return named.get(id) ?? (placed?.reference === null ? placed : undefined);
  };
}

/**
 * The result that an answer means for a record; null if it must be sent again.
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
  const records = new Map(message.records.map((record) => [record.id, record]));
  const changes = new Changes(ctx);
  for (const { recordId, status, error } of results) {
    const sent = records.get(recordId) as RecordToSend;
    const payload = {
      record_id: recordId,
      document_id: sent.documentId,
      kind: sent.kind,
      number: sent.record.invoice.number,
      status,
      csv,
      error_code: error?.code ?? null,
      error_text: error?.text ?? null,
    };
    const name = status === 'rejected' ? 'verifactu.rejected' : 'verifactu.accepted';
    changes.emit({ type: 'SalesInvoice', id: sent.documentId }, { name, payload });
  }
  await changes.write(trx);
}

/** Moves the chain on behind what was answered; taken last, since postings wait for its row. */
async function moveOn(
  trx: Db,
  ctx: Context,
  { chainId, submissionId }: Message,
  waitSeconds: number,
): Promise<{ readonly seconds: number; readonly waiting: number }> {
  const [chain] = await query<{ waiting: number }>(
    trx,
    `update verifactu_chains c set sent_seq = greatest(c.sent_seq, s.last_seq), failures = 0, problem = null
     from verifactu_submissions s where c.id = :chainId::uuid and s.id = :submissionId::uuid
     returning c.seq - c.sent_seq as waiting`,
    { chainId, submissionId },
  );
  const waiting = chain?.waiting ?? 0;
  const seconds = pauseSeconds(waitSeconds, waiting);
  await sendNoSooner(trx, ctx, chainId, seconds);
  return { seconds, waiting };
}
