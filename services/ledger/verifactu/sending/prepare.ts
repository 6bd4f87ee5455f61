/** Chooses the records of the next message to the tax agency, and notes that it is sent before it is. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { query } from '../../../../db/sql.ts';
import type { Recorded } from '../../../../domain/ledger/verifactu/records.ts';
import { isLate, MAX_RECORDS, type ProblemCode } from '../../../../domain/ledger/verifactu/sending.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { STORED_COLUMNS, type StoredRecordRow, storedRecord } from '../stored-record.ts';
import { noteProblem } from './problems.ts';

/** A record as it is sent. */
export type RecordToSend = Recorded & {
  readonly id: string;
  readonly documentId: string;
  /** Version of the program that made it. */
  readonly version: string;
  readonly generatedAt: Date;
};

export interface Message {
  readonly submissionId: string;
  readonly chainId: string;
  /** Tax id of the company whose chain it is. */
  readonly issuer: string;
  readonly environment: 'test' | 'production';
  readonly incident: boolean;
  /** Last day on which the company sends records; null for no end. */
  readonly endsOn: string | null;
  /** Whether it was sent before, and no answer is known. */
  readonly repeated: boolean;
  readonly records: readonly RecordToSend[];
}

export type Prepared =
  | { readonly next: 'nothing' }
  | { readonly next: 'stop'; readonly code: ProblemCode }
  | { readonly next: 'wait'; readonly seconds: number; readonly waiting: number }
  | { readonly next: 'send'; readonly message: Message };

interface ChainRow {
  readonly id: string;
  readonly issuer: string;
  readonly waiting: number;
  readonly sent_seq: number;
  readonly next_send_at: string | null;
}

/** The chain whose turn it is; it stays locked, so that no record is added while the workflow decides to end. */
const NEXT_CHAIN = `
  select id, issuer, seq - sent_seq as waiting, sent_seq, next_send_at from verifactu_chains
  where seq > sent_seq and problem->>'code' is distinct from 'suspended'
  order by next_send_at nulls first, id limit 1 for update`;

/** Ends the promise to look again, for chains of which nothing waits: the next record starts a workflow. */
const ASLEEP = `
  with locked as (select id from verifactu_chains where awake order by id for update)
  update verifactu_chains c set awake = false from locked l
  where c.id = l.id and c.seq = c.sent_seq`;

/**
 * Prepares the next message.
 * @param obstacle what keeps messages from being sent at all; null for nothing
 * @returns nothing if the workflow may end
 */
export async function prepareMessage(trx: Db, ctx: Context, obstacle: ProblemCode | null): Promise<Prepared> {
  const [chain] = await query<ChainRow>(trx, NEXT_CHAIN, {});
  if (chain === undefined) {
    await query(trx, ASLEEP, {});
    // A record that came in between has started no workflow.
    const [left] = await query(trx, NEXT_CHAIN, {});
    return left === undefined ? { next: 'nothing' } : { next: 'wait', seconds: 0, waiting: 1 };
  }
  if (obstacle !== null) {
    await noteProblem(trx, ctx, { chainId: chain.id, code: obstacle, error: null });
    return { next: 'stop', code: obstacle };
  }
  const ms = chain.next_send_at === null ? 0 : new Date(chain.next_send_at).getTime() - ctx.now.getTime();
  if (ms > 0) return { next: 'wait', seconds: Math.ceil(ms / 1000), waiting: chain.waiting };
  const { environment, endsOn } = await loadSettings(trx, 'verifactu');
  const about = { chainId: chain.id, issuer: chain.issuer, environment, endsOn };
  return {
    next: 'send',
    message: { ...about, ...((await repeat(trx, ctx, chain)) ?? (await begin(trx, ctx, chain))) },
  };
}

type Chosen = Pick<Message, 'submissionId' | 'incident' | 'repeated' | 'records'>;

/** The message whose answer is not known, without the records that have theirs. */
async function repeat(trx: Db, ctx: Context, chain: ChainRow): Promise<Chosen | null> {
  const [open] = await query<{ id: string; first_seq: number; last_seq: number }>(
    trx,
    'select id, first_seq, last_seq from verifactu_submissions where chain_id = :id::uuid and answered_at is null',
    { id: chain.id },
  );
  if (open === undefined) return null;
  const records = await loadRecords(trx, chain.id, { first: open.first_seq, last: open.last_seq });
  const incident = records.some((record) => isLate(record.generatedAt, ctx.now));
  await query(
    trx,
    `update verifactu_submissions set attempts = attempts + 1, sent_at = :now::timestamptz, incident = :incident::boolean
     where id = :id::uuid`,
    { id: open.id, now: ctx.now.toISOString(), incident },
  );
  return { submissionId: open.id, incident, repeated: true, records };
}

/** The first records that wait: those that come late in a message of their own, which says so. */
async function begin(trx: Db, ctx: Context, chain: ChainRow): Promise<Chosen> {
  const first = chain.sent_seq + 1;
  const waiting = await loadRecords(trx, chain.id, { first, last: chain.sent_seq + MAX_RECORDS });
  const late = waiting.filter((record) => isLate(record.generatedAt, ctx.now));
  const incident = late.length > 0;
  const records = incident ? late : waiting;
  const submissionId = newId();
  await query(
    trx,
    `insert into verifactu_submissions (id, tenant_id, chain_id, first_seq, last_seq, incident, sent_at)
     values (:submissionId::uuid, :tenantId::uuid, :chainId::uuid, :first, :last, :incident::boolean, :now::timestamptz)`,
    {
      submissionId,
      tenantId: ctx.tenantId,
      chainId: chain.id,
      first,
      last: chain.sent_seq + records.length,
      incident,
      now: ctx.now.toISOString(),
    },
  );
  return { submissionId, incident, repeated: false, records };
}

async function loadRecords(
  trx: Db,
  chainId: string,
  places: { readonly first: number; readonly last: number },
): Promise<RecordToSend[]> {
  const rows = await query<StoredRecordRow>(
    trx,
    `select ${STORED_COLUMNS} from verifactu_records r
     where r.chain_id = :chainId::uuid and r.seq between :first and :last
       and not exists (select from verifactu_results e where e.record_id = r.id)
     order by r.seq`,
    { chainId, ...places },
  );
  return rows.map((row) => {
    const { kind, record, link } = storedRecord(row);
    const about = { id: row.id, documentId: row.document_id, version: row.version };
    const generatedAt = new Date(row.generated_at);
    return { ...about, generatedAt, kind, record: { ...record, reference: row.id }, link } as RecordToSend;
  });
}
