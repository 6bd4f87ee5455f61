/** plugin.execute: calls an action of a plugin's manifest by a signed request. */
import { Plugin } from '../../../../db/models/integrations/plugins.ts';
import { findRow } from '../../../../db/queries/find.ts';
import { actionAddress } from '../../../../domain/integrations/plugins/addresses.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { alertPluginError } from '../../plugins/errors.ts';
import { payloadFaults } from '../../plugins/payloads.ts';
import { openableSecrets, SECRET_LOST } from '../../webhooks/secrets.ts';
import type { ActionOf } from '../schemas.ts';
import type { Called, CallingAction } from './action.ts';
import { exchange } from './http.ts';

export const executePlugin: CallingAction<'plugin.execute'> = {
  needs: ({ document }) => [
    'plugins:read',
    ...(document === undefined ? [] : [`${DOCUMENT_TYPES[document.docType as DocType].resource}:read` as const]),
  ],

  async call(deps, ctx, { action, key }, signal) {
    const { params = {} } = action;
    const plugin = await deps.database.readTenant(ctx, (db) => findRow(db, Plugin, { id: action.plugin_id }));
    const obstacle = findObstacle(plugin, action);
    if (plugin === undefined || plugin.baseUrl === null || obstacle !== null) {
      return {
        kind: 'failed',
        error: obstacle ?? 'The plugin cannot be called',
        detail: {},
        answer: null,
        retry: false,
      };
    }
    const request = {
      gateId: plugin.id,
      url: actionAddress(plugin.baseUrl, action.action),
      body: { id: key, action: action.action, tenant_id: ctx.tenantId, plugin_id: plugin.id, params },
      key,
    };
    const secrets = openableSecrets(deps.encryptionKeys, plugin, deps.now());
    const called: Called =
      secrets === null
        ? { kind: 'failed', error: SECRET_LOST, detail: {}, answer: null, retry: false }
        : await exchange(deps, ctx, request, { secrets, event: 'plugin.action' }, signal);
    if (called.kind === 'failed') {
      const error = `${action.action}: ${called.error}`;
      await deps.database.withTenant(ctx, (trx) => alertPluginError(trx, ctx, plugin, error));
    }
    return called;
  },
};

/** Finds why the action cannot be called; null if it can. */
function findObstacle(plugin: Plugin | undefined, { action, params = {} }: ActionOf<'plugin.execute'>): string | null {
  if (plugin === undefined) return 'The plugin is not installed';
  if (plugin.status === 'disabled') return `The plugin ${plugin.name} is disabled`;
  const offer = plugin.actions.find(({ name }) => name === action);
  if (offer === undefined) return `The plugin ${plugin.name} has no action ${action}`;
  if (plugin.secretEncrypted === null) return `The plugin ${plugin.name} has no secret: rotate-secret makes one`;
  const [fault] = payloadFaults(offer, params);
  return fault === undefined ? null : `Its parameter ${fault.pointer} ${fault.message}`;
}
