/**
 * Definitions of a company's custom fields, as records need them. Each process caches them by version. The current version is read with the
 * caller's identity (services/access/sessions/authenticate.ts), so requests need no further query and every process sees a change at once.
 */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { CustomFieldTable, CustomFieldType } from '../../../domain/records/custom-fields.ts';

/** Counter of the company, incremented by every change of a definition. Locking its row locks the definitions. */
export const VERSION_COUNTER = 'custom_fields';

export interface CustomFieldDefinition {
  readonly id: string;
  readonly tableName: CustomFieldTable;
  readonly fieldName: string;
  /** Key of the values in the column `custom`. */
  readonly storageKey: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly visibleInList: boolean;
  readonly visibleInForm: boolean;
  readonly required: boolean;
  readonly defaultValue: string | null;
  readonly options: readonly string[] | null;
  readonly validationRegex: string | null;
  readonly filterable: boolean;
}

interface Definitions {
  readonly version: number;
  readonly fields: ReadonlyMap<string, readonly CustomFieldDefinition[]>;
}

const NONE: Definitions = { version: 0, fields: new Map() };
/** Maximum number of companies whose definitions are cached; the least recently used is evicted first. */
const CACHED_COMPANIES = 1000;
const cache = new Map<string, Definitions>();

const SQL = `select coalesce((select next from counters where name = '${VERSION_COUNTER}'), 0) as version,
  (select json_agg(json_build_object('id', id, 'tableName', table_name, 'fieldName', field_name, 'storageKey', storage_key, 'label', label,
    'type', type, 'visibleInList', visible_in_list, 'visibleInForm', visible_in_form, 'required', required, 'defaultValue', default_value,
    'options', options, 'validationRegex', validation_regex, 'filterable', filterable) order by position, field_name)
   from custom_fields where active) as fields`;

/**
 * Loads the active custom fields of a kind of record, in order. In exports and imports, `label` is the title of a column; use
 * `withCustomFilters` and `customMembers` (list-fields.ts) for lists, `parseValue` and `writeValue` (text.ts) for cells, and `checkRow`
 * (rows.ts) for the values of a row.
 */
export async function loadActiveFields(
  reader: Reader,
  ctx: Context,
  table: CustomFieldTable,
): Promise<readonly CustomFieldDefinition[]> {
  return (await loadDefinitions(reader, ctx)).fields.get(table) ?? [];
}

/**
 * Loads the active fields for a write, and locks the definitions until the transaction ends: values checked against them are still valid at
 * commit. Takes one round trip, or none if the company has no custom fields for such records.
 */
export async function lockActiveFields(
  trx: Db,
  ctx: Context,
  table: CustomFieldTable,
): Promise<readonly CustomFieldDefinition[]> {
  const known = await loadDefinitions(trx, ctx);
  if ((known.fields.get(table) ?? []).length === 0) return [];
  const counter: { next: number } | undefined = await trx('counters')
    .where({ name: VERSION_COUNTER })
    .forShare()
    .first('next');
  const current = Number(counter?.next) === known.version ? known : await queryDefinitions(trx);
  return current.fields.get(table) ?? [];
}

/**
 * Adds the version of the committed definitions to the context, for work on many records outside a request: definitions are then cached,
 * not read for each record.
 */
export async function withDefinitions(reader: Reader, ctx: Context): Promise<Context> {
  const loaded = await queryDefinitions(reader);
  cacheDefinitions(ctx.tenantId, loaded);
  return { ...ctx, customFieldsVersion: loaded.version };
}

async function loadDefinitions(reader: Reader, ctx: Context): Promise<Definitions> {
  const known = cachedDefinitions(ctx);
  if (known !== undefined) return known;
  const loaded = await queryDefinitions(reader);
  // A different version may be an uncommitted one of this transaction.
  if (loaded.version === ctx.customFieldsVersion) cacheDefinitions(ctx.tenantId, loaded);
  return loaded;
}

function cachedDefinitions({ tenantId, customFieldsVersion }: Context): Definitions | undefined {
  if (customFieldsVersion === 0) return NONE;
  const cached = cache.get(tenantId);
  if (cached === undefined || customFieldsVersion === undefined || cached.version < customFieldsVersion)
    return undefined;
  cache.delete(tenantId);
  cache.set(tenantId, cached); // Re-inserted, since the least recently used is evicted first.
  return cached;
}

async function queryDefinitions(reader: Reader): Promise<Definitions> {
  const rows = await prepared<{ version: number; fields: CustomFieldDefinition[] | null }>(reader, SQL, {});
  const { version, fields } = rows[0] as (typeof rows)[number];
  const byTable = new Map<string, CustomFieldDefinition[]>();
  for (const field of fields ?? []) byTable.set(field.tableName, [...(byTable.get(field.tableName) ?? []), field]);
  return { version: Number(version), fields: byTable };
}

function cacheDefinitions(tenantId: string, definitions: Definitions): void {
  cache.delete(tenantId);
  cache.set(tenantId, definitions);
  if (cache.size > CACHED_COMPANIES) cache.delete(String(cache.keys().next().value));
}
