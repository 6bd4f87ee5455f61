/** Claims events from the outbox for the relay: with a lease, in order per entity, and without blocking other relays. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';

/** An event with the data that the relay needs; the rest stays in the outbox. */
export interface ClaimedEvent {
  readonly id: string;
  readonly tenantId: string;
  /** Order within the outbox, and therefore within the entity. */
  readonly seq: number;
  readonly event: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly documentId: string | null;
  /** The document's current number; null for drafts, and for events not about documents. */
  readonly documentCode: string | null;
  /** The time at which the document will be locked, as currently planned. */
  readonly lockDueAt: string | null;
  /** When its quotation expires. */
  readonly expiresAt: string | null;
  /** The requested members of its data, as text. */
  readonly data: Readonly<Record<string, string | null>>;
  /** When it was written. */
  readonly createdAt: string;
  /** Number of tries, including this one. */
  readonly attempts: number;
  /** Number of failures caused by the event itself. */
  readonly refusals: number;
  /** Trace of what caused it; null unless traces are recorded. */
  readonly trace: string | null;
}

/**
 * Owner of a claim, and its duration in seconds without renewal. A report from a relay whose events another relay has claimed since changes
 * nothing.
 */
export interface Claim {
  /** UUID of this claim. */
  readonly owner: string;
  readonly seconds: number;
}

/** Relays claim one at a time, so that none claims a later event of an entity while another claims an earlier one. */
const CLAIM_LOCK = 7_240_119;
/** Failures of its own after which an event is set aside. */
const MAX_REFUSALS = 10;

/** Excludes events whose entity has an earlier event in flight or failed. */
const CLAIM = `
  with due as (
    select o.id from outbox o
    where o.processed_at is null and o.dead_at is null and (o.locked_until is null or o.locked_until <= clock_timestamp())
      and o.tenant_id <> all(:held::uuid[]) and (:only::uuid is null or o.tenant_id = :only::uuid)
      and not exists (
        select from outbox earlier
        where earlier.entity_id = o.entity_id and earlier.seq < o.seq and earlier.processed_at is null and earlier.dead_at is null
          and earlier.locked_until > clock_timestamp())
    order by o.seq
    limit :limit
    for update skip locked
  ), claimed as (
    update outbox o
    set locked_until = clock_timestamp() + make_interval(secs => :seconds), leased_by = :owner, attempts = o.attempts + 1
    from due where o.id = due.id
    returning o.id, o.tenant_id, o.seq, o.event, o.entity_type, o.entity_id, o.attempts, o.refusals, o.trace, o.created_at,
      o.payload ->> 'document_id' as document_id,
      (select coalesce(json_object_agg(member, o.payload ->> member), '{}') from unnest(:reads::text[]) as member) as data
  )
  select c.id, c.tenant_id as "tenantId", c.seq, c.event, c.entity_type as "entityType", c.entity_id as "entityId",
    c.document_id as "documentId", d.code as "documentCode", d.lock_due_at as "lockDueAt", d.expires_at as "expiresAt",
    c.data, c.attempts, c.refusals, c.trace, c.created_at as "createdAt"
  from claimed c
  left join documents d on d.id = case when c.document_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then c.document_id::uuid end
  order by c.seq`;

/**
 * Claims the oldest pending events. Skips entities with an earlier event in flight or failed.
 * @param trx a system transaction; the lease begins when it commits
 * @param options `reads`: members of the events' data to return; `held`: companies whose events are left for later; `only`: the
 * company whose events are claimed, of all by default
 * @returns the claimed events, in order
 */
export async function claimEvents(
  trx: Db,
  { owner, seconds }: Claim,
  limit: number,
  {
    reads = [],
    held = [],
    only = null,
  }: { readonly reads?: readonly string[]; readonly held?: readonly string[]; readonly only?: string | null } = {},
): Promise<ClaimedEvent[]> {
  const [, events] = await Promise.all([
    prepared(trx, 'select pg_advisory_xact_lock(:lock)', { lock: CLAIM_LOCK }),
    prepared<ClaimedEvent>(trx, CLAIM, { limit, seconds, owner, reads: [...reads], held: [...held], only }),
  ]);
  return events;
}

/** Renews a claim: for its duration, nobody else can claim the events. */
export async function keepLease(trx: Db, { owner, seconds }: Claim, eventIds: readonly string[]): Promise<void> {
  await prepared(
    trx,
    `update outbox set locked_until = clock_timestamp() + make_interval(secs => :seconds)
     where id = any(:ids::uuid[]) and leased_by = :owner`,
    { seconds, ids: [...eventIds], owner },
  );
}

/** Marks events as handed over. */
export async function markProcessed(trx: Db, { owner }: Claim, eventIds: readonly string[]): Promise<void> {
  await prepared(
    trx,
    `update outbox set processed_at = clock_timestamp(), locked_until = null, leased_by = null, last_error = null
     where id = any(:ids::uuid[]) and leased_by = :owner`,
    { ids: [...eventIds], owner },
  );
}

/** Reason why an event could not be handed over. */
export interface Failure {
  readonly error: string;
  /** Whether the event itself caused it; otherwise something is down or busy, which does not count against the event. */
  readonly own: boolean;
  /** Seconds until the next try. */
  readonly seconds: number;
}

/**
 * Postpones an event that could not be handed over, and with it later ones of its entity; or sets it aside, so that later ones proceed.
 * @returns whether it was set aside
 */
export async function postponeEvent(
  trx: Db,
  { owner }: Claim,
  event: ClaimedEvent,
  failure: Failure,
): Promise<boolean> {
  const dead = failure.own && event.refusals + 1 >= MAX_REFUSALS;
  await trx.raw(
    `update outbox
     set locked_until = clock_timestamp() + make_interval(secs => ?), leased_by = null, last_error = ?, refusals = refusals + ?,
       dead_at = case when ? then clock_timestamp() end
     where id = ? and leased_by = ?`,
    [failure.seconds, failure.error.slice(0, 1000), Number(failure.own), dead, event.id, owner],
  );
  return dead;
}

/** Releases events that were claimed but not tried. */
export async function releaseEvents(trx: Db, { owner }: Claim, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    `update outbox set locked_until = null, leased_by = null, attempts = attempts - 1
     where id = any(?::uuid[]) and leased_by = ?`,
    [eventIds as string[], owner],
  );
}
