/** The columns of an exported list: the members of its rows' schema, in order. */
import type { TSchema } from 'typebox';
import type { CellKind } from '../../../domain/records/tables/cells.ts';

export interface Column {
  /** The member's name, dotted if nested: partner.code. */
  readonly name: string;
  /** The column's title; defaults to the name. */
  readonly title: string;
  readonly path: readonly string[];
  /** Whether its values are ids, one or several. */
  readonly isId: boolean;
  readonly kind: CellKind;
  /** Company setting for the minimum number of decimals: amounts or quantities. Percentages range to 100. */
  readonly measure: 'amount' | 'quantity' | 'percent';
  /** Maximum number of decimals. */
  readonly places: number;
  /** Name whose title is used instead, if its own name means something else in other lists. */
  readonly label?: string | undefined;
  /** Display texts of its codes. */
  readonly words?: Readonly<Record<string, string>> | undefined;
}

/** The parts of a member's schema that columns depend on. */
interface Member {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Member;
  readonly properties?: Readonly<Record<string, Member>>;
  readonly additionalProperties?: unknown;
  readonly decimalPlaces?: number;
  readonly 'x-measure'?: 'quantity' | 'percent';
  readonly 'x-label'?: string;
}

const MAX_PLACES = 6;

/** Derives columns from a schema: one for each member of objects with known members; other structures become one column of JSON. */
export function schemaColumns(row: TSchema): Column[] {
  return memberColumns(row as Member, []);
}

function memberColumns({ properties = {} }: Member, above: readonly string[]): Column[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = [...above, name];
    const kind = cellKind(member);
    if (kind === undefined) return memberColumns(member, path);
    const { decimalPlaces: places = MAX_PLACES, 'x-measure': measure = 'amount', 'x-label': label } = member;
    const dotted = path.join('.');
    const isId = (member.items ?? member).format === 'uuid';
    return [{ name: dotted, title: dotted, path, isId, kind, measure, places, label }];
  });
}

/** Kind of a member's cells; undefined for an object whose members have columns of their own. */
function cellKind(member: Member): CellKind | undefined {
  switch (jsonType(member)) {
    case 'object':
      return member.properties === undefined || member.additionalProperties === true ? 'json' : undefined;
    case 'array':
      return member.items !== undefined && jsonType(member.items) === 'string' ? 'texts' : 'json';
    case 'number':
      return 'number';
    case 'integer':
      return 'integer';
    case 'boolean':
      return 'boolean';
    case 'string':
      return member.format === 'date' ? 'date' : member.format === 'date-time' ? 'instant' : 'text';
    default:
      return 'json';
  }
}

function jsonType({ type }: Member): string | undefined {
  return typeof type === 'string' ? type : type?.find((name) => name !== 'null');
}

/** The value of a column in a row; null if there is none. */
export function valueIn(row: unknown, { path, words }: Column): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return (words !== undefined && typeof value === 'string' ? words[value] : undefined) ?? value ?? null;
}
