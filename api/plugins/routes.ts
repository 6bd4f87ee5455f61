/** Plugins: programs of others that work on the company's data, with rights and fields of their own. */
import { Type } from 'typebox';
import { Plugin } from '../../db/models/plugins.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { encryptionKeysOf } from '../../services/encryption/seal.ts';
import { fireHook } from '../../services/plugins/hooks.ts';
import {
  changePlugin,
  installPlugin,
  type PluginPolicy,
  pluginToJson,
  readPlugin,
  rotateSecret,
  rotateToken,
  setEnabled,
  uninstallPlugin,
  type WithToken,
} from '../../services/plugins/manage.ts';
import { manifest, OfferName, PluginChange, PluginCreate } from '../../services/plugins/schemas.ts';
import type { HookScope } from '../../services/resources/declaration.ts';
import { choice, dataOf, flag, instant, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, entityTag, noContent, ok } from '../respond.ts';
import { defineRoute, type Route, type RouteRequest, type RouteResponse } from '../route.ts';

const TAG = 'Plugins';
const COLLECTION = '/api/plugins';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const HookParams = Type.Object({ id: uuid(), hook: OfferName });
const STATUSES = ['enabled', 'disabled'] as const;

const EXAMPLE = { name: 'Label printer', version: '1.4.0', description: 'Prints labels for parcels' };

const members = {
  id: uuid(),
  ...manifest,
  status: choice(STATUSES, { description: 'While it is disabled, its token does not work' }),
  secret_set: flag({ description: 'Whether its calls can be signed; without a secret it is not called' }),
  secret_rotated_at: nullable(instant({ description: 'When its secret was last replaced' })),
  token_rotated_at: nullable(instant({ description: 'When its token was last replaced' })),
  created_by: nullable(uuid({ description: 'Who installed it' })),
  created_at: instant(),
  updated_at: instant(),
};
const Answer = Type.Object(members, { title: 'Plugin' });
const NewAnswer = Type.Object(
  { ...members, token: text({ description: 'What the plugin sends as its Bearer token; it is not shown again' }) },
  { title: 'PluginToken' },
);
const secret = Type.Optional(
  text({ description: 'What signs its calls; only with its first base_url, and not shown again' }),
);
const Installed = Type.Object({ ...NewAnswer.properties, secret }, { title: 'NewPlugin' });
const Changed = Type.Object({ ...members, secret }, { title: 'ChangedPlugin' });
const NewSecret = Type.Object(
  {
    secret: text({ description: 'What signs its calls from now on; it is not shown again' }),
    previous_valid_until: nullable(instant({ description: 'Until when the one before signs too' })),
  },
  { title: 'PluginSecret' },
);

/** What a plugin says when it fires a hook. */
const HookBody = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 100,
  title: 'PluginHookPayload',
  description: 'What the schema of the hook asks for',
});

const list: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    status: { type: 'choice', choices: STATUSES },
    created_by: { type: 'uuid' },
    created_at: { type: 'instant' },
    updated_at: { type: 'instant' },
  },
  defaultSort: 'name',
};

