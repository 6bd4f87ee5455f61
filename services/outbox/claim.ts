/** How the relay takes events from the outbox: by a lease, in order for each entity, without two relays in each other's way. */
import type { Db } from '../../db/database.ts';

/** An event as the relay needs it; its data stays in the outbox. */
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
  readonly status: string | null;
  readonly partnerId: string | null;
  /** What kind of task is to be started or cancelled. */
  readonly taskKind: string | null;
  /** What the work that an internal event asks for is called. */
  readonly title: string | null;
  /** Where an event is to be delivered once more. */
  readonly webhookId: string | null;
  /** When it was written. */
  readonly createdAt: string;
  /** This try included. */
  readonly attempts: number;
}

/** Relays claim one after another, so that none can take a later event of an entity while another takes an earlier one. */
const CLAIM_LOCK = 7_240_119;

/**
 * Takes the oldest pending events. An entity with an earlier event that is in flight or failed has to wait.
 * @param trx a system transaction; the lease counts once it is committed
 * @returns events in order; the claimer owns them for `leaseSeconds`
 */
export async function claimEvents(
  trx: Db,
  options: { readonly limit: number; readonly leaseSeconds: number },
): Promise<ClaimedEvent[]> {
  await trx.raw('select pg_advisory_xact_lock(?)', [CLAIM_LOCK]);
  const { rows } = (await trx.raw(
    `with due as (
       select o.id from outbox o
       where o.processed_at is null and (o.locked_until is null or o.locked_until <= clock_timestamp())
         and not exists (
           select from outbox earlier
           where earlier.entity_id = o.entity_id and earlier.seq < o.seq and earlier.processed_at is null
             and earlier.locked_until > clock_timestamp())
       order by o.seq
       limit ?
       for update skip locked
     ), claimed as (
       update outbox o set locked_until = clock_timestamp() + make_interval(secs => ?), attempts = o.attempts + 1
       from due where o.id = due.id
       returning o.id, o.tenant_id, o.seq, o.event, o.entity_type, o.entity_id, o.attempts, o.created_at,
         o.payload ->> 'document_id' as document_id, o.payload ->> 'status' as status, o.payload ->> 'partner_id' as partner_id,
         o.payload ->> 'task_kind' as task_kind, o.payload ->> 'title' as title, o.payload ->> 'webhook_id' as webhook_id
     )
     select c.id, c.tenant_id as "tenantId", c.seq, c.event, c.entity_type as "entityType", c.entity_id as "entityId",
       c.document_id as "documentId", d.code as "documentCode", c.status, c.partner_id as "partnerId", c.task_kind as "taskKind", c.title,
       c.webhook_id as "webhookId", c.attempts, c.created_at as "createdAt"
     from claimed c left join documents d on d.id = c.document_id::uuid
     order by c.seq`,
    [options.limit, options.leaseSeconds],
  )) as { rows: ClaimedEvent[] };
  return rows;
}

/** The claimer still works on them: nobody else takes them for `seconds` more. */
export async function keepLease(trx: Db, eventIds: readonly string[], seconds: number): Promise<void> {
  await trx.raw(
    `update outbox set locked_until = clock_timestamp() + make_interval(secs => ?)
     where id = any(?::uuid[]) and processed_at is null`,
    [seconds, eventIds as string[]],
  );
}

/** The events are done: whoever wanted them has them. */
export async function markProcessed(trx: Db, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    'update outbox set processed_at = clock_timestamp(), locked_until = null, last_error = null where id = any(?::uuid[])',
    [eventIds as string[]],
  );
}

/** The event could not be handed over: it, and what follows on its entity, waits. */
export async function postponeEvent(
  trx: Db,
  eventId: string,
  options: { readonly seconds: number; readonly error: string },
): Promise<void> {
  await trx.raw(
    'update outbox set locked_until = clock_timestamp() + make_interval(secs => ?), last_error = ? where id = ? and processed_at is null',
    [options.seconds, options.error.slice(0, 1000), eventId],
  );
}

/** Gives back events that were claimed but not tried. */
export async function releaseEvents(trx: Db, eventIds: readonly string[]): Promise<void> {
  await trx.raw(
    'update outbox set locked_until = null, attempts = attempts - 1 where id = any(?::uuid[]) and processed_at is null',
    [eventIds as string[]],
  );
}
