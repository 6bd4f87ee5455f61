/**
 * Idempotency-Key. If the effect is one transaction, the key's row is inserted first and within it, so that both exist
 * or neither. Otherwise the key is first committed as under way. A repeat of a request under way waits for it, in the
 * process and without a connection. Responses are stored encrypted, since some contain secrets shown only once (an API
 * key, a webhook's secret, tokens).
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../db/context.ts';
import { type Database, type Db, LOCK_TIMEOUT_MS } from '../../db/database.ts';
import { isLockTimeout, isRetryable, translateDatabaseError } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import {
  type EncryptionKeys,
  keptAnswerPlace,
  SealError,
  seal,
  unseal,
} from '../../services/platform/encryption/seal.ts';
import { problemJson } from '../middleware/problems.ts';
import type { RouteResponse } from '../route.ts';

/** Maximum size of a kept body as JSON. A repetition of a request with a larger one is told that it was done. */
const MAX_KEPT_BYTES = 1024 * 1024;

/** Time that a repeat waits for the first request, and time that each check may hold a connection. */
const WAIT_MS = 5000;
const LOCK_TIMEOUT = '50ms';
const PAUSE_MS = 100;
/** Expiry of a key under way outside a transaction: its process has died. */
const UNDER_WAY_MS = 120_000;

/** A request as identified by its key. */
export interface KeyedRequest {
  readonly key: string;
  /** `user:<id>` or `api_key:<id>` */
  readonly caller: string;
  readonly path: string;
  readonly language: Language;
  /** Query and body, which must be equal for a replay. */
  readonly content: unknown;
  readonly encryptionKeys: EncryptionKeys;
  /** Time for which a response can be replayed. */
  readonly keptMs: number;
  /** Told how many bytes of the response are kept. */
  readonly kept: (bytes: number) => void;
}

interface StoredAnswer {
  readonly request_hash: Buffer;
  readonly status: number;
  readonly headers: Record<string, string> | null;
  readonly body_sealed: Buffer | null;
  readonly created_at: string;
  /** Process that handles it outside a transaction. */
  readonly owner: string | null;
}

/**
 * Runs `work` once per key, in one transaction with the key. A 422 undoes `work` and is stored as the response.
 * @throws ServiceError idempotency_key_reused, idempotency_key_in_use
 */
export async function onceInTransaction(
  database: Database,
  ctx: Context,
  request: KeyedRequest,
  work: (trx: Db) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const hash = contentHash(request);
  return waitForOther(() =>
    database.withTenant(ctx, async (trx) => {
      const earlier = await claim(trx, ctx, request, hash);
      if (earlier !== null) return earlier;
      // Uses a savepoint: a refused request is undone, but its key and response are kept.
      const answer = await attemptWork(ctx, request, () => trx.transaction((savepoint) => work(savepoint)));
      await keep(trx, ctx, request, answer);
      return answer;
    }),
  );
}

/**
 * Runs `work` once per key without holding a connection. A process that dies in between leaves the key under way for
 * two minutes; after that, a repeat does the work again.
 * @throws ServiceError idempotency_key_reused, idempotency_key_in_use
 */
export async function onceOutsideTransaction(
  database: Database,
  ctx: Context,
  request: KeyedRequest,
  work: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const hash = contentHash(request);
  const owner = newId();
  const earlier = await waitForOther(() => database.withTenant(ctx, (trx) => claim(trx, ctx, request, hash, owner)));
  if (earlier !== null) return earlier;
  try {
    const answer = await attemptWork(ctx, request, work);
    await database.withTenant(ctx, (trx) => keep(trx, ctx, request, answer, owner));
    return answer;
  } catch (error) {
    await database.withTenant(ctx, (trx) => keyRow(trx, request).where({ owner }).delete());
    throw error;
  }
}

/** Retries taking a key while another request with it is under way. */
async function waitForOther<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isUnderWay = error instanceof ServiceError && error.code === 'idempotency_key_in_use';
      if (!isUnderWay || performance.now() >= end) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function contentHash({ content }: KeyedRequest): Buffer {
  return createHash('sha256').update(canonical(content)).digest();
}

/**
 * Takes the key for this request.
 * @param owner process that handles it outside this transaction
 * @returns null if taken; otherwise the response to the first request with it
 * @throws ServiceError idempotency_key_reused, idempotency_key_in_use
 */
async function claim(
  trx: Db,
  ctx: Context,
  request: KeyedRequest,
  hash: Buffer,
  owner: string | null = null,
): Promise<RouteResponse | null> {
  if (await insert(trx, ctx, request, hash, owner)) return null;
  const stored = await find(trx, request);
  const age = stored === undefined ? Number.POSITIVE_INFINITY : ctx.now.getTime() - Date.parse(stored.created_at);
  const isFree = age >= (stored?.status == null ? UNDER_WAY_MS : request.keptMs);
  if (stored === undefined || isFree) {
    await renew(trx, ctx, request, hash, owner);
    return null;
  }
  if (!stored.request_hash.equals(hash)) {
    throw new ServiceError(
      'idempotency_key_reused',
      'The key was already used with another body; use a new key for a new request',
    );
  }
  if (stored.status === null) throw underWay();
  return replay(ctx, request, stored, stored.status);
}

