/** Plugins: third-party programs that work on the company's data, with permissions and fields of their own. */
import { Type } from 'typebox';
import { Plugin } from '../../../db/models/integrations/plugins.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { fireHook } from '../../../services/integrations/plugins/hooks.ts';
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
} from '../../../services/integrations/plugins/manage.ts';
import { manifest, OfferName, PluginChange, PluginCreate } from '../../../services/integrations/plugins/schemas.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import {
  choice,
  dataBody,
  flag,
  instant,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import type { HookScope } from '../../../services/records/resources/declaration.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, entityTag, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route, type RouteRequest, type RouteResponse } from '../../route.ts';

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
  status: choice(STATUSES, { description: 'The token of a disabled plugin does not work' }),
  secret_set: flag({ description: 'Whether its calls can be signed; without a secret it is not called' }),
  secret_rotated_at: nullable(instant({ description: 'When its secret was last replaced' })),
  token_rotated_at: nullable(instant({ description: 'When its token was last replaced' })),
  created_by: nullable(uuid({ description: 'The user who installed it' })),
  created_at: instant(),
  updated_at: instant(),
};
const Answer = Type.Object(members, { title: 'Plugin' });
const NewAnswer = Type.Object(
  { ...members, token: text({ description: 'Bearer token of the plugin; it is not shown again' }) },
  { title: 'PluginToken' },
);
const secret = Type.Optional(
  text({ description: 'Signs the calls to it; only with its first base_url, and not shown again' }),
);
const Installed = Type.Object({ ...NewAnswer.properties, secret }, { title: 'NewPlugin' });
const Changed = Type.Object({ ...members, secret }, { title: 'ChangedPlugin' });
const NewSecret = Type.Object(
  {
    secret: text({ description: 'Signs the calls to it from now on; it is not shown again' }),
    previous_valid_until: nullable(instant({ description: 'Time until which the previous secret also signs' })),
  },
  { title: 'PluginSecret' },
);

/** Data that a plugin sends when it fires a hook. */
const HookBody = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 100,
  title: 'PluginHookPayload',
  description: 'Data that fits the schema of the hook',
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
    access: Plugin.access,
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
      'Grants the permissions and creates the custom fields of its manifest. Only this answer contains the token for its calls ' +
      'to the service, and the secret that signs calls to it.',
    tag: TAG,
    access: 'plugins:create',
    body: PluginCreate,
    examples: { body: { ...EXAMPLE, permissions: ['items:read'] }, answer: { ...EXAMPLE, token: 'bmsp_3q2-7wQxW…' } },
    responses: { 201: dataBody(Installed) },
    async handler(request) {
      const installed = await installPlugin(hookScope(request), pluginPolicy(request), request.body);
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
    access: Plugin.access,
    params: Id,
    examples: { answer: EXAMPLE },
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => shown(await readPlugin(reader, params.id)),
  }),
  defineRoute({
    method: 'PATCH',
    path: ONE,
    id: 'changePlugin',
    whenFull: 'reserve',
    summary: 'Upgrade a plugin',
    problems: ['duplicate', 'in_use', 'plugin_owned'],
    description:
      'Hooks and actions that rules use must stay. ' +
      'Given permissions replace the previous ones. Custom fields are created, changed and deleted to match the manifest; values of ' +
      'deleted ones are kept for 30 days. The first base_url comes with a secret, which only this answer contains.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    body: PluginChange,
    examples: { body: { version: '1.5.0' }, answer: { ...EXAMPLE, version: '1.5.0' } },
    responses: { 200: dataBody(Changed) },
    async handler(request) {
      const { params, body, ifMatch } = request;
      const changed = await changePlugin(hookScope(request), pluginPolicy(request), params.id, body, ifMatch);
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
      whenFull: 'reserve',
      summary: status === 'enabled' ? 'Enable a plugin' : 'Disable a plugin',
      problems: ['invalid_transition'],
      description:
        status === 'enabled' ? 'Its token works again.' : 'Its token stops working at once; its custom fields stay.',
      tag: TAG,
      access: 'plugins:update',
      params: Id,
      examples: { answer: { ...EXAMPLE, status } },
      responses: { 200: dataBody(Answer) },
      handler: async (request) =>
        shown(await setEnabled(hookScope(request), request.params.id, status === 'enabled', request.ifMatch)),
    });
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-token`,
    id: 'rotatePluginToken',
    whenFull: 'reserve',
    summary: 'Replace the token of a plugin',
    description: 'The previous token stops working at once. Only this answer contains the new one.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    examples: { answer: { ...EXAMPLE, token: 'bmsp_3q2-7wQxW…' } },
    responses: { 200: dataBody(NewAnswer) },
    async handler(request) {
      const rotated = await rotateToken(hookScope(request), request.params.id, request.ifMatch);
      return { ...ok(shownWithToken(rotated)), headers: secretHeaders(rotated.plugin) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    id: 'rotatePluginSecret',
    whenFull: 'reserve',
    summary: 'Replace the secret of a plugin',
    problems: ['invalid_transition'],
    description:
      'For 24 hours the previous secret also signs calls to the plugin. Only this answer contains the new one.',
    tag: TAG,
    access: 'plugins:update',
    params: Id,
    responses: { 200: dataBody(NewSecret) },
    async handler(request) {
      const { secret, previousUntil } = await rotateSecret(
        hookScope(request),
        pluginPolicy(request),
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
    summary: 'Fire a hook of the plugin',
    problems: ['plugin_owned'],
    description:
      'Only with the token of the plugin. The body must fit the schema of the hook; rules with the trigger plugin.hook run, and ' +
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
      await uninstallPlugin(hookScope(request), request.params.id, request.ifMatch);
      return noContent();
    },
  }),
];

function hookScope({ db, ctx, caller }: RouteRequest<unknown, unknown, unknown>): HookScope {
  return { trx: db, ctx, role: caller.role };
}

function pluginPolicy({ deps: { config } }: RouteRequest<unknown, unknown, unknown>): PluginPolicy {
  return {
    targets: config.webhooks.targets,
    encryptionKeys: configuredKeys(config),
  };
}

/** Answers with a plugin. The ETag counts its changes, since `version` is the plugin's own. */
function shown(plugin: Plugin): RouteResponse {
  return { ...ok(pluginToJson(plugin)), headers: { ETag: entityTag(plugin.id, plugin.version) } };
}

function shownWithToken({ plugin, token }: WithToken) {
  return { ...pluginToJson(plugin), token };
}

function secretHeaders({ id, version }: Plugin) {
  return { ETag: entityTag(id, version), 'Cache-Control': 'no-store' };
}
