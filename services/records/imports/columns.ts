/** Finds the columns of an import: fields of its resource by name or label, the record's id, and read-only members. */
import { Type } from 'typebox';
import type { RowError } from '../../../domain/errors.ts';
import { memberLabels, referredBy } from '../../../domain/locale/labels.ts';
import type { CellKind } from '../../../domain/records/tables/cells.ts';
import { titleKey } from '../../../domain/records/tables/titles.ts';
import type { CustomFieldDefinition } from '../custom-fields/definitions.ts';
import { customMembers } from '../custom-fields/list-fields.ts';
import { memberName } from '../custom-fields/rows.ts';
import { schemaColumns } from '../exports/columns.ts';
import type { ResourceDeclaration } from '../resources/declaration.ts';
import type { ResourceField } from '../resources/field.ts';
import { isNullable } from '../resources/fields.ts';
import { BadTable, type SourceCell, type SourceRow } from './source.ts';

export type ImportMode = 'create' | 'update' | 'upsert';

export interface ImportColumn {
  /** Member that the column fills. */
  readonly name: string;
  /** Title of the column in the file, for reports. */
  readonly header: string;
  readonly kind: CellKind;
  /** Table that its ids or codes refer to. */
  readonly refersTo: string | undefined;
  /** When it can be written; columns that never can be are ignored. */
  readonly write: 'always' | 'create' | 'never';
  readonly nullable: boolean;
  readonly required: boolean;
  /** Whether an empty text is a value of its own, distinct from none. */
  readonly mayBeEmpty: boolean;
}

/** Columns by their position in the file; null for a column with neither title nor values. */
export type Columns = readonly (ImportColumn | null)[];

/** Members of every record that only the service sets; exports contain them, imports ignore them. */
const OWN = ['id', 'version', 'createdAt', 'updatedAt'] as const;

/**
 * Reads the header: finds the member that each column fills.
 * @throws BadTable unknown_column, ambiguous_column, duplicate_column, missing_column, missing_header
 */
export function readHeader(
  declaration: ResourceDeclaration,
  customFields: readonly CustomFieldDefinition[],
  header: SourceRow,
  mode: ImportMode,
): Columns {
  const known = knownColumns(declaration, customFields);
  const errors: RowError[] = [];
  const seen = new Set<string>();
  const refuse = (column: string | null, code: string, message: string) =>
    errors.push({ line: header.line, column, code, message });
  const columns = header.cells.map((cell): ImportColumn | null => {
    const title = headerTitle(cell);
    if (title === '') return null;
    const column = known.get(title) ?? known.get(titleKey(title));
    if (column === undefined) {
      refuse(title, 'unknown_column', `is not a field of ${declaration.path.split('/').at(-1)}`);
      return null;
    }
    if (column === 'ambiguous') {
      refuse(title, 'ambiguous_column', 'is the label of several fields; use their field_name with custom_ before it');
      return null;
    }
    if (seen.has(column.name)) refuse(title, 'duplicate_column', `names ${column.name} again`);
    seen.add(column.name);
    return { ...column, header: title };
  });
  for (const [name, message] of missing(declaration, seen, mode)) refuse(name, 'missing_column', message);
  if (errors.length > 0) throw new BadTable(errors);
  return columns;
}

/** Members that identify a row without an id. */
export function naturalKey({ fields, naturalKey: key }: ResourceDeclaration): readonly string[] {
  return key ?? ('code' in fields ? ['code'] : []);
}

function* missing(declaration: ResourceDeclaration, seen: ReadonlySet<string>, mode: ImportMode) {
  const key = naturalKey(declaration);
  const identified = seen.has('id') || (key.length > 0 && key.every((name) => seen.has(name)));
  if (mode === 'update' && !identified) {
    const words = key.length > 0 ? `id or ${key.join(' and ')}` : 'id';
    yield [key[0] ?? 'id', `is missing: records are identified by ${words}`] as const;
  }
  if (mode === 'create' || (mode === 'upsert' && !identified)) {
    for (const [name, { required, write }] of Object.entries(declaration.fields)) {
      if (required && write !== 'never' && !seen.has(name)) yield [name, 'is missing, but required'] as const;
    }
  }
}

/**
 * Maps each title to its column. Names take precedence over labels, and exact spellings over those that differ only in case, blanks and
 * underscores: custom_a1 and custom_a_1 are two fields. Labels are those of exports, in any language.
 */
function knownColumns(
  { fields, model }: ResourceDeclaration,
  customFields: readonly CustomFieldDefinition[],
): Map<string, ImportColumn | 'ambiguous'> {
  const columns = Object.entries(fields).map(([name, field]) => fieldColumn(name, field));
  for (const name of OWN) columns.push(ignoredColumn(model.publicName(name)));
  const custom = customFields.map((field) => {
    const name = memberName(field);
    return { label: field.label, column: fieldColumn(name, { schema: customMembers([field])[name] ?? {} }) };
  });
  const named = new Titles();
  for (const column of [...columns, ...custom.map(({ column }) => column)]) named.first(column.name, column);
  for (const column of columns) named.first(titleKey(column.name), column);
  // A reference may be titled without its suffix: group for groupId.
  const references = columns.filter(({ refersTo }) => refersTo !== undefined);
  for (const column of references) {
    const base = referredBy(column.name);
    named.first(titleKey(base), column);
    named.first(titleKey(`${base}.code`), column);
    named.first(titleKey(`${base}.name`), ignoredColumn(`${base}.name`));
  }
  const labelled = new Titles();
  for (const { label, column } of custom) {
    labelled.any(titleKey(column.name), column);
    labelled.any(titleKey(label), column);
  }
  for (const column of columns) {
    const base = column.refersTo === undefined ? column.name : referredBy(column.name);
    for (const label of memberLabels(base)) labelled.any(titleKey(label), column);
    if (column.refersTo === undefined) continue;
    for (const label of memberLabels(base)) labelled.any(titleKey(`${label} (ID)`), column);
    for (const label of memberLabels(`${base}.name`)) labelled.any(titleKey(label), ignoredColumn(`${base}.name`));
  }
  return new Map([...labelled, ...named]);
}

/** Columns by their possible titles. */
class Titles extends Map<string, ImportColumn | 'ambiguous'> {
  /** Maps a title to the first column that claims it. */
  first(title: string, column: ImportColumn): void {
    if (!this.has(title)) this.set(title, column);
  }

  /** Maps a title to a column, or marks it as ambiguous if several claim it. */
  any(title: string, column: ImportColumn): void {
    const existing = this.get(title);
    this.set(title, existing === undefined || (existing as ImportColumn).name === column.name ? column : 'ambiguous');
  }
}

/** Column of a member that only the service sets and imports ignore. */
function ignoredColumn(name: string): ImportColumn {
  return { ...fieldColumn(name, { schema: Type.String() }), write: 'never' };
}

function fieldColumn(name: string, field: ResourceField): ImportColumn {
  const { minLength = 1, type } = field.schema as { minLength?: number; type?: string };
  return {
    name,
    header: name,
    kind: schemaColumns(Type.Object({ [name]: field.schema }))[0]?.kind ?? 'text',
    refersTo: field.reference?.table,
    write: field.write ?? 'always',
    nullable: isNullable(field),
    required: field.required === true,
    mayBeEmpty: type === 'string' && minLength === 0,
  };
}

function headerTitle(cell: SourceCell | undefined): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : '';
}
