/** How the relay takes events from the outbox: by a lease, in order for each entity, without two relays in each other's way. */
import type { Db } from '../../db/database.ts';

/** An event as the relay needs it; the rest of its data stays in the outbox. */
export interface ClaimedEvent {
  readonly id: string;
  readonly tenantId: string;
  /** Order within the outbox, and so within the entity. */
  readonly seq: number;
  readonly event: string;
  readonly entityType: string;
  readonly entityId: string;
  readonly documentId: string | null;
  /** The number of the document as it is now; null for drafts, and where the event is about none. */
  readonly documentCode: string | null;
  /** The members of its data that were asked for, as text. */
  readonly data: Readonly<Record<string, string | null>>;
  /** When it was written. */
  readonly createdAt: string;
  /** This try included. */
  readonly attempts: number;
  /** How often it could not be handed over for a reason of its own. */
  readonly refusals: number;
}

/** Who claims, and for how long without a sign of life. A claimer that comes late, after another claim, settles nothing. */
export interface Claim {
  /** A UUID of this claim's own. */
  readonly owner: string;
  readonly seconds: number;
}

/** Relays claim one after another, so that none can take a later event of an entity while another takes an earlier one. */
const CLAIM_LOCK = 7_240_119;
/** After so many tries that failed for a reason of its own, an event is set aside. */
const MOST_REFUSALS = 10;

/**
 * Takes the oldest pending events. An entity with an earlier event that is in flight or failed has to wait.
 * @param trx a system transaction; the lease counts once it is committed
 * @param reads members of their data that come with them
 * @returns events in order; the claim's owner has them for its time
 */
export async function claimEvents(
  trx: Db,
  { owner, seconds }: Claim,
  limit: number,
  reads: readonly string[] = [],
): Promise<ClaimedEvent[]> {
  await trx.raw('select pg_advisory_xact_lock(?)', [CLAIM_LOCK]);
  const { rows } = (await trx.raw(
    `with due as (
       select o.id from outbox o
       where o.processed_at is null and o.dead_at is null and (o.locked_until is null or o.locked_until <= clock_timestamp())
         and not exists (
           select from outbox earlier
           where earlier.entity_id = o.entity_id and earlier.seq < o.seq and earlier.processed_at is null and earlier.dead_at is null
             and earlier.locked_until > clock_timestamp())
       order by o.seq
       limit ?
       for update skip locked
     ), claimed as (
       update outbox o
       set locked_until = clock_timestamp() + make_interval(secs => ?), leased_by = ?, attempts = o.attempts + 1
       from due where o.id = due.id
       returning o.id, o.tenant_id, o.seq, o.event, o.entity_type, o.entity_id, o.attempts, o.refusals, o.created_at,
         o.payload ->> 'document_id' as document_id,
         (select coalesce(json_object_agg(member, o.payload ->> member), '{}') from unnest(?::text[]) as member) as data
     )
     select c.id, c.tenant_id as "tenantId", c.seq, c.event, c.entity_type as "entityType", c.entity_id as "entityId",
       c.document_id as "documentId", d.code as "documentCode", c.data, c.attempts, c.refusals, c.created_at as "createdAt"
     from claimed c
     left join documents d on d.id = case when c.document_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then c.document_id::uuid end
     order by c.seq`,
    [limit, seconds, owner, reads as string[]],
  )) as { rows: ClaimedEvent[] };
  return rows;
}

/** The claimer still works on them: nobody else takes them for the claim's time more. */
export async function keepLease(trx: Db, { owner, seconds }: Claim, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    `update outbox set locked_until = clock_timestamp() + make_interval(secs => ?)
     where id = any(?::uuid[]) and leased_by = ?`,
    [seconds, eventIds as string[], owner],
  );
}

/** The events are done: whoever wanted them has them. */
export async function markProcessed(trx: Db, { owner }: Claim, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    `update outbox set processed_at = clock_timestamp(), locked_until = null, leased_by = null, last_error = null
     where id = any(?::uuid[]) and leased_by = ?`,
    [eventIds as string[], owner],
  );
}

/** Why an event could not be handed over. */
export interface Failure {
  readonly error: string;
  /** It lies in the event itself; else in what is down or busy, which spends none of its tries. */
  readonly own: boolean;
  /** The next try is so much later. */
  readonly seconds: number;
}

/**
 * The event could not be handed over: it, and what follows on its entity, waits; or it is set aside, and what follows goes on.
 * @returns whether it was set aside
 */
export async function postponeEvent(
  trx: Db,
  { owner }: Claim,
  event: ClaimedEvent,
  failure: Failure,
): Promise<boolean> {
  const dead = failure.own && event.refusals + 1 >= MOST_REFUSALS;
  await trx.raw(
    `update outbox
     set locked_until = clock_timestamp() + make_interval(secs => ?), leased_by = null, last_error = ?, refusals = refusals + ?,
       dead_at = case when ? then clock_timestamp() end
     where id = ? and leased_by = ?`,
    [failure.seconds, failure.error.slice(0, 1000), Number(failure.own), dead, event.id, owner],
  );
  return dead;
}

/** Gives back events that were claimed but not tried. */
export async function releaseEvents(trx: Db, { owner }: Claim, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    `update outbox set locked_until = null, leased_by = null, attempts = attempts - 1
     where id = any(?::uuid[]) and leased_by = ?`,
    [eventIds as string[], owner],
  );
}
