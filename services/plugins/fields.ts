/** The custom fields of a plugin's manifest, made and changed as the plugin itself would. */

import { CustomField } from '../../db/models/custom-fields.ts';
import type { ManifestField, Plugin } from '../../db/models/plugins.ts';
import { actorOf } from '../../domain/actors.ts';
import { invalidMember, ServiceError, validationFailed } from '../../domain/errors.ts';
import { lockDefinitions } from '../custom-fields/manage.ts';
import { customFields } from '../master-data/custom-fields.ts';
import type { HookScope } from '../resources/declaration.ts';
import { withDefaults } from '../resources/fields.ts';
import { changeOne, createOne, removeOne } from '../resources/rows.ts';

type Owner = Pick<Plugin, 'id'>;
const POINTER = '/custom_fields';

/**
 * Makes the plugin's fields equal to what its manifest asks for: new ones, changes, and the end of those no longer asked for, whose values
 * are kept for a while as of any deleted field. Fields that the plugin has added by its token stay.
 * @param before what the manifest asked for until now
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
  const existing = await fieldsOf(own, plugin);
  const names = new Set(asked.map(nameOf));
  for (const field of before) {
    const gone = existing.get(nameOf(field));
    if (gone !== undefined && !names.has(nameOf(field))) await removeOne(customFields, own, gone);
  }
  for (const [index, field] of asked.entries()) {
    const current = existing.get(nameOf(field));
    await pointing(`${POINTER}/${index}`, () =>
      current === undefined
        ? createOne(customFields, own, { ...field })
        : changeOne(customFields, own, current, complete(field)),
    );
  }
}

/** Ends all fields of a plugin; their values are kept for a while as of any deleted field. */
export async function removeFields(scope: HookScope, plugin: Owner): Promise<void> {
  const own = asPlugin(scope, plugin);
  const existing = await fieldsOf(own, plugin);
  if (existing.size === 0) return;
  await lockDefinitions(own);
  for (const field of existing.values()) await removeOne(customFields, own, field);
}

/** @throws ServiceError validation_failed when a field is there twice */
export function assertDifferent(fields: readonly ManifestField[]): void {
  const names = fields.map(nameOf);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice < 0) return;
  throw invalidMember(`${POINTER}/${twice}/field_name`, 'duplicate', 'is there twice');
}

/** Whoever installs the plugin acts in its place: only the plugin may change its fields. */
function asPlugin({ trx, ctx, role }: HookScope, { id }: Owner): HookScope {
  return { trx, role, ctx: { ...ctx, actor: actorOf({ kind: 'plugin', id }) } };
}

async function fieldsOf({ trx }: HookScope, { id }: Owner): Promise<Map<string, CustomField>> {
  const rows = (await CustomField.query(trx).where({ plugin_id: id }).orderBy('id')) as CustomField[];
  return new Map(rows.map((row) => [nameOf({ table_name: row.tableName, field_name: row.fieldName }), row]));
}

/** A field with the defaults of what its manifest leaves out; owner and position stay as they are. */
function complete(field: ManifestField): Record<string, unknown> {
  const { plugin_id: _, position, ...values } = withDefaults(customFields.fields, field);
  return position === null ? values : { ...values, position };
}

/** Names that differ only in case are the same. */
function nameOf({ table_name: table, field_name: field }: Pick<ManifestField, 'table_name' | 'field_name'>): string {
  return `${table}.${field.toLowerCase()}`;
}

/** Errors of one field of the manifest, pointing to it. */
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
