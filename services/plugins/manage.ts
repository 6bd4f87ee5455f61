/** Plugins: installed with what they ask for, upgraded, switched off, removed. */
import type { Reader } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import type { JsonRow } from '../../db/models/base.ts';
import { type ManifestField, Plugin } from '../../db/models/plugins.ts';
import { findRow } from '../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, notFound, ServiceError, validationFailed } from '../../domain/errors.ts';
import { permissionFaults } from '../../domain/plugins/permissions.ts';
import { hashSecret, newSecret, PLUGIN_PREFIX } from '../identity/secrets.ts';
import type { HookScope } from '../resources/declaration.ts';
import { applyFields, assertDifferent, removeFields } from './fields.ts';
import type { Manifest, ManifestChange } from './schemas.ts';

/** The most plugins of a company. */
const MAX_PLUGINS = 50;

/** A plugin with the token that it calls with, which is shown this once. */
export interface WithToken {
  readonly plugin: Plugin;
  readonly token: string;
}

/**
 * Installs a plugin: grants the permissions of its manifest and makes its custom fields.
 * @throws ServiceError duplicate, validation_failed (permissions that cannot be granted, too many plugins), and as for custom fields
 */
export async function installPlugin(scope: HookScope, manifest: Manifest): Promise<WithToken> {
  const { trx, ctx } = scope;
  const { name, version, description = null, permissions = [], custom_fields: asked = [] } = manifest;
  assertGrantable(permissions);
  if ((await Plugin.query(trx).resultSize()) >= MAX_PLUGINS) {
    throw invalidMember(
      '/name',
      'too_many',
      `cannot be installed because the company has ${MAX_PLUGINS} plugins, the maximum`,
    );
  }
  const token = newSecret(PLUGIN_PREFIX);
  const values = {
    id: newId(),
    name,
    release: version,
    description,
    permissions: [...permissions],
    customFields: fieldsIn(asked),
    status: 'enabled' as const,
    tokenHash: hashSecret(token),
    tokenRotatedAt: null,
    createdBy: ctx.userId,
  };
  const installed = { name: 'plugin.installed', payload: { plugin_id: values.id, name, version, error: null } };
  const plugin = await insertRow(trx, ctx, Plugin, values, [installed]);
  await applyFields(scope, plugin, [], plugin.customFields);
  return { plugin, token };
}

/**
 * Changes what a plugin says of itself, as an upgrade does; new permissions are granted by it, others end.
 * @throws ServiceError not_found, stale_version, and as at installation
 */
export async function changePlugin(
  scope: HookScope,
  id: string,
  change: ManifestChange,
  ifMatch: number | null,
): Promise<Plugin> {
  const { trx, ctx } = scope;
  const current = await lockPlugin(scope, id, ifMatch);
  const { version: release, description, permissions, custom_fields: asked } = change;
  assertGrantable(permissions ?? []);
  const values = {
    ...(release === undefined ? {} : { release }),
    ...(description === undefined ? {} : { description }),
    ...(permissions === undefined ? {} : { permissions: [...permissions] }),
    ...(asked === undefined ? {} : { customFields: fieldsIn(asked) }),
  };
  const changed = await patchRow(trx, ctx, Plugin, current, values);
  if (asked !== undefined) await applyFields(scope, current, current.customFields, changed.customFields);
  return changed;
}

/**
 * Switches a plugin on or off: while it is off, its token does not work.
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function setEnabled(scope: HookScope, id: string, on: boolean, ifMatch: number | null): Promise<Plugin> {
  const current = await lockPlugin(scope, id, ifMatch);
  const status = on ? 'enabled' : 'disabled';
  if (current.status === status) throw new ServiceError('invalid_transition', `The plugin is ${status} already`);
  return await patchRow(scope.trx, scope.ctx, Plugin, current, { status });
}

/** Replaces a plugin's token; the one before stops working at once. @throws ServiceError not_found, stale_version */
export async function rotateToken(scope: HookScope, id: string, ifMatch: number | null): Promise<WithToken> {
  const { trx, ctx } = scope;
  const current = await lockPlugin(scope, id, ifMatch);
  const token = newSecret(PLUGIN_PREFIX);
  const values = { tokenHash: hashSecret(token), tokenRotatedAt: ctx.now.toISOString() };
  return { plugin: await patchRow(trx, ctx, Plugin, current, values), token };
}

/** Removes a plugin with its custom fields. @throws ServiceError not_found, stale_version */
export async function uninstallPlugin(scope: HookScope, id: string, ifMatch: number | null): Promise<void> {
  const plugin = await lockPlugin(scope, id, ifMatch);
  await removeFields(scope, plugin);
  await removeRow(scope.trx, scope.ctx, Plugin, plugin);
}

/** @throws ServiceError not_found */
export async function readPlugin(reader: Reader, id: string): Promise<Plugin> {
  const plugin = await findRow(reader, Plugin, { id });
  if (plugin === undefined) throw notFound('This plugin');
  return plugin;
}

/** A plugin as clients see it. `version` is its own; the number of changes is in the ETag alone. */
export function pluginToJson(plugin: Plugin): JsonRow {
  return {
    id: plugin.id,
    name: plugin.name,
    version: plugin.release,
    description: plugin.description,
    permissions: plugin.permissions,
    custom_fields: plugin.customFields,
    status: plugin.status,
    token_rotated_at: plugin.tokenRotatedAt,
    created_by: plugin.createdBy,
    created_at: plugin.createdAt,
    updated_at: plugin.updatedAt,
  };
}

async function lockPlugin({ trx }: HookScope, id: string, ifMatch: number | null): Promise<Plugin> {
  const plugin = (await Plugin.query(trx).findById(id).forUpdate()) as Plugin | undefined;
  if (plugin === undefined) throw notFound('This plugin');
  assertVersion(plugin, ifMatch);
  return plugin;
}

function assertGrantable(permissions: readonly string[]): void {
  const faults = permissionFaults(permissions, '/permissions');
  if (faults.length > 0) throw validationFailed(faults);
}

function fieldsIn(asked: NonNullable<Manifest['custom_fields']>): ManifestField[] {
  const fields = asked as unknown as ManifestField[];
  assertDifferent(fields);
  return fields;
}
