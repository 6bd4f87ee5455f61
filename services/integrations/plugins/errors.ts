/** Alerts a company to failures of a plugin, at most once an hour. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Plugin } from '../../../db/models/integrations/plugins.ts';
import { query } from '../../../db/sql.ts';
import { pluginFailed } from '../../../domain/integrations/plugins/notices.ts';
import { notifyRoles } from '../../messages/notifications/notify.ts';

const QUIET_HOURS = 1;

/** Emits the event plugin.error and notifies the company, unless it was notified within the hour. */
export async function alertPluginError(
  trx: Db,
  ctx: Context,
  { id, name, release: version }: Pick<Plugin, 'id' | 'name' | 'release'>,
  error: string,
): Promise<void> {
  const told = await query(
    trx,
    `update plugins set error_told_at = :now::timestamptz
     where id = :id::uuid and (error_told_at is null or error_told_at <= :now::timestamptz - make_interval(hours => :hours))
     returning id`,
    { id, now: ctx.now.toISOString(), hours: QUIET_HOURS },
  );
  if (told.length === 0) return;
  const event = { name: 'plugin.error', payload: { plugin_id: id, name, version, error } };
  await new Changes(ctx).emit({ type: Plugin.entityType, id }, event).write(trx);
  const notice = { ...pluginFailed(name, error), metadata: { plugin_id: id }, actionUrl: `/api/plugins/${id}` };
  await notifyRoles(trx, ctx, ['owner', 'admin'], 'plugin_error', notice);
}
