/** The companies whose events wait longest to be handed over. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';

/** PostgreSQL channel on which relays tell whose events will wait for long, as JSON (`Wait[]`). */
export const BACKLOG_CHANNEL = 'backlogs';

/** How long the next event of a company will wait to be handed over. */
export interface Wait {
  readonly tenantId: string;
  readonly seconds: number;
  /** The part by which its backlog grows each second; negative if it shrinks. */
  readonly growth: number;
}

/** The events of a company that wait. */
export interface Backlog {
  readonly tenantId: string;
  /** Age of the oldest. */
  readonly seconds: number;
  /** Sequence numbers of the oldest, and of the newest event of all companies. */
  readonly oldest: number;
  readonly newest: number;
}

/** Events that are looked at, oldest first. */
const LOOKED_AT = 2000;
/** Companies that are found: a notification has 8,000 bytes. */
const FOUND = 50;
/** Younger backlogs are usual, and shorter ones cause nothing. */
const LEAST_SECONDS = 2;
const LEAST_EVENTS = 10;

/** Reads the oldest backlogs. Events that are being handed over do not count, nor those that fail or wait for one of these. */
export async function readBacklogs(trx: Db): Promise<Backlog[]> {
  return query(
    trx,
    `with oldest as materialized (
       select seq, tenant_id, entity_id, created_at, locked_until, last_error from outbox
       where processed_at is null and dead_at is null order by seq limit ${LOOKED_AT}
     )
     select o.tenant_id as "tenantId", round(extract(epoch from clock_timestamp() - min(o.created_at)), 1)::float8 as seconds,
       min(o.seq) as oldest, (select max(seq) from outbox where processed_at is null and dead_at is null) as newest
     from oldest o
     where (o.locked_until is null or o.locked_until <= clock_timestamp())
       and not exists (select from oldest failed where failed.entity_id = o.entity_id and failed.last_error is not null)
     group by o.tenant_id
     having count(*) >= ${LEAST_EVENTS} and min(o.created_at) < clock_timestamp() - make_interval(secs => ${LEAST_SECONDS})
     order by seconds desc limit ${FOUND}`,
    {},
  );
}