function underWay(cause?: unknown): ServiceError {
  return new ServiceError('idempotency_key_in_use', 'The first request with this key is still running', {
    retryAfter: 1,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Inserts the key.
 * @returns whether it is new
 * @throws ServiceError idempotency_key_in_use if another transaction has just inserted it
 */
async function insert(
  trx: Db,
  ctx: Context,
  { key, caller, path }: KeyedRequest,
  hash: Buffer,
  owner: string | null,
): Promise<boolean> {
  try {
    const { rows } = (await trx.raw(
      `insert into idempotency_keys (tenant_id, caller, path, key, request_hash, created_at, owner)
       select ?::uuid, ?, ?, ?, ?::bytea, ?::timestamptz, ?::uuid
       from (select set_config('lock_timeout', '${LOCK_TIMEOUT}', true)) as waiting
       on conflict do nothing
       returning set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)`,
      [ctx.tenantId, caller, path, key, hash, ctx.now.toISOString(), owner] as never,
    )) as { rows: unknown[] };
    return rows.length > 0;
  } catch (error) {
    throw isLockTimeout(error) ? underWay(error) : error;
  }
}

/**
 * Finds and locks the key's row, so that only one of two requests takes it.
 * @throws ServiceError idempotency_key_in_use
 */
async function find(trx: Db, { key, caller, path }: KeyedRequest): Promise<StoredAnswer | undefined> {
  try {
    const rows = await query<StoredAnswer>(
      trx,
      `select request_hash, status, headers, body_sealed, created_at, owner, set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true)
       from idempotency_keys where caller = :caller and path = :path and key = :key for update`,
      { key, caller, path },
    );
    return rows[0];
  } catch (error) {
    throw isLockTimeout(error) ? underWay(error) : error;
  }
}

function keyRow(trx: Db, { key, caller, path }: KeyedRequest) {
  return trx('idempotency_keys').where({ caller, path, key });
}

/** Reuses a key whose response has expired, or whose process has died. */
async function renew(trx: Db, ctx: Context, request: KeyedRequest, hash: Buffer, owner: string | null): Promise<void> {
  const created_at = ctx.now.toISOString();
  await keyRow(trx, request).update({
    request_hash: hash,
    status: null,
    headers: null,
    body_sealed: null,
    created_at,
    owner,
  });
}

/** @throws ServiceError answer_not_kept, unavailable */
function replay(ctx: Context, request: KeyedRequest, stored: StoredAnswer, status: number): RouteResponse {
  if (stored.headers === null) throw notKept(status);
  const headers = { ...stored.headers, 'Idempotent-Replayed': 'true' };
  if (stored.body_sealed === null) return { status, headers };
  return { status, headers, body: JSON.parse(decryptAnswer(ctx, request, stored.body_sealed)) as unknown };
}

function notKept(status: number): ServiceError {
  return new ServiceError(
    'answer_not_kept',
    `The first request with this key was answered ${status}, and was not done again; its answer was larger than 1 MiB and was not kept: ` +
      'read the records that it has changed',
  );
}

function decryptAnswer(ctx: Context, request: KeyedRequest, sealed: Buffer): string {
  try {
    return unseal(request.encryptionKeys, keptAnswerPlace(ctx.tenantId, request), sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    const message =
      'The first request with this key was done, but its response cannot be decrypted because the keys of the service have changed';
    throw new ServiceError('unavailable', message, { cause: error });
  }
}

/** The response of `work`, including a 422. */
async function attemptWork(
  ctx: Context,
  request: KeyedRequest,
  work: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await work();
  } catch (error) {
    if (isRetryable(error)) throw error;
    const refusal = translateDatabaseError(error);
    if (!(refusal instanceof ServiceError) || refusal.status !== 422) throw refusal;
    return {
      status: 422,
      headers: {
        'Content-Type': 'application/problem+json; charset=utf-8',
        'Content-Language': request.language,
      },
      body: problemJson(refusal, { instance: request.path, requestId: ctx.requestId, language: request.language }),
    };
  }
}

async function keep(
  trx: Db,
  ctx: Context,
  request: KeyedRequest,
  { status, headers, body }: RouteResponse,
  owner: string | null = null,
): Promise<void> {
  const json = body === undefined ? null : JSON.stringify(body);
  // Without headers, a repetition is told that its answer was not kept.
  const isKept = json === null || Buffer.byteLength(json) <= MAX_KEPT_BYTES;
  const body_sealed =
    isKept && json !== null ? seal(request.encryptionKeys, keptAnswerPlace(ctx.tenantId, request), json) : null;
  await keyRow(trx, request)
    .where({ owner })
    .update({ status, headers: isKept ? JSON.stringify(headers ?? {}) : null, body_sealed });
  request.kept(body_sealed?.length ?? 0);
}

/** Serializes JSON with sorted members, so that their order does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry)
        ? Object.fromEntries(Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1)))
        : entry,
    ) ?? ''
  );
}
