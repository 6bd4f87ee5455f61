/** Selects events for notifications, each only once. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';

export interface UnnotifiedEvent {
  readonly id: string;
  readonly event: string;
  readonly entityId: string;
  /** Members of its data, as texts. */
  readonly data: Readonly<Record<string, string | null>>;
  /** The user who caused it; null for machines. */
  readonly userId: string | null;
  /** The number of its document; null for other records. */
  readonly code: string | null;
}

/** Marks events as notified, in the transaction that writes the notifications. @returns those not marked before, in order */
export async function claimUnnotified(
  trx: Db,
  eventIds: readonly string[],
  members: readonly string[],
): Promise<UnnotifiedEvent[]> {
  return await prepared<UnnotifiedEvent>(
    trx,
    `with taken as (
       update outbox set told_at = clock_timestamp() where id = any(:ids::uuid[]) and told_at is null
       returning id, seq, event, entity_id, payload, user_id)
     select t.id, t.event, t.entity_id as "entityId", t.user_id as "userId", d.code,
       (select json_object_agg(member, t.payload ->> member) from unnest(:members::text[]) as member) as data
     from taken t left join documents d on d.id = t.entity_id
     order by t.seq`,
    { ids: [...eventIds], members: [...members] },
  );
}
