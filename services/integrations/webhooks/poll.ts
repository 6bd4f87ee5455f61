/**
 * Events as webhooks get them, for those who ask for them: in the order of their transactions, from where they were last. An event is there
 * once all transactions before its own have ended, so that none appears behind a place that was passed.
 */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { envelope, type StoredEvent } from './envelope.ts';

/** Events that one request looks at, whichever of them it wants. */
const LOOKED_AT = 1000;

/** A place between two events: all up to this one, in the order of transactions, are behind it. */
interface Place {
  readonly xact: string;
  readonly seq: string;
}
const START: Place = { xact: '0', seq: '0' };

export interface Polled {
  /** Envelopes, as JSON. */
  readonly events: readonly string[];
  /** Where to go on, as `after`. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

interface Row extends StoredEvent, Place {
  readonly isWanted: boolean;
}

const POLL = `
  select o.xact::text as xact, o.seq::text as seq, o.event = any(:names::text[]) as "isWanted",
    o.id, o.tenant_id as "tenantId", o.event, o.created_at as "createdAt", o.test,
    case when o.event = any(:names::text[]) then o.payload::text end as payload
  from outbox o
  where o.tenant_id = :tenantId::uuid and o.event not like 'internal.%' and not o.test
    and (o.xact, o.seq) > (:xact::text::xid8, :seq::bigint) and o.xact < pg_snapshot_xmin(pg_current_snapshot())
  order by o.xact, o.seq limit ${LOOKED_AT}`;

/** The place behind all events that are there. */
const NOW = `select pg_snapshot_xmin(pg_current_snapshot())::text as xact, '0' as seq`;

/**
 * Reads the next events of a company.
 * @param after a cursor of an earlier answer; null for the first events that are kept, `now` for those to come
 * @param names of the events that are wanted
 * @throws ServiceError invalid_parameter if `after` is no cursor
 */
export async function pollEvents(
  reader: Reader,
  tenantId: string,
  { after, names, limit }: { readonly after: string | null; readonly names: readonly string[]; readonly limit: number },
): Promise<Polled> {
  if (after === 'now') {
    const [place = START] = await query<Place>(reader, NOW, {});
    return { events: [], cursor: toCursor(place), hasMore: false };
  }
  const from = after === null ? START : fromCursor(after);
  const rows = await query<Row>(reader, POLL, { tenantId, names: [...names], ...from });
  const wanted = rows.filter(({ isWanted }) => isWanted).slice(0, limit);
  const isFull = wanted.length === limit;
  // What is not wanted need not be looked at again.
  const last = (isFull ? wanted : rows).at(-1);
  const hasMore = isFull ? last !== rows.at(-1) || rows.length === LOOKED_AT : rows.length === LOOKED_AT;
  return { events: wanted.map(envelope), cursor: toCursor(last ?? from), hasMore };
}

function toCursor({ xact, seq }: Place): string {
  return Buffer.from(`${xact}.${seq}`).toString('base64url');
}

function fromCursor(text: string): Place {
  const [, xact, seq] = /^(\d{1,19})\.(\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (xact === undefined || seq === undefined) {
    throw new ServiceError('invalid_parameter', 'after must be the cursor of an earlier answer, or now');
  }
  return { xact, seq };
}
