/** What plugins tell: each triggers the rules that wait for it. */
import { Changes } from '../../db/changes/changes.ts';
import { Plugin } from '../../db/models/plugins.ts';
import { pluginOf } from '../../domain/actors.ts';
import { notFound, ServiceError, validationFailed } from '../../domain/errors.ts';
import { PLUGIN_HOOK } from '../../domain/internal-events.ts';
import type { HookScope } from '../resources/declaration.ts';
import { readPlugin } from './manage.ts';
import { payloadFaults } from './payloads.ts';

/**
 * Records that a hook was fired, for rules.
 * @param payload what the schema of the hook asks for
 * @throws ServiceError plugin_owned for anybody but the plugin, not_found for a hook that its manifest lacks, validation_failed
 */
export async function fireHook(
  { trx, ctx }: Pick<HookScope, 'trx' | 'ctx'>,
  id: string,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (pluginOf(ctx.actor) !== id) throw new ServiceError('plugin_owned', 'Only the plugin itself fires its hooks');
  const plugin = await readPlugin(trx, id);
  const hook = plugin.hooks.find((offer) => offer.name === name);
  if (hook === undefined) throw notFound(`The hook ${name} in the manifest of this plugin`);
  const faults = payloadFaults(hook, payload);
  if (faults.length > 0) throw validationFailed(faults);
  const event = { name: PLUGIN_HOOK, payload: { plugin_id: id, hook: name, payload } };
  await new Changes(ctx).emit({ type: Plugin.entityType, id }, event).write(trx);
}
