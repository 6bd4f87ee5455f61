/** Collects the rows of a change, part by part: rows of one table with the same form. */
import { isDeepStrictEqual } from 'node:util';
import { columnName } from '../models/columns.ts';
import type { DeclaredTable } from '../models/table.ts';
import { formKey, isVersioned, type Part } from './statement.ts';

type Members = Readonly<Record<string, unknown>>;

/** A row as it was read, and as it should become. */
export interface Change<Row = object> {
  readonly before: Row;
  readonly after: Row & { readonly id: string };
}

export class Parts {
  readonly #parts = new Map<string, Part>();
  readonly #updates = new Map<DeclaredTable, Map<string, Change>>();

  /** @param rows all with the same members; they may have more than the table has columns */
  insert(
    table: DeclaredTable,
    rows: readonly object[],
    only: Pick<Part, 'missingBy' | 'madeIn' | 'forRules'> = {},
  ): void {
    const [first] = rows as readonly Members[];
    if (first === undefined) return;
    const members = Object.keys(table.columns).filter((member) => first[member] !== undefined);
    this.#add({ action: 'insert', table, members, ...only }, rows as readonly Members[]);
  }

  /** @throws Error when a row is changed twice and the second change does not continue the first */
  update(table: DeclaredTable, rows: readonly Change[]): void {
    const updates = this.#updates.get(table) ?? new Map<string, Change>();
    this.#updates.set(table, updates);
    for (const { before, after } of rows) {
      const known = updates.get(after.id);
      if (known !== undefined && known.after !== before) {
        throw new Error(`the row ${after.id} of ${table.tableName} is changed twice`);
      }
      updates.set(after.id, { before: known?.before ?? before, after });
    }
  }

  remove(table: DeclaredTable, rows: readonly object[]): void {
    const members = isVersioned(table) ? ['id', 'version'] : ['id'];
    if (rows.length > 0) this.#add({ action: 'remove', table, members }, rows as readonly Members[]);
  }

  /** All parts, updates first. */
  all(): Part[] {
    const updates = [...this.#updates].map(([table, changes]) => updatePart(table, [...changes.values()]));
    return [...updates.filter(({ rows }) => rows.length > 0), ...this.#parts.values()];
  }

  /** Adds rows to the part of the same form. */
  #add(form: Omit<Part, 'rows'>, rows: readonly Members[]): void {
    const key = formKey(form);
    const part = this.#parts.get(key) ?? { ...form, rows: [] };
    this.#parts.set(key, part);
    const columns = namesInTable(form.table, form.members);
    for (const row of rows) part.rows.push(filledColumns(row, columns));
  }
}

/**
 * The differences of each row, by id: all updates of a table have the same form.
 * @throws Error when a row keeps its version
 */
function updatePart(table: DeclaredTable, rows: readonly Change[]): Part {
  const members = Object.keys(table.columns).filter((member) => member !== 'id' && !table.columns[member]?.isGenerated);
  const changed = (rows as readonly Change<Members>[]).flatMap(({ before, after }) => {
    const differing = members.filter((member) => differs(before[member], after[member]));
    if (differing.length === 0) return [];
    // A row that is changed twice rises by two versions.
    if (isVersioned(table) && Number(after.version) <= Number(before.version)) {
      throw new Error(`a changed row of ${table.tableName} must have a later version`);
    }
    return [{ id: after.id, version: before.version, set: toColumns(after, namesInTable(table, differing)) }];
  });
  return { action: 'update', table, members, rows: changed };
}

/** Whether a member changes; absent members do not. */
function differs(before: unknown, after: unknown): boolean {
  return after !== undefined && after !== before && !isDeepStrictEqual(after, before);
}

type Names = readonly (readonly [member: string, column: string])[];

/** Column names by member, cached per table. */
const columnNames = new WeakMap<DeclaredTable, ReadonlyMap<string, string>>();

function namesInTable(table: DeclaredTable, members: readonly string[]): Names {
  const names =
    columnNames.get(table) ?? new Map(Object.keys(table.columns).map((member) => [member, columnName(member)]));
  columnNames.set(table, names);
  return members.map((member) => [member, names.get(member) ?? columnName(member)]);
}

/** The non-null columns of a row, as JSON: PostgreSQL reads absent columns as null, and most are null. */
function filledColumns(row: Members, names: Names): Members {
  const written: Record<string, unknown> = {};
  for (const [member, column] of names) {
    const value = row[member];
    if (value !== null && value !== undefined) written[column] = toJsonValue(value);
  }
  return written;
}

/** All columns of a row, as JSON. */
function toColumns(row: Members, names: Names): Members {
  const written: Record<string, unknown> = {};
  for (const [member, column] of names) written[column] = toJsonValue(row[member]);
  return written;
}

/** Bytes in PostgreSQL's text form. */
function toJsonValue(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
