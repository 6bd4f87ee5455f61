/** Checks references of rules to plugins. */
import type { Db } from '../../../db/database.ts';
import { type Offer, Plugin } from '../../../db/models/integrations/plugins.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { templatePaths } from '../../../domain/integrations/automations/templates.ts';
import { payloadFaults } from '../plugins/payloads.ts';
import type { Rule } from './schemas.ts';

/** Finds faults in the plugins, hooks and actions that a rule names. Parameters with placeholders are checked when it runs. */
export async function pluginFaults(trx: Db, trigger: Rule['trigger'], actions: Rule['actions']): Promise<FieldError[]> {
  const named = [trigger, ...actions].flatMap((one) => ('plugin_id' in one ? [one.plugin_id] : []));
  if (named.length === 0) return [];
  // Locked, so that nobody removes them before the rule is saved.
  const plugins = (await Plugin.query(trx).whereIn('id', named).orderBy('id').forShare()) as Plugin[];
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const faults: FieldError[] = [];
  if (trigger.type === 'plugin.hook') {
    const hooks = byId.get(trigger.plugin_id)?.hooks;
    faults.push(...offerFaults(hooks, '/trigger', 'hook', trigger.hook));
  }
  for (const [index, action] of actions.entries()) {
    if (action.type !== 'plugin.execute') continue;
    const at = `/actions/${index}`;
    const offers = byId.get(action.plugin_id)?.actions;
    faults.push(...offerFaults(offers, at, 'action', action.action));
    const offer = offers?.find(({ name }) => name === action.action);
    const { params = {} } = action;
    if (offer === undefined || templatePaths(JSON.stringify(params)).length > 0) continue;
    faults.push(
      ...payloadFaults(offer, params).map((fault) => ({ ...fault, pointer: `${at}/params${fault.pointer}` })),
    );
  }
  return faults;
}

function offerFaults(
  offers: readonly Offer[] | undefined,
  at: string,
  kind: 'hook' | 'action',
  name: string,
): FieldError[] {
  const fault = (member: string, message: string) => [
    { pointer: `${at}/${member}`, code: 'invalid_reference', message },
  ];
  if (offers === undefined) return fault('plugin_id', 'must be an installed plugin');
  if (offers.some((offer) => offer.name === name)) return [];
  const names = offers.map((offer) => offer.name).join(', ') || 'none';
  return fault(kind, `must be one that the manifest of the plugin has: ${names}`);
}
