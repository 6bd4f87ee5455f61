/** Fires hooks of plugins, which trigger rules. */
import { Changes } from '../../../db/changes/changes.ts';
import { Plugin } from '../../../db/models/integrations/plugins.ts';
import { pluginOfActor } from '../../../domain/actors.ts';
import { notFound, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { PLUGIN_HOOK } from '../../../domain/platform/internal-events.ts';
import type { HookScope } from '../../records/resources/declaration.ts';
import { readPlugin } from './manage.ts';
import { payloadFaults } from './payloads.ts';

/**
 * Fires a hook, for the rules that it triggers.
 * @param payload data that fits the schema of the hook
 * @throws ServiceError plugin_owned for anybody but the plugin, not_found for a hook that its manifest lacks, validation_failed
 */
export async function fireHook(
  { trx, ctx }: Pick<HookScope, 'trx' | 'ctx'>,
  id: string,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (pluginOfActor(ctx.actor) !== id)
    throw new ServiceError('plugin_owned', 'Only the plugin itself can fire its hooks');
  const plugin = await readPlugin(trx, id);
  const hook = plugin.hooks.find((offer) => offer.name === name);
  if (hook === undefined) throw notFound(`The hook ${name} in the manifest of this plugin`);
  const faults = payloadFaults(hook, payload);
  if (faults.length > 0) throw validationFailed(faults);
  const event = { name: PLUGIN_HOOK, payload: { plugin_id: id, hook: name, payload } };
  await new Changes(ctx).emit({ type: Plugin.entityType, id }, event).write(trx);
}
