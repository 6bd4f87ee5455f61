/** Creates and changes the custom fields of a plugin's manifest, as the plugin itself would. */

import type { ManifestField, Plugin } from '../../../db/models/integrations/plugins.ts';
import { CustomField } from '../../../db/models/records/custom-fields.ts';
import { machineActor } from '../../../domain/actors.ts';
import { invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import { lockDefinitions } from '../../records/custom-fields/manage.ts';
import { customFields } from '../../records/master-data/custom-fields.ts';
import type { HookScope } from '../../records/resources/declaration.ts';
import { withDefaults } from '../../records/resources/fields.ts';
import { changeOne, createOne, removeOne } from '../../records/resources/rows.ts';

type Owner = Pick<Plugin, 'id'>;
const POINTER = '/custom_fields';

/**
 * Applies the fields of a manifest: creates new ones, changes existing ones and deletes those no longer listed, whose values are kept for a
 * while like those of any deleted field. Fields that the plugin has added with its token stay.
 * @param before the fields of the previous manifest
 * @throws ServiceError as for custom fields, pointing into the manifest
 */
export async function applyFields(
  scope: HookScope,
  plugin: Owner,
  before: readonly ManifestField[],
  asked: readonly ManifestField[],
): Promise<void> {
  if (before.length === 0 && asked.length === 0) return;
  const own = asPlugin(scope, plugin);
  await lockDefinitions(own);
  const existing = await loadFields(own, plugin);
  const names = new Set(asked.map(fieldKey));
  for (const field of before) {
    const gone = existing.get(fieldKey(field));
    if (gone !== undefined && !names.has(fieldKey(field))) await removeOne(customFields, own, gone);
  }
  for (const [index, field] of asked.entries()) {
    const current = existing.get(fieldKey(field));
    await pointing(`${POINTER}/${index}`, () =>
      current === undefined
        ? createOne(customFields, own, { ...field })
        : changeOne(customFields, own, current, complete(field)),
    );
  }
}

/** Deletes all fields of a plugin; their values are kept for a while like those of any deleted field. */
export async function removeFields(scope: HookScope, plugin: Owner): Promise<void> {
  const own = asPlugin(scope, plugin);
  const existing = await loadFields(own, plugin);
  if (existing.size === 0) return;
  await lockDefinitions(own);
  for (const field of existing.values()) await removeOne(customFields, own, field);
}

/** Asserts that no field is listed twice. @throws ServiceError validation_failed */
export function assertDifferent(fields: readonly ManifestField[]): void {
  const names = fields.map(fieldKey);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice < 0) return;
  throw invalidMember(`${POINTER}/${twice}/field_name`, 'duplicate', 'is there twice');
}

/** Acts in the plugin's place, because only the plugin may change its fields. */
function asPlugin({ trx, ctx, role }: HookScope, { id }: Owner): HookScope {
  return { trx, role, ctx: { ...ctx, actor: machineActor({ kind: 'plugin', id }) } };
}

async function loadFields({ trx }: HookScope, { id }: Owner): Promise<Map<string, CustomField>> {
  const rows = (await CustomField.query(trx).where({ plugin_id: id }).orderBy('id')) as CustomField[];
  return new Map(rows.map((row) => [fieldKey({ table_name: row.tableName, field_name: row.fieldName }), row]));
}

/** Completes a field with the defaults that its manifest leaves out; owner and position stay the same. */
function complete(field: ManifestField): Record<string, unknown> {
  const { plugin_id: _, position, ...values } = withDefaults(customFields.fields, field);
  return position === null ? values : { ...values, position };
}

/** Key of a field; names that differ only in case are the same. */
function fieldKey({ table_name: table, field_name: field }: Pick<ManifestField, 'table_name' | 'field_name'>): string {
  return `${table}.${field.toLowerCase()}`;
}

/** Makes errors of a field point to its place in the manifest. */
async function pointing<T>(pointer: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors.length === 0) throw error;
    const { code, message, uses } = error;
    const errors = error.errors.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` }));
    throw code === 'validation_failed' ? validationFailed(errors) : new ServiceError(code, message, { errors, uses });
  }
}
