/** Chooses the columns of a table: the requested ones, or the default ones. */
import type { TSchema } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { memberLabel, memberLabels, referredBy } from '../../../domain/locale/labels.ts';
import { titleKey } from '../../../domain/records/tables/titles.ts';
import { type Column, schemaColumns } from './columns.ts';
import type { Reference } from './references.ts';

/** The shape of a table's rows, from which its columns follow. */
export interface TableShape {
  readonly row: TSchema;
  readonly references: readonly Reference[];
  /** Members that are useless in a table. */
  readonly hidden?: readonly string[];
  /** Ids that a reader needs to identify a row. */
  readonly ids?: readonly string[];
}

/** Members that only the service needs. */
const SERVICE_MEMBERS = ['version', 'tenantId'];

/** All columns that can be requested, with code and name of a referenced record after its id. */
export function allColumns({ row, references }: TableShape): Column[] {
  return schemaColumns(row).flatMap((column) => {
    const reference = references.find(({ member }) => member === column.name);
    if (reference === undefined) return [column];
    const { base } = reference;
    const part = (member: string): Column => {
      const name = `${base}.${member}`;
      return { ...column, name, title: name, path: [base, member], isId: false };
    };
    return [column, part('code'), part('name')];
  });
}

/** The default columns: codes instead of ids, without members that only the service needs. */
export function defaultColumns(shape: TableShape): Column[] {
  const { references, hidden = [], ids = [] } = shape;
  const all = allColumns(shape);
  const hasCode = ({ base }: Reference) => all.some(({ name }) => [`${base}Code`, `${base}_name`].includes(name));
  const left = references.flatMap((reference) => [
    `${reference.base}.name`,
    ...(hasCode(reference) ? [`${reference.base}.code`] : []),
  ]);
  const out = new Set([...SERVICE_MEMBERS, ...hidden, ...left]);
  return all.filter(({ name, isId }) => (isId ? ids.includes(name) : !out.has(name)));
}

/** Finds the columns in a list of names, in its order. @throws ServiceError invalid_parameter naming the known columns */
export function columnsNamed(fields: string, all: readonly Column[]): Column[] {
  const names = fields.split(',').map((name) => name.trim());
  const columns = names.map((name) => {
    const column = all.find((candidate) => candidate.name === name);
    if (column !== undefined) return column;
    const known = all.map((candidate) => candidate.name).join(', ');
    throw new ServiceError(
      'invalid_parameter',
      `fields: ${name === '' ? 'a field without a name' : name} does not exist; known fields are ${known}`,
    );
  });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ServiceError('invalid_parameter', `fields names ${twice} more than once`);
  return columns;
}

/**
 * Adds titles in a language to the columns. A title that an import could mistake for another column is replaced by the name.
 * @param shape.all every column that the list may have
 * @param custom labels of all custom fields by member
 */
export function withTitles(
  columns: readonly Column[],
  { all, references }: Pick<TableShape, 'references'> & { readonly all: readonly Column[] },
  language: Language,
  custom: ReadonlyMap<string, string>,
): Column[] {
  const codes = new Map(references.map(({ base }) => [`${base}.code`, base]));
  const labelNames = new Map(all.map(({ name, label }) => [name, label]));
  const isReference = (name: string) => references.some(({ member }) => member === name);
  const ownLabels = (name: string, inLanguage: (label: string) => string[]) => {
    if (isReference(name)) return inLanguage(referredBy(name)).map((label) => `${label} (ID)`);
    return inLanguage(codes.get(name) ?? labelNames.get(name) ?? name);
  };
  const titleFor = (name: string) => ownLabels(name, (label) => [memberLabel(label, language)])[0] ?? name;
  const standard = counted(columns.filter(({ name }) => !custom.has(name)).map(({ name }) => titleFor(name)));
  const labels = counted([...custom.values()]);
  const reserved = new Set(
    all.flatMap(({ name }) => [name, referredBy(name), ...ownLabels(name, memberLabels)].map(titleKey)),
  );
  return columns.map((column) => {
    const label = custom.get(column.name);
    const title = label ?? titleFor(column.name);
    const key = titleKey(title);
    const isUnambiguous = label === undefined ? standard.get(key) === 1 : labels.get(key) === 1 && !reserved.has(key);
    return { ...column, title: isUnambiguous ? title : column.name };
  });
}

/** Counts the occurrences of each title. */
function counted(titles: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(titleKey(title), (counts.get(titleKey(title)) ?? 0) + 1);
  return counts;
}
