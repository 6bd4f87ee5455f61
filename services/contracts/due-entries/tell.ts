/** Tells people of what keeps entries from being made: once, until it is solved or something else does. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { prepared } from '../../../db/sql.ts';
import type { Role } from '../../../domain/permissions.ts';
import { shortened } from '../../../domain/shorten.ts';
import { notifyRoles } from '../../messages/notifications/notify.ts';
import { findRecipients } from '../../messages/notifications/recipients.ts';
import { settleToDo } from '../../messages/to-dos/end.ts';
import { MAX_BODY, MAX_TITLE } from '../../messages/to-dos/schemas.ts';
import { assignToDo } from '../../messages/to-dos/to-dos.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { EnteredSome, InBoth, Told } from './kind.ts';

interface Obstacle {
  readonly reason: string;
  readonly toDoId: string | null;
}

const KNOWN_SQL = 'select reason, to_do_id as "toDoId" from due_entry_obstacles where kind = :kind for update';
const SOLVED_SQL = 'delete from due_entry_obstacles where kind = :kind';
const TOLD_SQL = `insert into due_entry_obstacles (id, tenant_id, kind, reason, to_do_id)
  values (:id::uuid, :tenantId::uuid, :kind, :reason, :toDoId::uuid)
  on conflict on constraint due_entry_obstacles_kind_key do update set reason = excluded.reason, to_do_id = excluded.to_do_id`;

/**
 * Gives a to-do about what is in the way to the accountants, or else to the owners, unless they had it, and settles the one before.
 * @param kind name of the kind of entries
 * @param toDo null if nothing is in the way
 */
export async function tellObstacle(trx: Db, ctx: Context, kind: string, toDo: InBoth | null): Promise<void> {
  const [known] = await prepared<Obstacle>(trx, KNOWN_SQL, { kind });
  const reason = toDo === null ? null : `${toDo.en.title}\n${toDo.en.body}`;
  if (reason === (known?.reason ?? null)) return;
  if (known?.toDoId) await settleToDo(trx, ctx, known.toDoId);
  if (toDo === null) await prepared(trx, SOLVED_SQL, { kind });
  else {
    const toDoId = await assign(trx, ctx, toDo);
    await prepared(trx, TOLD_SQL, { id: newId(), tenantId: ctx.tenantId, kind, reason, toDoId });
  }
}

/** Notifies the accountants, or else the owners, of what was entered. */
export async function tellEntered(trx: Db, ctx: Context, notice: NonNullable<EnteredSome['notice']>): Promise<void> {
  const role = await responsible(trx);
  if (role === null) return;
  const { en, es, actionUrl } = notice;
  const spanish = { ...es, actionLabel: 'Ver' };
  await notifyRoles(trx, ctx, [role], 'system_alert', { ...en, actionLabel: 'Show', es: spanish, actionUrl });
}

/** @returns the id of the to-do; null if nobody has one of the roles */
async function assign(trx: Db, ctx: Context, toDo: InBoth): Promise<string | null> {
  const role = await responsible(trx);
  if (role === null) return null;
  const { title, body } = await inCompanyLanguage(trx, toDo);
  const words = { title: shortened(title, MAX_TITLE), body: shortened(body, MAX_BODY) };
  const given = await assignToDo(trx, ctx, {
    ...{ kind: 'to_do', role, ...words },
    ...{ user_id: null, due_at: null, document_id: null },
  });
  return given.toDo.id;
}

async function inCompanyLanguage(trx: Db, { en, es }: InBoth): Promise<Told> {
  const { locale } = await loadSettings(trx, 'format');
  return locale.startsWith('es') ? es : en;
}

async function responsible(trx: Db): Promise<Role | null> {
  for (const role of ['accountant', 'owner'] satisfies Role[])
    if ((await findRecipients(trx, { roles: [role], userIds: [] })).length > 0) return role;
  return null;
}
