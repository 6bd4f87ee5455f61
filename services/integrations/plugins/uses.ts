/** Protects hooks and actions of plugins that rules use. */
import type { Db } from '../../../db/database.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import type { Plugin } from '../../../db/models/integrations/plugins.ts';
import { query } from '../../../db/sql.ts';
import { inUse } from '../../../domain/errors.ts';

/**
 * Asserts that no rule uses a hook or action that is being removed.
 * @param left the remaining hooks and actions; null if the plugin is uninstalled
 * @throws ServiceError in_use with the number of rules
 */
export async function assertUnused(
  trx: Db,
  { id }: Pick<Plugin, 'id'>,
  left: Pick<Plugin, 'hooks' | 'actions'> | null,
): Promise<void> {
  const [found] = await query<{ count: number }>(
    trx,
    `select count(*)::int as count from automations a
     where (a.trigger ->> 'plugin_id' = :id::text and not (a.trigger ->> 'hook' = any(:hooks::text[])))
       or exists (
         select from jsonb_array_elements(a.actions) as action
         where action ->> 'plugin_id' = :id::text and not (action ->> 'action' = any(:actions::text[])))`,
    { id, hooks: offerNames(left?.hooks), actions: offerNames(left?.actions) },
  );
  const count = found?.count ?? 0;
  if (count === 0) return;
  throw inUse([{ entityType: Automation.entityType, count }], {
    refused: left === null ? 'The plugin cannot be uninstalled' : 'A hook or an action cannot be removed',
    instead: 'Change or delete these rules first, or disable the plugin',
  });
}

function offerNames(offers: readonly { readonly name: string }[] = []): string[] {
  return offers.map(({ name }) => name);
}
