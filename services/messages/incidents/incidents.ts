/**
 * Open incidents (decision 0188): one row each, in the company whose owners and administrators are alerted, written in the transaction
 * that alerts them. Several processes, and restarts, therefore alert once.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import type { MachineKind } from '../../../domain/messages/incidents.ts';
import { alertAdmins, type Notice } from '../notifications/notify.ts';

export interface Incident {
  readonly kind: MachineKind | 'event_set_aside' | 'schedule_fails' | 'storage_full';
  /** The affected host or schedule, where there can be several. */
  readonly subject: string;
}

const BEGIN = `
  insert into incidents as i (id, tenant_id, kind, subject, begun_at, seen_at)
  values (:id, :tenantId, :kind, :subject, :now, :now)
  on conflict on constraint incidents_subject_key do update set seen_at = :now where i.seen_at <= :before
  returning xmax = 0 as begun`;

/** Records an incident and alerts people, unless it is already open. */
export async function openIncident(trx: Db, ctx: Context, incident: Incident, notice: Notice): Promise<void> {
  const [row] = await recordSighting(trx, ctx, incident, 0);
  if (row?.begun === true) await alertAdmins(trx, ctx, notice);
}

/** Records a recurring incident and alerts people, at most once every `seconds`. */
export async function repeatAlert(
  trx: Db,
  ctx: Context,
  incident: Incident,
  seconds: number,
  notice: Notice,
): Promise<void> {
  const rows = await recordSighting(trx, ctx, incident, seconds);
  if (rows.length > 0) await alertAdmins(trx, ctx, notice);
}

/** @param seconds that must pass before an open incident counts as seen again */
function recordSighting(trx: Db, { tenantId, now }: Context, incident: Incident, seconds: number) {
  const before = new Date(now.getTime() - seconds * 1000);
  const at = { now: now.toISOString(), before: before.toISOString() };
  return query<{ begun: boolean }>(trx, BEGIN, { id: newId(), tenantId, ...incident, ...at });
}

/** Closes an incident and tells people so, if it was open. */
export async function closeIncident(trx: Db, ctx: Context, incident: Incident, notice: Notice): Promise<void> {
  const sql = 'delete from incidents where kind = :kind and subject = :subject returning id';
  const rows = await query(trx, sql, { ...incident });
  if (rows.length > 0) await alertAdmins(trx, ctx, notice);
}

export interface OpenIncident extends Incident {
  readonly tenantId: string;
  readonly seenAt: string;
}

/** Lists the open incidents of the service, in whichever company. @param trx a system transaction */
export async function listOpenIncidents(trx: Db): Promise<OpenIncident[]> {
  return query(
    trx,
    `select tenant_id as "tenantId", kind, subject, seen_at as "seenAt" from incidents
     where kind not in ('schedule_fails', 'storage_full') order by id`,
    {},
  );
}

/** Deletes incidents not seen since `before`: their machines are gone. @param trx a system transaction */
export async function deleteStaleIncidents(trx: Db, kinds: readonly MachineKind[], before: Date): Promise<void> {
  const sql = 'delete from incidents where kind = any(:kinds::text[]) and seen_at < :before::timestamptz';
  await query(trx, sql, { kinds: [...kinds], before: before.toISOString() });
}
