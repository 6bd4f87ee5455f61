/** Rules for definitions: what can be defined, which changes existing data prevents, and what happens to the values of a deleted field. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { allowTime } from '../../../db/lazy-knex.ts';
import { CustomField } from '../../../db/models/records/custom-fields.ts';
import { nextNumber } from '../../../db/queries/counters.ts';
import { pluginOfActor } from '../../../domain/actors.ts';
import { type FieldError, invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import {
  type CustomFieldTable,
  DELETED_FIELD_DAYS,
  hasOptions,
  isTextLike,
  MAX_CUSTOM_FIELDS,
} from '../../../domain/records/custom-fields.ts';
import { VERSION_COUNTER } from './definitions.ts';
import { regexFault } from './regex.ts';
import { parseValue } from './text.ts';
import { countOptions, countValues } from './usage.ts';
import { checkValue } from './values.ts';

/** Counting values in use and indexing a million records takes longer than the usual limit. */
const LONGEST_SECONDS = 300;

type Definition = Pick<
  CustomField,
  'tableName' | 'fieldName' | 'type' | 'defaultValue' | 'options' | 'validationRegex' | 'pluginId' | 'storageKey'
>;

type Row = Record<string, unknown>;

interface Scope {
  readonly trx: Db;
  readonly ctx: Context;
}

/** Blocks writers of custom values until the change is done, and makes every process reload the definitions. */
export async function lockDefinitions({ trx, ctx }: Scope): Promise<void> {
  await nextNumber(trx, ctx.tenantId, VERSION_COUNTER);
  await allowTime(trx, LONGEST_SECONDS);
}

/**
 * Checks a new field and assigns its position and storage key. A field recreated with the name and type of one deleted within 30 days gets
 * the old values back.
 * @throws ServiceError plugin_owned, validation_failed, duplicate, in_use
 */
export async function prepareNewField(scope: Scope, values: Row): Promise<Row> {
  const field = withOwner(scope.ctx, normalizeValues(values)) as Row & Definition;
  checkDefinition(scope.ctx.tenantId, field);
  const existing = await loadOtherFields(scope, field);
  const kept = await findRememberedValues(scope, field);
  if (kept !== undefined) {
    await assertOptionsUnused(scope, { ...field, storageKey: kept.storage_key });
    await scope.trx('deleted_custom_fields').where({ id: kept.id }).delete();
  }
  const last = Math.max(-1, ...existing.map(({ position }) => position));
  return {
    ...field,
    position: field.position ?? last + 1,
    storageKey: kept?.storage_key ?? (await findFreeKey(scope, field)),
  };
}

/** Checks a change of a field. @throws ServiceError plugin_owned, validation_failed, duplicate, in_use */
export async function prepareChangedField(scope: Scope, given: Row, current: CustomField): Promise<Row> {
  const values = normalizeValues(given);
  assertOwned(scope.ctx, current);
  if (values.pluginId !== undefined) assertOwned(scope.ctx, values as Partial<Definition>);
  const next = { ...current, ...values } as CustomField;
  checkDefinition(scope.ctx.tenantId, next);
  const fixed = (['tableName', 'fieldName', 'type'] as const).find((member) => next[member] !== current[member]);
  if (fixed !== undefined) {
    const count = await countValues(scope.trx, current.tableName, current.storageKey);
    if (count > 0)
      throw inUse(current, memberPointer(fixed), `cannot be changed because ${records(count)} a value`, count);
  }
  if (fixed === 'tableName' || fixed === 'fieldName') {
    await loadOtherFields(scope, next);
    return { ...values, storageKey: await findFreeKey(scope, next) };
  }
  if (fixed === undefined && values.options !== undefined) await assertOptionsUnused(scope, next);
  return values;
}

/** Remembers where the deleted field's values are. @throws ServiceError plugin_owned */
export async function rememberValues({ trx, ctx }: Scope, current: CustomField): Promise<void> {
  assertOwned(ctx, current);
  await trx('deleted_custom_fields').insert({
    id: newId(),
    tenant_id: ctx.tenantId,
    table_name: current.tableName,
    field_name: current.fieldName,
    storage_key: current.storageKey,
    type: current.type,
    deleted_at: ctx.now.toISOString(),
  });
}

/** Treats an empty text as no default, and an empty list as no options. */
function normalizeValues(values: Row): Row {
  const { defaultValue, options } = values;
  return {
    ...values,
    ...(defaultValue === '' ? { defaultValue: null } : {}),
    ...(Array.isArray(options) && options.length === 0 ? { options: null } : {}),
  };
}

/** Assigns a new field to the plugin that creates it, if any. @throws ServiceError plugin_owned */
function withOwner(ctx: Context, values: Row): Row {
  const { pluginId } = values as Partial<Definition>;
  const owned = { ...values, pluginId: pluginId ?? pluginOfActor(ctx.actor) };
  assertOwned(ctx, owned);
  return owned;
}

