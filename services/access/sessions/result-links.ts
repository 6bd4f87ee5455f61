/** Links to what tasks made have the rights of whoever asked for it (decision 0272). */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { parseMachine } from '../../../domain/actors.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { loadPermissions, type Principal } from './current-permissions.ts';

const MAKER_SQL = `
  select t.permission, t.created_by as "userId", t.actor from files f join tasks t on t.id = f.entity_id
  where f.id = :fileId::uuid and f.kind = 'task_result' and t.permission is not null`;

/**
 * Ends the links to a result with the rights of whoever had it made.
 * @throws ServiceError not_found if they may not read it any more; nothing for other files
 */
export async function assertLinkHolds(reader: Reader, fileId: string, now: Date): Promise<void> {
  const [maker] = await query<Principal & { permission: Permission }>(reader, MAKER_SQL, { fileId });
  // Nobody asked for what the service makes by itself.
  if (maker === undefined || (maker.userId === null && parseMachine(maker.actor) === null)) return;
  const permissions = await loadPermissions(reader, maker, now);
  if (!permissions.has(maker.permission)) throw notFound('The file');
}
