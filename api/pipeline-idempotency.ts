/**
 * Idempotency-Key (decisions, section 1). The key's row is inserted first and in the transaction of the effect: a second
 * request with the same key waits at the unique index until the first has committed or rolled back. Answers are kept encrypted,
 * since some hold what is shown only once (an API key, a webhook's secret, tokens).
 */
import { createHash } from 'node:crypto';
import type { Context } from '../db/context.ts';
import type { Db } from '../db/database.ts';
import { isLockTimeout, isRetryable, translateDatabaseError } from '../db/errors.ts';
import { query } from '../db/sql.ts';
import { ServiceError } from '../domain/errors.ts';
import { seal, unseal } from '../services/encryption/seal.ts';
import { problemOf } from './middleware/problems.ts';
import type { RouteResponse } from './route.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
const WAIT = '5s';

/** One request as its key knows it. */
export interface KeyedRequest {
  readonly key: string;
  /** `user:<id>` or `api_key:<id>` */
  readonly caller: string;
  readonly path: string;
  /** What must be the same for a replay: query and body. */
  readonly content: unknown;
  /** The service's ENCRYPTION_KEY. */
  readonly encryptionKey: string | undefined;
}

interface StoredAnswer {
  readonly request_hash: Buffer;
  readonly status: number;
  readonly headers: Record<string, string> | null;
  readonly body_sealed: Buffer | null;
  readonly created_at: string;
}

/**
 * Runs `work` once for each key, in the given transaction. A 422 undoes what `work` did and is kept as the key's answer.
 * @throws ServiceError idempotency_key_reused, idempotency_key_in_use
 */
export async function once(
  trx: Db,
  ctx: Context,
  request: KeyedRequest,
  work: (trx: Db) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const hash = createHash('sha256').update(canonical(request.content)).digest();
  if (!(await claim(trx, ctx, request, hash))) {
    const stored = await find(trx, request);
    const age = stored === undefined ? Number.POSITIVE_INFINITY : ctx.now.getTime() - Date.parse(stored.created_at);
    if (stored !== undefined && age < KEPT_MS) return replay(ctx, request, stored, hash);
    await renew(trx, ctx, request, hash);
  }
  const answer = await answerOf(trx, ctx, request, work);
  await keep(trx, ctx, request, answer);
  return answer;
}

/** True when the key is new. Locks are waited for no longer than the client may have to wait. */
async function claim(trx: Db, ctx: Context, { key, caller, path }: KeyedRequest, hash: Buffer): Promise<boolean> {
  try {
    const { rows } = (await trx.raw(
      `insert into idempotency_keys (tenant_id, caller, path, key, request_hash, created_at)
       select ?::uuid, ?, ?, ?, ?::bytea, ?::timestamptz from (select set_config('lock_timeout', '${WAIT}', true)) as waiting
       on conflict do nothing
       returning set_config('lock_timeout', '0', true)`,
      [ctx.tenantId, caller, path, key, hash, ctx.now.toISOString()] as never,
    )) as { rows: unknown[] };
    return rows.length > 0;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new ServiceError('idempotency_key_in_use', 'The first request with this key is still running', {
      retryAfter: 1,
      cause: error,
    });
  }
}

async function find(trx: Db, { key, caller, path }: KeyedRequest): Promise<StoredAnswer | undefined> {
  const rows = await query<StoredAnswer>(
    trx,
    `select request_hash, status, headers, body_sealed, created_at, set_config('lock_timeout', '0', true)
     from idempotency_keys where caller = :caller and path = :path and key = :key`,
    { key, caller, path },
  );
  return rows[0];
}

/** A key older than a day is as good as new. */
async function renew(trx: Db, ctx: Context, { key, caller, path }: KeyedRequest, hash: Buffer): Promise<void> {
  await trx('idempotency_keys')
    .where({ caller, path, key })
    .update({ request_hash: hash, status: null, headers: null, body_sealed: null, created_at: ctx.now.toISOString() });
}

function replay(ctx: Context, request: KeyedRequest, stored: StoredAnswer, hash: Buffer): RouteResponse {
  if (!stored.request_hash.equals(hash)) {
    throw new ServiceError(
      'idempotency_key_reused',
      'Another body was sent with this key; use a new key for a new request',
    );
  }
  const headers = { ...stored.headers, 'Idempotent-Replayed': 'true' };
  if (stored.body_sealed === null) return { status: stored.status, headers };
  const body: unknown = JSON.parse(unseal(request.encryptionKey, placeOf(ctx, request), stored.body_sealed));
  return { status: stored.status, headers, body };
}

async function answerOf(
  trx: Db,
  ctx: Context,
  request: KeyedRequest,
  work: (trx: Db) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    // A savepoint: the effect of a refused request is undone, its key and answer are kept.
    return await trx.transaction((savepoint) => work(savepoint));
  } catch (error) {
    if (isRetryable(error)) throw error;
    const refusal = translateDatabaseError(error);
    if (!(refusal instanceof ServiceError) || refusal.status !== 422) throw refusal;
    return {
      status: 422,
      headers: { 'Content-Type': 'application/problem+json; charset=utf-8', 'Cache-Control': 'no-store' },
      body: problemOf(refusal, { instance: request.path, requestId: ctx.requestId }),
    };
  }
}

async function keep(trx: Db, ctx: Context, request: KeyedRequest, answer: RouteResponse): Promise<void> {
  const { key, caller, path, encryptionKey } = request;
  await trx('idempotency_keys')
    .where({ caller, path, key })
    .update({
      status: answer.status,
      headers: JSON.stringify(answer.headers ?? {}),
      body_sealed:
        answer.body === undefined ? null : seal(encryptionKey, placeOf(ctx, request), JSON.stringify(answer.body)),
    });
}

/** What a kept answer is encrypted for: it can be read under its own key only. */
function placeOf(ctx: Context, { caller, path, key }: KeyedRequest): string {
  return JSON.stringify(['idempotency', ctx.tenantId, caller, path, key]);
}

/** JSON with sorted members, so that the order in which a client writes them does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? Object.fromEntries(Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1)))
        : entry,
    ) ?? ''
  );
}