export const routes: Route[] = [
  listRoute({
    path: COLLECTION,
    id: 'listPlugins',
    summary: 'The plugins of the company',
    tag: TAG,
    access: 'plugins:read',
    list,
    row: Answer,
    examples: { answer: EXAMPLE },
    rows: () => ({ from: 'plugins', toJson: (row: object) => pluginToJson(Plugin.fromDatabaseJson(row)) }),
  }),
  defineRoute({
    method: 'POST',
    path: COLLECTION,
    id: 'installPlugin',
    summary: 'Install a plugin',
    problems: ['duplicate', 'plugin_owned'],
    description:
      'Grants what its manifest asks for and makes its custom fields. Only this answer contains the token that it ' +
      'calls with, and the secret that signs its calls.',
    tag: TAG,
    access: 'plugins:create',
    body: PluginCreate,
    examples: { body: { ...EXAMPLE, permissions: ['items:read'] }, answer: { ...EXAMPLE, token: 'bmsp_3q2-7wQxW…' } },
    responses: { 201: dataOf(Installed) },
    async handler(request) {
      const installed = await installPlugin(scopeOf(request), policyOf(request), request.body);
      const answer = created(`${COLLECTION}/${installed.plugin.id}`, {
        ...shownWithToken(installed),
        ...(installed.secret === null ? {} : { secret: installed.secret }),
      });
      return { ...answer, headers: { ...answer.headers, ...secretHeaders(installed.plugin) } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    id: 'getPlugin',
    summary: 'One plugin',
    description: 'Its manifest, and whether it is enabled.',
    tag: TAG,
    access: 'plugins:read',
    params: Id,
    examples: { answer: EXAMPLE },
    responses: { 200: dataOf(Answer) },
    handler: async ({ reader, params }) => shown(await readPlugin(reader, params.id)),
  }),
  defineRoute({
    method: 'PATCH',
    path: ONE,
    id: 'changePlugin',
    summary: 'Upgrade a plugin',
    problems: ['duplicate', 'in_use', 'plugin_owned'],
    description:
      'Hooks and actions that rules use must stay. ' +
      'Permissions given here replace those that it had. Custom fields are made, changed and deleted as the manifest says; values of ' +
      'deleted ones are kept for 30 days. The first base_url comes with a secret, which only this answer contains.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    body: PluginChange,
    examples: { body: { version: '1.5.0' }, answer: { ...EXAMPLE, version: '1.5.0' } },
    responses: { 200: dataOf(Changed) },
    async handler(request) {
      const { params, body, ifMatch } = request;
      const changed = await changePlugin(scopeOf(request), policyOf(request), params.id, body, ifMatch);
      if (changed.secret === null) return shown(changed.plugin);
      const data = { ...pluginToJson(changed.plugin), secret: changed.secret };
      return { ...ok(data), headers: secretHeaders(changed.plugin) };
    },
  }),
  ...STATUSES.map((status) => {
    const verb = status === 'enabled' ? 'enable' : 'disable';
    return defineRoute({
      method: 'POST',
      path: `${ONE}/${verb}`,
      id: `${verb}Plugin`,
      summary: status === 'enabled' ? 'Enable a plugin' : 'Disable a plugin',
      problems: ['invalid_transition'],
      description:
        status === 'enabled' ? 'Its token works again.' : 'Its token stops working at once; its custom fields stay.',
      tag: TAG,
      access: 'plugins:update',
      params: Id,
      examples: { answer: { ...EXAMPLE, status } },
      responses: { 200: dataOf(Answer) },
      handler: async (request) =>
        shown(await setEnabled(scopeOf(request), request.params.id, status === 'enabled', request.ifMatch)),
    });
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-token`,
    id: 'rotatePluginToken',
    summary: 'Replace the token of a plugin',
    description: 'The one before stops working at once. Only this answer contains the new one.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    examples: { answer: { ...EXAMPLE, token: 'bmsp_3q2-7wQxW…' } },
    responses: { 200: dataOf(NewAnswer) },
    async handler(request) {
      const rotated = await rotateToken(scopeOf(request), request.params.id, request.ifMatch);
      return { ...ok(shownWithToken(rotated)), headers: secretHeaders(rotated.plugin) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    id: 'rotatePluginSecret',
    summary: 'Replace the secret of a plugin',
    problems: ['invalid_transition'],
    description:
      'For 24 hours the one before signs what the plugin gets as well. Only this answer contains the new one.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    responses: { 200: dataOf(NewSecret) },
    async handler(request) {
      const { secret, previousUntil } = await rotateSecret(
        scopeOf(request),
        policyOf(request),
        request.params.id,
        request.ifMatch,
      );
      return { ...ok({ secret, previous_valid_until: previousUntil }), headers: { 'Cache-Control': 'no-store' } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/hooks/:hook`,
    id: 'firePluginHook',
    summary: 'Tell that a hook of the plugin has happened',
    problems: ['plugin_owned'],
    description:
      'By the token of the plugin alone. The body is what the schema of the hook asks for; rules with the trigger plugin.hook run, and ' +
      'see it as `event.payload`.',
    tag: TAG,
    access: 'member',
    params: HookParams,
    body: HookBody,
    bodyOptional: true,
    examples: { body: { printer: 'A', labels: 12 } },
    responses: { 204: null },
    async handler({ db, ctx, params, body }) {
      await fireHook({ trx: db, ctx }, params.id, params.hook, body ?? {});
      return noContent();
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    id: 'uninstallPlugin',
    summary: 'Uninstall a plugin',
    problems: ['in_use'],
    description:
      'Refused while rules name it. Its token stops working at once, and its custom fields are deleted; their values are kept for 30 days.',
    tag: TAG,
    access: 'plugins:delete',
    params: Id,
    responses: { 204: null },
    async handler(request) {
      await uninstallPlugin(scopeOf(request), request.params.id, request.ifMatch);
      return noContent();
    },
  }),
];

function scopeOf({ db, ctx, caller }: RouteRequest<unknown, unknown, unknown>): HookScope {
  return { trx: db, ctx, role: caller.role };
}

function policyOf({ deps: { config } }: RouteRequest<unknown, unknown, unknown>): PluginPolicy {
  return {
    allowPrivateTargets: config.webhooks.allowPrivateTargets,
    encryptionKeys: encryptionKeysOf(config),
  };
}

/** Its ETag counts the changes: `version` is the plugin's own. */
function shown(plugin: Plugin): RouteResponse {
  return { ...ok(pluginToJson(plugin)), headers: { ETag: entityTag(plugin.id, plugin.version) } };
}

function shownWithToken({ plugin, token }: WithToken) {
  return { ...pluginToJson(plugin), token };
}

function secretHeaders({ id, version }: Plugin) {
  return { ETag: entityTag(id, version), 'Cache-Control': 'no-store' };
}
