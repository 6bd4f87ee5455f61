/** Declares the columns of a table: the types of its rows and the statements that read and write it are derived from them. */
import type { Decimal } from '../../domain/money.ts';

export interface Column<Value> {
  readonly kind: 'uuid' | 'text' | 'integer' | 'decimal' | 'flag' | 'day' | 'instant' | 'json' | 'list' | 'bytes';
  readonly nullable: boolean;
  /** Only the database assigns values. */
  readonly isGenerated?: boolean;
  /** Never set; carries the type of the value. */
  readonly value?: Value;
}

/** Columns by the members of their rows; the database names them in snake_case. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table with these columns. */
export type RowType<C extends Columns> = {
  -readonly [Member in keyof C]: C[Member] extends Column<infer Value> ? Value : never;
};

export const uuid = (): Column<string> => ({ kind: 'uuid', nullable: false });
/** @typeParam Value the allowed texts, if there are few */
export const text = <Value extends string = string>(): Column<Value> => ({ kind: 'text', nullable: false });
export const integer = (): Column<number> => ({ kind: 'integer', nullable: false });
/** An exact number. */
export const exact = (): Column<Decimal> => ({ kind: 'decimal', nullable: false });
export const flag = (): Column<boolean> => ({ kind: 'flag', nullable: false });
/** A calendar day: 2026-03-31. */
export const day = (): Column<string> => ({ kind: 'day', nullable: false });
/** A point in time, as ISO 8601 in UTC. */
export const instant = (): Column<string> => ({ kind: 'instant', nullable: false });
/** A list of plain values, as a database array. */
export const list = <Value extends readonly unknown[]>(): Column<Value> => ({ kind: 'list', nullable: false });
export const bytes = (): Column<Buffer> => ({ kind: 'bytes', nullable: false });
export const json = <Value>(): Column<Value> => ({ kind: 'json', nullable: false });

/** The column may be null. */
export function optional<Value>(column: Column<Value>): Column<Value | null> {
  return { kind: column.kind, nullable: true };
}

/** Assigned by the database, and never changed. */
export function generated<Value>(column: Column<Value>): Column<Value> {
  return { ...column, isGenerated: true };
}

/** The column of a member: dueDate → due_date. */
export function columnName(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
