/** Installs, upgrades, disables and uninstalls plugins. */
import type { Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { JsonRow } from '../../../db/models/base.ts';
import { type ManifestField, type Offer, Plugin } from '../../../db/models/integrations/plugins.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import type { TargetPolicy } from '../../../domain/integrations/webhooks/targets.ts';
import { hashSecret, newSecret, PLUGIN_PREFIX } from '../../access/sessions/secrets.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import type { HookScope } from '../../records/resources/declaration.ts';
import { rotateSecrets } from '../webhooks/secrets.ts';
import { applyFields, assertDifferent, removeFields } from './fields.ts';
import { assertManifest } from './manifest.ts';
import type { Manifest, ManifestChange } from './schemas.ts';
import { assertUnused } from './uses.ts';

/** Maximum plugins of a company. */
const MAX_PLUGINS = 50;

/** Settings of the service that plugins depend on. */
export interface PluginPolicy {
  readonly targets: TargetPolicy;
  readonly encryptionKeys: EncryptionKeys;
}

/** A plugin with the token for its calls, which is shown only once. */
export interface WithToken {
  readonly plugin: Plugin;
  readonly token: string;
}

/**
 * Installs a plugin: grants the permissions of its manifest and makes its custom fields.
 * @returns also the secret that signs calls to it, which is shown only once; null for a plugin without an address
 * @throws ServiceError duplicate, validation_failed (permissions that cannot be granted, too many plugins), and as for custom fields
 */
export async function installPlugin(
  scope: HookScope,
  policy: PluginPolicy,
  manifest: Manifest,
): Promise<WithToken & { readonly secret: string | null }> {
  const { trx, ctx } = scope;
  const { name, version, description = null, custom_fields: asked = [] } = manifest;
  const offers = {
    baseUrl: manifest.base_url ?? null,
    hooks: offersIn(manifest.hooks),
    actions: offersIn(manifest.actions),
    permissions: [...(manifest.permissions ?? [])],
  };
  assertManifest(offers, policy);
  if ((await Plugin.query(trx).resultSize()) >= MAX_PLUGINS) {
    throw invalidMember(
      '/name',
      'too_many',
      `cannot be installed because the company has ${MAX_PLUGINS} plugins, the maximum`,
    );
  }
  const token = newSecret(PLUGIN_PREFIX);
  const id = newId();
  const owner = { tenantId: ctx.tenantId, id, secretEncrypted: null, retiredSecretsEncrypted: null };
  const signing = offers.baseUrl === null ? null : rotateSecrets(policy.encryptionKeys, owner, null, ctx.now);
  const values = {
    id,
    name,
    release: version,
    description,
    ...offers,
    ...(signing?.stored ?? {}),
    customFields: fieldsIn(asked),
    status: 'enabled' as const,
    tokenHash: hashSecret(token),
    tokenRotatedAt: null,
    createdBy: ctx.userId,
  };
  const installed = { name: 'plugin.installed', payload: { plugin_id: values.id, name, version, error: null } };
  const plugin = await insertRow(trx, ctx, Plugin, values, [installed]);
  await applyFields(scope, plugin, [], plugin.customFields);
  return { plugin, token, secret: signing?.secret ?? null };
}

/**
 * Changes a plugin's manifest, as an upgrade does; given permissions replace the previous ones.
 * @returns also the secret, as at installation, if this sets the first address; else null
 * @throws ServiceError not_found, stale_version, and as at installation
 */
export async function changePlugin(
  scope: HookScope,
  policy: PluginPolicy,
  id: string,
  change: ManifestChange,
  ifMatch: number | null,
): Promise<{ readonly plugin: Plugin; readonly secret: string | null }> {
  const { trx, ctx } = scope;
  const current = await lockPlugin(scope, id, ifMatch);
  const { version: release, description, permissions, custom_fields: asked, base_url: baseUrl } = change;
  const offers = {
    baseUrl: baseUrl === undefined ? current.baseUrl : baseUrl,
    hooks: change.hooks === undefined ? current.hooks : offersIn(change.hooks),
    actions: change.actions === undefined ? current.actions : offersIn(change.actions),
    permissions: permissions === undefined ? [] : [...permissions],
  };
  assertManifest(offers, policy);
  if (change.hooks !== undefined || change.actions !== undefined) await assertUnused(trx, current, offers);
  const isFirst = offers.baseUrl !== null && current.secretEncrypted === null;
  const signing = isFirst ? rotateSecrets(policy.encryptionKeys, current, null, ctx.now) : null;
  const values = {
    ...(release === undefined ? {} : { release }),
    ...(description === undefined ? {} : { description }),
    ...offers,
    ...(signing?.stored ?? {}),
    permissions: permissions === undefined ? current.permissions : offers.permissions,
    ...(asked === undefined ? {} : { customFields: fieldsIn(asked) }),
  };
  const changed = await patchRow(trx, ctx, Plugin, current, values);
  if (asked !== undefined) await applyFields(scope, current, current.customFields, changed.customFields);
  return { plugin: changed, secret: signing?.secret ?? null };
}

/**
 * Enables or disables a plugin; the token of a disabled one does not work.
 * @throws ServiceError not_found, stale_version, invalid_transition
 */
export async function setEnabled(scope: HookScope, id: string, on: boolean, ifMatch: number | null): Promise<Plugin> {
  const current = await lockPlugin(scope, id, ifMatch);
  const status = on ? 'enabled' : 'disabled';
  if (current.status === status) throw new ServiceError('invalid_transition', `The plugin is ${status} already`);
  return await patchRow(scope.trx, scope.ctx, Plugin, current, { status });
}

/** Replaces a plugin's token; the previous one stops working at once. @throws ServiceError not_found, stale_version */
export async function rotateToken(scope: HookScope, id: string, ifMatch: number | null): Promise<WithToken> {
  const { trx, ctx } = scope;
  const current = await lockPlugin(scope, id, ifMatch);
  const token = newSecret(PLUGIN_PREFIX);
  const values = { tokenHash: hashSecret(token), tokenRotatedAt: ctx.now.toISOString() };
  return { plugin: await patchRow(trx, ctx, Plugin, current, values), token };
}

/**
 * Replaces the secret that signs calls to a plugin; the previous one also signs for another 24 hours.
 * @throws ServiceError not_found, stale_version, invalid_transition for a plugin without an address
 */
export async function rotateSecret(
  scope: HookScope,
  { encryptionKeys }: PluginPolicy,
  id: string,
  ifMatch: number | null,
): Promise<{ readonly secret: string; readonly previousUntil: string | null }> {
  const { trx, ctx } = scope;
  const current = await lockPlugin(scope, id, ifMatch);
  if (current.baseUrl === null)
    throw new ServiceError('invalid_transition', 'The plugin cannot have a secret because it has no base_url to call');
  const { secret, previousUntil, stored } = rotateSecrets(encryptionKeys, current, null, ctx.now);
  const values = { ...stored, secretRotatedAt: ctx.now.toISOString() };
  await patchRow(trx, ctx, Plugin, current, values);
  return { secret, previousUntil };
}

/** Removes a plugin with its custom fields. @throws ServiceError not_found, stale_version, in_use by rules */
export async function uninstallPlugin(scope: HookScope, id: string, ifMatch: number | null): Promise<void> {
  const plugin = await lockPlugin(scope, id, ifMatch);
  await assertUnused(scope.trx, plugin, null);
  await removeFields(scope, plugin);
  await removeRow(scope.trx, scope.ctx, Plugin, plugin);
}

/** @throws ServiceError not_found */
export async function readPlugin(reader: Reader, id: string): Promise<Plugin> {
  const plugin = await findRow(reader, Plugin, { id });
  if (plugin === undefined) throw notFound('This plugin');
  return plugin;
}

/** Converts a plugin to the form that clients see. `version` is its own; only the ETag counts its changes. */
export function pluginToJson(plugin: Plugin): JsonRow {
  return {
    id: plugin.id,
    name: plugin.name,
    version: plugin.release,
    description: plugin.description,
    base_url: plugin.baseUrl,
    hooks: plugin.hooks,
    actions: plugin.actions,
    permissions: plugin.permissions,
    custom_fields: plugin.customFields,
    status: plugin.status,
    secret_set: plugin.secretEncrypted !== null,
    secret_rotated_at: plugin.secretRotatedAt,
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

function offersIn(offers: Manifest['hooks']): Offer[] {
  return (offers ?? []) as Offer[];
}

function fieldsIn(asked: NonNullable<Manifest['custom_fields']>): ManifestField[] {
  const fields = asked as unknown as ManifestField[];
  assertDifferent(fields);
  return fields;
}
