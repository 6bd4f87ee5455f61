/** Events that people are notified of. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';

export interface UntoldEvent {
  readonly id: string;
  readonly event: string;
  readonly entityId: string;
  /** Members of its data, as texts. */
  readonly data: Readonly<Record<string, string | null>>;
  /** Who caused it; null for programs. */
  readonly userId: string | null;
  /** The number of the document that it is about; null for others. */
  readonly code: string | null;
}

/** Marks events as told, in the transaction that tells of them. @returns those that were not, in their order */
export async function takeUntold(
  trx: Db,
  eventIds: readonly string[],
  members: readonly string[],
): Promise<UntoldEvent[]> {
  return await prepared<UntoldEvent>(
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