/** Asserts that only a plugin changes its own fields, and no others. @throws ServiceError plugin_owned */
function assertOwned({ actor }: Context, { pluginId = null }: Partial<Definition>): void {
  const plugin = pluginOfActor(actor);
  if (pluginId === plugin) return;
  throw new ServiceError(
    'plugin_owned',
    plugin === null
      ? 'This custom field cannot be changed because it belongs to a plugin; only the plugin itself can change it'
      : 'A plugin cannot change custom fields other than its own',
  );
}

function checkDefinition(tenantId: string, field: Definition): void {
  const { type, options, validationRegex: regex, defaultValue } = field;
  const faults: FieldError[] = [];
  const add = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message });
  if (hasOptions(type) && options === null) add('/options', 'required', `is required for the type ${type}`);
  if (!hasOptions(type) && options !== null)
    add('/options', 'not_applicable', 'is allowed only for types with options');
  if (regex !== null) {
    const fault = isTextLike(type) ? regexFault(tenantId, regex) : undefined;
    if (!isTextLike(type)) {
      add('/validation_regex', 'not_applicable', 'is allowed only for TEXT, TEXTAREA, URL, EMAIL and PHONE');
    } else if (fault !== undefined)
      add('/validation_regex', 'invalid_pattern', `must be a usable regular expression: ${fault}`);
  }
  if (defaultValue !== null && faults.length === 0) {
    const [fault] = checkValue(tenantId, field, parseValue(field, defaultValue)).faults;
    if (fault) add('/default_value', fault.code, `must be a valid value of the field: ${fault.message}`);
  }
  if (faults.length > 0) throw validationFailed(faults);
}

/** Loads the other fields of the table. @throws ServiceError duplicate, validation_failed if there are too many */
async function loadOtherFields({ trx }: Scope, field: Definition & { id?: string }): Promise<CustomField[]> {
  const all = (await CustomField.query(trx).where({ table_name: field.tableName })) as CustomField[];
  const others = all.filter(({ id }) => id !== field.id);
  const taken = others.find(({ fieldName }) => fieldName.toLowerCase() === field.fieldName.toLowerCase());
  if (taken !== undefined) {
    throw new ServiceError('duplicate', `${field.tableName} already has a field ${taken.fieldName}`, {
      errors: [{ pointer: '/field_name', code: 'duplicate', message: 'is taken' }],
    });
  }
  if (others.length >= MAX_CUSTOM_FIELDS) {
    throw invalidMember('/table_name', 'too_many', `already has ${MAX_CUSTOM_FIELDS} fields, the maximum`);
  }
  return others;
}

interface Kept {
  readonly id: string;
  readonly storage_key: string;
}

/** Finds the latest deleted field with the same name and type whose values are still stored. */
async function findRememberedValues(
  { trx, ctx }: Scope,
  { tableName, fieldName, type }: Definition,
): Promise<Kept | undefined> {
  const since = new Date(ctx.now.getTime() - DELETED_FIELD_DAYS * 86_400_000).toISOString();
  return trx('deleted_custom_fields')
    .where({ table_name: tableName, field_name: fieldName, type })
    .where('deleted_at', '>', since)
    .orderBy('deleted_at', 'desc')
    .first('id', 'storage_key');
}

/** Finds a storage key: the field's name, numbered if values of a deleted or renamed field are still stored under it. */
async function findFreeKey({ trx }: Scope, { tableName, fieldName }: Definition): Promise<string> {
  const keys = (table: string) => trx(table).where({ table_name: tableName }).pluck('storage_key') as Promise<string[]>;
  const taken = new Set([...(await keys('custom_fields')), ...(await keys('deleted_custom_fields'))]);
  for (let number = 1; ; number++) {
    const key = number === 1 ? fieldName : `${fieldName}:${number}`;
    if (!taken.has(key)) return key;
  }
}

/** Asserts that no record uses an option that the field no longer has. @throws ServiceError in_use */
async function assertOptionsUnused({ trx }: Scope, field: Definition): Promise<void> {
  if (!hasOptions(field.type)) return;
  const used = await countOptions(trx, field.tableName as CustomFieldTable, field.storageKey);
  const lost = [...used].filter(([option]) => field.options?.includes(option) !== true);
  if (lost.length === 0) return;
  const list = lost.map(([option, count]) => `${option} (${count})`).join(', ');
  const count = Math.max(...lost.map(([, recordCount]) => recordCount)); // One record may use several of them.
  throw inUse(field, '/options', `must keep the options that records use: ${list}`, count);
}

function inUse({ tableName }: Definition, pointer: string, message: string, count: number): ServiceError {
  return new ServiceError('in_use', `${pointer.slice(1)} ${message}`, {
    errors: [{ pointer, code: 'in_use', message }],
    uses: [{ entityType: tableName, count }],
  });
}

function records(count: number): string {
  return count === 1 ? '1 record has' : `${count} records have`;
}

function memberPointer(member: string): string {
  return `/${CustomField.publicName(member)}`;
}
