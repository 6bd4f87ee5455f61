/**
 * What is wrong at the moment (decision 0188): a row for each, in the company whose owners and administrators are told, in the
 * transaction that tells them. So several processes, and restarts, tell once.
 */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import type { MachineKind } from '../../domain/incidents.ts';
import { alertAdmins, type Notice } from '../notifications/notify.ts';

export interface Incident {
  readonly kind: MachineKind | 'event_set_aside' | 'schedule_fails';
  /** What of several it is about: a host, a schedule. */
  readonly subject: string;
}

const BEGIN = `
  insert into incidents as i (id, tenant_id, kind, subject, begun_at, seen_at)
  values (:id, :tenantId, :kind, :subject, :now, :now)
  on conflict on constraint incidents_subject_key do update set seen_at = :now where i.seen_at <= :before
  returning xmax = 0 as begun`;

/** Tells of what is wrong, unless that is known. */
export async function begin(trx: Db, ctx: Context, incident: Incident, notice: Notice): Promise<void> {
  const [row] = await seen(trx, ctx, incident, 0);
  if (row?.begun === true) await alertAdmins(trx, ctx, notice);
}

/** Tells of what happens again and again, once in so many seconds. */
export async function tellAgain(
  trx: Db,
  ctx: Context,
  incident: Incident,
  seconds: number,
  notice: Notice,
): Promise<void> {
  const rows = await seen(trx, ctx, incident, seconds);
  if (rows.length > 0) await alertAdmins(trx, ctx, notice);
}

/** @param seconds that have to pass before a known one counts as seen again */
function seen(trx: Db, { tenantId, now }: Context, incident: Incident, seconds: number) {
  const before = new Date(now.getTime() - seconds * 1000);
  const at = { now: now.toISOString(), before: before.toISOString() };
  return query<{ begun: boolean }>(trx, BEGIN, { id: newId(), tenantId, ...incident, ...at });
}

/** Tells that something is over, if it was told of. */
export async function end(trx: Db, ctx: Context, incident: Incident, notice: Notice): Promise<void> {
  const sql = 'delete from incidents where kind = :kind and subject = :subject returning id';
  const rows = await query(trx, sql, { ...incident });
  if (rows.length > 0) await alertAdmins(trx, ctx, notice);
}

export interface OpenIncident extends Incident {
  readonly tenantId: string;
  readonly seenAt: string;
}

/** All that people were told of, but failing schedules. @param trx a system transaction */
export async function openIncidents(trx: Db): Promise<OpenIncident[]> {
  return query(
    trx,
    `select tenant_id as "tenantId", kind, subject, seen_at as "seenAt" from incidents where kind <> 'schedule_fails' order by id`,
    {},
  );
}

/** Forgets machines that are gone. @param trx a system transaction @param before when they were last seen */
export async function forgetUnseen(trx: Db, kinds: readonly MachineKind[], before: Date): Promise<void> {
  const sql = 'delete from incidents where kind = any(:kinds::text[]) and seen_at < :before::timestamptz';
  await query(trx, sql, { kinds: [...kinds], before: before.toISOString() });
}
